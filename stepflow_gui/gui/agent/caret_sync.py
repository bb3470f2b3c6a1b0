"""Form and source of agent.json keep together: the caret's field is in view, and the text of the field in focus."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from stepflow_gui.gui.agent.page import AgentPage
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.project.finding.locate import AGENT

if TYPE_CHECKING:
    from stepflow_gui.text.document import ParsedFile


class CaretSync(QObject):
    """Only while the source shows agent.json: it isn't turned to it unasked. The keyboard stays where it is."""

    def __init__(self, source: SourcePanel, page: AgentPage, document: Callable[[], Document | None]) -> None:
        super().__init__(page)
        self._source = source
        self._document = document
        self._page = page
        self._at = ""  # the place that both show
        source.editor.cursorPositionChanged.connect(self._caret_moved)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_moved)

    def _caret_moved(self) -> None:
        parsed, editor = self._parsed(), self._source.editor
        if parsed is None or not editor.hasFocus() or not parsed.tree.valid:
            return
        pointer = parsed.tree.pointer_at(editor.caret)
        if pointer and pointer != self._at:
            self._at = pointer
            self._page.focus_place(pointer, focus=False)

    def _focus_moved(self, _old: QWidget | None, new: QWidget | None) -> None:
        parsed = self._parsed()
        row = _row_of(new)
        if parsed is None or row is None or not self._page.isAncestorOf(row) or row.line.absent:
            return
        span = parsed.tree.key_span(row.line.pointer)
        node = parsed.tree.at(row.line.pointer)
        if node is not None and row.line.pointer != self._at:
            self._at = row.line.pointer
            self._source.reveal(parsed.path, span if span is not None and row.line.heads else node.span)

    def _parsed(self) -> "ParsedFile | None":
        """agent.json, if both show it."""
        document, path = self._document(), self._source.path
        if document is None or path is None or path.name != AGENT or not self._page.isVisible():
            return None  # nothing is read for it
        parsed = document.folder.agent_document
        shown = parsed is not None and path == parsed.path
        return parsed if shown and self._page.form_shown else None


def _row_of(widget: QWidget | None) -> FormRow | None:
    while widget is not None and not isinstance(widget, FormRow):
        widget = widget.parentWidget()
    return widget

"""The source panel: the text of the registry or of a file around it, in step with the rest of the window."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.gui.fonts import mono_font, ui_font
from stepflow_gui.gui.history import REDO, UNDO
from stepflow_gui.gui.panels.dock import PanelTitle
from stepflow_gui.gui.panels.source_assist import SourceAssist
from stepflow_gui.gui.panels.source_editor import SourceEditor
from stepflow_gui.gui.panels.source_find import FindBar
from stepflow_gui.gui.panels.source_gutter import Gutter
from stepflow_gui.gui.panels.source_marks import marks_in
from stepflow_gui.gui.session import Reveal, Selection, Session
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source, Span

ORIGIN = "source"


class SourcePanel(QWidget):
    """Shows a session's registry as text, or another file of the agent that something in the window leads to.

    What is written goes to the session at once, what others do comes back.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sourcePanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self._session: Session | None = None
        self._path: Path | None = None  # of the file shown
        self._sending = False
        self._revealing = False
        self.extend_menu: Callable[[QMenu, Path, int], None] | None = None  # what else to offer at an offset
        self._title = PanelTitle()
        self._place = QLabel()
        self._place.setProperty("muted", True)
        self._back = QToolButton()
        self._back.setAutoRaise(True)
        self._back.clicked.connect(self._show_registry)
        self.editor = SourceEditor(theme)
        self.find_bar = FindBar(theme)
        self.find_bar.hide()
        self.gutter = Gutter(self.editor)
        self._follow_later = QTimer(self)  # the caret may move many times while one event is worked on
        self._follow_later.setSingleShot(True)
        self._follow_later.timeout.connect(self._follow)
        header = QHBoxLayout()
        header.setContentsMargins(16, 12, 16, 6)
        header.setSpacing(8)
        header.addWidget(self._title)
        header.addWidget(self._place, 1)
        header.addWidget(self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(header)
        column.addWidget(self.find_bar)
        column.addWidget(self.editor, 1)
        self.setFocusProxy(self.editor)
        self.editor.written.connect(self._written)
        self.editor.asked.connect(self._asked)
        self.editor.jumped.connect(self._jumped)
        self.editor.undo_asked.connect(lambda: self._session and self._session.undo())
        self.editor.redo_asked.connect(lambda: self._session and self._session.redo())
        self.editor.find_asked.connect(self.open_find)
        self.editor.cursorPositionChanged.connect(self._caret_moved)
        self.find_bar.found.connect(self._show_span)
        self.editor.menu_asked.connect(self._extend_menu)
        self.find_bar.closed.connect(self._close_find)
        self.assist = SourceAssist(self)
        self.set_theme(theme)
        self.retranslate()
        self.set_session(None)

    @property
    def session(self) -> Session | None:
        """The session that is shown."""
        return self._session

    @property
    def path(self) -> Path | None:
        """The file that is shown."""
        return self._path

    @property
    def focus_widget(self) -> QWidget:
        """What takes the keyboard when the panel is gone to."""
        return self.editor

    def retranslate(self) -> None:
        """Show the panel in the language in use."""
        self._title.set_title(_("Source"))
        self._place.setFont(mono_font(11))
        self.find_bar.retranslate()
        self._back.setFont(ui_font(11))
        self._show_file_names()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self.find_bar.set_theme(theme)
        self.editor.set_theme(theme)
        self.gutter.update()

    def set_session(self, session: Session | None) -> None:
        """Show another session, or none."""
        if self._session is not None:
            for signal, slot in self._links(self._session):
                signal.disconnect(slot)
        self._session = session
        source = session.source() if session else None
        self._lay_out(session.path if session else None, source if isinstance(source, Source) else Source(""))
        self.editor.setEnabled(session is not None)
        if session is not None:
            for signal, slot in self._links(session):
                signal.connect(slot)

    def open_find(self) -> None:
        """Open the find bar, with what is selected."""
        if self._session is None:
            return
        cursor = self.editor.textCursor()
        wanted = cursor.selectedText() if cursor.hasSelection() else ""
        start = self.editor.mapping.offset(cursor.selectionStart())
        self.find_bar.open(self.editor.mapping.source.text, start, "" if "\u2029" in wanted else wanted)

    def reveal(self, path: Path, span: Span) -> None:
        """Show a stretch of a file of the agent; nothing happens where it can't be read."""
        if self._show_file(path):
            self._show_span(span)

    def _links(self, session: Session) -> list[tuple[SignalInstance, Callable[..., None]]]:
        return [
            (session.text_changed, self._text_changed),
            (session.flow_changed, self._flow_changed),
            (session.diagnostics_changed, self._show_diagnostics),
            (session.selection_changed, self._selection_changed),
            (session.reveal_asked, self._reveal_asked),
        ]

    # Which file

    @property
    def _shows_registry(self) -> bool:
        return self._session is not None and self._path == self._session.path

    def _show_file(self, path: Path) -> bool:
        if self._session is None or path == self._path:
            return self._session is not None
        source = self._session.source(path)
        if not isinstance(source, Source):
            return False
        self._lay_out(path, source)
        return True

    def _show_registry(self) -> None:
        if self._session is not None and self._show_file(self._session.path):
            self._follow_later.start(0)
            self.editor.setFocus()

    def _lay_out(self, path: Path | None, source: Source) -> None:
        self._path = path
        self._follow_later.stop()
        self.find_bar.hide()
        self._revealing = True
        self.editor.show_text(source)
        self._revealing = False
        self._show_step()
        self._show_diagnostics()
        self._show_file_names()

    # From the editor

    def _written(self, edit: TextEdit, label: str, typing: bool) -> None:
        if self._session is None or self._path is None:
            return
        self._sending = True
        self._session.apply({self._path: [edit]}, label, ORIGIN, typing=typing)
        self._sending = False

    def _asked(self, edits: Sequence[TextEdit], label: str) -> None:
        if self._session is not None and self._path is not None:
            self._session.apply({self._path: edits}, label, ORIGIN)

    def _extend_menu(self, menu: QMenu, offset: int) -> None:
        if self._path is not None and self.extend_menu is not None:
            self.extend_menu(menu, self._path, offset)

    def _jumped(self) -> None:
        if self._session is not None:
            self._session.end_burst()

    def _caret_moved(self) -> None:
        self._show_place()
        if not self._revealing and not self.editor.composing:
            self._follow_later.start(0)

    def _follow(self) -> None:
        # The step that the caret is in becomes the selected one, once the text has been read.
        session = self._session
        if session is not None and self._shows_registry and session.settled and self.editor.hasFocus():
            session.select(session.step_at(self.editor.caret), ORIGIN)

    # From the session

    def _text_changed(self, path: Path, edits: Sequence[TextEdit], origin: str) -> None:
        session = self._session
        if session is None or path != self._path:
            return
        source = session.source(path)
        assert isinstance(source, Source)
        if origin == ORIGIN and self._sending:
            self.editor.accept(edits[0], source)
        else:
            before = self.editor.mapping.source
            text = apply(before.text, list(edits))  # one of several changes may be told of: not yet what the file holds
            after = source if text == source.text else before.with_text(text)
            self.editor.lay(list(edits), after, follow=origin in {UNDO, REDO})
        if self.find_bar.isVisible():
            self.find_bar.set_text(source.text)
        self._show_place()

    def _flow_changed(self) -> None:
        self._show_step()
        self._follow_later.start(0)

    def _show_diagnostics(self) -> None:
        if self._session is not None and self._path is not None:
            self.editor.set_marks(marks_in(self._path, self._session.diagnostics))

    def _selection_changed(self, _selection: Selection) -> None:
        self._show_step()

    def _reveal_asked(self, wanted: Reveal) -> None:
        self.reveal(wanted.path, wanted.span)

    def _show_span(self, span: Span) -> None:
        self._revealing = True
        self.editor.reveal(span)
        self._revealing = False

    def _show_step(self) -> None:
        session = self._session
        if session is None or session.stale or not self._shows_registry:
            return
        step = session.good.flow.steps.get(session.selected_step or "")
        self.editor.step_lines = None
        if step is not None:
            lines = [session.good.registry.source.position(at).line - 1 for at in (step.key_span.start, step.node.end)]
            self.editor.step_lines = (lines[0], lines[1])
        self.gutter.update()

    def _show_place(self) -> None:
        if self._path is None:
            self._place.setText("")
        else:
            self._place.setText(f"{self._path.name}:{self.editor.textCursor().blockNumber() + 1}")
            self._place.setToolTip(str(self._path))

    def _show_file_names(self) -> None:
        self.editor.setAccessibleName(_("Source of {file}").format(file=self._path.name) if self._path else _("Source"))
        registry = self._session.path.name if self._session else ""
        self._back.setText(f"← {registry}")
        self._back.setToolTip(_("Back to the registry"))
        self._back.setAccessibleName(_("Back to the registry"))
        self._back.setVisible(self._session is not None and not self._shows_registry)
        self._show_place()

    def _close_find(self) -> None:
        self.find_bar.hide()
        self.editor.setFocus()

"""The source panel: the texts of the registry and of the files around it, in step with the rest of the window."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from stepflow_gui.gui.desk import Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.history import REDO, UNDO
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.gui.document.selection import Reveal, Selection
from stepflow_gui.gui.source.assist.assist import SourceAssist
from stepflow_gui.gui.source.assist.variables import found_at_uses
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.gui.source.finding.find_bar import FindBar
from stepflow_gui.gui.source.gutter import Gutter
from stepflow_gui.gui.source.heading.head import SourceHead
from stepflow_gui.gui.source.heading.outline import SourceOutline
from stepflow_gui.gui.source.marks import marks_in
from stepflow_gui.gui.source.menu import source_menu
from stepflow_gui.gui.source.shortcuts import add_shortcuts
from stepflow_gui.gui.source.views import Views
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.lines import in_lines
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.source import Source, Span

ORIGIN = "source"


class SourcePanel(QWidget, Feature):
    """Shows a document's registry as text, and in further tabs the files that are opened from elsewhere in the window.

    What is written goes to the document at once, what others do comes back. `file_closed(path)`: a tab goes.
    """

    file_closed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sourcePanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self._theme = theme
        self._document: Document | None = None
        self._path: Path | None = None  # of the file shown
        self._sending = False
        self._revealing = False
        self._undone: dict[Path, int] = {}  # where undo or redo just changed files
        self.extend_menu: Callable[[QMenu, Path, int], None] | None = None  # what else to offer at an offset
        self.head = SourceHead(theme)
        self.tabs = self.head.tabs
        self.crumbs = self.head.crumbs
        self.editor = SourceEditor(theme)
        self.find_bar = LazyWidget(self._make_find_bar)
        self.find_bar.hide()
        self.gutter = Gutter(self.editor)
        self.views = Views()
        self._follow_later = QTimer(self)  # the caret may move many times while one event is worked on
        self._follow_later.setSingleShot(True)
        self._follow_later.timeout.connect(self._follow)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.find_bar)
        column.addWidget(self.editor, 1)
        self.setFocusProxy(self.editor)
        self._wire()
        self.outline = SourceOutline(self, self)
        self.assist = SourceAssist(self, self)
        add_shortcuts(self, self._shortcuts())
        self.set_theme(theme)
        self.retranslate()
        self.set_document(None)

    def _wire(self) -> None:
        self.editor.written.connect(self._written)
        self.editor.asked.connect(self._asked)
        self.editor.jumped.connect(lambda: self._with_document(Document.end_burst))
        self.editor.undo_asked.connect(lambda: self._with_document(Document.undo))
        self.editor.redo_asked.connect(lambda: self._with_document(Document.redo))
        self.editor.find_asked.connect(self.open_find)
        self.editor.cursorPositionChanged.connect(self._caret_moved)
        self.editor.menu_asked.connect(self._extend_menu)
        self.editor.context_menu_asked.connect(lambda offset, at: source_menu(self.editor, offset).popup(at))
        self.tabs.picked.connect(self.show_file)
        self.tabs.close_asked.connect(self.close_file)
        self.head.file_wanted.connect(self._file_wanted)
        self.head.breaking_asked.connect(self._break_into_lines)
        self.editor.shown.connect(self._shown)
        self.crumbs.picked.connect(self._place_picked)
        self.crumbs.left.connect(self.editor.setFocus)

    @property
    def document(self) -> Document | None:
        """The document that is shown."""
        return self._document

    @property
    def path(self) -> Path | None:
        """The file that is shown."""
        return self._path

    def _shortcuts(self) -> tuple[tuple[tuple[str, ...], Callable[[], object]], ...]:
        return (
            (("Ctrl+Tab", "Ctrl+PgDown"), lambda: self.tabs.step(1)),
            (("Ctrl+Shift+Tab", "Ctrl+PgUp"), lambda: self.tabs.step(-1)),
            (("Alt+Up",), self.crumbs.take_keyboard),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Where these keys aren't the window's, as they are beside other panels.
        pressed = QKeySequence(event.keyCombination())
        act = next((act for keys, act in self._keys_alone() if pressed == QKeySequence(keys)), None)
        if act is not None:
            act()
        else:
            super().keyPressEvent(event)

    def _keys_alone(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        return (
            ("Ctrl+W", self.close_current),
            ("Ctrl+F", self.open_find),
            ("Ctrl+H", lambda: self.open_find(replacing=True)),
            ("F3", lambda: self.find_next(1)),
            ("Shift+F3", lambda: self.find_next(-1)),
        )

    def caret_place(self) -> tuple[Path, int] | None:
        """The file that is shown and the offset of the caret, while the editor has the keyboard."""
        return (self.path, self.editor.caret) if self.path is not None and self.editor.hasFocus() else None

    @property
    def focus_widget(self) -> QWidget:
        """What takes the keyboard when the panel is gone to."""
        return self.editor

    def retranslate(self) -> None:
        """Show the panel in the language in use."""
        self.head.retranslate()
        self.find_bar.if_built(lambda bar: bar.retranslate())
        self.outline.show_now()
        self._show_file_name()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self.head.set_theme(theme)
        self.find_bar.if_built(lambda bar: bar.set_theme(theme))
        self.editor.set_theme(theme)
        self.gutter.update()

    def set_document(self, document: Document | None) -> None:
        """Show another document, or none."""
        if self._document is not None:
            for signal, slot in self._links(self._document):
                signal.disconnect(slot)
        self._document = document
        self.views = Views()
        self._undone = {}
        self.head.set_document(document)
        source = document.source() if document else None
        self._lay_out(document.path if document else None, source if isinstance(source, Source) else Source(""))
        self.editor.setEnabled(document is not None)
        if document is not None:
            for signal, slot in self._links(document):
                signal.connect(slot)

    def reveal(self, path: Path, span: Span) -> None:
        """Show a stretch of a file of the agent, in its tab; where it can't be read that is reported."""
        if self.show_file(path):
            self._show_span(span)

    def _links(self, document: Document) -> list[tuple[SignalInstance, Callable[..., None]]]:
        return [
            (document.text_changed, self._text_changed),
            (document.stack.indexChanged, self._history_moved),  # after all its changes were reported
            (document.flow_changed, self._flow_changed),
            (document.diagnostics_changed, self._show_diagnostics),
            (document.selection_changed, self._selection_changed),
            (document.reveal_asked, self._reveal_asked),
            (document.dirty_changed, self._show_state),
            (document.saved, self._show_state),
            (document.disk_changed, self._show_state),
        ]

    # Which file

    @property
    def _shows_registry(self) -> bool:
        return self._document is not None and self._path == self._document.path

    def show_file(self, path: Path) -> bool:
        """Show a file in its tab, as it was left there; False where it can't be read."""
        document = self._document
        if document is None:
            return False
        source = document.source(path)
        if not isinstance(source, Source):
            self.head.show_text(describe(source))
            return False
        disk_state = document.disk_state(path)
        path = disk_state.path if disk_state is not None else path  # the same file by another link
        self.head.show_text("")
        if path != self._path:
            if self._path is not None:
                self.views.keep(self._path, self.editor)
            document.end_burst()
            self.tabs.show_file(path)
            self._lay_out(path, source)
        return True

    def close_file(self, path: Path) -> None:
        """Close the tab of a file and show the one that was shown before. What was written in it stays unsaved."""
        document = self._document
        if document is None or not self.tabs.can_close(path):
            return
        self.file_closed.emit(path)
        self.tabs.close_file(path)
        if path == self._path:
            self.show_file(self.views.last(self.tabs.paths) or document.path)
        self.views.forget(path)

    def close_current(self) -> bool:
        """Close the tab that is in front. False where it can't be closed."""
        if self._path is None or not self.tabs.can_close(self._path):
            return False
        self.close_file(self._path)
        return True

    def _file_wanted(self, path: Path) -> None:
        if self.show_file(path):
            self.editor.setFocus()

    def _lay_out(self, path: Path | None, source: Source) -> None:
        self._path = path
        self._follow_later.stop()
        self._revealing = True
        if path is not None:
            self.views.show(path, self.editor, source)
        else:
            self.editor.show_text(source)
        self._revealing = False
        if path is None:
            self._hide_find()
        elif self.find_bar.isVisible():
            self.find_bar.widget.set_source(source)
        self._show_step()
        self._show_diagnostics()
        self._show_state()
        self._show_file_name()
        self._show_place()
        self.outline.show_now()

    # From the editor

    def _written(self, edit: TextEdit, label: str, typing: bool) -> None:
        if self._document is None or self._path is None:
            return
        self._sending = True
        self._document.apply({self._path: [edit]}, label, ORIGIN, typing=typing)
        self._sending = False

    def _asked(self, edits: Sequence[TextEdit], label: str) -> None:
        if self._document is not None and self._path is not None:
            self._document.apply({self._path: edits}, label, ORIGIN)

    def _with_document(self, act: Callable[[Document], object]) -> None:
        if self._document is not None:
            act(self._document)

    def _shown(self) -> None:
        self.outline.show_soon()
        is_cut = self.editor.mapping.is_cut
        self.head.show_part_note(is_cut, is_cut and self._path is not None and self._path.suffix == ".json")

    def _break_into_lines(self) -> None:
        text = self.editor.mapping.source.text
        if read_json(self.editor.mapping.source).valid:
            self._asked([TextEdit(0, len(text), in_lines(text))], _("Break into lines"))
        else:
            self.head.show_text(_("Only valid JSON can be formatted."))

    def _extend_menu(self, menu: QMenu, offset: int) -> None:
        if self._path is not None and self.extend_menu is not None:
            self.extend_menu(menu, self._path, offset)

    def _caret_moved(self) -> None:
        self._show_place()
        self.outline.show_soon()
        if not self._revealing and not self.editor.composing:
            self._follow_later.start(0)

    def _follow(self) -> None:
        # The step that the caret is in becomes the selected one, once the text has been read.
        document = self._document
        if document is not None and self._shows_registry and document.parsed and self.editor.hasFocus():
            document.select(document.step_at(self.editor.caret), ORIGIN)

    # From the document

    def _text_changed(self, path: Path, edits: Sequence[TextEdit], origin: str) -> None:
        document = self._document
        if document is None:
            return
        self._show_state(path)
        if origin in {UNDO, REDO} and edits:
            shift = sum(len(edit.text) - (edit.end - edit.start) for edit in edits[:-1])
            self._undone[path] = edits[-1].start + shift + len(edits[-1].text)
        if path != self._path:
            self.views.move(path, edits)
            return
        source = document.source(path)
        assert isinstance(source, Source)
        if origin == ORIGIN and self._sending:
            self.editor.accept(edits[0], source)
        else:
            before = self.editor.mapping.source
            text = apply(before.text, list(edits))  # one of several changes may be reported: not yet the file's text
            after = source if text == source.text else before.with_text(text)
            self.editor.apply_edits(list(edits), after, follow=origin in {UNDO, REDO})
        if self.find_bar.isVisible():
            self.find_bar.widget.set_source(source, list(edits))
            self._show_hits(until=min(edit.start for edit in edits) if edits else None)
        self._show_place()
        self.outline.show_soon()

    def _history_moved(self) -> None:
        # What undo changed is shown: if none of it is in view, in the tab of a file that it changed.
        undone, self._undone = self._undone, {}
        if self._document is None or self._path in undone:
            return
        for path in self.tabs.paths:
            if path in undone:
                self.views.place(path, undone[path])
                self.show_file(path)
                return

    def _flow_changed(self) -> None:
        self._show_step()
        self._follow_later.start(0)
        self.outline.show_soon()

    def _show_diagnostics(self) -> None:
        if self._document is not None and self._path is not None:
            placed = found_at_uses(self._document, self._path)
            self.editor.set_marks(marks_in(self._path, self._document.diagnostics, placed))

    def _selection_changed(self, _selection: Selection) -> None:
        self._show_step()

    def _reveal_asked(self, wanted: Reveal) -> None:
        self.reveal(wanted.path, wanted.span)

    def _show_span(self, span: Span) -> None:
        self._revealing = True
        self.editor.reveal(span)
        self._revealing = False

    def _place_picked(self, span: Span) -> None:
        self.editor.setFocus()
        self.editor.reveal(span)

    def _show_step(self) -> None:
        document = self._document
        if document is None or document.text_broken or not self._shows_registry:
            return
        step = document.last_valid.flow.steps.get(document.selected_step or "")
        if document.selection.part:
            step = sub_step_at(step, document.selection.part) or step
        self.editor.step_lines = None
        if step is not None:
            lines = [
                document.last_valid.registry.source.position(at).line - 1 for at in (step.key_span.start, step.node.end)
            ]
            self.editor.step_lines = (lines[0], lines[1])
        self.gutter.update()

    def _show_place(self) -> None:
        cursor = self.editor.textCursor()
        place = f"{cursor.blockNumber() + 1}:{cursor.positionInBlock() + 1}"
        self.head.place.setText(place if self._path is not None else "")

    def _show_file_name(self) -> None:
        self.editor.setAccessibleName(_("Source of {file}").format(file=self._path.name) if self._path else _("Source"))

    def _show_state(self, _changed: object = None) -> None:
        if self._document is None:
            return
        for path in self.tabs.paths:
            text = self._document.disk_state(path)
            if text is not None:
                self.tabs.set_state(path, unsaved=text.dirty, gone=text.gone)

    # Finding

    def open_find(self, replacing: bool = False) -> None:
        """Open the find bar, with what is selected."""
        if self._document is None:
            return
        cursor, offset = self.editor.textCursor(), self.editor.mapping.offset
        selected = Span(offset(cursor.selectionStart()), offset(cursor.selectionEnd()))
        self.find_bar.show()
        self.find_bar.widget.open(self.editor.mapping.source, offset(cursor.position()), selected, replacing=replacing)

    def selected_text(self) -> str:
        """What is selected in the text that is in view, if that is within a line."""
        text = self.editor.textCursor().selectedText() if self.isVisible() else ""
        return "" if "\u2029" in text else text

    def find_next(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) place of what was looked for last; without any, ask for it."""
        if self.find_bar.isVisible() and self.find_bar.widget.field.text():
            self.find_bar.widget.step(by, self.editor.caret)
        else:
            self.open_find()

    def _show_hits(self, until: int | None = None) -> None:
        # Hits behind a change wait until they were looked for again.
        bar = self.find_bar.widget
        hits = bar.hits if self.find_bar.isVisible() else []
        if until is not None:
            hits = hits[: bisect_left(hits, until, key=lambda hit: hit.end)]
        self.editor.set_hits(hits, bar.scope)

    def _make_find_bar(self) -> FindBar:
        bar = FindBar(self._theme)
        bar.found.connect(self._show_span)
        bar.replaced.connect(self._asked)
        bar.shown_hits.connect(self._show_hits)
        bar.closed.connect(self._close_find)
        return bar

    def _hide_find(self) -> None:
        self.find_bar.hide()
        self.find_bar.if_built(lambda bar: bar.stop())

    def _close_find(self) -> None:
        self._hide_find()
        self.editor.setFocus()

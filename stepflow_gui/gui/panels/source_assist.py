"""Help in the source editor: completion, going to definitions, all places of a name, what a field means."""

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QStringListModel, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QCompleter, QListView

from stepflow_gui.gui.fonts import mono_font
from stepflow_gui.gui.palette.matching import PaletteEntry
from stepflow_gui.gui.palette.popup import PalettePopup
from stepflow_gui.gui.session import Session
from stepflow_gui.messages import _
from stepflow_gui.project.assist.completion import Completion, Completions, completions_at
from stepflow_gui.project.assist.going import definitions_at, references_at
from stepflow_gui.project.assist.telling import about
from stepflow_gui.project.assist.variables import Found
from stepflow_gui.text.document import Document
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.gui.panels.source import SourcePanel
    from stepflow_gui.project.agent_folder import AgentFolder

_LONGEST = 300_000  # characters of a text that is completed while it is typed; in a longer one only when asked
_SOON = 60  # milliseconds after a key
_ROWS = 10
_ENDS_POPUP = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End})


class SourceAssist(QObject):
    """Watches the keys and clicks of one source panel's editor."""

    def __init__(self, panel: "SourcePanel") -> None:
        super().__init__(panel)
        self._panel = panel
        self._editor = panel.editor
        self._found: Completions | None = None
        self._model = QStringListModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setWidget(self._editor)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(_ROWS)
        self._popup = QListView()
        self._popup.setFont(mono_font(12))
        self._popup.setObjectName("completions")
        self._popup.setUniformItemSizes(True)
        self._completer.setPopup(self._popup)
        self._completer.activated.connect(self._chosen)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_SOON)
        self._later.timeout.connect(self._complete_typed)
        self._editor.installEventFilter(self)
        self._editor.viewport().installEventFilter(self)
        self._editor.about = self.about

    @property
    def is_open(self) -> bool:
        """Whether completions are listed."""
        return self._popup.isVisible()

    def labels(self) -> list[str]:
        """What is listed."""
        return [item.label for item in self._found.items] if self._found is not None and self.is_open else []

    def complete(self) -> None:
        """List what can stand at the caret; where it is only one thing that was begun, write it."""
        found = self._completions()
        if found is None or not found.items:
            self._close()
            return
        if len(found.items) == 1 and found.typed and found.items[0].label.startswith(found.typed):
            self._found = found
            self._write(found.items[0])
            return
        self._list(found)

    def go_to_definition(self, offset: int | None = None) -> None:
        """Go to where the name at the caret, or at an offset, is defined."""
        places = self._places(definitions_at, self._editor.caret if offset is None else offset)
        if len(places) == 1:
            self._go(places[0])
        elif places:
            self._offer(places)

    def find_references(self) -> None:
        """List every place of the name at the caret."""
        places = self._places(references_at, self._editor.caret)
        if places:
            self._offer(places)

    def about(self, offset: int) -> str:
        """What a field or name at an offset means, as rich text."""
        at = self._at()
        if at is None:
            return ""
        told = about(*at, offset)
        return "".join(f"<p style='margin: 2px 0'>{escape(line)}</p>" for line in (told.lines if told else ()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._editor and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(event)
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._close()
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.button() == Qt.MouseButton.LeftButton:
                cursor = self._editor.cursorForPosition(event.position().toPoint())
                self.go_to_definition(self._editor.mapping.offset(cursor.position()))
                return True
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.complete()
            return True
        if key == Qt.Key.Key_F12:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.find_references()
            else:
                self.go_to_definition()
            return True
        if self.is_open:
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab}:
                index = self._popup.currentIndex()
                self._take(index if index.isValid() else self._model.index(0))
                return True
            if key == Qt.Key.Key_Escape:
                self._close()
                return True
            if key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
                self._step(1 if key == Qt.Key.Key_Down else -1)
                return True
            if Qt.Key(key) in _ENDS_POPUP:
                self._close()
        typed = event.text()
        if typed and (
            typed.isalnum() or typed in {'"', ".", "-", "_", ":"} or (self.is_open and key == Qt.Key.Key_Backspace)
        ):
            self._later.start()
        elif typed:
            self._close()
        return False

    def _step(self, by: int) -> None:
        rows = self._model.rowCount()
        row = self._popup.currentIndex().row()
        self._popup.setCurrentIndex(self._model.index((row + by) % rows))

    def _complete_typed(self) -> None:
        editor = self._editor
        if editor.composing or not editor.hasFocus() or len(editor.mapping.source.text) > _LONGEST:
            return
        found = self._completions()
        started = found is not None and (found.typed or _in_string(editor.mapping.source.text, editor.caret))
        if found is None or not found.items or not started or [item.label for item in found.items] == [found.typed]:
            self._close()
        else:
            self._list(found)

    def _completions(self) -> Completions | None:
        at = self._at()
        return completions_at(*at, self._editor.caret) if at is not None else None

    def _list(self, found: Completions) -> None:
        self._found = found
        self._model.setStringList([_line(item) for item in found.items])
        popup = self._popup
        cursor = self._editor.textCursor()
        cursor.setPosition(self._editor.mapping.position(found.span.start))
        left = self._editor.cursorRect(cursor)
        width = min(520, popup.sizeHintForColumn(0) + 40)
        self._completer.complete(QRect(left.topLeft(), left.size()).adjusted(0, 0, width, 0))
        popup.setCurrentIndex(self._model.index(0))

    def _chosen(self, line: str) -> None:
        if self._found is not None:
            item = next((item for item in self._found.items if _line(item) == line), None)
            if item is not None:
                self._write(item)

    def _take(self, index: QModelIndex) -> None:
        if self._found is not None and index.isValid() and index.row() < len(self._found.items):
            self._write(self._found.items[index.row()])

    def _write(self, item: Completion) -> None:
        found, self._found = self._found, None
        self._later.stop()
        self._close()
        if found is None:
            return
        span = found.span
        label = _("Complete “{text}”").format(text=item.label)
        self._editor.asked.emit([TextEdit(span.start, span.end, item.text)], label)
        caret = span.start + item.caret
        self._editor.reveal(Span(caret, caret))

    def _close(self) -> None:
        self._found = None
        self._popup.hide()

    def _at(self) -> "tuple[AgentFolder, Document] | None":
        session: Session | None = self._panel.session
        path: Path | None = self._panel.path
        if session is None or path is None:
            return None
        folder = session.folder
        document = folder.document(path) if path.suffix == ".json" else None
        return (folder, document) if isinstance(document, Document) else None

    def _places(self, find: "Callable[[AgentFolder, Document, int], list[Found]]", offset: int) -> list[Found]:
        at = self._at()
        return find(*at, offset) if at is not None else []

    def _go(self, place: Found) -> None:
        session = self._panel.session
        if session is not None:
            session.reveal(place.document.path, place.span)

    def _offer(self, places: list[Found]) -> None:
        entries = []
        for place in places:
            line = place.document.source.position(place.span.start).line
            text = place.document.source.line_text(line).strip()
            where = f"{place.document.path.name}:{line}"
            entries.append(PaletteEntry("file", text, where, partial(self._go, place)))
        PalettePopup(self._panel.window(), self._editor.theme, entries).open_over(self._panel.window())


def _line(item: Completion) -> str:
    return f"{item.label}   {item.detail}" if item.detail else item.label


def _in_string(text: str, caret: int) -> bool:
    return text[caret - 1 : caret] == '"'

"""Completion while somebody types in the source editor: when the list comes, what its keys do, what is written."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent

from stepflow_gui.gui.source.assist.completions import CompletionList
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.messages import _
from stepflow_gui.project.assist.completion import Completion, Completions
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span

_LONGEST = 300_000  # characters of a text that is completed while it is typed; in a longer one only when asked
_SOON = 60  # milliseconds after a key
_STARTS = frozenset('".-_:$#/')  # signs besides letters and digits after which something may be completed
_GOES_ON = frozenset((Qt.Key.Key_Backspace, Qt.Key.Key_Delete))
_ENDS = frozenset((Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End))
_MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_TAKES = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab))


class SourceCompleting(QObject):
    """Watches one editor; `completions(offset)` gives what fits at a caret."""

    def __init__(self, editor: SourceEditor, completions: Callable[[int], Completions | None]) -> None:
        super().__init__(editor)
        self._editor = editor
        self._completions = completions
        self._found: Completions | None = None
        self.list = CompletionList(editor)
        self.list.taken.connect(self._take)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_SOON)
        self._later.timeout.connect(self._complete_typed)
        self._moves = QTimer(self)  # what is around the editor may give it another size at every key
        self._moves.setSingleShot(True)
        self._moves.setInterval(0)
        self._moves.timeout.connect(self._follow)
        editor.installEventFilter(self)
        editor.viewport().installEventFilter(self)
        editor.jumped.connect(self.close)
        editor.verticalScrollBar().valueChanged.connect(self._shifted)

    @property
    def is_open(self) -> bool:
        """Whether completions are listed."""
        return self.list.isVisible()

    def labels(self) -> list[str]:
        """What is listed."""
        return [item.label for item in self._found.items] if self._found is not None and self.is_open else []

    def complete(self) -> None:
        """List the completions at the caret; where only one matches what was begun, write it."""
        found = None if self._editor.isReadOnly() else self._completions(self._editor.caret)
        if found is None or not found.items:
            self.close()
        elif len(found.items) == 1 and found.typed and found.items[0].label.startswith(found.typed):
            self._found = found
            self._take(0)
        else:
            self._list(found)

    def close(self, *_value: object) -> None:
        """Take the list away."""
        self._later.stop()
        self._moves.stop()
        self._found = None
        self.list.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._editor:
            if isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress:
                return self._key(event)
            if kind in {QEvent.Type.FocusOut, QEvent.Type.Hide, QEvent.Type.InputMethod}:
                self.close()
            elif kind == QEvent.Type.Resize:
                self._shifted()
        elif kind == QEvent.Type.MouseButtonPress:
            self.close()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Space and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.complete()
            return True
        if self.is_open and self._of_list(key, event):
            return True
        typed = event.text()
        begins = bool(typed) and (typed.isalnum() or typed in _STARTS)
        if begins or (self.is_open and key in _GOES_ON):
            self._later.start()
        elif typed or key in _ENDS:
            self.close()
        return False

    def _of_list(self, key: Qt.Key, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if key in _TAKES:
            if self._later.isActive():  # what was typed since the list came narrows it first
                self._complete_typed()
            if not self.is_open:
                return False
            self._take(self.list.row)
        elif key == Qt.Key.Key_Escape:
            self.close()
        elif key in _MOVES:
            self.list.step(_MOVES[key])
        elif key in _PAGES:
            self.list.page(_PAGES[key])
        else:
            return False
        return True

    def _complete_typed(self) -> None:
        editor = self._editor
        text = editor.mapping.source.text
        if editor.composing or editor.isReadOnly() or not editor.hasFocus() or len(text) > _LONGEST:
            return
        found = self._completions(editor.caret)
        started = found is not None and (found.typed or text[editor.caret - 1 : editor.caret] in {'"', "'"})
        if found is None or not found.items or not started or _is_written(found, text):
            self.close()
        else:
            self._list(found)

    def _list(self, found: Completions) -> None:
        self._found = found
        self.list.list(found.items, found.typed, self._place(found.span))

    def _place(self, span: Span) -> QRect:
        cursor = self._editor.textCursor()
        cursor.setPosition(self._editor.mapping.position(span.start))
        return self._editor.cursorRect(cursor)

    def _shifted(self, _value: int = 0) -> None:
        if self.is_open:
            self._moves.start()

    def _follow(self) -> None:
        """The text stands elsewhere in the window: so does the list."""
        if self._found is None or not self.is_open:
            return
        place = self._place(self._found.span)
        if self._editor.viewport().rect().contains(place.center()):
            self.list.move_to(place)
        else:
            self.close()

    def _take(self, row: int) -> None:
        found = self._found
        self.close()
        if found is not None and 0 <= row < len(found.items):
            self._write(found.span, found.items[row])

    def _write(self, span: Span, item: Completion) -> None:
        label = _("Complete “{text}”").format(text=item.label)
        self._editor.asked.emit([TextEdit(span.start, span.end, item.text)], label)
        caret = span.start + item.caret
        self._editor.place_caret(caret)


def _is_written(found: Completions, text: str) -> bool:
    """Whether the only match is already written there."""
    return [item.text for item in found.items] == [text[found.span.start : found.span.end]]

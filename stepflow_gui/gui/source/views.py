"""The view of each file in the source editor when another one was shown in its place."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtGui import QTextCursor

from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.text.edit import TextEdit, moved
from stepflow_gui.text.source import Source


class View(NamedTuple):
    """Offsets of caret, of the selection's other end and of the first line in view, and how far it is scrolled."""

    caret: int = 0
    anchor: int = 0
    top: int = 0
    left: int = 0  # pixels


class Views:
    """The views by file, the one left last at the end. Edits of files that aren't shown move theirs along."""

    def __init__(self) -> None:
        self._views: dict[Path, View] = {}

    def keep(self, path: Path, editor: SourceEditor) -> None:
        """Remember the view of a file in an editor that is about to show another."""
        if editor.is_waiting:
            return  # it was never shown
        cursor, offset = editor.textCursor(), editor.mapping.offset
        top = offset(editor.firstVisibleBlock().position())
        left = editor.horizontalScrollBar().value()
        self._views.pop(path, None)
        self._views[path] = View(offset(cursor.position()), offset(cursor.anchor()), top, left)

    def show(self, path: Path, editor: SourceEditor, source: Source) -> None:
        """Show a file as it was left; one that wasn't shown yet from its start."""
        view = self._views.get(path, View())
        editor.show_text(source)
        if editor.is_waiting and view == View():
            return
        cursor, position = editor.textCursor(), editor.mapping.position
        cursor.setPosition(position(view.anchor))
        cursor.setPosition(position(view.caret), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        editor.verticalScrollBar().setValue(editor.document().findBlock(position(view.top)).blockNumber())
        editor.horizontalScrollBar().setValue(view.left)

    def move(self, path: Path, edits: Sequence[TextEdit]) -> None:
        """The text of a file that isn't shown changed."""
        view = self._views.get(path)
        if view is not None:
            caret, anchor, top = (moved(at, edits) for at in view[:3])
            self._views[path] = View(caret, anchor, top, view.left)

    def place(self, path: Path, offset: int) -> None:
        """Put the caret of a file that isn't shown elsewhere, near the top of what will be in view."""
        self._views[path] = View(offset, offset, offset)

    def forget(self, path: Path) -> None:
        """The file was closed."""
        self._views.pop(path, None)

    def last(self, among: Sequence[Path]) -> Path | None:
        """The file of those that was left last."""
        return next((path for path in reversed(self._views) if path in among), None)

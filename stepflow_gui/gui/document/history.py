"""The window's one undo history: commands that hold text edits with their inverse, and where boxes moved with them."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from PySide6.QtGui import QUndoCommand

from stepflow_gui.flow.layout import Corners, NodeId
from stepflow_gui.text.edit import TextEdit

Corner = tuple[float, float]
BoxMoves = dict[NodeId, tuple[Corner | None, Corner | None]]
"""Where boxes stood before an entry of the history and where after it; None where there was none."""
Edits = Mapping[Path, Sequence[TextEdit]]
Write = Callable[[Edits, str], None]  # lays edits over the texts; the second argument is the origin
Rebase = Callable[[bool], None]  # the files as they are now, or as they were before

UNDO = "undo"
REDO = "redo"
BURST_PAUSE = 1.0  # seconds without a key that end a burst of typing
_TYPING = 1
_REPEATED = 2


class Geometry:
    """The corners of all boxes, computed ones too. Entries of the history put them back and on; nothing is laid out."""

    def __init__(self) -> None:
        self._corners: Corners = MappingProxyType({})
        self._moves: BoxMoves | None = None  # those of the entry that was done last

    @property
    def corners(self) -> Corners:
        """The corners as they are now."""
        return self._corners

    @property
    def entry(self) -> BoxMoves | None:
        """The moves of the entry that was done last; None where it was undone, or there is none."""
        return self._moves

    def set(self, corners: Corners, entry: BoxMoves | None) -> None:
        """Boxes are there now, as a part of an entry of the history, if that is still the one that was done last."""
        before, self._corners = self._corners, MappingProxyType(dict(corners))
        if entry is None or self._moves is not entry:
            return
        for node in {**before, **corners}:
            old, new = before.get(node), corners.get(node)
            if old != new:
                first = entry[node][0] if node in entry else old
                entry[node] = (first, new)

    def entered(self, moves: BoxMoves) -> None:
        """An entry with these moves was done, the first time (they are filled from now on) or again."""
        self._put({node: after for node, (_before, after) in moves.items()})
        self._moves = moves

    def left(self, moves: BoxMoves) -> None:
        """An entry with these moves was undone."""
        self._put({node: before for node, (before, _after) in moves.items()})
        self._moves = None

    def _put(self, changed: Mapping[NodeId, Corner | None]) -> None:
        if changed:
            merged = {**self._corners, **changed}
            self._corners = MappingProxyType({node: at for node, at in merged.items() if at is not None})


class TextCommand(QUndoCommand):
    """One entry of the history: edits over any number of files, the edits back, and the boxes that move with them."""

    def __init__(self, write: Write, geometry: Geometry, edits: Edits, back: Edits, label: str, origin: str) -> None:
        super().__init__(label)
        self.edits = edits
        self.back = back
        self.moves: BoxMoves = {}
        self._write = write
        self._geometry = geometry
        self._origin: str | None = origin  # None once it was done: from then on it is a redo

    def redo(self) -> None:
        """Do it, the first time in the name of whoever asked."""
        origin, self._origin = self._origin or REDO, None
        self._write(self.edits, origin)
        self._geometry.entered(self.moves)

    def undo(self) -> None:
        """Undo it."""
        self._write(self.back, UNDO)
        self._geometry.left(self.moves)


class BoxCommand(TextCommand):
    """An entry that changes no text: boxes moved that no file keeps, as ends do."""

    def __init__(self, geometry: Geometry, label: str) -> None:
        super().__init__(lambda _edits, _origin: None, geometry, {}, {}, label, REDO)


class RebasedCommand(TextCommand):
    """Texts that come from other files than before, as after a reload or a merge; undoing it undoes that, too.

    So a save after the undo asks again whether it may write over what the file holds.
    """

    def __init__(
        self, write: Write, geometry: Geometry, edits: Edits, back: Edits, label: str, origin: str, rebase: Rebase
    ) -> None:
        super().__init__(write, geometry, edits, back, label, origin)
        self._rebase = rebase

    def redo(self) -> None:
        """Do it."""
        self._rebase(True)
        super().redo()

    def undo(self) -> None:
        """Undo it."""
        super().undo()
        self._rebase(False)


class TypingCommand(TextCommand):
    """Typing: takes in what is typed right behind it, so a burst is one entry.

    A burst ends at a pause, another place, a line end, a change between writing and erasing, or another `burst`
    number, by which the document marks that the caret jumped or the file was saved.
    """

    def __init__(
        self, write: Write, geometry: Geometry, edits: Edits, back: Edits, label: str, origin: str, burst: int
    ) -> None:
        super().__init__(write, geometry, edits, back, label, origin)
        self.burst = burst
        self.at = time.monotonic()

    def id(self) -> int:
        """Qt asks commands with the same id to merge."""
        return _TYPING

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in the command that was just done, if it goes on with the burst."""
        if not isinstance(other, TypingCommand) or other.burst != self.burst or other.at - self.at > BURST_PAUSE:
            return False
        path, edit, back = single(self.edits, self.back)
        path_after, edit_after, back_after = single(other.edits, other.back)
        if path is None or path != path_after or edit is None or edit_after is None or not back or not back_after:
            return False
        joined = joined_edits(edit, back.text, edit_after, back_after.text)
        if joined is None:
            return False
        self.edits = {path: [joined[0]]}
        self.back = {path: [joined[1]]}
        self._geometry.entered(self.moves)
        self.at = other.at
        return True


class RepeatedCommand(TextCommand):
    """The same small change again and again, as nudging steps by keys: what follows soon enough is one entry.

    `key` identifies what is changed; only commands with the same key are merged.
    """

    def __init__(
        self, write: Write, geometry: Geometry, edits: Edits, back: Edits, label: str, origin: str, key: object
    ) -> None:
        super().__init__(write, geometry, edits, back, label, origin)
        self.key = key
        self.at = time.monotonic()
        self._further: list[RepeatedCommand] = []

    def id(self) -> int:
        """Qt asks commands with the same id to merge."""
        return _REPEATED

    def redo(self) -> None:
        """Do all of it again."""
        super().redo()
        for each in self._further:
            each.redo()

    def undo(self) -> None:
        """Take all of it back."""
        for each in reversed(self._further):
            each.undo()
        super().undo()

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in the command that was just done, if it is more of the same."""
        if not isinstance(other, RepeatedCommand) or other.key != self.key or other.at - self.at > BURST_PAUSE:
            return False
        # Qt deletes `other` once it is taken in, so a copy of it goes on.
        copy = RepeatedCommand(*(self._write, self._geometry, other.edits, other.back, other.text(), REDO, other.key))
        copy.moves = other.moves
        self._further.append(copy)
        self.at = other.at
        return True


def single(edits: Edits, back: Edits) -> tuple[Path | None, TextEdit | None, TextEdit | None]:
    """The file, the edit and its inverse of a command that is just one edit; else None three times."""
    if len(edits) == 1:
        ((path, listed),) = edits.items()
        if len(listed) == 1 and len(back.get(path, ())) == 1:
            return path, listed[0], back[path][0]
    return None, None, None


def joined_edits(first: TextEdit, first_gone: str, then: TextEdit, then_gone: str) -> tuple[TextEdit, TextEdit] | None:
    """Two edits made one after the other as one, with its inverse; None where they aren't one burst of typing.

    `first_gone` and `then_gone` are the texts that the edits removed.
    """
    if _ends_line(first.text) or _ends_line(then.text):
        return None
    inside = then.start - first.start
    if then.text and not then_gone and 0 < inside <= len(first.text):  # writes on, or in the pair that was begun
        text = first.text[:inside] + then.text + first.text[inside:]
        return TextEdit(first.start, first.end, text), TextEdit(first.start, first.start + len(text), first_gone)
    if first.text or then.text or _ends_line(first_gone) or _ends_line(then_gone):
        return None
    if then.end == first.start:  # erases backwards
        return TextEdit(then.start, first.end, ""), TextEdit(then.start, then.start, then_gone + first_gone)
    if then.start == first.start:  # erases forwards
        gone = first_gone + then_gone
        return TextEdit(first.start, first.end + len(then_gone), ""), TextEdit(first.start, first.start, gone)
    return None


def _ends_line(text: str) -> bool:
    return "\n" in text or "\r" in text

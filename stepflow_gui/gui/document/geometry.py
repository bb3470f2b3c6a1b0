"""Where the boxes of a document's flow stand: one immutable map a revision, kept as the difference that each entry made."""

from collections.abc import Mapping
from types import MappingProxyType

from stepflow_gui.flow.layout import Corners, NodeId

Corner = tuple[float, float]
BoxMoves = dict[NodeId, tuple[Corner | None, Corner | None]]
"""Where boxes stood before an entry of the history and where after it; None where there was none."""


class Geometry:
    """The corners of all boxes, computed ones too. Entries of the history put them back and on; nothing is laid out."""

    def __init__(self) -> None:
        self._corners: Corners = MappingProxyType({})
        self._moves: BoxMoves | None = None  # those of the entry that was done last

    @property
    def corners(self) -> Corners:
        """The corners as they are now."""
        return self._corners

    def set(self, corners: Corners) -> None:
        """Boxes stand there now, as a part of the entry of the history that was done last."""
        before, self._corners = self._corners, MappingProxyType(dict(corners))
        if self._moves is None:
            return
        for node in {**before, **corners}:
            old, new = before.get(node), corners.get(node)
            if old != new:
                first = self._moves[node][0] if node in self._moves else old
                self._moves[node] = (first, new)

    def entered(self, moves: BoxMoves) -> None:
        """An entry with these moves was done, the first time (they are filled from now on) or again."""
        self._put({node: after for node, (_before, after) in moves.items()})
        self._moves = moves

    def left(self, moves: BoxMoves) -> None:
        """An entry with these moves was taken back."""
        self._put({node: before for node, (before, _after) in moves.items()})
        self._moves = None

    def _put(self, changed: Mapping[NodeId, Corner | None]) -> None:
        if changed:
            merged = {**self._corners, **changed}
            self._corners = MappingProxyType({node: at for node, at in merged.items() if at is not None})

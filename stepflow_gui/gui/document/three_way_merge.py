"""Merges a document's texts with what other programs wrote, and lets each conflict be decided afterwards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.document import Document
from stepflow_gui.messages import _
from stepflow_gui.text.edit import difference
from stepflow_gui.text.files.journal import Unsaved
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.edit import text_of
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.json.values import same_values
from stepflow_gui.text.merge import Conflict, MergedText, Side, merge
from stepflow_gui.text.source import Source


class _Three(NamedTuple):
    """What a file held, what the person made of it, and what it holds now."""

    base: Source
    ours: Source
    theirs: Source


class Undecided(NamedTuple):
    """A conflict, and the side that the text has there now; None where it has been written otherwise."""

    path: Path
    conflict: Conflict
    side: Side | None


class ThreeWayMerge(QObject):
    """`changed()`: there are other conflicts, or another side of one is in the text."""

    changed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._threes: dict[Path, _Three] = {}
        self._choices: dict[Path, dict[str, Side]] = {}
        self._conflicts: list[tuple[Path, Conflict]] = []
        self._since = 0  # the entry of the history that the merge was
        document.stack.indexChanged.connect(self._history_moved)

    def with_disk(self) -> ReadProblem | None:
        """Take in what other programs wrote, as one entry of the history; the files are as they are until a save."""
        document = self._document
        fresh = document.texts.read_again(document.path)
        if isinstance(fresh, ReadProblem):
            return fresh
        threes = {
            text.path: _Three(text.base, text.source, fresh[text.path])
            for text in document.texts
            if text.base is not None and text.path in fresh
        }
        merged = self._begin(threes)
        wanted = {path: each.text for path, each in merged.items()}
        wanted |= {text.path: text.source.text for text in document.texts if text.path not in wanted}
        document.come_from(fresh, wanted, _("Merge with the file on disk"))
        self._merged()
        return None

    def with_unsaved(self, left: Sequence[Unsaved]) -> list[Path]:
        """Bring texts back that were never saved, merged with the files where those changed since.

        Gives the files of which the text couldn't be brought back, as they can't be read here.
        """
        threes: dict[Path, _Three] = {}
        lost: list[Path] = []
        for unsaved in left:
            now = self._document.source(unsaved.path)
            if isinstance(now, ReadProblem):
                lost.append(unsaved.path)
            else:
                base = unsaved.base if unsaved.base is not None else now  # what isn't known can't be merged
                threes[unsaved.path] = _Three(base, unsaved.source, now)
        merged = self._begin(threes)
        edits = {path: difference(threes[path].theirs.text, each.text) for path, each in merged.items()}
        self._document.end_burst()
        self._document.apply(edits, _("Recover unsaved changes"), "disk")
        self._merged()
        return lost

    @property
    def conflicts(self) -> list[Undecided]:
        """The places that both sides changed, in the order of the files."""
        trees: dict[Path, JsonTree] = {}
        return [Undecided(path, each, self._side(path, each, trees)) for path, each in self._conflicts]

    def choose(self, undecided: Undecided, side: Side) -> None:
        """Have a side of a conflict in the text, as one entry of the history; all else stays as it was made since."""
        path, conflict, _now = undecided
        now = self._document.source(path)
        if isinstance(now, ReadProblem):
            return
        choices = self._choices[path]
        other: Side = "ours" if side == "theirs" else "theirs"
        before = self._merge(path, {**choices, conflict.place: other})
        after = self._merge(path, {**choices, conflict.place: side})
        choices[conflict.place] = side
        is_json = path.suffix == ".json"
        wanted = merge(Source(before.text), now, Source(after.text), json=is_json, choices={conflict.place: "theirs"})
        label = _("Keep my version") if side == "ours" else _("Use disk version")
        self._document.end_burst()
        self._document.apply({path: difference(now.text, wanted.text)}, label, "disk")
        self.changed.emit()

    def finish(self) -> None:
        """The sides are as they should be."""
        self._conflicts = []
        self.changed.emit()

    def _begin(self, threes: dict[Path, _Three]) -> dict[Path, MergedText]:
        self._threes, self._choices = threes, {path: {} for path in threes}
        merged = {path: self._merge(path, {}) for path in threes}
        self._conflicts = [(path, conflict) for path, each in merged.items() for conflict in each.conflicts]
        return merged

    def _merged(self) -> None:
        self._since = self._document.stack.index()
        self.changed.emit()

    def _merge(self, path: Path, choices: Mapping[str, Side]) -> MergedText:
        return merge(*self._threes[path], json=path.suffix == ".json", choices=choices)

    def _side(self, path: Path, conflict: Conflict, trees: dict[Path, JsonTree]) -> Side | None:
        if conflict.pointer is None:
            return self._choices[path].get(conflict.place, "ours")
        if path not in trees:
            source = self._document.source(path)
            trees[path] = read_json(Source("") if isinstance(source, ReadProblem) else source)
        node = trees[path].at(conflict.pointer)
        now = None if node is None else text_of(trees[path], node)
        sides: tuple[tuple[Side, str | None], ...] = (("ours", conflict.ours), ("theirs", conflict.theirs))
        return next((side for side, text in sides if _is_same_text(now, text)), None)

    def _history_moved(self, index: int) -> None:
        if self._conflicts:
            if index < self._since:  # the merge itself was taken back
                self._conflicts = []
            self.changed.emit()


def _is_same_text(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    first, second = read_json(Source(one)).root, read_json(Source(other)).root
    return first is not None and second is not None and same_values(first.value, second.value)

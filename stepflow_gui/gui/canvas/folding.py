"""How a canvas groups the steps that it shows, and which groups are folded. Not part of the document."""

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF, QRectF

from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.arrange import Arrangement
from stepflow_gui.gui.canvas.scene import GraphScene

if TYPE_CHECKING:
    from stepflow_gui.flow.groups.grouping import By, Made


class FoldingView(Protocol):
    """What it needs of the view."""

    @property
    def graph(self) -> GraphScene: ...
    @property
    def arrangement(self) -> Arrangement: ...
    def show_again(self) -> None: ...
    def hold_still(self, before: QPointF, after: QPointF) -> None: ...
    def reveal_rect(self, rect: QRectF) -> None: ...
    def choose_group(self, key: str, *, reveal: bool = False) -> None: ...


class GroupFolding:
    """The grouping of one view. `changed` is called when the person folds or unfolds."""

    def __init__(self, view: FoldingView) -> None:
        self._view = view
        self.by: By = "none"
        self.made: Made = {}
        self.folds: frozenset[str] = frozenset()
        self.changed: Callable[[], object] = lambda: None
        self._followed: str | None = None  # unfolded for a run, until this has left it
        self._everything = False  # all groups of the next flow are to be folded
        self._grouped_for: tuple[object, ...] = ()

    def set_grouping(self, by: "By", made: "Made", folds: Collection[str] | None) -> None:
        """Group by that from the next showing of a flow on; `folds` are keys of folded groups, None: all are."""
        self.by, self.made = by, made
        self._everything = folds is None
        self.folds = frozenset(folds or ())
        self._followed = None
        self._grouped_for = ()

    def prepare(self, flow: Flow) -> None:
        """A flow is about to be shown: tell the arrangement its groups."""
        arrangement = self._view.arrangement
        if self.by == "none":
            arrangement.groups, arrangement.folds = (), frozenset()
            return
        key = (flow, self.by, self.made)
        if self._grouped_for != key:
            from stepflow_gui.flow.groups.grouping import grouped

            self._grouped_for = key
            groups = grouped(flow, self.by, self.made)
            if groups != arrangement.groups:
                arrangement.groups = groups
        known = {group.key for group in arrangement.groups}
        if self._everything:
            self.folds, self._everything = frozenset(known), False
        arrangement.folds = self.folds & known

    def forget_texts(self) -> None:
        """Names of groups may read differently now."""
        self._grouped_for = ()

    @property
    def keys(self) -> list[str]:
        """The keys of all groups."""
        return [group.key for group in self._view.arrangement.groups]

    def is_folded(self, key: str) -> bool:
        """Whether that group is a card."""
        return key in self.folds

    def groups_of(self, steps: Iterable[str]) -> list[str]:
        """The groups that steps are in."""
        key_of = self._view.graph.groups.key_of
        return list(dict.fromkeys(key_of[step] for step in steps if step in key_of))

    def toggle(self, key: str) -> None:
        """Fold a group, or unfold it, and select it."""
        self.fold([key], on=key not in self.folds)
        self._view.choose_group(key)

    def fold(self, keys: Iterable[str], *, on: bool) -> None:
        """Fold groups, or unfold them. The first one of them stays where it is on the screen."""
        wanted = frozenset(keys)
        folds = self.folds | wanted if on else self.folds - wanted
        if folds == self.folds:
            return
        self.folds = folds
        if self._followed in wanted:
            self._followed = None
        self._show(next(iter(sorted(wanted))))
        selected = self._view.graph.groups.selected
        if selected in wanted:  # it is shown as what it is now
            self._view.choose_group(selected)
        self.changed()

    def carried(self, key: str, by: tuple[float, float]) -> dict[str, tuple[float, float]]:
        """Where the steps of a folded group stand whose card was dragged by so much; none if nothing moves."""
        from stepflow_gui.flow.groups.carrying import carried

        arrangement = self._view.arrangement
        if arrangement.folded is None:
            return {}
        found = carried(arrangement.boxes, arrangement.groups, arrangement.folded, key, by)
        return {
            node.name: (round(box.x, 1), round(box.y, 1))
            for node, box in found.items()
            if box != arrangement.boxes[node]
        }

    def unfold_for(self, step: str) -> None:
        """Unfold the group that hides a step, if one does."""
        groups = self._view.graph.groups
        if groups.hides(step):
            self.fold([groups.key_of[step]], on=False)

    def follow(self, active: Collection[str]) -> None:
        """A run is at these steps: unfold the group that it has entered, fold the one that it has left again."""
        groups = self._view.graph.groups
        if not groups.cards:
            return
        entered = {groups.key_of.get(step) for step in active}
        folds = self.folds
        if self._followed is not None and self._followed not in entered:
            folds, self._followed = folds | {self._followed}, None
        hidden = next((key for step in sorted(active) if groups.hides(step) and (key := groups.key_of.get(step))), None)
        if hidden is not None and self._followed is None:
            folds, self._followed = folds - {hidden}, hidden
        if folds != self.folds:
            self.folds = folds
            self._show(hidden)

    def _show(self, key: str | None) -> None:
        view = self._view
        before = view.graph.groups.area(key)
        view.show_again()
        after = view.graph.groups.area(key)
        if before is not None and after is not None:
            view.hold_still(before.topLeft(), after.topLeft())
            view.reveal_rect(after)

"""Some steps of a flow laid out again where they are, around the others."""

from collections.abc import Collection, Mapping, Sequence

from stepflow_gui.flow.layout import lay_out
from stepflow_gui.flow.layout.captions import label_width
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.shapes import Box, Direction, Layout, NodeSize
from stepflow_gui.flow.model import Flow, Move

_APART = 24.0
_FARTHEST = 25  # times that


def tidied(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    before: Layout,
    chosen: Collection[str],
    text_width: TextWidth = label_width,
    *,
    loops: bool = False,
    direction: Direction = "auto",
) -> dict[str, tuple[float, float]]:
    """The top left corners of the chosen steps, laid out by the transitions among them; all other steps stay.

    Together they stand with their corner where it was, or as near to it as they cover no other step.
    """
    there = {step: box for step, box in before.steps.items() if step in chosen}
    if len(there) < 2:
        return {}
    among = _Among(flow, there)
    laid_out = lay_out(among, sizes, text_width, loops=loops, direction=direction)
    whole = laid_out.boxes
    laid = {node.name: box for node, box in whole.items() if node.kind == "step"}
    left, top = min(box.x for box in there.values()), min(box.y for box in there.values())
    dx, dy = left - min(box.x for box in laid.values()), top - min(box.y for box in laid.values())
    laid = {step: box.shifted(round(dx), round(dy)) for step, box in laid.items()}
    others = [box.grown(_APART / 2) for node, box in before.boxes.items() if node.name not in there]
    x, y = next((shift for shift in _shifts() if _is_free(laid, others, *shift)), (0.0, 0.0))
    return {step: (box.x + x, box.y + y) for step, box in laid.items()}


class _Among(Flow):
    """A flow with some of its steps, and the transitions among them."""

    __slots__ = ()

    def __init__(self, flow: Flow, steps: Collection[str]) -> None:
        super().__init__(flow.document, flow.format)
        self.steps = {step: flow.steps[step] for step in flow.steps if step in steps}
        self.entries = [entry for entry in flow.entries if entry.target and entry.target.value in self.steps]

    def moves(self) -> Sequence[Move]:
        return [move for move in super().moves() if move.target in self.steps]


def _shifts() -> list[tuple[float, float]]:
    """The nearest first; of those as near, further down and to the right."""
    span = range(-_FARTHEST, _FARTHEST + 1)
    found = [(across * _APART, down * _APART) for across in span for down in span]
    return sorted(found, key=lambda shift: (abs(shift[0]) + abs(shift[1]), -shift[1], -shift[0]))


def _is_free(laid: Mapping[str, Box], others: list[Box], x: float, y: float) -> bool:
    return not any(_meet(box.shifted(x, y), other) for box in laid.values() for other in others)


def _meet(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom

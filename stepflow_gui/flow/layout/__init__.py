"""Where the steps and transitions of a flow are drawn: a layered layout from top to bottom, without Qt.

    layout = lay_out(flow, {step_id: NodeSize(width, height)})            # lay out everything: Auto-layout
    layout = draw(flow, sizes, layout.corners)                             # after an edit: nothing moves
    layout = draw(flow, sizes, {**layout.corners, NodeId("step", step_id): (x, y)})  # a step was moved

A `Layout` has `boxes` by `NodeId(kind, name)` (kind "step", "ghost" for a missing target, "end"; `steps` has those of
the steps by id), `routes` (one for all moves between two nodes, `bends` for `curves()`, the chip of its label in
`label_box`), `entries` (the marks left of entry steps) and `bounds`. Everything is in pixels at 100 % with y downwards,
boxes by their top left corner. The result depends on nothing but the arguments.

Give `text_width` (pixels of an 11 px label) to measure labels with the real font.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stepflow_gui.flow.layout.captions import label_width
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.shapes import Bend, Box, Corners, Direction, EntryMark, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.layout.splines import Curve, curves, polyline
from stepflow_gui.flow.model import Flow

if TYPE_CHECKING:
    from stepflow_gui.flow.layout.router import Router

__all__ = [
    "Bend",
    "Box",
    "Corners",
    "Curve",
    "EntryMark",
    "Layout",
    "NodeId",
    "NodeSize",
    "Route",
    "curves",
    "draw",
    "lay_out",
    "polyline",
]


def lay_out(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    text_width: TextWidth = label_width,
    *,
    loops: bool = False,
    direction: Direction = "auto",
    router: "Router | None" = None,
) -> Layout:
    """Lay out the whole flow. Steps that `sizes` doesn't name are 216 × 74. `loops`: edges to themselves, too."""
    from stepflow_gui.flow.layout.columns import BLOCKED
    from stepflow_gui.flow.layout.measure import boxes_crossed, crossings
    from stepflow_gui.flow.layout.router import Router, draw_boxes
    from stepflow_gui.flow.layout.whole import boxes_of

    def drawn(boxes: dict[NodeId, Box], router: Router) -> Layout:
        return draw_boxes(flow=flow, sizes=sizes, boxes=boxes, width=text_width, loops=loops, router=router)

    def crossed(boxes: dict[NodeId, Box]) -> int:
        layout = drawn(boxes, Router(labels=False))
        return crossings(layout) + BLOCKED * boxes_crossed(layout)

    boxes = boxes_of(flow, sizes, text_width, crossed, loops=loops, direction=direction)
    return drawn(boxes, router or Router())


def draw(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    corners: Corners,
    text_width: TextWidth = label_width,
    *,
    loops: bool = False,
    router: "Router | None" = None,
) -> Layout:
    """The layout of a flow whose boxes stand at `corners`; those that have none get a place near what they hang on.

    What is drawn besides boxes follows from them: the same boxes give the same picture, whatever was there before.
    A `router` that is used again only looks at what changed since.
    """
    from stepflow_gui.flow.layout.router import place_all

    return place_all(flow=flow, sizes=sizes, corners=corners, width=text_width, loops=loops, router=router)

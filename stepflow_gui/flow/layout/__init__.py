"""Where the steps and transitions of a flow are drawn: a layered layout from top to bottom, without Qt.

    layout = lay_out(flow, {step_id: NodeSize(width, height)})            # everything again: "Tidy"
    layout = place_new(flow, sizes, layout)                                # after an edit: nothing moves
    layout = place_new(flow, sizes, lay_out(flow, sizes), positions)       # with positions from a sidecar file
    layout = moved(layout, {NodeId("step", step_id): (x, y)})              # while a step is dragged
    layout = settled(layout, [NodeId("step", step_id)])                    # when it was dropped

A `Layout` has `boxes` by `NodeId(kind, name)` (kind "step", "ghost" for a missing target, "end"; `steps` has those of
the steps by id), `routes` (one for all moves between two nodes, `bends` for `curves()`, the chip of its label in
`label_box`), `entries` (the marks left of entry steps) and `bounds`. Everything is in pixels at 100 % with y downwards,
boxes by their top left corner. The result depends on nothing but the arguments.

Give `text_width` (pixels of an 11 px label) to measure labels with the real font.
"""

from collections.abc import Collection, Mapping

from stepflow_gui.flow.layout.captions import label_width
from stepflow_gui.flow.layout.dimensions import TextWidth
from stepflow_gui.flow.layout.shapes import Bend, Box, EntryMark, Layout, NodeId, NodeSize, Route
from stepflow_gui.flow.layout.splines import Curve, curves, polyline
from stepflow_gui.flow.model import Flow

__all__ = [
    "Bend",
    "Box",
    "Curve",
    "EntryMark",
    "Layout",
    "NodeId",
    "NodeSize",
    "Route",
    "curves",
    "lay_out",
    "moved",
    "place_new",
    "polyline",
    "settled",
]


def lay_out(flow: Flow, sizes: Mapping[str, NodeSize], text_width: TextWidth = label_width) -> Layout:
    """Lay out the whole flow. Steps that `sizes` doesn't name are 216 × 74."""
    from stepflow_gui.flow.layout.whole import lay_out_whole

    return lay_out_whole(flow, sizes, text_width)


def place_new(
    flow: Flow,
    sizes: Mapping[str, NodeSize],
    before: Layout,
    positions: Mapping[str, tuple[float, float]] | None = None,
    text_width: TextWidth = label_width,
) -> Layout:
    """The layout of a changed flow in which everything that `before` knows stays where it is.

    `positions` (top left corners by step id) come first, for what a person placed. New steps stand near what they hang
    on. Routes whose ends stayed or moved alike keep their path unless something is now on it.
    """
    from stepflow_gui.flow.layout.place import place_all

    return place_all(flow, sizes, before, positions or {}, text_width)


def moved(
    layout: Layout,
    to: Mapping[NodeId, tuple[float, float]],
    text_width: TextWidth = label_width,
) -> Layout:
    """The layout with some boxes put elsewhere (top left corners) and their routes drawn again; all else stays."""
    from stepflow_gui.flow.layout.place import move

    return move(layout, to, text_width)


def settled(layout: Layout, nodes: Collection[NodeId], text_width: TextWidth = label_width) -> Layout:
    """The layout with the edges that run over the boxes of these nodes led around them: after a drag has ended."""
    from stepflow_gui.flow.layout.place import settle

    return settle(layout, nodes, text_width)

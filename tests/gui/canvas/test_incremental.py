"""After an edit the items are as if they had been made again for the same layout."""

from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QPointF

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.marks import RunMarks
from stepflow_gui.gui.canvas.scene import GraphScene
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.widgets.theme import Theme

from .conftest import ShowView, flow_of, step

NAMES = [f"continuation.s{at}" for at in range(8)]


def looks(scene: GraphScene) -> dict[object, object]:
    nodes = {node: (item.frame, getattr(item, "visits", 0)) for node, item in scene.nodes.items()}
    edges: dict[object, object] = {}
    for key, edge in scene.edges.items():
        label = edge.label
        told = (label.lines, label.pos(), label.boundingRect(), label._outcome) if label is not None else None
        edges[key] = (edge.route, edge.look, edge.visits, edge.dead, edge.nominal, edge.outcome, edge._bounds, told)
    return {"nodes": nodes, "edges": edges, "edge of each": scene._edge_of}


def anew(view: GraphView) -> GraphScene:
    scene = GraphScene(CanvasPens(Theme(dark=False)))
    scene.setParent(view)
    scene.set_run(view.graph.run)
    assert view.graph.flow is not None
    for _chunk in scene.show_layout(view.graph.flow, view.arrangement.layout, view.arrangement.shapes, "poll:state"):
        pass
    return scene


@pytest.mark.parametrize("seed", range(4))
def test_edits(show: ShowView, seed: int) -> None:
    random = Random(seed)
    steps: dict[str, Any] = {name: step("continuation", name, next=random.choice(NAMES)) for name in NAMES}
    view = show(flow_of(steps))
    refs = list(view.graph._edge_of)
    run = RunMarks(frozenset(NAMES[:1]), refs[0], {NAMES[0]: 2}, dict.fromkeys(refs[:3], 1))
    for number in range(12):
        name = random.choice(NAMES)
        intents = random.sample(["next", "repeat", "jump", "handoff"], random.randint(1, 3))
        steps[name] = step("continuation", name, **{intent: random.choice([*NAMES, "gone"]) for intent in intents})
        if number % 4 == 3:
            view.set_run(run if number == 3 else RunMarks())
            view.move_items((name,), QPointF(40, 24))
            view.settle_moved((name,))
        view.show_flow(flow_of(steps), keep_positions=True, verdict="poll:state")
        assert looks(view.graph) == looks(anew(view))

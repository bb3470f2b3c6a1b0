"""Sub-flows of several entries have regions of their own; a jump that the answer names shows its targets."""

import json

from PySide6.QtCore import Qt

from stepflow_gui.gui.canvas.hover_texts import tooltip
from stepflow_gui.text.edit import difference
from tests.gui.canvas.hand import mouse_over, node_point, pill_point, press_key
from tests.gui.editing.conftest import Desk
from tests.gui.editing.test_connecting import schema_file, write


def test_one_entry_needs_no_ground(desk: Desk) -> None:
    assert desk.canvas.graph.regions.item is None


def test_steps_of_two_entries_stand_on_two_grounds(desk: Desk) -> None:
    plain = desk.canvas.grab().toImage()
    text = desk.text()
    steps = json.loads(text)["steps"]
    ways = {"next": {"target": "continuation.issue"}, "repeat": {"target": "initial.other"}}
    other = json.dumps({**steps["initial.issue"], "stepId": "initial.other", "transitions": ways})
    changed = text.replace('"steps": {', f'"steps": {{ "initial.other": {other},', 1).replace(
        '"poll:state": "initial.issue"', '"poll:state": "initial.issue", "count:check": "initial.other"', 1
    )
    desk.document.apply({desk.document.path: difference(text, changed)}, "before", "test")
    desk.settle()
    regions = desk.canvas.graph.regions
    first, second = regions.region_of("initial.issue"), regions.region_of("initial.other")
    assert first is not None
    assert second is not None
    assert first != second
    assert regions.region_of("continuation.issue") is None  # both go there
    assert desk.canvas.graph.entries  # whose signs are the legend
    assert {entry.region for entry in desk.canvas.graph.entries.values()} == {first, second}
    desk.canvas.fit()
    frame = desk.canvas.graph.step_frames()["initial.other"]
    corner = desk.canvas.mapFromScene(frame.left() - 6, frame.bottom() + 6)
    ground = desk.canvas.viewport().grab().toImage().pixelColor(corner)
    pens = desk.canvas.graph.pens
    assert ground.name() == pens.regions[second].color().name() != pens.canvas.name()
    desk.canvas.choose_step("initial.other")
    press_key(desk.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    desk.undo_all()
    assert regions.item is None
    assert plain.size() == desk.canvas.grab().toImage().size()


def test_a_dynamic_jump_lights_up_the_steps_that_the_answer_may_name(desk: Desk) -> None:
    write(
        desk,
        '"allowedIntents": ["next", "repeat"],',
        '"allowedIntents": ["next", "repeat", "jump"], "targetField": "goal",',
    )
    at = pill_point(desk.canvas, "initial.issue", "jump")
    assert "goal" in tooltip(desk.canvas, at)
    schema = schema_file(desk)
    value = json.loads(desk.text(schema))
    value["initial.issue"]["properties"]["goal"] = {"enum": ["closure.issue", "nowhere"]}
    desk.document.apply({schema: difference(desk.text(schema), json.dumps(value))}, "before", "test")
    desk.settle()
    mouse_over(desk.canvas, at)
    items = {step: desk.canvas.graph.step_item(step) for step in desk.canvas.graph.step_frames()}
    assert [step for step, item in items.items() if item is not None and item.legal] == ["closure.issue"]
    assert "closure.issue" in tooltip(desk.canvas, at)
    assert "nowhere" not in tooltip(desk.canvas, at)
    mouse_over(desk.canvas, node_point(desk.canvas, "continuation.issue"))
    assert not any(item.legal for item in items.values() if item is not None)

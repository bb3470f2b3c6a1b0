"""Steps moved by hand: their places are kept in a file beside the registry, and moves are undone as all else is."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt

from stepflow_gui.gui.canvas.align import Alignment
from stepflow_gui.gui.canvas.hand.guides import SpotOutline
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.text.files.store import Saved
from stepflow_gui.text.source import Source
from tests.gui.canvas.hand import click, drag, drag_to, node_point, press, press_key, release
from tests.gui.editing.conftest import Desk


def kept(desk: Desk) -> dict[str, list[float]]:
    text = desk.text(desk.document.layout_path)
    steps: dict[str, list[float]] = json.loads(text)["steps"] if text else {}
    return steps


def test_a_move_changes_the_layout_file_alone(desk: Desk) -> None:
    registry = desk.text()
    before = desk.canvas.positions()
    at = node_point(desk.canvas, "closure.issue")
    drag(desk.canvas, at, at + QPoint(80, 24))
    assert desk.text() == registry
    assert kept(desk) == {"closure.issue": list(desk.canvas.positions()["closure.issue"])}
    assert len(desk.history) == 1
    assert desk.document.dirty
    desk.document.undo()
    assert kept(desk) == {}
    assert desk.canvas.positions() == before
    assert not desk.document.dirty
    desk.document.redo()
    assert desk.canvas.positions()["closure.issue"] != before["closure.issue"]


def test_places_are_saved_and_read_again(desk: Desk, example: Path) -> None:
    at = node_point(desk.canvas, "closure.issue")
    drag(desk.canvas, at, at + QPoint(80, 24))
    place = desk.canvas.positions()["closure.issue"]
    assert isinstance(desk.document.save(), Saved)
    assert desk.document.layout_path.is_file()
    assert not desk.document.dirty
    assert desk.window.open(example)
    again = Desk(desk.qtbot, desk.window)
    again.settle()
    assert again.canvas.positions()["closure.issue"] == place
    assert again.history == []


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 99, "steps": {}}', '{"steps": 3}'])
def test_a_layout_file_that_cannot_be_used_is_reported_and_left_alone(desk: Desk, example: Path, text: str) -> None:
    path = desk.document.layout_path
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    assert desk.window.open(example)
    again = Desk(desk.qtbot, desk.window)
    again.settle()
    assert path.name in again.window.banner.text
    at = node_point(again.canvas, "closure.issue")
    drag(again.canvas, at, at + QPoint(80, 24))
    assert again.history == []
    assert isinstance(again.document.save(), Saved)
    assert path.read_text("utf-8") == text


def test_several_steps_are_moved_together(desk: Desk) -> None:
    before = desk.canvas.positions()
    click(desk.canvas, node_point(desk.canvas, "initial.issue"))
    click(desk.canvas, node_point(desk.canvas, "closure.issue"), Qt.KeyboardModifier.ControlModifier)
    assert desk.canvas.graph.selected_steps == ["initial.issue", "closure.issue"]
    at = node_point(desk.canvas, "closure.issue")
    drag(desk.canvas, at, at + QPoint(40, 40))
    after = desk.canvas.positions()
    moved = {step for step in before if before[step] != after[step]}
    assert moved == {"initial.issue", "closure.issue"}
    assert set(kept(desk)) == moved
    assert len(desk.history) == 1
    assert desk.canvas.graph.selected_steps == ["initial.issue", "closure.issue"]  # as they were
    click(desk.canvas, node_point(desk.canvas, "closure.issue"))
    assert desk.canvas.graph.selected_steps == ["closure.issue"]


def test_a_frame_selects_what_it_touches(desk: Desk) -> None:
    frames = desk.canvas.graph.step_frames()
    around = frames["initial.issue"].united(frames["continuation.issue"]).adjusted(-12, -12, 12, -12)
    start, end = desk.canvas.mapFromScene(around.topLeft()), desk.canvas.mapFromScene(around.bottomRight())
    drag(desk.canvas, start, end, Qt.KeyboardModifier.ShiftModifier)
    assert set(desk.canvas.graph.selected_steps) >= {"initial.issue", "continuation.issue"}
    assert desk.document.selected_step in desk.canvas.graph.selected_steps


def test_escape_gives_a_frame_up(desk: Desk) -> None:
    click(desk.canvas, node_point(desk.canvas, "closure.issue"))
    frame = desk.canvas.graph.step_frames()["initial.issue"].adjusted(-12, -12, 12, 12)
    start, end = desk.canvas.mapFromScene(frame.topLeft()), desk.canvas.mapFromScene(frame.bottomRight())
    press(desk.canvas, start, keys=Qt.KeyboardModifier.ShiftModifier)
    drag_to(desk.canvas, start, end)
    assert desk.canvas.graph.selected_steps != ["closure.issue"]
    press_key(desk.canvas, Qt.Key.Key_Escape)
    release(desk.canvas, end)
    assert desk.canvas.graph.selected_steps == ["closure.issue"]


def test_nudges_by_keys_become_one_entry(desk: Desk) -> None:
    before = desk.canvas.positions()["closure.issue"]
    desk.canvas.choose_step("closure.issue")
    for _time in range(5):
        press_key(desk.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    press_key(desk.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert desk.canvas.positions()["closure.issue"] == (before[0] + 40, before[1] + 1)
    assert len(desk.history) == 1
    desk.document.undo()
    assert desk.canvas.positions()["closure.issue"] == before
    desk.document.redo()
    assert desk.canvas.positions()["closure.issue"] == (before[0] + 40, before[1] + 1)
    desk.document.undo()
    assert kept(desk) == {}


@pytest.mark.parametrize("way", ["left", "centre", "right", "top", "middle", "bottom", "across", "down"])
def test_steps_are_aligned_in_one_entry(desk: Desk, way: Alignment) -> None:
    before = desk.canvas.positions()
    steps = ["initial.issue", "continuation.issue", "closure.issue"]
    for number, step in enumerate(steps):
        desk.canvas.choose_step(step)
        for _time in range(3 + number):
            press_key(desk.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    count = len(desk.history)
    desk.canvas.choose_steps(steps, steps[0])
    desk.editing.align(way)
    frames = [desk.canvas.graph.step_frames()[step] for step in steps]
    edges: dict[str, set[float]] = {
        "left": {frame.left() for frame in frames},
        "right": {frame.right() for frame in frames},
        "centre": {round(frame.center().x()) for frame in frames},
        "top": {frame.top() for frame in frames},
        "middle": {round(frame.center().y()) for frame in frames},
        "bottom": {frame.bottom() for frame in frames},
    }
    if way in edges:
        assert max(edges[way]) - min(edges[way]) <= 1
    assert len(desk.history) <= count + 1
    desk.undo_all()
    assert desk.canvas.positions() == before


def test_tidy_can_be_undone(desk: Desk) -> None:
    at = node_point(desk.canvas, "closure.issue")
    drag(desk.canvas, at, at + QPoint(180, 24))
    moved = desk.canvas.positions()
    desk.window.desk.actions["tidy"].trigger()
    assert desk.history[-1] == "Auto-layout"
    assert desk.canvas.positions() != moved
    desk.document.undo()
    assert desk.canvas.positions() == moved


def test_only_the_selected_steps_are_tidied(own_desk: Desk) -> None:
    desk = own_desk
    steps = ["initial.issue", "continuation.issue"]
    for step, by in zip(steps, (QPoint(-150, 90), QPoint(160, -60)), strict=True):
        at = node_point(desk.canvas, step)
        drag(desk.canvas, at, at + by)
    before, count = desk.canvas.positions(), len(desk.history)
    desk.canvas.choose_steps(steps, steps[0])
    press_key(desk.canvas, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    after = desk.canvas.positions()
    assert {step for step in before if before[step] != after[step]} <= set(steps)
    assert after != before
    upper, lower = (desk.canvas.graph.step_frames()[step] for step in steps)
    assert upper.bottom() < lower.top()  # one goes to the other
    others = [frame for step, frame in desk.canvas.graph.step_frames().items() if step not in steps]
    assert not any(frame.intersects(other) for frame in (upper, lower) for other in others)
    assert len(desk.history) == count + 1
    desk.document.undo()
    assert desk.canvas.positions() == before


def test_one_step_alone_is_not_tidied(desk: Desk) -> None:
    desk.canvas.choose_step("initial.issue")
    desk.editing.command("tidy-selection")
    assert desk.history == []


def test_the_end_of_an_edge_is_dragged_to_another_step(desk: Desk) -> None:
    before = desk.text()
    ref = TransitionRef("initial.issue", "next")
    edge = desk.canvas.graph.edge_item(ref)
    assert edge is not None
    last = edge.route.bends[-1]
    tip = desk.canvas.mapFromScene(last.x, last.y - 6)
    drag(desk.canvas, tip, node_point(desk.canvas, "initial.issue"))
    desk.settle()
    assert json.loads(desk.text())["steps"]["initial.issue"]["transitions"]["next"]["target"] == "initial.issue"
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_a_step_let_go_over_another_goes_to_the_nearest_free_spot(desk: Desk) -> None:
    start, there = node_point(desk.canvas, "closure.issue"), node_point(desk.canvas, "continuation.issue")
    press(desk.canvas, start)
    drag_to(desk.canvas, start, there)
    outline = next(item for item in desk.canvas.graph.items() if isinstance(item, SpotOutline))
    shown = outline.boundingRect()
    assert not shown.isEmpty()
    release(desk.canvas, there)
    frames = desk.canvas.graph.step_frames()
    moved = frames.pop("closure.issue")
    assert (moved.x() % 8, moved.y() % 8) == (0, 0)
    assert shown.contains(moved)
    assert not any(moved.adjusted(-23, -23, 23, 23).intersects(frame) for frame in frames.values())
    assert kept(desk) == {"closure.issue": [moved.x(), moved.y()]}
    assert not any(isinstance(item, SpotOutline) for item in desk.canvas.graph.items())


def test_with_alt_a_step_stays_exactly_where_it_is_let_go(desk: Desk) -> None:
    start, there = node_point(desk.canvas, "closure.issue"), node_point(desk.canvas, "continuation.issue")
    drag(desk.canvas, start, there, Qt.KeyboardModifier.AltModifier)
    frames = desk.canvas.graph.step_frames()
    assert frames["closure.issue"].intersects(frames["continuation.issue"])


def test_a_step_let_go_over_nothing_stays_there(desk: Desk) -> None:
    start = node_point(desk.canvas, "closure.issue")
    before = desk.canvas.positions()["closure.issue"]
    by = desk.canvas.mapToScene(start + QPoint(331, 13)) - desk.canvas.mapToScene(start)
    drag(desk.canvas, start, start + QPoint(331, 13))
    after = desk.canvas.positions()["closure.issue"]
    assert (after[0] - before[0], after[1] - before[1]) == (round(by.x()), round(by.y()))


def test_a_chosen_direction_is_kept_with_the_flow_and_undone_with_the_steps(desk: Desk) -> None:
    actions, path = desk.window.desk.actions, desk.document.layout_path
    before = desk.canvas.positions()
    actions["direction-right"].trigger()
    turned = desk.canvas.positions()
    assert turned["initial.issue"][0] < turned["continuation.issue"][0]
    assert turned["initial.issue"][1] == turned["continuation.issue"][1]
    kept_text = desk.document.source(path)
    assert isinstance(kept_text, Source)
    read = json.loads(kept_text.text)
    assert (read["version"], read["direction"], set(read["steps"])) == (2, "right", set(turned))
    actions["tidy"].trigger()
    assert desk.canvas.positions() == turned
    desk.document.undo()
    assert desk.canvas.positions() == before
    desk.document.redo()
    assert desk.canvas.positions() == turned
    actions["direction-auto"].trigger()
    assert desk.canvas.positions() == before
    kept_text = desk.document.source(path)
    assert isinstance(kept_text, Source)
    assert "direction" not in json.loads(kept_text.text)
    assert json.loads(kept_text.text)["version"] == 1

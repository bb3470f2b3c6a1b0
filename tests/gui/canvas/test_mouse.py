import pytest
from PySide6.QtCore import QPoint, Qt

from stepflow_gui.gui.canvas.gestures import ConnectAsked
from stepflow_gui.gui.canvas.marks import TransitionRef
from tests.gui.canvas.conftest import ShowView, flow_of, issue_flow, picture, step
from tests.gui.canvas.hand import (
    LEFT,
    click,
    drag,
    drag_to,
    heard,
    mouse_over,
    node_point,
    pill_point,
    press,
    press_key,
    release,
    wheel,
)


def test_a_click_selects_the_step(show: ShowView) -> None:
    view = show(issue_flow())
    selected = heard(view.step_selected)
    click(view, node_point(view, "closure.issue"))
    assert selected == ["closure.issue"]
    item = view.graph.step_item("closure.issue")
    assert item is not None
    assert item.chosen


def test_a_click_on_the_background_selects_nothing(show: ShowView) -> None:
    view = show(issue_flow())
    view.select_step("closure.issue")
    selected = heard(view.step_selected)
    click(view, QPoint(5, 5))
    assert selected == [None]
    assert view.graph.selected is None


def test_clicks_on_a_merged_edge_select_its_transitions_in_turn(show: ShowView) -> None:
    view = show(issue_flow())
    view.set_loops_as_edges(True)
    edge = view.graph.edge_item(TransitionRef("continuation.issue", "next"))
    assert edge is not None
    assert edge.label is not None
    refs = heard(view.transition_selected)
    at = view.mapFromScene(edge.label.sceneBoundingRect().center())
    for _click in range(3):
        click(view, at)
    assert [ref.intent for ref in refs] == ["next", "repeat", "next"]
    assert edge.chosen


def test_a_drag_from_a_port_to_a_step_asks_for_the_connection(show: ShowView) -> None:
    view = show(issue_flow())
    asked = heard(view.connect_requested)
    drag(view, pill_point(view, "continuation.issue", "handoff"), node_point(view, "initial.issue"))
    assert asked == [ConnectAsked("continuation.issue", "handoff", None, "initial.issue")]


def test_a_drag_to_the_end_has_the_target_none(show: ShowView) -> None:
    view = show(issue_flow())
    asked = heard(view.connect_requested)
    end = next(item for node, item in view.graph.nodes.items() if node.kind == "end")
    drag(view, pill_point(view, "closure.issue", "repeat"), view.mapFromScene(end.frame.center()))
    assert asked == [ConnectAsked("closure.issue", "repeat", None, None)]


def test_while_dragging_allowed_steps_are_lit_and_the_others_explain_why(show: ShowView) -> None:
    view = show(issue_flow())
    view.can_connect = lambda _step, _intent, target: None if target == "closure.issue" else "only to the closure"
    hints = heard(view.hint_changed)
    start, over = pill_point(view, "initial.issue", "next"), node_point(view, "continuation.issue")
    press(view, start)
    drag_to(view, start, node_point(view, "closure.issue"))
    lit = {node.name: item.legal for node, item in view.graph.nodes.items() if node.kind == "step"}
    assert lit == {"initial.issue": None, "continuation.issue": False, "closure.issue": True}
    assert "closure.issue" in hints[-1]
    assert view.messages.pointer.isVisible()
    view.can_connect = lambda *_: None
    drag_to(view, node_point(view, "closure.issue"), over)
    assert "already" in hints[-1]  # `next` targets continuation.issue now
    release(view, QPoint(3, 3))
    assert {item.legal for item in view.graph.nodes.values()} == {None}
    assert not view.messages.pointer.isVisible()
    assert hints[-1] == ""


def test_a_refused_step_gets_nothing(show: ShowView) -> None:
    view = show(issue_flow())
    view.can_connect = lambda *_: "not there"
    asked = heard(view.connect_requested)
    drag(view, pill_point(view, "initial.issue", "next"), node_point(view, "closure.issue"))
    assert asked == []


def test_a_drop_on_empty_space_asks_nothing(show: ShowView) -> None:
    view = show(issue_flow())
    asked = heard(view.connect_requested)
    drag(view, pill_point(view, "initial.issue", "next"), QPoint(4, 400))
    assert asked == []
    assert len([item for item in view.graph.items() if type(item).__name__ == "RubberEdge"]) == 0


def test_escape_cancels_the_drag(show: ShowView) -> None:
    view = show(issue_flow())
    asked = heard(view.connect_requested)
    start, end = pill_point(view, "initial.issue", "next"), node_point(view, "closure.issue")
    press(view, start)
    drag_to(view, start, end)
    press_key(view, Qt.Key.Key_Escape)
    assert {item.legal for item in view.graph.nodes.values()} == {None}
    release(view, end)
    assert asked == []


def test_dragging_a_step_moves_it_and_its_edges_and_reports(show: ShowView) -> None:
    view = show(issue_flow())
    moved = heard(view.moved)
    x, y = view.positions()["continuation.issue"]
    edge = view.graph.edge_item(TransitionRef("initial.issue", "next"))
    assert edge is not None
    tip = edge.route.bends[-1]
    start = node_point(view, "continuation.issue")
    drag(view, start, start + QPoint(60, 24))
    by = 1 / view.zoom
    there = moved[0]["continuation.issue"]
    assert there[0] == pytest.approx(x + 60 * by, abs=1)
    assert there[1] == pytest.approx(y + 24 * by, abs=1)
    assert view.positions()["continuation.issue"] == there
    assert edge.route.bends[-1].y == pytest.approx(tip.y + 24 * by, abs=1)


def test_escape_puts_a_dragged_step_back(show: ShowView) -> None:
    view = show(issue_flow())
    moved = heard(view.moved)
    before = view.graph.step_frames()
    start = node_point(view, "continuation.issue")
    press(view, start)
    drag_to(view, start, start + QPoint(80, 40))
    assert view.graph.step_frames() != before
    press_key(view, Qt.Key.Key_Escape)
    assert view.graph.step_frames() == before
    assert moved == []


@pytest.mark.parametrize("button", [LEFT, Qt.MouseButton.MiddleButton])
def test_dragging_the_background_pans(show: ShowView, button: Qt.MouseButton) -> None:
    view = show(issue_flow())
    before = view.mapToScene(QPoint(0, 0))
    press(view, QPoint(20, 20), button)
    drag_to(view, QPoint(20, 20), QPoint(70, 50), button)
    release(view, QPoint(70, 50), button)
    by = (before - view.mapToScene(QPoint(0, 0))) * view.zoom
    assert by.x() == pytest.approx(50, abs=1)
    assert by.y() == pytest.approx(30, abs=1)


def test_ctrl_and_wheel_zoom_towards_the_pointer(show: ShowView) -> None:
    view = show(issue_flow())
    at = QPoint(300, 200)
    before, zoom = view.mapToScene(at), view.zoom
    wheel(view, at, QPoint(0, 120), Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == pytest.approx(zoom * 1.2)
    after = view.mapToScene(at)
    assert after.x() == pytest.approx(before.x(), abs=1.5)
    assert after.y() == pytest.approx(before.y(), abs=1.5)


def test_the_wheel_alone_scrolls(show: ShowView) -> None:
    view = show(issue_flow())
    zoom, before = view.zoom, view.mapToScene(QPoint(0, 0))
    wheel(view, QPoint(300, 200), QPoint(0, -120), Qt.KeyboardModifier.NoModifier)
    after = view.mapToScene(QPoint(0, 0))
    assert view.zoom == zoom
    assert after.y() > before.y()
    assert after.x() == before.x()


def test_where_no_end_is_in_sight_one_is_offered_while_dragging(show: ShowView) -> None:
    view = show(flow_of({"closure.a": step("closure", "A", closing="closure.a", repeat="closure.a")}))
    assert [node.kind for node in view.graph.nodes] == ["step"]
    asked = heard(view.connect_requested)
    start = pill_point(view, "closure.a", "closing")
    press(view, start)
    drag_to(view, start, start + QPoint(0, 60))
    end = next(item for node, item in view.graph.nodes.items() if node.kind == "end")
    there = view.mapFromScene(end.frame.center())
    drag_to(view, start + QPoint(0, 60), there)
    release(view, there)
    assert asked == [ConnectAsked("closure.a", "closing", None, None)]
    assert [node.kind for node in view.graph.nodes] == ["step"]
    picture(view)


def test_what_is_lit_under_the_pointer_is_asked_again_after_each_gesture(show: ShowView) -> None:
    view = show(issue_flow())
    over, away = node_point(view, "initial.issue"), node_point(view, "closure.issue")
    lit = [item for item in view.graph.steps() if item.hovered]
    assert lit == []
    press(view, over)
    drag_to(view, over, away)
    view.cancel_drag()
    assert [item.step.id for item in view.graph.steps() if item.hovered] == ["closure.issue"]
    mouse_over(view, over)
    assert [item.step.id for item in view.graph.steps() if item.hovered] == ["initial.issue"]
    view.show_flow(issue_flow(), keep_positions=True, verdict=None)
    assert not any(item.hovered for item in view.graph.steps())

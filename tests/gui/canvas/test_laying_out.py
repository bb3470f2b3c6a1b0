"""A large flow is laid out on another thread: the canvas can be used meanwhile and shows nothing out of date."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.layout import Layout, NodeId
from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas import arrange
from stepflow_gui.gui.canvas.view import GraphView

from .conftest import ShowView, chain


class Held:
    """Layouts on other threads that wait until they are let go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.free = False
        self.threads: list[threading.Thread] = []
        self.made: list[Layout] = []
        self._patch = monkeypatch
        for name in ("lay_out", "draw"):
            self._hold(name, getattr(arrange, name))

    def forget(self) -> None:
        """What was laid out so far isn't meant."""
        self.threads.clear()
        self.made.clear()

    def _hold(self, name: str, function: Any) -> None:
        def held(*given: Any, **more: Any) -> Layout:
            self.threads.append(threading.current_thread())
            while not self.free and threading.current_thread() is not threading.main_thread():
                checkpoint()
                time.sleep(0.001)
            made: Layout = function(*given, **more)
            self.made.append(made)
            return made

        self._patch.setattr(arrange, name, held)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    monkeypatch.setattr(arrange, "LONG_LAYOUT", 4)
    monkeypatch.setattr(arrange, "LONG_DRAWING", 4)
    held = Held(monkeypatch)
    yield held
    held.free = True


def laid_out(qtbot: QtBot, view: GraphView, held: Held) -> None:
    held.free = True
    qtbot.waitUntil(lambda: not view.is_building)


def shown_provisionally(qtbot: QtBot, view: GraphView, flow: Flow) -> None:
    qtbot.waitUntil(lambda: len(list(view.graph.steps())) == len(flow.steps))


def test_the_steps_can_be_used_while_their_places_are_worked_out(qtbot: QtBot, show: ShowView, held: Held) -> None:
    hints: list[str] = []
    view = show(chain(1))
    held.forget()
    view.hint_changed.connect(hints.append)
    flow = chain(8)
    shown: list[int] = []
    view.show_flow(flow, keep_positions=False, verdict=None, then=lambda: shown.append(len(view.graph.edges)))
    assert view.is_building
    shown_provisionally(qtbot, view, flow)
    qtbot.waitUntil(lambda: bool(held.threads))
    assert held.threads[0] is not threading.current_thread()
    frames = view.graph.step_frames()
    assert list(frames) == list(flow.steps)
    assert not any(one.intersects(other) for one in frames.values() for other in frames.values() if one != other)
    view.choose_step("continuation.s3")
    assert view.graph.selected == "continuation.s3"
    assert view.messages.notice.text == "Laying out 8 steps…"
    assert hints[-1] == "Laying out 8 steps…"
    assert view.connect_gesture(flow.steps["continuation.s3"], "next") is None
    assert shown == []
    laid_out(qtbot, view, held)
    assert view.arrangement.layout.boxes == held.made[-1].boxes
    assert len(view.graph.edges) == len(view.graph.layout.routes) + len(view.graph._loops)
    assert shown
    assert view.graph.selected == "continuation.s3"
    assert not view.messages.notice.isVisible()
    assert hints[-1] == ""
    assert view.connect_gesture(flow.steps["continuation.s3"], "next") is not None


def test_a_layout_of_a_flow_that_changed_meanwhile_is_never_shown(qtbot: QtBot, show: ShowView, held: Held) -> None:
    view = show(chain(1))
    held.forget()
    told: list[str] = []
    view.show_flow(chain(8), keep_positions=False, verdict=None, then=lambda: told.append("first"))
    qtbot.waitUntil(lambda: bool(held.threads))
    first = held.threads[0]
    view.show_flow(chain(9), keep_positions=True, verdict=None, then=lambda: told.append("second"))
    assert not first.is_alive()
    laid_out(qtbot, view, held)
    assert len(held.made) == 1
    assert [node.name for node in view.arrangement.layout.boxes if node.kind == "step"] == list(chain(9).steps)
    assert told == ["first", "second"]


def test_without_a_document_nothing_is_laid_out_any_more(qtbot: QtBot, show: ShowView, held: Held) -> None:
    view = show(chain(1))
    held.forget()
    told: list[str] = []
    view.show_flow(chain(8), keep_positions=False, verdict=None, then=lambda: told.append("shown"))
    qtbot.waitUntil(lambda: bool(held.threads))
    view.laying_out.cancel()
    assert not held.threads[0].is_alive()
    assert not view.laying_out.is_running
    held.free = True
    qtbot.wait(20)
    assert told == []
    assert held.made == []


def test_a_step_added_to_a_large_flow_moves_no_other(qtbot: QtBot, show: ShowView, held: Held) -> None:
    view = show(chain(1))
    held.forget()
    view.show_flow(chain(8), keep_positions=False, verdict=None)
    laid_out(qtbot, view, held)
    before = view.positions()
    held.free = False
    view.expect_positions({"continuation.s8": (900.0, 40.0)})
    view.show_flow(chain(9), keep_positions=True, verdict=None)
    qtbot.waitUntil(lambda: view.graph.step_item("continuation.s8") is not None)
    assert {step: place for step, place in view.positions().items() if step in before} == before
    assert view.positions()["continuation.s8"] == (900.0, 40.0)
    laid_out(qtbot, view, held)
    assert {step: place for step, place in view.positions().items() if step in before} == before
    assert view.positions()["continuation.s8"] == (900.0, 40.0)


def test_many_boxes_that_move_stand_there_at_once(
    qtbot: QtBot, show: ShowView, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrange, "_MANY_MOVED", 2)
    view = show(chain(1))
    held.forget()
    view.show_flow(chain(8), keep_positions=False, verdict=None)
    laid_out(qtbot, view, held)
    held.free = False
    moved = {node: (x + 300.0, y) for node, (x, y) in view.arrangement.layout.corners.items()}
    view.put_boxes(moved)
    assert view.laying_out.is_running
    assert (
        view.graph.nodes[NodeId("step", "continuation.s3")].pos().toTuple() == moved[NodeId("step", "continuation.s3")]
    )
    laid_out(qtbot, view, held)
    assert view.arrangement.layout.corners == moved
    assert len(view.arrangement.layout.routes) == len(held.made[0].routes)


def test_one_box_that_moves_is_drawn_at_once(qtbot: QtBot, show: ShowView, held: Held) -> None:
    view = show(chain(1))
    held.forget()
    view.show_flow(chain(8), keep_positions=False, verdict=None)
    laid_out(qtbot, view, held)
    view.set_layout_positions({"continuation.s3": (700.0, 8.0)})
    assert not view.is_building
    assert view.positions()["continuation.s3"] == (700.0, 8.0)
    assert held.threads[-1] is threading.current_thread()


def test_what_fails_is_reported_in_the_thread_of_the_window(
    qtbot: QtBot, show: ShowView, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object, **_more: object) -> Layout:
        raise ZeroDivisionError

    view = show(chain(1))
    held.forget()
    monkeypatch.setattr(arrange, "lay_out", fail)
    with qtbot.captureExceptions() as raised:
        view.show_flow(chain(8), keep_positions=False, verdict=None)
        qtbot.waitUntil(lambda: bool(raised))
    assert raised[0][0] is ZeroDivisionError

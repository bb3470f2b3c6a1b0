from pathlib import Path

import pytest

from stepflow_gui.flow.layout import NodeId
from stepflow_gui.gui.canvas.gestures import NEW_INTENT, ConnectAsked, ConnectGesture, CreateStep
from stepflow_gui.project.agent_folder import open_agent
from stepflow_gui.text.files.store import ReadProblem

CLOSURE = NodeId("step", "closure.a")
END = NodeId("end", "initial.a")


def only_closures(step: str, intent: str, target: str | None) -> str | None:
    return None if target and target.startswith("closure.") else "a handoff goes to a closure step"


def test_a_drop_on_an_allowed_step_asks_for_the_connection() -> None:
    gesture = ConnectGesture("initial.a", "handoff", only_closures)
    assert gesture.hover(CLOSURE).legal
    assert gesture.drop(CLOSURE) == ConnectAsked("initial.a", "handoff", None, "closure.a")


def test_a_refused_step_explains_why_and_gets_nothing() -> None:
    gesture = ConnectGesture("initial.a", "handoff", only_closures)
    assert gesture.hover(NodeId("step", "initial.b")) == (False, "a handoff goes to a closure step")
    assert gesture.drop(NodeId("step", "initial.b")) is None


def test_the_end_is_the_target_none() -> None:
    gesture = ConnectGesture("closure.a", "closing", lambda *_: None)
    assert gesture.drop(END) == ConnectAsked("closure.a", "closing", None, None)


def test_a_case_is_carried_along() -> None:
    gesture = ConnectGesture("initial.a", "next", lambda *_: None, case="ready")
    assert gesture.drop(CLOSURE) == ConnectAsked("initial.a", "next", "ready", "closure.a")


def test_where_it_goes_already_nothing_is_asked() -> None:
    gesture = ConnectGesture("initial.a", "handoff", only_closures, targets=frozenset(["closure.a"]))
    assert gesture.hover(CLOSURE).legal is False
    assert gesture.drop(CLOSURE) is None


def test_a_missing_step_is_no_target() -> None:
    gesture = ConnectGesture("initial.a", "next", lambda *_: None)
    hint = gesture.hover(NodeId("ghost", "closure.typo"))
    assert hint.legal is False
    assert "closure.typo" in hint.text
    assert gesture.drop(NodeId("ghost", "closure.typo")) is None


def test_over_nothing_there_is_neither_yes_nor_no() -> None:
    gesture = ConnectGesture("initial.a", "next", lambda *_: None)
    assert gesture.hover(None).legal is None
    assert gesture.drop(None) == CreateStep("initial.a", "next", None)


def test_after_cancel_a_drop_means_nothing() -> None:
    gesture = ConnectGesture("initial.a", "handoff", only_closures)
    gesture.cancel()
    assert gesture.drop(CLOSURE) is None


def test_a_gesture_drops_once() -> None:
    gesture = ConnectGesture("initial.a", "handoff", only_closures)
    assert gesture.drop(CLOSURE) is not None
    assert gesture.drop(CLOSURE) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "name: p\nmovements:\n  - name: plan\n    rules:\n      - condition: done\n        next: COMPLETE\n",
            "movement",
        ),
        (
            "name: p\nsteps:\n  - name: plan\n    rules:\n      - condition: done\n        next: COMPLETE\n",
            "a step or to an",
        ),
    ],
)
def test_in_a_piece_the_hints_are_about_rules(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / ".takt" / "pieces" / "p.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    opened = open_agent(file)
    assert not isinstance(opened, ReadProblem)
    gesture = ConnectGesture("plan", "done", lambda *_: None, flow=opened.flow)
    hint = gesture.hover(None).text
    assert "rule “done”" in hint
    assert words in hint
    new = ConnectGesture("plan", NEW_INTENT, lambda *_: None, flow=opened.flow)
    assert "intent" not in new.hover(None).text
    assert "new rule" in new.hover(NodeId("step", "other")).text

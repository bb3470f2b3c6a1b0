"""Transitions made, retargeted, taken out, made conditional and back."""

from pathlib import Path

import pytest

from stepflow_gui.formats.changes import (
    AddCase,
    Change,
    Connect,
    Disconnect,
    MakeConditional,
    MakeUnconditional,
    RenameCase,
    Retarget,
)
from tests.formats.changes.hand import Agent, check_undo


def rule(agent: Agent, step: str, intent: str) -> object:
    return agent.steps[step]["transitions"].get(intent)


def test_a_target_changes_one_line(agent: Agent) -> None:
    done = agent.done(Retarget("continuation.issue", "next", "verification.issue"))
    (edit,) = done.plan.edits[agent.folder.registry.path]
    assert edit.text == '"verification.issue"'
    check_undo(agent, done)
    case = agent.done(Retarget("initial.issue", "next", "verification.again", case="large"))
    assert case.agent.registry.count('"large": "verification.again"') == 1


def test_the_end_is_a_target(agent: Agent) -> None:
    done = agent.done(Disconnect("closure.issue", "closing"))
    assert rule(done.agent, "closure.issue", "closing") is None
    again = done.agent.done(Connect("closure.issue", "closing", None))
    assert rule(again.agent, "closure.issue", "closing") == {"target": None}


def test_taken_out_and_back(agent: Agent) -> None:
    done = agent.done(Disconnect("continuation.issue", "handoff"))
    assert "handoff" in done.agent.steps["continuation.issue"]["structuredGate"]["allowedIntents"]
    back = done.agent.done(Connect("continuation.issue", "handoff", "closure.issue"))
    assert back.agent.registry == agent.registry
    case = agent.done(Disconnect("initial.issue", "next", "large"))
    assert rule(case.agent, "initial.issue", "next") == {
        "condition": "size",
        "targets": {"default": "continuation.issue"},
    }
    assert "only case" in case.agent.refused(Disconnect("initial.issue", "next", "default")).reason


def test_conditional_and_back(agent: Agent) -> None:
    change = MakeConditional("continuation.issue", "next", "size", (("small", "verification.issue"),))
    done = agent.done(change)
    assert rule(done.agent, "continuation.issue", "next") == {
        "condition": "size",
        "targets": {"small": "verification.issue", "default": "continuation.issue"},
        "fallback": "initial.issue",
    }
    assert any("handoffFields" in note for note in done.plan.notes)
    check_undo(agent, done)
    assert '          "condition": "size",\n          "targets": {\n            "small"' in done.agent.registry
    back = done.agent.done(MakeUnconditional("continuation.issue", "next"))
    assert back.agent.registry == agent.registry


def test_which_case_stays_is_asked(agent: Agent) -> None:
    other = agent.done(MakeUnconditional("initial.issue", "next", "large")).agent
    assert rule(other, "initial.issue", "next") == {"target": "verification.issue"}
    assert '        "next": { "target": "verification.issue" },\n' in other.registry
    without = agent.done(RenameCase("initial.issue", "next", "default", "small")).agent
    refusal = without.refused(MakeUnconditional("initial.issue", "next"))
    assert refusal.options == ("case",)
    assert "small" in refusal.reason


def test_cases_come_before_the_default(agent: Agent) -> None:
    done = agent.done(AddCase("initial.issue", "next", "huge", "verification.again"))
    targets = done.agent.steps["initial.issue"]["transitions"]["next"]["targets"]
    assert list(targets.items()) == [
        ("large", "verification.issue"),
        ("huge", "verification.again"),
        ("default", "continuation.issue"),
    ]
    check_undo(agent, done)
    back = done.agent.done(Disconnect("initial.issue", "next", "huge"))
    assert back.agent.registry == agent.registry
    named = agent.done(RenameCase("initial.issue", "next", "large", "big"))
    assert named.agent.registry == agent.registry.replace('"large"', '"big"')


@pytest.mark.parametrize(
    "change",
    [
        Retarget("initial.issue", "next", "verification.issue"),  # conditional: which case?
        Retarget("continuation.issue", "next", "verification.issue", case="x"),
        Retarget("continuation.issue", "next", "closure.issue"),
        Retarget("continuation.issue", "next", "nowhere"),
        Retarget("nowhere", "next", "verification.issue"),
        Connect("verification.issue", "next", None),
        Disconnect("verification.issue", "jump"),
        Disconnect("verification.issue", "next", "x"),
        Disconnect("initial.issue", "next", "x"),
        Disconnect("nowhere", "next"),
        MakeConditional("initial.issue", "next", "size"),
        MakeConditional("initial.issue", "repeat", "size"),
        MakeConditional("continuation.issue", "handoff", "size"),
        MakeConditional("continuation.issue", "jump", "size"),
        MakeConditional("continuation.issue", "next", " "),
        MakeConditional("continuation.issue", "next", "size", (("", "verification.issue"),)),
        MakeConditional("continuation.issue", "next", "size", (("a", "closure.issue"),)),
        MakeUnconditional("continuation.issue", "next"),
        MakeUnconditional("initial.issue", "next", "x"),
        AddCase("initial.issue", "next", "large", "verification.issue"),
        AddCase("initial.issue", "next", "", "verification.issue"),
        AddCase("initial.issue", "next", "x", "closure.issue"),
        AddCase("continuation.issue", "next", "x", "verification.issue"),
        RenameCase("initial.issue", "next", "large", "default"),
        RenameCase("initial.issue", "next", "x", "y"),
        RenameCase("initial.issue", "next", "large", ""),
        RenameCase("continuation.issue", "next", "x", "y"),
    ],
)
def test_what_makes_no_sense_is_refused(agent: Agent, change: Change) -> None:
    agent.refused(change)


def test_shapes_without_transitions_refuse(corpus: Path) -> None:
    agent = Agent.open(corpus / "climpt" / "reviewer" / "001-d833c4a" / "steps_registry.json")
    refusal = agent.refused(Connect("initial.default", "next", "initial.default"))
    assert "no transitions" in refusal.reason

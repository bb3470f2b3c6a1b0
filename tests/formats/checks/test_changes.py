"""Changes to registries with checks: each is a small edit of the text, can be undone, and does what it declares."""

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.change import can, can_connect, plan, retarget
from stepflow_gui.formats.changes import Change, TransitionKey
from stepflow_gui.formats.checks.ids import is_hash_id, new_id
from stepflow_gui.formats.checks.vocabulary import INTENTS
from stepflow_gui.formats.edits import Refusal
from tests.formats.changes.hand import Agent, Done, check_undo
from tests.sampling import examples

SEED = Path(__file__).parents[2] / "seeds" / "checks" / "steps_registry.json"
FIRST, SECOND, LAST = "s_a8f3", "s_b2c1", "s_c9d4"


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    """The design document's registry."""
    path = tmp_path / "steps_registry.json"
    path.write_bytes(SEED.read_bytes())
    return Agent.open(path)


def done(agent: Agent, change: Change) -> Done:
    made = agent.done(change)
    check_undo(agent, made)
    return made


def lines(agent: Agent, made: Done) -> tuple[list[str], list[str]]:
    """The lines taken out and put in."""
    found = [
        line for line in difflib.ndiff(agent.registry.splitlines(), made.agent.registry.splitlines()) if line[0] in "+-"
    ]
    return (
        [line[2:].strip() for line in found if line[0] == "-"],
        [line[2:].strip() for line in found if line[0] == "+"],
    )


def check_of(agent: Agent, step: str) -> dict[str, Any]:
    check: dict[str, Any] = agent.steps[step]["check"]
    return check


# Transitions


@pytest.mark.parametrize(
    ("step", "intent", "target", "before", "after"),
    [
        (FIRST, "pass", LAST, '"onPass": { "next": "s_b2c1" },', '"onPass": { "next": "s_c9d4" },'),
        (FIRST, "pass", None, '"onPass": { "next": "s_b2c1" },', '"onPass": { "complete": true },'),
        (LAST, "pass", FIRST, '"onPass": { "complete": true },', '"onPass": { "next": "s_a8f3" },'),
        (SECOND, "fallback", LAST, '"onFail": { "fallback": "s_a8f3" }', '"onFail": { "fallback": "s_c9d4" }'),
        (SECOND, "fail", LAST, '"onFail": { "fallback": "s_a8f3" }', '"onFail": { "next": "s_c9d4" }'),
        (SECOND, "fail", None, '"onFail": { "fallback": "s_a8f3" }', '"onFail": { "complete": true }'),
        (FIRST, "fail", LAST, '"onFail": { "retry": true, "maxRetries": 2 }', '"onFail": { "next": "s_c9d4" }'),
        (
            *(FIRST, "fallback", LAST, '"onFail": { "retry": true, "maxRetries": 2 }'),
            '"onFail": { "retry": true, "maxRetries": 2, "fallback": "s_c9d4" }',
        ),
        (
            *(SECOND, "retry", SECOND, '"onFail": { "fallback": "s_a8f3" }'),
            '"onFail": { "fallback": "s_a8f3", "retry": true }',
        ),
    ],
)
def test_changing_a_target_changes_one_line(
    step: str, intent: str, target: str | None, before: str, after: str, agent: Agent
) -> None:
    for change in (asked.Retarget(step, intent, target), asked.Connect(step, intent, target)):
        assert lines(agent, done(agent, change)) == ([before], [after])
    edits = retarget(agent.folder.flow, step, intent, None, target)
    assert not isinstance(edits, Refusal)
    assert agent.laid(edits)[0].registry == done(agent, asked.Retarget(step, intent, target)).agent.registry


def test_the_rest_of_an_outcome_is_replaced(agent: Agent) -> None:
    mixed = done(agent, asked.SetField(f"/steps/{FIRST}/check/onPass", {"complete": True, "next": SECOND, "x-why": 1}))
    after = done(mixed.agent, asked.Connect(FIRST, "pass", LAST)).agent
    assert check_of(after, FIRST)["onPass"] == {"next": LAST, "x-why": 1}
    after = done(mixed.agent, asked.Connect(FIRST, "pass", None)).agent
    assert check_of(after, FIRST)["onPass"] == {"complete": True, "x-why": 1}


def test_a_retry_beside_the_fallback_is_shown_as_unread(agent: Agent) -> None:
    (note,) = done(agent, asked.Connect(FIRST, "fallback", SECOND)).plan.notes
    assert "falls back at once" in note


def test_an_outcome_or_a_check_that_is_missing_is_written(agent: Agent) -> None:
    without = done(agent, asked.RemoveField(f"/steps/{FIRST}/check/onFail")).agent
    after = done(without, asked.Connect(FIRST, "fallback", SECOND)).agent
    assert list(check_of(after, FIRST)) == ["prompt", "responseFormat", "onPass", "onFail"]
    assert check_of(after, FIRST)["onFail"] == {"fallback": SECOND}
    bare = done(agent, asked.RemoveField(f"/steps/{FIRST}/check")).agent
    after = done(bare, asked.Connect(FIRST, "pass", SECOND)).agent
    assert check_of(after, FIRST)["prompt"] == {"c1": "checks", "c2": "step", "c3": "analyze"}
    assert check_of(after, FIRST)["onPass"] == {"next": SECOND}


@pytest.mark.parametrize(
    ("step", "intent", "target", "says"),
    [
        ("nowhere", "pass", SECOND, "no step “nowhere”"),
        (FIRST, "pass", "nowhere", "no step “nowhere”"),
        (FIRST, "retry", SECOND, "the same step again"),
        (FIRST, "retry", None, "the same step again"),
        (FIRST, "fallback", None, "goes to a step"),
        (FIRST, "next", SECOND, "not by “next”"),
    ],
)
def test_where_a_transition_may_not_go(step: str, intent: str, target: str | None, says: str, agent: Agent) -> None:
    refused = can_connect(agent.folder.flow, step, intent, target)
    assert refused is not None
    assert says in refused.reason
    assert agent.refused(asked.Connect(step, intent, target)) == refused


@pytest.mark.parametrize(
    ("step", "intent", "outcome", "left"),
    [
        (FIRST, "pass", "onPass", {}),
        (LAST, "pass", "onPass", {}),
        (FIRST, "retry", "onFail", {}),
        (SECOND, "fallback", "onFail", {}),
    ],
)
def test_a_transition_is_removed_with_its_count(
    step: str, intent: str, outcome: str, left: dict[str, Any], agent: Agent
) -> None:
    for change in (asked.Disconnect(step, intent), asked.RemoveIntent(step, intent)):
        made = done(agent, change)
        assert check_of(made.agent, step)[outcome] == left
        assert "has no target now" in made.plan.notes[0]
    assert "no outcome “fail”" in agent.refused(asked.Disconnect(FIRST, "fail")).reason


def test_a_retry_stays_where_its_fallback_goes(agent: Agent) -> None:
    both = done(agent, asked.Connect(FIRST, "fallback", SECOND)).agent
    made = done(both, asked.Disconnect(FIRST, "fallback"))
    assert made.agent.registry == agent.registry
    assert made.plan.notes == ()


# Steps


def test_a_new_step_has_a_check_with_both_outcomes(agent: Agent) -> None:
    step = new_id("Deploy it", agent.steps)
    after = done(agent, asked.AddStep(step, "work", "Deploy it", after=SECOND)).agent
    assert list(after.steps) == [FIRST, SECOND, step, LAST]
    assert after.steps[step] == {
        "id": step,
        "name": "Deploy it",
        "prompt": {"c1": "steps", "c2": "phase", "c3": "deploy-it"},
        "iterations": {"min": 1, "max": 1},
        "check": {
            "prompt": {"c1": "checks", "c2": "step", "c3": "deploy-it"},
            "responseFormat": {"result": "ok|ng", "message": "string"},
            "onPass": {"complete": True},
            "onFail": {"retry": True},
        },
    }
    codes = {found.code for found in after.findings}
    assert "SF302" in codes
    assert not codes & {"SF004", "SF005", "SF901", "SF902", "SF903", "SF904", "SF907", "SF908"}


def test_a_step_inserted_into_a_transition_continues_to_its_target(agent: Agent) -> None:
    after = done(
        agent, asked.AddStep("s_0001", "work", "Between", after=FIRST, incoming=TransitionKey(FIRST, "pass"))
    ).agent
    assert check_of(after, FIRST)["onPass"] == {"next": "s_0001"}
    assert check_of(after, "s_0001")["onPass"] == {"next": SECOND}
    after = done(agent, asked.AddStep("s_0001", "work", incoming=TransitionKey(SECOND, "fallback"))).agent
    assert check_of(after, SECOND)["onFail"] == {"fallback": "s_0001"}
    assert check_of(after, "s_0001")["onPass"] == {"complete": True}


def test_a_new_step_looks_as_the_others_do(agent: Agent) -> None:
    for step in (FIRST, SECOND):
        agent = done(agent, asked.RemoveField(f"/steps/{step}/iterations")).agent
        agent = done(agent, asked.RemoveField(f"/steps/{step}/check/responseFormat")).agent
    after = done(agent, asked.AddStep("s_0001", "work", "新しい手順")).agent
    assert list(after.steps["s_0001"]) == ["id", "name", "prompt", "check"]
    assert list(check_of(after, "s_0001")) == ["prompt", "onPass", "onFail"]
    assert after.steps["s_0001"]["prompt"]["c3"] == "新しい手順"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (asked.AddStep("analyze", "work"), "hexadecimal"),
        (asked.AddStep(FIRST, "work"), "already"),
        (asked.AddStep("s_0001", "closure"), "one kind"),
        (asked.AddStep("s_0001", "work", incoming=TransitionKey(FIRST, "retry")), "the same step again"),
        (asked.AddStep("s_0001", "work", after="s_0002"), "no step"),
        (asked.DuplicateStep(FIRST, "copy"), "hexadecimal"),
        (asked.RenameKey(f"/steps/{FIRST}", "analyze"), "hexadecimal"),
        (asked.RenameKey(f"/steps/{FIRST}", SECOND), "already"),
        (asked.RenameStep(FIRST, " "), "empty"),
        (asked.RemoveStep(SECOND), "s_a8f3"),
        (asked.MakeConditional(FIRST, "pass", "size"), "their checks decide"),
        (asked.SetIntents(FIRST, ("pass",)), "their checks decide"),
        (asked.AddCondition(FIRST, "git-clean"), "their checks decide"),
        (asked.SetField(f"/steps/{FIRST}/iterations/min", "often"), "whole number"),
        (asked.SetField(f"/steps/{FIRST}/structuredGate", {}), "no field"),
    ],
)
def test_what_is_refused_and_why(change: Change, says: str, agent: Agent) -> None:
    assert says in agent.refused(change).reason


def test_a_copy_has_its_own_id_and_goes_to_itself_where_the_step_did(agent: Agent) -> None:
    own = done(agent, asked.Connect(FIRST, "fail", FIRST)).agent
    after = done(own, asked.DuplicateStep(FIRST, "s_0001")).agent
    assert list(after.steps)[:2] == [FIRST, "s_0001"]
    copy = after.steps["s_0001"]
    assert (copy["id"], copy["name"]) == ("s_0001", "Code Analysis 2")
    assert copy["check"]["onFail"] == {"next": "s_0001"}
    assert copy["check"]["onPass"] == {"next": SECOND}


def test_a_rename_changes_the_name_and_not_the_id(agent: Agent) -> None:
    made = done(agent, asked.RenameStep(FIRST, "調査"))
    assert lines(agent, made) == (['"name": "Code Analysis",'], ['"name": "調査",'])


def test_an_id_changes_wherever_it_stands(agent: Agent) -> None:
    made = done(agent, asked.RenameKey(f"/steps/{FIRST}", "s_0001"))
    assert FIRST not in made.agent.registry
    assert made.agent.registry == agent.registry.replace(FIRST, "s_0001")


def test_a_step_goes_and_transitions_to_it_get_another_target(agent: Agent) -> None:
    after = done(agent, asked.RemoveStep(SECOND, retarget_to=LAST)).agent
    assert list(after.steps) == [FIRST, LAST]
    assert check_of(after, FIRST)["onPass"] == {"next": LAST}
    assert check_of(after, LAST)["onFail"] == {"fallback": LAST}
    after = done(agent, asked.RemoveStep(FIRST, retarget_to=SECOND)).agent
    assert '"entryStep": "s_b2c1"' in after.registry
    refusal = agent.refused(asked.RemoveStep(FIRST))
    assert refusal.options == ("retarget_to", "force")
    forced = done(agent, asked.RemoveStep(FIRST, force=True))
    assert "2 references" in forced.plan.notes[0]


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (asked.Connect(FIRST, "pass", LAST), "Connect “pass” of Code Analysis to Review"),
        (asked.Connect(FIRST, "fail", None), "Connect “fail” of Code Analysis to the end"),
        (asked.Disconnect(FIRST, "retry"), "Remove “retry” of Code Analysis"),
        (asked.RemoveStep(FIRST, force=True), "Remove Code Analysis"),
        (asked.DuplicateStep(FIRST, "s_0001"), "Duplicate Code Analysis"),
        (asked.AddStep("s_0001", "work", "Test"), "Add Test"),
        (asked.RenameStep(FIRST, "Study"), "Rename Code Analysis to Study"),
    ],
)
def test_the_history_names_steps(change: Change, title: str, agent: Agent) -> None:
    assert done(agent, change).plan.title == title


def test_the_entry(agent: Agent) -> None:
    made = done(agent, asked.AddEntry("detect:graph", SECOND))
    assert lines(agent, made) == (['"entryStep": "s_a8f3",'], ['"entryStep": "s_b2c1",'])


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        (f"/steps/{FIRST}/iterations/max", 3),
        (f"/steps/{FIRST}/check/onFail/maxRetries", 5),
        (f"/steps/{FIRST}/prompt/c3", "look"),
        (f"/steps/{FIRST}/check/responseFormat/result", "pass|fail"),
        ("/basePath", "texts"),
    ],
)
def test_a_field_is_one_line(pointer: str, value: Any, agent: Agent) -> None:
    before, after = lines(agent, done(agent, asked.SetField(pointer, value)))
    assert len(before) == len(after) == 1


def test_nothing_is_changed_in_a_broken_text(tmp_path: Path) -> None:
    path = tmp_path / "steps_registry.json"
    path.write_text(SEED.read_text("utf-8").replace('"onPass": {', '"onPass": {{', 1), "utf-8")
    agent = Agent.open(path)
    assert "syntax error" in agent.refused(asked.Connect(FIRST, "pass", LAST)).reason


def test_ids_are_made_of_names_and_stay_free() -> None:
    taken: set[str] = set()
    for name in ("Analyze", "Analyze", "", "調査", "\ud800"):
        found = new_id(name, taken)
        assert found == new_id(name, taken)
        assert is_hash_id(found)
        assert found not in taken
        taken.add(found)


IDS = st.sampled_from([FIRST, SECOND, LAST, "s_0001", "s_0002", "nowhere"])


@st.composite
def changes(draw: st.DrawFn) -> Change:
    """A change that may or may not make sense."""
    step, intent, target = draw(IDS), draw(st.sampled_from([*INTENTS, "next"])), draw(IDS | st.none())
    outcome = draw(st.sampled_from(["onPass", "onFail"]))
    value = draw(st.sampled_from([{}, {"retry": True, "maxRetries": 1}, {"next": FIRST, "complete": True}, None]))
    make: list[Callable[[], Change]] = [
        lambda: asked.AddStep(step, "work", draw(st.sampled_from(["Test", None]))),
        lambda: asked.AddStep(step, "work", incoming=TransitionKey(draw(IDS), intent)),
        lambda: asked.DuplicateStep(step, draw(IDS)),
        lambda: asked.RenameStep(step, draw(st.sampled_from(["A", "名前"]))),
        lambda: asked.RenameKey(f"/steps/{step}", draw(IDS)),
        lambda: asked.RemoveStep(step, target, draw(st.booleans())),
        lambda: asked.Connect(step, intent, target),
        lambda: asked.Connect(step, intent, target),
        lambda: asked.Disconnect(step, intent),
        lambda: asked.AddIntent(step, intent, target),
        lambda: asked.SetField(f"/steps/{step}/check/{outcome}", value),
        lambda: asked.RemoveField(f"/steps/{step}/check/{outcome}"),
        lambda: asked.AddEntry("", step),
    ]
    return draw(st.sampled_from(make))()


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changes_in_a_row_are_as_described_and_can_be_undone(agent: Agent, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 6))):
        change = data.draw(changes())
        planned = plan(agent.folder, change)
        assert (can(agent.folder, change) is None) == (not isinstance(planned, Refusal))
        if isinstance(planned, Refusal):
            continue
        made = done(agent, change)
        after = made.agent
        assert after.folder.registry.tree.valid
        match change:
            case asked.Connect():
                moves = [move for move in after.folder.flow.moves() if move.step == change.step]
                wanted = [move.target for move in moves if move.intent == change.intent]
                assert wanted == [change.target]
            case asked.Disconnect():
                assert after.folder.flow.steps[change.step].transition(change.intent) is None
            case asked.AddStep(step=step):
                assert after.steps[step]["id"] == step
            case asked.DuplicateStep(copy=step):  # of a step that SetField made it has no id either
                assert after.steps[step].get("id", step) == step
                assert after.folder.flow.steps[step].transitions
            case asked.RemoveStep():
                assert change.step not in after.steps
                assert not change.retarget_to or f'"{change.step}"' not in after.registry
        agent = after

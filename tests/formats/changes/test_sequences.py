"""Random changes, one after another, on real agents: each does what it declares, and all of them can be undone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.flow.model import Step
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.change import can, plan
from stepflow_gui.formats.changes import Change, StepKind, TransitionKey
from stepflow_gui.formats.climpt.vocabulary import INTENTS, INTENTS_COMPLETE, ROUTED_FORMATS, VERDICT_TYPES
from stepflow_gui.formats.edits import Edits, Refusal
from tests.formats.changes.hand import Agent
from tests.sampling import examples

PHASES = ("initial", "continuation", "closure", "verification")
KINDS: st.SearchStrategy[StepKind] = st.sampled_from(["work", "verification", "closure", "section"])
NEW_IDS = st.sampled_from([f"{first}.one" for first in (*PHASES, "section", "complete")] + ["one", "1.2", "x y"])
INTENT_WORDS = st.sampled_from([*INTENTS, *INTENTS_COMPLETE, "other"])
WORDS = st.sampled_from(["size", "state", "a b", "", "日本"])
FIELDS = st.sampled_from(
    ["name", "description", "c3", "model", "usesStdin", "structuredGate/failFast", "inputs/a/from"]
)
VALUES = st.sampled_from(["text", "a-b", "", 1, True, None, ["x"], {"from": "a.b"}])


@st.composite
def changes(draw: st.DrawFn, agent: Agent) -> Change:
    """A change that may or may not make sense."""
    flow = agent.folder.flow
    steps = st.sampled_from([*flow.steps, "nowhere"])
    step = draw(steps)
    known = flow.steps.get(step)
    intents = (
        st.sampled_from([rule.intent for rule in known.transitions]) if known and known.transitions else INTENT_WORDS
    )
    intent = draw(intents | INTENT_WORDS)
    cases = st.sampled_from(_cases(known, intent) or ["default"])
    used = sorted({move.target for move in flow.moves() if move.step == step and move.target}) or ["nowhere"]
    targets = st.none() | steps | st.sampled_from(used)
    checks = st.sampled_from(["git-clean", "size", *list(json.loads(agent.registry).get("validators", {}))])
    flag = st.booleans()
    make: list[Callable[[], Change]] = [
        lambda: asked.AddStep(draw(NEW_IDS), draw(KINDS)),
        lambda: asked.AddStep(draw(NEW_IDS), draw(KINDS), incoming=TransitionKey(step, intent)),
        lambda: asked.DuplicateStep(step, draw(NEW_IDS)),
        lambda: asked.RenameStep(step, draw(NEW_IDS), draw(flag), draw(flag)),
        lambda: asked.RemoveStep(step, draw(targets), draw(flag)),
        lambda: asked.Connect(step, intent, draw(targets), draw(flag), draw(flag)),
        lambda: asked.Disconnect(step, intent, draw(st.none() | cases)),
        lambda: asked.Retarget(step, intent, draw(targets), draw(st.none() | cases)),
        lambda: asked.MakeConditional(step, intent, draw(WORDS), ((draw(WORDS), draw(st.sampled_from(used))),)),
        lambda: asked.MakeUnconditional(step, intent, draw(st.none() | cases)),
        lambda: asked.AddCase(step, intent, draw(WORDS), draw(targets)),
        lambda: asked.RenameCase(step, intent, draw(cases), draw(WORDS)),
        lambda: asked.AddIntent(step, intent, draw(targets), draw(flag)),
        lambda: asked.RemoveIntent(step, intent, draw(flag)),
        lambda: asked.SetIntents(step, (intent, draw(INTENT_WORDS)), ((intent, draw(targets)),), draw(flag)),
        lambda: asked.RenameIntent(step, intent, draw(INTENT_WORDS), draw(flag)),
        lambda: asked.SetField(f"/steps/{step}/{draw(FIELDS)}", draw(VALUES)),
        lambda: asked.RemoveField(f"/steps/{step}/{draw(FIELDS)}", force=draw(flag)),
        lambda: asked.AddEntry(draw(st.sampled_from(VERDICT_TYPES)), step, draw(targets)),
        lambda: asked.AddFailurePattern(draw(WORDS), "What fails"),
        lambda: asked.AddValidator(draw(WORDS), "true", draw(WORDS)),
        lambda: asked.AddValidationStep(draw(steps | st.just("closure.custom")), (draw(checks),)),
        lambda: asked.AddCondition(step, draw(checks)),
    ]
    return draw(st.sampled_from(make))()


def _cases(step: Step | None, intent: str) -> list[str]:
    rule = step.transition(intent) if step else None
    return [case.value for case in rule.cases] if rule else []


def check_said(before: Agent, after: Agent, change: Change) -> None:
    """What a change declares is what the file, read again, holds."""
    old, new = before.steps, after.steps
    match change:
        case asked.AddStep(step=step) | asked.DuplicateStep(copy=step):
            assert step in new
            assert new.keys() - {step} == old.keys()
        case asked.RenameStep():
            assert list(new) == [change.new if key == change.step else key for key in old]
        case asked.RemoveStep():
            assert list(new) == [key for key in old if key != change.step]
        case asked.SetField():
            node = after.folder.registry.tree.at(change.pointer)
            assert node
            assert node.value == change.value
        case asked.RemoveField():
            assert after.folder.registry.tree.at(change.pointer) is None
        case asked.AddEntry():
            assert change.verdict in json.loads(after.registry)["entryStepMapping"]
        case asked.AddIntent():
            assert change.intent in new[change.step]["structuredGate"]["allowedIntents"]
        case asked.SetIntents():
            assert {*new[change.step]["structuredGate"]["allowedIntents"]} == {*change.intents}
        case asked.AddFailurePattern() | asked.AddValidator():
            assert f'"{change.name}"' in json.dumps(json.loads(after.registry), ensure_ascii=False)
        case (
            asked.AddValidationStep()
            | asked.AddCondition()
            | asked.RenameKey()
            | asked.RenameSchema()
            | asked.MoveItem()
        ):
            assert after.registry != before.registry
        case asked.SetVerdict() | asked.ConvertAgent() | asked.BeginAgent() | asked.ReshapeReport():
            raise AssertionError(change)  # no changes of a registry
        case _:
            check_rule(new[change.step].get("transitions", {}), change)


def check_rule(rules: dict[str, Any], change: Any) -> None:
    rule = rules.get(change.intent)
    match change:
        case asked.RenameIntent():
            assert rule is None or change.intent == change.new
        case asked.Disconnect(case=None) | asked.RemoveIntent():
            assert rule is None
        case asked.Disconnect():
            assert rule
            assert change.case not in rule["targets"]
        case asked.MakeConditional():
            assert rule
            assert rule["condition"] == change.condition
        case asked.Connect() | asked.Retarget(case=None):
            assert rule
            assert rule["target"] == change.target
        case asked.AddCase() | asked.Retarget():
            assert rule
            assert rule["targets"][change.case] == change.target
        case asked.RenameCase():
            assert rule
            assert change.new in rule["targets"]
        case asked.MakeUnconditional():
            assert rule
            assert "targets" not in rule


def untouched(before: dict[str, Any], after: dict[str, Any], change: Change) -> bool:
    """Whether the steps that a change isn't about are as they were; a rename and a removal may concern any."""
    if isinstance(change, asked.RenameStep | asked.RemoveStep):
        return True
    about = {getattr(change, "step", None), getattr(change, "copy", None)}
    if isinstance(change, asked.AddStep) and change.incoming:
        about.add(change.incoming.step)
    if isinstance(change, asked.SetField | asked.RemoveField):
        about.add(change.pointer.split("/")[2])
    return all(after.get(step) == body for step, body in before.items() if step not in about)


_AGENTS: dict[Path, list[Agent]] = {}


def agents(corpus: Path) -> list[Agent]:
    """A few agents of each format."""
    if corpus not in _AGENTS:
        by_format: dict[str, list[Agent]] = {}
        for path in sorted((corpus / "climpt").glob("*/*/steps_registry.json")):
            agent = Agent.open(path)
            by_format.setdefault(agent.folder.format or "", []).append(agent)
        _AGENTS[corpus] = [agent for each in by_format.values() for agent in each[:: max(1, len(each) // 4)]]
        assert len(by_format) > 8
    return _AGENTS[corpus]


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_changes_are_as_described_and_can_be_undone(corpus: Path, agent: Agent, data: st.DataObject) -> None:
    agent = first = data.draw(st.just(agent) | st.sampled_from(agents(corpus)))
    done: list[Edits] = []
    for _ in range(data.draw(st.integers(1, 8))):
        change = data.draw(changes(agent))
        planned = plan(agent.folder, change)
        refusal = can(agent.folder, change)
        if isinstance(planned, Refusal):
            assert refusal
            assert refusal.reason == planned.reason != ""
            continue
        assert refusal is None
        after, back = agent.laid(planned.edits)
        assert all(document.tree.valid for document in after.documents())
        check_said(agent, after, change)
        assert untouched(agent.steps, after.steps, change)
        done.append(back)
        if after.folder.format not in {agent.folder.format, *ROUTED_FORMATS}:
            return  # so many steps of another kind that it is another format now
        agent = after
    for back in reversed(done):
        agent, _back = agent.laid(back)
    for path, source in agent.texts.items():
        assert source.text == first.text(path)

"""Real pieces changed at random, one change after the other: nothing else moves, all of it is taken back."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.flow.model import Step
from stepflow_gui.formats import changes as asked
from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.takt.changes.reports import reshapings
from stepflow_gui.formats.takt.condition_parts import Parts, parts_of, written
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.gui.inspector.forms.piece_values import begun_value
from stepflow_gui.text.pointer import join
from tests.formats.changes.hand import Agent, check_undo

PIECES = (
    "seed-era/builtins/en/pieces/default.yaml",
    "seed-era/builtins/ja/pieces/review-only.yaml",
    "seed-era/builtins/ja/pieces/passthrough.yaml",
    "seed-era/builtins/ja/pieces/minimal-hybrid-codex.yaml",
    "head/builtins/en/workflows/default.yaml",
    "head/builtins/ja/workflows/dual.yaml",
    "head/builtins/en/workflows/peer-review-suite-cqrs.yaml",
)
TURNS = 6


def local_changes(agent: Agent, step: Step) -> Iterator[Change]:
    """Changes of one movement that concern no other."""
    flow = agent.folder.flow
    notation = era_of_file(agent.folder.registry.root).notation
    for rule in step.transitions:
        yield asked.Retarget(step.id, rule.intent, "ABORT")
        yield asked.Disconnect(step.id, rule.intent)
        yield asked.MoveItem(rule.pointer, 0)
        yield asked.RenameIntent(step.id, rule.intent, "Quite another condition")
        parts = parts_of(rule.as_written, notation)
        if parts.form in {"all", "any"}:
            changed = Parts("any", (*parts.texts, "really: #1"))
            yield asked.RenameIntent(step.id, rule.intent, written(changed, notation))
    for sub in step.subs:
        yield asked.MoveItem(sub.pointer, 0)
        yield asked.RemoveField(sub.pointer)
        yield asked.SetField(join(sub.pointer, "name"), f"{sub.id}_x")
    for field in ("rules", "parallel"):
        node = step.node.get(field)
        if node is not None and node.kind == "array":
            where = join(step.pointer, field, len(node.items()))
            yield asked.SetField(where, begun_value(flow, where))
    contracts = join(step.pointer, "output_contracts")
    node = flow.document.tree.at(join(contracts, "report"))
    for index in range(len(node.items()) if node else 0):
        yield from reshapings(flow, join(contracts, "report", index))
        yield asked.RemoveField(join(contracts, "report", index))
    if node is None:
        yield asked.SetField(contracts, begun_value(flow, contracts))
    yield asked.SetField(join(step.pointer, "description"), "What it does: “this”, # and that")


def shared_changes(agent: Agent) -> Iterator[Change]:
    """Changes of the file, or of what is named in several places."""
    flow = agent.folder.flow
    root = agent.folder.registry.root
    assert root is not None
    for section in SECTIONS:
        yield asked.SetField(join("", section, "newcomer"), "../somewhere/new.md")
        holder = root.get(section)
        for member in holder.members() if holder else ():
            yield asked.RenameKey(join("", section, member.key), f"{member.key}-x")
    for step in flow.steps.values():
        yield asked.RenameStep(step.id, f"{step.id}_x")
        yield asked.DuplicateStep(step.id, f"{step.id}_copy")
    monitors = root.get("loop_monitors")
    where = join("/loop_monitors", len(monitors.items()) if monitors else "-")
    yield asked.SetField(where, begun_value(flow, "/loop_monitors/0"))


def texts_of(agent: Agent) -> dict[str, str]:
    text = agent.registry
    return {step.id: text[step.node.start : step.node.end] for step in agent.folder.flow.steps.values()}


@pytest.mark.parametrize("name", PIECES)
def test_nothing_else_moves_and_all_is_taken_back(name: str, corpus: Path) -> None:
    draw = random.Random(name)
    agent = Agent.open(corpus / "takt" / name)
    made = 0
    for turn in range(TURNS * 2):
        step = draw.choice(list(agent.folder.flow.steps.values()))
        local = turn % 3 < 2
        change = draw.choice(list(local_changes(agent, step) if local else shared_changes(agent)))
        if isinstance(plan(agent.folder, change), Refusal):
            continue
        done = agent.done(change)
        check_undo(agent, done)
        after = done.agent
        assert after.folder.registry.tree.valid, change
        if local:
            before, now = texts_of(agent), texts_of(after)
            others = [other for other in before if other != step.id]
            assert [now[other] for other in others] == [before[other] for other in others], change
            top = {key: value for key, value in _top(agent).items() if key not in {"movements", "steps"}}
            assert {key: value for key, value in _top(after).items() if key in top} == top, change
        agent = after
        made += 1
        if made == TURNS:
            return
    assert made


def _top(agent: Agent) -> dict[str, object]:
    root = agent.folder.registry.root
    assert root is not None
    return {member.key: member.value.value for member in root.members()}

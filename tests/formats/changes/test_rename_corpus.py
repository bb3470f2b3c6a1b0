"""Renaming each step of real registries: the old id appears nowhere, and back is the identical text."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import RenameStep
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.text.json.tree import Node
from tests.conftest import Thin
from tests.formats.changes.hand import Agent, check_undo, new_findings
from tests.real_agents import opened

EVERY = 5  # a step in five of each file: neighbours in time are alike
NEW = "fresh.name-7"
PLAIN_FIELDS = {"c2", "c3", "edition", "adaptation", "fallbackKey", "uvVariables"}  # words that may happen to be an id


def registries(corpus: Path) -> list[Path]:
    found = sorted((corpus / "climpt").glob("**/steps_registry.json"))
    assert len(found) > 100
    return found


def test_the_old_id_is_gone_everywhere(corpus: Path, thin: Thin) -> None:
    """In one registry in three; --full: in each."""
    renamed = unfound = 0
    taken = thin(registries(corpus), 3)
    for turn, path in enumerate(taken):
        agent = Agent(opened(path))
        for step in list(agent.folder.flow.steps)[turn % EVERY :: EVERY]:
            done = agent.done(RenameStep(step, NEW, texts=True))
            left = list(mentions(done.agent, step))
            if any("keeps its name: it can’t be found" in note for note in done.plan.notes):
                assert "outputSchemaRef" in left.pop(0)
                unfound += 1
            assert not left, f"{path.parent}: {step} → {left[:3]}"
            assert list(done.agent.steps) == [NEW if key == step else key for key in agent.steps]
            assert done.agent.steps[NEW].get("stepId", NEW) == NEW
            check_undo(agent, done)
            back = done.agent.done(RenameStep(NEW, step, texts=True))
            for file in done.plan.edits:
                assert back.agent.text(file) == agent.text(file), f"{file}: {step}"
            renamed += 1
    assert renamed > 1.5 * len(taken)
    assert unfound < len(taken) / 3


def mentions(agent: Agent, step: str) -> Iterator[str]:
    """Places that contain an id: as a whole key or string; one with dots also as a word anywhere in a text."""
    word = re.compile(rf"(?<![\w.-]){re.escape(step)}(?![\w-]|\.\w)")
    for document in agent.documents():
        if "." in step:
            for found in word.finditer(document.source.text):
                if document.source.text[: found.start()].endswith('"fallbackKey": "'):  # a built-in prompt's
                    continue
                yield f"{document.path.name}: {document.source.text[found.start() - 90 : found.end() + 20]!r}"
        elif document.root and document is agent.folder.registry:
            for pointer, node in document.root.walk():
                yield from words(pointer, node, step)


def words(pointer: str, node: Node, step: str) -> Iterator[str]:
    for member in node.members():
        if member.value.value == step and member.key not in PLAIN_FIELDS:
            yield f"{pointer}/{member.key}"
    if pointer in {"/steps", "/validationSteps"} and node.member(step):
        yield f"{pointer} has it as a key"


def test_renaming_brings_no_new_finding(corpus: Path, thin: Thin) -> None:
    """Of four steps in one registry in twelve; --full: in six."""
    for path in thin(registries(corpus)[::6], 2):
        agent = Agent(opened(path))
        for step in list(agent.folder.flow.steps)[:4]:
            new = f"{step}-x" if "{" not in step else "fresh.one"
            planned = plan(agent.folder, RenameStep(step, new))
            assert not isinstance(planned, Refusal)
            after, _ = agent.laid(planned.edits)
            assert not new_findings(agent, after), f"{path}: {step}"


@pytest.mark.parametrize("new", ["", " ", "a b", "a..b", ".a", "a.", "a/b", 'a"b', "a\nb", "a#b"])
def test_an_id_of_another_form_is_refused(corpus: Path, new: str) -> None:
    agent = Agent.open(registries(corpus)[-1])
    agent.refused(RenameStep(next(iter(agent.steps)), new))

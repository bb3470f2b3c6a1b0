"""A lint with a memory of earlier ones gives the same as a full one, whatever was edited in between."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.memory import LintMemory
from stepflow_gui.lint.rule import Finding
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.edit import remove
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.source import Source

AGENTS = ("iterator/034-47591d2", "reviewer/013-47591d2", "detailer/001-4b49ae1", "scaffolder-template/010-70d7bc0")
WORDS = ("next", "closing", "repeat", "handoff", "closure", "work", "issue.schema.json", "", "no such", "initial.issue")


def _edited(text: str, chance: random.Random) -> str:
    """The text after one of the edits that people make: another word, a number, a key or element less, a slip."""
    tree = read_json(Source(text))
    assert tree.root is not None
    kind = chance.randrange(8)
    if kind == 0:
        at = chance.randrange(len(text))
        return text[:at] + chance.choice(',}x"') + text[at:]
    if kind == 1:
        pointers = [pointer for pointer, _ in tree.root.walk() if pointer]
        return apply(text, remove(tree, chance.choice(pointers))) if pointers and tree.valid else text
    nodes = [node for node in tree.root.nodes() if isinstance(node.value, str)]
    if not nodes:
        return text
    node = chance.choice(nodes)
    others = [f'"{chance.choice(WORDS)}"', _text_of(chance.choice(nodes), text), "7", "null", "true"]
    return apply(text, [TextEdit(node.start, node.end, chance.choice(others[: 2 if kind > 3 else 5]))])


def _text_of(node: Node, text: str) -> str:
    return text[node.start : node.end]


def _opened(folder: Path, unsaved: dict[Path, Source]) -> AgentFolder:
    found = open_agent(folder, unsaved)
    assert isinstance(found, AgentFolder)
    return found


@pytest.mark.takes_turns("seed")
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("seed", range(3))
def test_edit_after_edit(corpus: Path, agent: str, seed: int, full: bool) -> None:
    """Eight edits one after the other; --full: 25."""
    chance = random.Random(f"{agent} {seed}")
    path = corpus / "climpt" / agent / "steps_registry.json"
    first = _opened(path, {})
    files = [path, *sorted((path.parent / "schemas").glob("*.json")), path.parent / "agent.json"]
    sound = {file: file.read_text("utf-8") for file in files if file.is_file()}
    texts = dict(sound)
    memory = LintMemory()
    assert lint(first, memory=memory) == lint(first)
    for _ in range(25 if full else 8):
        file = path if chance.random() < 0.7 else chance.choice([*sound])
        texts[file] = sound[file] if chance.random() < 0.3 else _edited(texts[file], chance)
        unsaved = {file: Source(text) for file, text in texts.items()}
        remembering = lint(_opened(path, unsaved), memory=memory)
        assert remembering == lint(_opened(path, unsaved))


@pytest.mark.takes_turns("seed")
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_folder_taken_along(corpus: Path, agent: str, seed: int, full: bool) -> None:
    """The window's linter keeps the folder as well; of files besides the registry it takes any change.

    Twelve edits one after the other; --full: 40.
    """
    chance = random.Random(f"along {agent} {seed}")
    path = corpus / "climpt" / agent / "steps_registry.json"
    files = [path, *sorted((path.parent / "schemas").glob("*.json")), path.parent / "agent.json"]
    sound = {file: file.read_text("utf-8") for file in files if file.is_file()}
    texts = {path: sound[path]}
    memory = LintMemory()
    taken_along = 0
    before: AgentFolder | None = None
    for _ in range(40 if full else 12):
        file = path if chance.random() < 0.85 else chance.choice([*sound])
        if chance.random() < 0.3:
            texts.pop(file, None)
        else:
            texts[file] = _edited(texts.get(file, sound[file]), chance)
        unsaved = {file: Source(text) for file, text in texts.items()}
        kept: list[Suppressed] = []
        afresh: list[Suppressed] = []
        found = lint_as_configured(path, unsaved, memory=memory, suppressed=kept)
        assert found == lint_as_configured(path, unsaved, suppressed=afresh)
        assert kept == afresh
        folder = memory.open(path, unsaved, None)
        taken_along += folder is before
        before = folder if isinstance(folder, AgentFolder) else None
    assert taken_along


def test_what_hasnt_changed_is_not_looked_at_again(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stepflow_gui.lint.rules.intents import sf201_enum_transition_mismatch as rule
    from stepflow_gui.lint.rules.table import checked_rule

    path = corpus / "climpt" / AGENTS[0] / "steps_registry.json"
    looked_at: list[str] = []

    def check(step: Step, context: RuleContext) -> Iterator[Finding]:
        looked_at.append(step.id)
        yield from rule.check(step, context)

    checked = checked_rule("SF201")
    monkeypatch.setattr("stepflow_gui.lint.engine.engine.rules_for", lambda *_: [checked._replace(check=check)])
    memory = LintMemory()
    folder = _opened(path, {})
    lint(folder, memory=memory)
    assert looked_at == list(folder.flow.steps)
    looked_at.clear()
    step = folder.flow.steps[list(folder.flow.steps)[3]]
    assert step.name is not None
    edit = TextEdit(step.name.span.start + 1, step.name.span.start + 1, "x")
    unsaved = {path: Source(apply(folder.registry.source.text, [edit]))}
    lint(_opened(path, unsaved), memory=memory)
    assert looked_at == [step.id]


def test_a_schema_that_changed_is_looked_into_again(corpus: Path) -> None:
    path = corpus / "climpt" / AGENTS[0] / "steps_registry.json"
    schema = path.parent / "schemas" / "issue.schema.json"
    memory = LintMemory()
    before = lint(_opened(path, {}), memory=memory)
    broken = {schema: Source(schema.read_text("utf-8").replace('"enum"', '"enmu"'))}
    after = lint(_opened(path, broken), memory=memory)
    assert len(after) > len(before)
    assert after == lint(_opened(path, broken))


def test_what_a_later_steps_prompt_contains_is_seen_while_it_is_written(tmp_path: Path) -> None:
    """The prompts are looked up once a lint; each step that asks for one depends on it anyway."""
    agent = copy_example(into=tmp_path)
    memory = LintMemory()
    prompt = next(agent.rglob("continuation/issue/f_default.md"))
    text = prompt.read_text("utf-8")

    def codes(written: str) -> list[str]:
        found = lint_as_configured(agent, {prompt: Source(written)}, memory=memory)
        assert isinstance(found, list)
        return [each.code for each in found]

    assert codes(text) == []
    assert codes(text + "{uv-nothing}\n") == ["SF508"]
    assert codes(text) == []


def test_another_folder_of_schemas_is_found_again(tmp_path: Path) -> None:
    agent = copy_example(into=tmp_path)
    registry = next(agent.rglob("steps_registry.json"))
    schema = next(agent.rglob("issue.schema.json"))
    schema.unlink()
    other = agent / "other"
    other.mkdir()
    (other / schema.name).write_text("{}", "utf-8")
    text = registry.read_text("utf-8").replace('"schemasBase"', '"unread"')
    memory = LintMemory()

    def codes(base: str) -> list[str]:
        written = text.replace("{", f'{{"schemasBase": "{base}",', 1)
        found = lint_as_configured(agent, {registry: Source(written)}, memory=memory)
        assert isinstance(found, list)
        return sorted({each.code for each in found if each.code.startswith("SF70")})

    before = codes("other")
    assert "SF702" in before
    assert "SF702" not in codes("nowhere")
    assert codes("other") == before

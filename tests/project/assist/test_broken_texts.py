"""Help while a text is broken, as texts are while somebody types: it may find little, and never fails."""

import random
from pathlib import Path

import pytest

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.lint.config.fields import CONFIG
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.completion import completions_at
from stepflow_gui.project.assist.go_to import definitions_at, references_at, why_no_definition
from stepflow_gui.project.assist.hover import about
from stepflow_gui.project.assist.prompt_completion import prompt_completions
from stepflow_gui.project.assist.renaming import renamable_at
from stepflow_gui.project.assist.schema_completion import schema_about, schema_completions
from stepflow_gui.project.assist.toml_completion import TomlTable, toml_about, toml_completions
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.source import Source

SLIPS = ('"', "{", "}", "[", ":", ",", "\\", "語", "\n", "null", "7")
TOML = """# rules
select = ["ALL", 'SF2']
strict = true
runtime = { closing = "guide" }
[severity]
SF301 = "warning"
[[suppress]]
code = "SF5"
reason = '''why
so'''
"""


def slipped(text: str, chance: random.Random) -> tuple[str, int]:
    """A text that is being edited, and where the caret stands."""
    at = chance.randrange(len(text))
    kind = chance.randrange(4)
    if kind == 0:
        return text[:at], at
    if kind == 1:
        slip = chance.choice(SLIPS)
        return text[:at] + slip + text[at:], at + len(slip)
    if kind == 2:
        return text[:at] + text[at + chance.randrange(1, 30) :], at
    return text, at


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["steps_registry.json", "agent.json", "schemas/issue.schema.json"])
def test_json(agent: AgentFolder, name: str, seed: int) -> None:
    chance = random.Random(f"{name} {seed}")
    path = agent.registry.path.parent / name
    text = path.read_text("utf-8")
    for _ in range(30):
        broken, caret = slipped(text, chance)
        changed = agent.with_buffers({path: Source(broken)})
        document = changed.document(path)
        assert isinstance(document, ParsedFile)
        complete = schema_completions if "schemas" in name else completions_at
        found = complete(changed, document, caret)
        assert 0 <= found.span.start <= caret <= found.span.end <= len(broken)
        for item in found.items:
            assert 0 <= item.caret <= len(item.text)
        definitions_at(changed, document, caret)
        references_at(changed, document, caret)
        why_no_definition(changed, document, caret)
        about(changed, document, caret)
        renamable_at(changed, document, caret)
        schema_about(document, caret)


ROOTS = ("", "T", '"T"', "7", "null", "[]", "{}", '["T"]', "- T", "T: T", "&a T", "*a", "!x T", "T #", "|\n  T")


@pytest.mark.parametrize("root", ROOTS)
def test_a_file_that_holds_one_plain_value(agent: AgentFolder, root: str, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "workflows" / "demo.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text("name: demo\nsteps: []\n", "utf-8")
    workflow = open_agent(piece)
    assert isinstance(workflow, AgentFolder)
    folder = agent.registry.path.parent
    for owner, path in (
        (agent, agent.registry.path),
        (agent, folder / "agent.json"),
        (workflow, piece),
    ):
        changed = owner.with_buffers({path: Source(root)})
        document = changed.document(path)
        assert isinstance(document, ParsedFile)
        for caret in range(len(root) + 1):
            found = completions_at(changed, document, caret)
            assert 0 <= found.span.start <= found.span.end <= len(root)
            assert not list(references_at(changed, document, caret))
            definitions_at(changed, document, caret)
            why_no_definition(changed, document, caret)
            about(changed, document, caret)
            renamable_at(changed, document, caret)


@pytest.mark.parametrize("seed", range(4))
def test_prompts_and_configurations(agent: AgentFolder, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    prompt = agent.registry.path.parent / "prompts/steps/initial/issue/f_default.md"
    table = TomlTable(CONFIG, (), lambda _path: [])
    for _ in range(60):
        broken, caret = slipped(TOML, chance)
        found = toml_completions(table, broken, caret)
        assert 0 <= found.span.start <= caret <= found.span.end <= len(broken)
        toml_about(table, broken, caret)
        broken, caret = slipped(prompt.read_text("utf-8"), chance)
        file = TextFile(prompt, Source(broken))
        found = prompt_completions(agent, file, caret)
        assert 0 <= found.span.start <= caret <= found.span.end <= len(broken)
        about(agent, file, caret)
    empty = TextFile(tmp_path / "x.md", Source(""))
    assert prompt_completions(agent, empty, 0).items == ()


def test_an_agent_without_agent_json_or_schemas(agent: AgentFolder, tmp_path: Path) -> None:
    lone = tmp_path / "lone" / "steps_registry.json"
    lone.parent.mkdir()
    lone.write_text(agent.registry.source.text)
    alone = open_agent(lone)
    assert isinstance(alone, AgentFolder)
    text = alone.registry.source.text
    for offset in range(0, len(text), 61):
        completions_at(alone, alone.registry, offset)
        about(alone, alone.registry, offset)
        references_at(alone, alone.registry, offset)
        renamable_at(alone, alone.registry, offset)


def test_registries_of_every_shape(corpus: Path) -> None:
    for path in sorted((corpus / "climpt").rglob("steps_registry.json"))[::11]:
        found = open_agent(path)
        assert isinstance(found, AgentFolder)
        text = found.registry.source.text
        for offset in range(0, len(text), max(1, len(text) // 40)):
            completions_at(found, found.registry, offset)
            about(found, found.registry, offset)
            references_at(found, found.registry, offset)
            renamable_at(found, found.registry, offset)


@pytest.mark.parametrize("text", ['"!"', "7", "[]", "null", ""])
def test_a_registry_that_is_not_an_object(text: str, tmp_path: Path) -> None:
    registry = tmp_path / "steps_registry.json"
    registry.write_text(text, "utf-8")
    agent = open_agent(registry)
    assert isinstance(agent, AgentFolder)
    for offset in range(len(text) + 1):
        assert not definitions_at(agent, agent.registry, offset)
        assert not references_at(agent, agent.registry, offset)
        assert isinstance(renamable_at(agent, agent.registry, offset), Refusal)

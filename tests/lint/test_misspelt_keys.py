"""Each key that the tables know, misspelt by one letter: a finding at its line has the fix that gives the file back."""

import io
import json
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.tables import registry_fields
from stepflow_gui.formats.takt.fields import PIECE_FILE
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.config.fields import CONFIG
from stepflow_gui.lint.config.file import ConfigFile, read_config
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.example import changed, whole
from stepflow_gui.lint.examples.piece import piece, whole_piece
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from tests.lint.conftest import Open

SHORTEST = 4  # letters of a key: c1, c2 and c3 are a slip away from each other
SAMPLE = 9  # one key in so many; --full: each
OF_PIECES = 27  # … of pieces, whose fixes are read again one by one
WORKFLOW = """name: w
initial_step: a
max_steps: 3
steps:
  - name: a
    persona: p
    instruction: do
    parallel:
      - {name: b, persona: p, instruction: do, rules: [{condition: ok}]}
    team_leader: {max_parts: 2}
    rules:
      - {condition: ok, next: COMPLETE}
loop_monitors:
  - {cycle: [a, b], threshold: 2, judge: {persona: p, rules: [{condition: ok, next: COMPLETE}]}}
"""

TOML = """select = ["ALL"]
extend-select = []
ignore = []
severity = {}
runtime = "guide"
format = "closing"
fallback-keys = []
baseline = "b.json"
strict = false
[[per-path]]
paths = ["*"]
extend-select = []
ignore = []
severity = {}
runtime = "guide"
format = "closing"
[[suppress]]
code = "SF501"
reason = "r"
until = "2099-12-31"
path = "*"
step = "a"
pointer = "/steps"
"""


def slips(word: str) -> list[str]:
    """The word with a letter left out, doubled, or swapped with the next."""
    found: dict[str, None] = {}
    for at in range(len(word)):
        found[word[:at] + word[at + 1 :]] = None
        found[word[: at + 1] + word[at:]] = None
        found[word[:at] + word[at : at + 2][::-1] + word[at + 2 :]] = None
    return [each for each in found if each != word]


def filled(value: Any, shape: Shape, name: str) -> Any:
    """A value with all the fields that a table has, as a format or era calls them; what is there is kept."""
    if shape.kind == "either":
        same = [each for each in shape.either if (each.kind in {"object", "map"}) == isinstance(value, dict)]
        return filled(value, same[0], name) if same else value
    if shape.kind == "list" and isinstance(value, list) and shape.of:
        return [filled(each, shape.of, name) for each in value]
    if shape.kind == "map" and isinstance(value, dict) and shape.of:
        return {key: filled(each, shape.of, name) for key, each in value.items()}
    if shape.kind == "object" and isinstance(value, dict):
        fields = {each.name: each.shape for each in shape.fields if each.known_in(name) and not each.newer}
        made = {key: filled(each, fields[key], name) if key in fields else each for key, each in value.items()}
        return made | {key: any_value(of, name) for key, of in fields.items() if key not in made}
    return value


def any_value(shape: Shape, name: str) -> Any:
    match shape.kind:
        case "either":
            return any_value(shape.either[0], name)
        case "string":
            return shape.choices[0] if shape.choices else "some_text"
        case "boolean":
            return True
        case "integer" | "number":
            return max(1, shape.least or 1)
        case "list":
            return [any_value(shape.of, name)] if shape.of else []
        case "map":
            return {"some": any_value(shape.of, name)} if shape.of else {}
        case "object":
            return filled({}, shape, name)
    return "x"


def fields_in(
    value: Any, shape: Shape, name: str, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], list[str]]]:
    """The places of all keys that the table knows, each with the other keys that it knows there."""
    if shape.kind == "either":
        same = [each for each in shape.either if (each.kind in {"object", "map"}) == isinstance(value, dict)]
        if same:
            yield from fields_in(value, same[0], name, path)
    elif isinstance(value, list) and shape.of:
        for index, each in enumerate(value[:1]):
            yield from fields_in(each, shape.of, name, (*path, index))
    elif isinstance(value, dict):
        fields = {each.name: each.shape for each in shape.fields if each.known_in(name) and not each.newer}
        for key, each in value.items():
            if key in fields:
                yield (*path, key), [other for other in fields if other != key]
            inner = fields.get(key) or shape.of
            if inner is not None:
                yield from fields_in(each, inner, name, (*path, key))


def restores(agent: AgentFolder, document: ParsedFile, path: tuple[str | int, ...], wrong: str) -> bool:
    """Whether a finding within a line of the misspelt key has a fix that gives the text back."""
    span = document.tree.key_span(join("", *path))
    assert span is not None
    source = document.source
    written = source.text[span.start : span.end].replace(str(path[-1]), wrong)
    misspelt = source.with_text(apply(source.text, [TextEdit(span.start, span.end, written)]))
    line = source.position(span.start).line
    for found in lint(agent.with_buffers({document.path: misspelt})):
        if found.file == document.path and abs(found.range.start.line - line) <= 1:
            for fix in found.fixes:
                if {edit.file for edit in fix.edits} == {document.path}:
                    edits = [TextEdit(each.range.start.offset, each.range.end.offset, each.text) for each in fix.edits]
                    if apply(misspelt.text, edits) == source.text:
                        return True
    return False


def not_restored(
    agent: AgentFolder, document: ParsedFile, shape: Shape, name: str, full: bool, sample: int = SAMPLE
) -> list[str]:
    """The keys of a file whose misspelling no fix takes back, of those that are looked at."""
    root = document.root
    assert isinstance(root, Node)
    value = filled(root.value, shape, name)
    if document.is_yaml:
        text = io.StringIO()
        YAML().dump(value, text)
        written = text.getvalue()
    else:
        written = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    agent = agent.with_buffers({document.path: document.source.with_text(written)})
    document = agent.registry if document.path == agent.registry.path else agent.agent_document or document
    wrong, seen = [], set()
    for path, others in fields_in(value, shape, name):
        kind = (name, *("*" if isinstance(each, int) or each == "some" else each for each in path[-3:]))
        key = str(path[-1])
        if kind in seen or len(key) < SHORTEST:
            continue
        seen.add(kind)
        number = zlib.crc32(repr(kind).encode())
        if full or number % sample == 0:
            clear = [each for each in slips(key) if not any(is_slip(each, other) for other in others)]
            some = random.Random(number).sample(clear, min(len(clear), 2 if full else 1))
            wrong += [f"{join('', *path)}: {each}" for each in some if not restores(agent, document, path, each)]
    assert seen
    return wrong


@pytest.mark.parametrize("base", ["closing", "c3l", "complete", "checks", "adt-kind-address"])
def test_keys_of_registries(base: Any, open_example: Open, full: bool) -> None:
    """One key in nine; --full: each, twice."""
    agent = open_example(changed(base=base))
    assert not_restored(agent, agent.registry, registry_fields(agent.format or ""), agent.format or "", full) == []


@pytest.mark.parametrize("base", ["closing", "complete", "adt-kind-address"])
def test_keys_of_agent_files(base: Any, open_example: Open, full: bool) -> None:
    """One key in nine; --full: each, twice."""
    agent = open_example(changed(base=base))
    assert agent.agent_document is not None
    assert not_restored(agent, agent.agent_document, AGENT, era_for(base).name, full) == []


def test_keys_of_agent_files_of_the_older_layout(open_example: Open, full: bool) -> None:
    """One key in nine; --full: each, twice."""
    behavior = {"systemPromptPath": "prompts/system.md", "completionType": "iterate", "completionConfig": {}}
    text = json.dumps({"name": "issue-flow", "displayName": "x", "version": "1.0.0", "behavior": behavior})
    agent = open_example(whole(text, "agent.json"))
    assert agent.agent_document is not None
    assert not_restored(agent, agent.agent_document, AGENT_FLAT, era_for("closing").name, full) == []


@pytest.mark.slow
@pytest.mark.parametrize("notation", ["piece", "workflow"])
def test_keys_of_pieces(notation: str, open_example: Open, full: bool) -> None:
    """One key in 27; --full: each, twice."""
    agent = open_example(piece() if notation == "piece" else whole_piece(WORKFLOW))
    assert not_restored(agent, agent.registry, PIECE_FILE, notation, full, OF_PIECES) == []


def test_keys_of_the_configuration(tmp_path: Path) -> None:
    """Each is reported in its line, with the key that is meant."""
    path = tmp_path / "stepflow.toml"
    for number, line in enumerate(TOML.splitlines(), 1):
        key = line.strip("[]").partition(" =")[0]
        for wrong in slips(key):
            text = TOML.splitlines(keepends=True)
            text[number - 1] = line.replace(key, wrong, 1) + "\n"
            found = read_config(path, Source("".join(text)))
            assert isinstance(found, ConfigFile)
            about = [each.message for each in found.problems if each.line == number]
            assert any(f"Did you mean “{key}”?" in each for each in about), (wrong, found.problems)


def test_the_configuration_above_has_all_keys() -> None:
    shapes = {"": CONFIG, **{each.name: each.shape.of or each.shape for each in CONFIG.fields}}
    table, named = "", {"per-path", "suppress"}
    for line in TOML.splitlines():
        if line.startswith("["):
            table = line.strip("[]")
        else:
            named.add(f"{table}.{line.partition(' =')[0]}".strip("."))
    tables = ("", "per-path", "suppress")
    known = {f"{table}.{each.name}".strip(".") for table in tables for each in shapes[table].fields}
    assert named == known

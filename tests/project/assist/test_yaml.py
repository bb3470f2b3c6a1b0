"""Completion in the YAML of a piece, also while it is half written."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.fields import REFERENCES, SECTIONS
from stepflow_gui.formats.takt.files import FACETS, files_of_piece
from stepflow_gui.formats.takt.release_fields import table_of_release
from stepflow_gui.formats.takt.releases.sets import newest_of
from stepflow_gui.formats.takt.sections import references_of
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.assist.yaml_completion import yaml_completions
from stepflow_gui.project.assist.yaml_context import yaml_context_at
from stepflow_gui.project.finding.takt_releases import releases_of_piece
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.yaml.tree import YamlTree
from tests.conftest import Thin

PIECE = """\
name: small
max_iterations: 5
initial_movement: plan
personas:
  coder: ../personas/coder.md
  planner: You plan
movements:
  - name: plan
    persona: planner
    rules:
      - condition: Clear
        next: work
  - name: work
    description: Writes the code
    persona: coder
    edit: true
    rules:
      - condition: Done
        next: COMPLETE
"""
"""`|` marks the caret in what is added to it."""


@pytest.fixture
def agent(tmp_path: Path) -> AgentFolder:
    folder = tmp_path / ".takt"
    (folder / "pieces").mkdir(parents=True)
    (folder / "personas").mkdir()
    (folder / "pieces" / "small.yaml").write_text(PIECE, encoding="utf-8")
    (folder / "personas" / "coder.md").write_text("# Coder\n\nYou code.\n", encoding="utf-8")
    found = open_agent(folder / "pieces" / "small.yaml")
    assert isinstance(found, AgentFolder)
    return found


def table(agent: AgentFolder) -> tuple[Shape, str]:
    notation = era_of_file(agent.registry.root).notation
    found = releases_of_piece(agent.registry.path, agent.registry.tree, None).releases
    return (table_of_release(newest_of(found), notation), notation) if found else table_of_flow(agent.flow)


def completed(agent: AgentFolder, marked: str) -> dict[str, str]:
    """What a text becomes, by the label taken at the |."""
    offset = marked.index("|")
    text = marked.replace("|", "", 1)
    found = yaml_completions(agent, text, offset, table(agent))
    return {item.label: text[: found.span.start] + item.text + text[found.span.end :] for item in found.items}


@pytest.mark.parametrize(
    ("marked", "expects", "path", "typed"),
    [
        ("|", "key", (), ""),
        ("na|", "key", (), "na"),
        ("na|me: x", "key", (), "na"),
        ("name: |", "value", ("name",), ""),
        ("name:|", "value", ("name",), ""),
        ("name: sm|all # why", "value", ("name",), "sm"),
        ("name: &a sm|all", "value", ("name",), "sm"),
        ('name: "sm|all"', "value", ("name",), "sm"),
        ("name: 'small' |", "nothing", (), ""),
        ("# na|", "nothing", (), ""),
        ("name: x # wh|", "nothing", (), ""),
        ("a:\n  |", "either", ("a",), ""),
        ("a:\n- |", "either", ("a", 0), ""),
        ("a:\n  - b: 1\n    |", "key", ("a", 0), ""),
        ("a:\n  - b: 1\n  |", "either", ("a",), ""),
        ("a:\n- b: 1\n- c: 2\n  d|: 3", "key", ("a", 1), "d"),
        ("a:\n- b: 1\nc|", "key", (), "c"),
        ("a:\n  - b: >\n      text\n\n      |", "nothing", (), ""),
        ("a:\n  - b: >-\n      text\n    c: |", "value", ("a", 0, "c"), ""),
        ("a: |\n", "value", ("a",), ""),
        ("a: [x, |]", "value", ("a", 1), ""),
        ("a: {b: 1, c: y|}", "value", ("a", "c"), "y"),
        ("a: {b: 1, c|}", "key", ("a",), "c"),
        ("- a: {b: ['|']}", "value", (0, "a", "b", 0), ""),
        ("a: {b: 1} |", "nothing", (), ""),
        ('a: "x\n  y|', "nothing", (), ""),
        ("a: [x,\n  y|", "nothing", (), ""),
        ("a: x\n  |", "nothing", (), ""),
        ("a: 1\r\nb:\r\n  - |", "either", ("b", 0), ""),
        ("a: 1\rb: |", "value", ("b",), ""),
        ("--- # x\na: 1\n---\nb|", "key", (), "b"),
        ("a: 'it''s\n  on' # x\nb: |", "value", ("b",), ""),
        ("語:\n  🙂: |", "value", ("語", "🙂"), ""),
    ],
)
def test_where_a_caret_stands(marked: str, expects: str, path: tuple[str | int, ...], typed: str) -> None:
    found = yaml_context_at(marked.replace("|", "", 1), marked.index("|"))
    assert (found.expects, found.path, found.typed) == (expects, path, typed)


def test_keys_that_are_there_are_left_out_and_lists_and_objects_are_begun(agent: AgentFolder) -> None:
    after = completed(agent, PIECE + "  - name: review\n    |")
    assert "name" not in after
    assert "persona" in after
    assert after["persona"].endswith("    persona: ")
    assert after["rules"].endswith("    rules:\n      - ")
    assert after["output_contracts"].endswith("    output_contracts:\n      ")
    for text in after.values():
        assert YAML(typ="safe").load(text)["movements"][2]["name"] == "review"


def test_a_key_with_its_value_is_only_renamed(agent: AgentFolder) -> None:
    after = completed(agent, PIECE.replace("    edit: true", "    ed|it: true"))
    assert after["edit"] == PIECE
    assert "condition" not in completed(agent, PIECE + "    |")  # that belongs to rules


def test_movements_and_ends_for_next(agent: AgentFolder) -> None:
    after = completed(agent, PIECE.replace("next: COMPLETE", "next: |"))
    assert set(after) == {"plan", "work", "COMPLETE", "ABORT"}
    assert after["COMPLETE"] == PIECE
    assert completed(agent, PIECE.replace("next: COMPLETE", "next:|"))["COMPLETE"] == PIECE
    details = {
        item.label: item.detail for item in yaml_completions(agent, PIECE, PIECE.index("work\n"), table(agent)).items
    }
    assert details["work"] == "Writes the code"
    assert details["ABORT"] == "Ends the run"


def test_entries_come_with_the_path_and_the_first_line(agent: AgentFolder) -> None:
    at = PIECE.index("persona: coder") + len("persona: ")
    found = {item.label: item.detail for item in yaml_completions(agent, PIECE, at, table(agent)).items}
    assert found == {"coder": "../personas/coder.md · Coder", "planner": "You plan", "../personas/coder.md": "Coder"}


def test_files_words_and_switches(agent: AgentFolder) -> None:
    assert set(completed(agent, PIECE.replace("../personas/coder.md", "|"))) == {"../personas/coder.md"}
    assert set(completed(agent, PIECE.replace("edit: true", "edit: |"))) == {"true", "false"}
    assert set(completed(agent, PIECE.replace("edit: true", "permission_mode: |"))) == {"readonly", "edit", "full"}
    tools = completed(agent, PIECE.replace("edit: true", "allowed_tools:\n      - Re|"))
    assert "      - Read\n" in tools["Read"]


def test_values_keep_the_quotes_and_get_them_where_they_must(agent: AgentFolder) -> None:
    quoted = completed(agent, PIECE.replace("persona: coder", "persona: '|'"))
    assert "persona: 'coder'\n" in quoted["coder"]
    inside = completed(agent, PIECE.replace("persona: coder", "policy: [a, co|]"))
    assert set(inside) == {"../personas/coder.md"}  # there are no policies, and a path is one, too
    named = PIECE.replace("name: work", 'name: "a: b"')
    path = agent.registry.path
    path.write_text(named, "utf-8")
    changed = open_agent(path)
    assert isinstance(changed, AgentFolder)
    assert "next: 'a: b'\n" in completed(changed, named.replace("next: COMPLETE", "next: |"))["a: b"]


def test_a_broken_text_is_completed_by_the_lines_above(agent: AgentFolder) -> None:
    broken = "movements:\n  - name: [\n"
    agent.registry.path.write_text(broken, "utf-8")
    opened = open_agent(agent.registry.path)
    assert isinstance(opened, AgentFolder)
    assert "personas" in completed(opened, "name: a\n|\nmovements:\n  - name: [\n")


def _walk(node: Node, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, Node, tuple[str | int, ...]]]:
    for member in node.members():
        yield from _walk(member.value, (*path, member.key))
    for number, item in enumerate(node.items()):
        yield from _walk(item, (*path, number))
    if isinstance(node.value, str | bool):
        yield "value", node, path


def _is_chosen(value: object, shape: Field | Shape | None, path: tuple[str | int, ...]) -> bool:
    """Whether the value at a path is one of what a field, the flow or a folder knows, and no text of its own."""
    if isinstance(value, str) and (" " in value or value.startswith(("./", "~"))):
        return False
    word = next((key for key in reversed(path) if isinstance(key, str)), "")
    own = shape.shape if isinstance(shape, Field) else shape
    if own is None:
        return False
    known = any(each.choices or each.kind == "boolean" for each in (own, *own.either))
    return known or word == "next" or word in REFERENCES


@pytest.mark.slow
def test_each_value_of_the_corpus_is_offered_at_its_place(corpus: Path, tmp_path: Path, thin: Thin) -> None:
    """Of references, ends, choices and switches; files that a piece names are made first.

    One piece in four; --full: each.
    """
    asked = 0
    missing: list[str] = []
    for number, original in enumerate(thin(sorted((corpus / "takt").rglob("*.yaml")), 4)):
        path = tmp_path / str(number) / ".takt" / "pieces" / "p.yaml"
        path.parent.mkdir(parents=True)
        path.write_bytes(original.read_bytes())
        agent = open_agent(path)
        if not isinstance(agent, AgentFolder) or agent.flow.format != "takt" or not agent.flow.steps:
            continue
        facets = path.parent.parent / "facets"
        words = {
            facets / FACETS[each.section] / f"{each.text.value}.md"
            for each in references_of(agent.flow)
            if each.is_word
        }
        for file in files_of_piece(agent.flow) | words:
            if path.parent.parent in file.parents:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("# Text\n", "utf-8")
        reopened = open_agent(path)
        assert isinstance(reopened, AgentFolder)
        found = _missing(reopened)
        asked += found[0]
        missing += [f"{original.name}: {each}" for each in found[1]]
    assert asked > 250
    assert missing == []


def _missing(agent: AgentFolder) -> tuple[int, list[str]]:
    text, tree = agent.registry.source.text, agent.registry.tree
    assert isinstance(tree, YamlTree)
    assert tree.root is not None
    shapes = table(agent)
    aliased = {alias.value for alias in tree.aliases}
    asked, missing = 0, []
    for _kind, node, path in _walk(tree.root):
        written = text[node.start : node.end]
        through_alias = any(span.start <= node.start and node.end <= span.end for span in aliased)
        if not written or written[0] in "|>*" or "\n" in written or through_alias:
            continue
        in_map = len(path) == 2 and path[0] in SECTIONS and str(node.value).endswith(".md")
        if not in_map and not _is_chosen(node.value, field_at(shapes[0], join("", *path), shapes[1]), path):
            continue
        asked += 1
        start = node.start + (written[0] in "'\"")
        labels = [item.label for item in yaml_completions(agent, text, start, shapes).items]
        wanted = str(node.value).lower() if isinstance(node.value, bool) else node.value
        if wanted not in labels:
            missing.append(f"{join('', *path)} {wanted!r}")
    return asked, missing

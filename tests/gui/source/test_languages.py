"""How lines of each language are taken apart, and that every colour can be read."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.source.languages.json_lexer import Lex, json_parts, schema_parts
from stepflow_gui.gui.source.languages.prompt_lexer import prompt_lexer
from stepflow_gui.gui.source.languages.syntax import TINTS
from stepflow_gui.gui.source.languages.toml_lexer import toml_parts
from stepflow_gui.gui.source.languages.yaml_lexer import yaml_parts
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.source import Source, Span
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.conftest import Thin
from tests.gui.source.bench import Bench


def told(lex: Lex, text: str) -> list[list[tuple[str, str]]]:
    """The parts of each line, as text and role."""
    lines: list[list[tuple[str, str]]] = []
    state = 0
    for line in text.split("\n"):
        parts, state = lex(line, state)
        assert all(one.end <= other.start for one, other in pairwise(parts)), line
        lines.append([(line[part.start : part.end], part.role) for part in parts])
    return lines


def test_a_prompts_front_matter_headings_lists_and_code() -> None:
    lex = prompt_lexer(frozenset({"issue"}))
    lines = told(
        lex, "---\ntitle: x {uv-issue}\n# why\n---\n# Head {uv-issue}\n- item `code` **bold**\n```json\n{\n```\n> q"
    )
    assert lines[0] == [("---", "mark")]
    assert lines[1] == [("title", "key"), (" x {uv-issue}", "string")]  # nothing is filled in there
    assert lines[2] == [("# why", "comment")]
    assert lines[4] == [("# Head ", "heading"), ("{uv-issue}", "variable")]
    assert lines[5] == [("-", "mark"), ("`code`", "code"), ("**bold**", "strong")]
    assert lines[6:9] == [[("```json", "mark")], [("{", "code")], [("```", "mark")]]
    assert lines[9] == [(">", "mark")]


def test_only_variables_that_have_a_value_stand_out() -> None:
    lex = prompt_lexer(frozenset({"issue"}))
    assert told(lex, "x\n{uv-issue} {uv-isue} {input_text} {uv-a-b}")[1] == [
        ("{uv-issue}", "variable"),
        ("{input_text}", "variable"),
    ]


def test_a_comment_of_a_prompt_may_span_lines() -> None:
    lines = told(prompt_lexer(None), "a <!-- b\nc\nd --> `e`\n`f`")
    assert lines == [
        [("<!-- b", "comment")],
        [("c", "comment")],
        [("d -->", "comment"), ("`e`", "code")],
        [("`f`", "code")],
    ]


def test_toml() -> None:
    text = '[[per-path]] # why\npaths = ["a", \'b\']\nstrict = true\nn.o = 1.5\ns = """x\ny # no\n""" # z\n[t]'
    lines = told(toml_parts, text)
    assert lines[0] == [("[[per-path]]", "heading"), ("# why", "comment")]
    assert lines[1] == [("paths", "key"), ("[", "bracket"), ('"a"', "string"), ("'b'", "string"), ("]", "bracket")]
    assert lines[2] == [("strict", "key"), ("true", "word")]
    assert lines[3] == [("n.o", "key"), ("1.5", "number")]
    assert lines[4:7] == [
        [("s", "key"), ('"""x', "string")],
        [("y # no", "string")],
        [('"""', "string"), ("# z", "comment")],
    ]
    assert lines[7] == [("[t]", "heading")]


def test_yaml() -> None:
    text = (
        "--- # one\nname: small  # why\n\"a b\": 'x''y' # t\nsteps:\n  - name: plan\n    text: |-\n"
        "      # no comment\n\n"
        '      key: x\n    rules:\n      - {condition: ai(1), next: "x"}\n      - &a [1, true, ~, word, *b]\n'
        '    q: "open\n      more" # done\nurl: http://x/y#z\n- - -1.5'
    )
    lines = told(yaml_parts, text)
    assert lines[0] == [("---", "mark"), ("# one", "comment")]
    assert lines[1] == [("name", "key"), ("small", "string"), ("# why", "comment")]
    assert lines[2] == [('"a b"', "key"), ("'x''y'", "string"), ("# t", "comment")]
    assert lines[4] == [("-", "mark"), ("name", "key"), ("plan", "string")]
    assert lines[5:9] == [
        [("text", "key"), ("|-", "mark")],
        [("# no comment", "string")],
        [],
        [("key: x", "string")],
    ]
    assert lines[9] == [("rules", "key")]
    assert [part for part in lines[10] if part[1] != "bracket"] == [
        *(("-", "mark"), ("condition", "key"), ("ai(1)", "string"), ("next", "key"), ('"x"', "string")),
    ]
    assert [part for part in lines[11] if part[1] != "bracket"] == [
        *(("-", "mark"), ("&a", "variable"), ("1", "number"), ("true", "word"), ("~", "word"), ("word", "string")),
        ("*b", "variable"),
    ]
    assert lines[12:14] == [[("q", "key"), ('"open', "string")], [('      more"', "string"), ("# done", "comment")]]
    assert lines[14] == [("url", "key"), ("http://x/y#z", "string")]
    assert lines[15] == [("-", "mark"), ("-", "mark"), ("-1.5", "number")]


def test_the_keys_of_real_pieces_are_coloured_where_the_reader_finds_them(corpus: Path, thin: Thin) -> None:
    """One piece in three; --full: each."""
    differing = []
    for path in thin(sorted((corpus / "takt").rglob("*.yaml")), 3):
        tree = read_yaml_tree(Source(path.read_text("utf-8")))
        if tree.sound and tree.root is not None and not tree.aliases:
            keys = {tree.source.text[start:end] for start, end in key_spans(tree.root)}
            parts = [part for line in told(yaml_parts, tree.source.text) for part in line]
            if {text for text, role in parts if role == "key"} != keys:
                differing.append(path.name)
    assert differing == []


def key_spans(node: Node) -> Iterator[tuple[int, int]]:
    for member in node.members():
        yield member.key_span
        yield from key_spans(member.value)
    for item in node.items():
        yield from key_spans(item)


def test_a_schemas_keywords_are_distinguished_from_properties_of_the_same_name() -> None:
    assert told(schema_parts, '"type": "string"')[0][0] == ('"type"', "keyword")
    assert told(schema_parts, '"type": {')[0][0] == ('"type"', "key")
    assert told(schema_parts, '"properties": {')[0][0] == ('"properties"', "keyword")
    of_title = told(schema_parts, '"title": { "enum": [] }')[0]
    assert [part for part in of_title if part[1] != "bracket"] == [('"title"', "key"), ('"enum"', "keyword")]
    assert told(json_parts, '"type": "string"')[0][0] == ('"type"', "key")


@pytest.mark.parametrize("lex", [json_parts, schema_parts, toml_parts, yaml_parts, prompt_lexer(None)])
def test_a_very_long_line_stays_plain(lex: Lex) -> None:
    assert lex('"' + "x" * 30_000 + '"', 0)[0] == []


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_can_be_read(dark: bool) -> None:
    theme = Theme(dark)
    for role, (token, share) in TINTS.items():
        assert contrast(theme.mix(token, "text", share), theme.color("canvas")) >= 4.5, role


def contrast(one: QColor, other: QColor) -> float:
    """As WCAG has it."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def luminance(color: QColor) -> float:
    weighted = ((0.2126, color.redF()), (0.7152, color.greenF()), (0.0722, color.blueF()))
    parts = (weight * (at / 12.92 if at <= 0.03928 else ((at + 0.055) / 1.055) ** 2.4) for weight, at in weighted)
    return float(sum(parts))


def coloured(bench: Bench, line: int) -> set[str]:
    """The stretches of a line that have a colour of their own."""
    block = bench.editor.document().findBlockByNumber(line)
    return {block.text()[found.start : found.start + found.length] for found in block.layout().formats()}


def shown(bench: Bench, path: Path, text: str) -> None:
    path.write_text(text)
    bench.document.reveal(path, Span(0, 0))
    assert bench.panel.path == path


def test_a_file_is_coloured_as_what_it_is(example: Bench) -> None:
    folder = example.document.path.parent
    prompt = folder / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    shown(example, prompt, "```\n{uv-issue} {uv-isue}\n```\n")
    assert "{uv-issue}" in coloured(example, 1)
    shown(example, example.document.folder.root / "stepflow.toml", "strict = true # x\n")
    assert coloured(example, 0) == {"strict", "true", "# x"}
    example.document.reveal(example.document.path, Span(0, 0))
    assert '"agentId"' in coloured(example, 1)


def test_a_parameter_that_comes_or_goes_is_seen_in_the_prompt(example: Bench, qtbot: QtBot) -> None:
    folder = example.document.path.parent
    prompt = folder / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    shown(example, prompt, "x\n{uv-more}\n")
    assert coloured(example, 1) == set()
    agent = folder / "agent.json"
    at = agent.read_text().index('"issue": {')
    edit = TextEdit(at, at, '"more": {"type": "string", "cli": "--more"},')
    example.document.apply({agent: [edit]}, "add", "test")
    qtbot.waitUntil(lambda: coloured(example, 1) == {"{uv-more}"})
    example.document.undo()
    qtbot.waitUntil(lambda: coloured(example, 1) == set())


def test_what_a_fence_opens_is_coloured_again_when_the_fence_goes(example: Bench) -> None:
    prompt = example.document.path.parent / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    shown(example, prompt, "```\nplain\n```\n")
    assert coloured(example, 1) == {"plain"}
    example.put_caret(0, 3)
    example.editor.cut()
    assert coloured(example, 1) == set()

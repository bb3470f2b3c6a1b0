"""The path to a place in JSON, YAML, Markdown and TOML."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.gui.source.heading.places import (
    crumbs_of_headings,
    crumbs_of_tree,
    headings_of_markdown,
    headings_of_toml,
    places_in,
    symbols_of_headings,
    symbols_of_tree,
)
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree

JSON = '{"a": {"b": [1, {"name": "x"}, "y z"]}, "a": {"c": null}, "": 2}'


def way(text: str, offset: int) -> list[str]:
    return [crumb.label for crumb in crumbs_of_tree(read_json(Source(text)).root, offset)]


def test_keys_and_elements_go_to_a_place() -> None:
    assert way(JSON, JSON.index('"x"')) == ["a", "b", "x", "name"]
    assert way(JSON, JSON.index("null")) == ["a", "c"]  # in the second of two alike
    assert way(JSON, JSON.index("2}")) == ['""']
    assert way(JSON, 0) == []
    assert way(JSON, len(JSON)) == []


def test_siblings_are_all_that_stands_beside_it() -> None:
    crumbs = crumbs_of_tree(read_json(Source(JSON)).root, JSON.index('"x"'))
    assert [label for label, _span in crumbs[0].siblings()] == ["a", "a", '""']
    assert [label for label, _span in crumbs[2].siblings()] == ["[0] 1", "[1] x", '[2] "y z"']
    assert all(crumb.span in {span for _label, span in crumb.siblings()} for crumb in crumbs)


def test_broken_text_has_a_path_too() -> None:
    text = '{"steps": {"one": {"next": , "two": 1'
    assert way(text, text.index('"two"') + 1) == ["steps", "one", "two"]


def test_a_piece_has_the_names_of_its_movements_in_the_path() -> None:
    text = (
        "name: p\nmovements:\n  - name: plan\n    parallel:\n      - name: qa\n"
        "        rules:\n          - condition: ok\n"
    )
    root = read_yaml_tree(Source(text)).root
    path = crumbs_of_tree(root, text.index("ok"))
    assert [crumb.label for crumb in path] == ["movements", "plan", "parallel", "qa", "rules", "[0]", "condition"]
    assert [label for label, _span in path[1].siblings()] == ["[0] plan"]


def test_nothing_has_no_places() -> None:
    assert places_in(read_json(Source("")).root) == []
    assert places_in(None) == []


NAMELESS = JSON.replace('"name"', '"nome"')


@given(st.integers(min_value=0, max_value=len(NAMELESS)))
def test_the_path_is_the_pointer(offset: int) -> None:
    tree = read_json(Source(NAMELESS))
    keys = [key or '""' for key in split(tree.pointer_at(offset))]
    shown = [label.strip("[]") for label in way(NAMELESS, offset)]
    if not NAMELESS[offset:].startswith(', "a": {"c"'):  # between two alike either is right
        assert shown == keys


MARKDOWN = """---
# no heading
title: x
---
intro
# One
text
## One a ##
```
# no heading
```
## One b
### Deep
# Two
#no heading
"""


def headings(text: str, offset: int) -> list[str]:
    return [crumb.label for crumb in crumbs_of_headings(headings_of_markdown(Source(text)), offset)]


def test_headings_go_to_a_place_in_a_prompt() -> None:
    assert headings(MARKDOWN, MARKDOWN.index("Deep") + 2) == ["One", "One b", "Deep"]
    assert headings(MARKDOWN, MARKDOWN.index("text")) == ["One"]
    assert headings(MARKDOWN, MARKDOWN.index("# no heading\n```")) == ["One", "One a"]
    assert headings(MARKDOWN, len(MARKDOWN)) == ["Two"]
    assert headings(MARKDOWN, 3) == []


def test_siblings_of_a_heading_lie_under_the_same_one() -> None:
    found = headings_of_markdown(Source(MARKDOWN))
    crumbs = crumbs_of_headings(found, MARKDOWN.index("Deep"))
    assert [label for label, _span in crumbs[0].siblings()] == ["One", "Two"]
    assert [label for label, _span in crumbs[1].siblings()] == ["One a", "One b"]
    start, end = crumbs[1].siblings()[0][1]
    assert MARKDOWN[start:end] == "## One a ##"


def test_a_heading_of_a_crlf_text_ends_with_its_line() -> None:
    text = MARKDOWN.replace("\n", "\r\n")
    start, end = headings_of_markdown(Source(text))[0].span
    assert text[start:end] == "# One"


def test_tables_go_to_a_place_in_a_configuration() -> None:
    text = '[lint]\nselect = []\n[lint.severity]\nSF001 = "error"\n[[suppress]] # why\ncode = 1\n'
    found = headings_of_toml(Source(text))
    assert [crumb.label for crumb in crumbs_of_headings(found, text.index("SF001"))] == ["lint", "lint.severity"]
    crumbs = crumbs_of_headings(found, text.index("code"))
    assert [crumb.label for crumb in crumbs] == ["suppress"]
    assert [label for label, _span in crumbs[0].siblings()] == ["lint", "suppress"]


def test_every_step_of_a_registry_is_reached(corpus: Path) -> None:
    text = (corpus / "climpt" / "iterator" / "031-06e570d" / "steps_registry.json").read_text()
    root = read_json(Source(text)).root
    assert root is not None
    steps = root.get("steps")
    assert steps is not None
    for member in steps.members():
        assert [crumb.label for crumb in crumbs_of_tree(root, member.key_start + 1)] == ["steps", member.key]


def test_the_symbols_of_a_file_are_its_members_and_the_objects_in_them() -> None:
    text = '{"version": "1", "steps": {"a": {"b": {}}, "n": 1}, "list": [{"name": "x"}, [], 2]}'
    found = symbols_of_tree(read_json(Source(text)).root)
    assert [each[:2] for each in found] == [
        *(("version", ""), ("steps", ""), ("a", "steps")),
        *(("list", ""), ("x", "list"), ("[1]", "list")),
    ]
    assert text[slice(*found[2].span)] == '"a"'
    assert symbols_of_tree(None) == []


def test_the_symbols_of_a_piece_are_its_movements() -> None:
    text = "name: p\nmovements:\n  - name: plan\n    rules: []\n  - name: fix\nloop_monitors:\n  - cycle: [plan, fix]\n"
    found = symbols_of_tree(read_yaml_tree(Source(text)).root)
    assert [each.label for each in found if each.holder == "movements"] == ["plan", "fix"]
    assert text[found[2].span.start :].startswith("name: plan")


def test_the_symbols_of_a_prompt_are_its_headings() -> None:
    found = symbols_of_headings(headings_of_markdown(Source("# One\n## Two\n### Three\n## Four\n")))
    assert [each[:2] for each in found] == [("One", ""), ("Two", "One"), ("Three", "Two"), ("Four", "One")]

"""A YAML text as a tree: values by the rules of YAML 1.2, every key and value with its place, mistakes with theirs."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source, Span
from stepflow_gui.text.yaml.problems import KINDS, MOST_CHARACTERS
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree


def read(text: str) -> YamlTree:
    return read_yaml_tree(Source(text))


def value(text: str) -> Any:
    tree = read(text)
    assert tree.valid, tree.problems
    assert tree.root is not None, tree.problems
    return tree.root.value


def written(tree: YamlTree, pointer: str) -> str:
    node = tree.at(pointer)
    assert node is not None
    return tree.source.text[node.start : node.end]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("Off", "Off"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("Null", None),
        ("12", 12),
        ("-3", -3),
        ("0o17", 15),
        ("017", 17),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".inf", float("inf")),
        ("2026-02-07", "2026-02-07"),
        ("12:30", "12:30"),
        ("'12'", "12"),
        ('"a\\nb"', "a\nb"),
        ("!!str 12", "12"),
        ("!!int 12", 12),
        ("!python/object:os.system ls", "ls"),
    ],
)
def test_scalars_mean_what_yaml_1_2_defines(text: str, meant: object) -> None:
    assert value(f"a: {text}\n") == {"a": meant}


def test_keys_that_are_words_of_yaml_1_1_stay_keys() -> None:
    assert value("on: 1\nyes: 2\n<<: {x: 1}\n1: a\nnull: b\n") == {"on": 1, "yes": 2, "<<": {"x": 1}, "1": "a", "": "b"}


def test_spans_of_keys_and_values() -> None:
    tree = read('a: &x !t one # note\n"b c": |\n  text\n\n  more\n\n\n# note\nd:\n- e: 1\n  f: {g: [h, *x]}\n\nz:\n')
    assert tree.valid
    assert written(tree, "/a") == "one"
    assert written(tree, "/b c") == "|\n  text\n\n  more"
    assert tree.key_span("/b c") == Span(20, 25)
    assert written(tree, "/d") == "- e: 1\n  f: {g: [h, *x]}"
    assert written(tree, "/d/0/f") == "{g: [h, *x]}"
    assert written(tree, "/d/0/f/g/1") == "*x"
    nothing = tree.at("/z")
    assert nothing is not None
    assert nothing.kind == "null"
    assert nothing.start == nothing.end
    assert tree.pointer_at(tree.source.text.index("h, *")) == "/d/0/f/g/0"


def test_line_ends_and_a_byte_order_mark_change_nothing_but_places() -> None:
    text = "a:\n  - 'b'\n  - |\n    c\nd: e\n"
    windows = read_yaml_tree(Source.decode(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()))
    assert windows.root is not None
    assert windows.root.value == value(text)
    assert written(windows, "/a/1") == "|\r\n    c"
    assert written(windows, "/d") == "e"


def test_an_alias_stands_where_it_is_written_and_has_the_value_of_its_anchor() -> None:
    tree = read("a: &list\n  - b\nc: *list\nd: &one x\ne: *one\n")
    assert tree.root is not None
    assert tree.root.value == {"a": ["b"], "c": ["b"], "d": "x", "e": "x"}
    assert written(tree, "/c") == "*list"
    assert written(tree, "/c/0") == "b"
    assert written(tree, "/e") == "*one"
    assert [alias.name for alias in tree.aliases] == ["list", "one"]
    assert [tree.source.text[slice(*alias.anchor)] for alias in tree.aliases] == ["&list", "&one"]


def test_duplicate_keys_are_kept_with_both_places() -> None:
    tree = read("a: 1\nb: 2\na: 3\n")
    assert tree.valid
    assert not tree.sound
    assert [tuple(each) for each in tree.duplicates()] == [("/a", Span(0, 1), Span(10, 11))]
    assert tree.root is not None
    assert tree.root.value == {"a": 3, "b": 2}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("name:\tdemo", {"name": "demo"}),
        ("name: demo\t# c", {"name": "demo"}),
        ("name: demo\t", {"name": "demo"}),
        ("name\t: demo", {"name": "demo"}),
        ("'name': 'demo'\t\nb: 1", {"name": "demo", "b": 1}),
        ("a: [x]\t# c\nb:\t\n  c: 1", {"a": ["x"], "b": {"c": 1}}),
        ("a: 1\n\t\nb: 2", {"a": 1, "b": 2}),
        ("a:\n  - x\n\t\n  - y", {"a": ["x", "y"]}),
        ("\t# c\na: 1\n\t# d\nb: 2", {"a": 1, "b": 2}),
        ("-\tx\n-\t[y]", ["x", ["y"]]),
        ("-\t\n  x: 1", [{"x": 1}]),
        ("? a\n:\tb", {"a": "b"}),
        ("---\ta", "a"),
        ("a: &x\tfoo\nb:\t*x", {"a": "foo", "b": "foo"}),
        ("a: b\tc", {"a": "b\tc"}),
        ("a: b\t\n  c\nd: 1", {"a": "b c", "d": 1}),
        ("a: b\n  \tc", {"a": "b c"}),
        ("a: b\n \t\n  c", {"a": "b\nc"}),
        ("a:\n \t[1]", {"a": [1]}),
    ],
)
def test_tabs_that_separate_are_read(text: str, meant: Any) -> None:
    """What the library that TAKT reads with makes of them."""
    assert value(text) == meant
    assert value(text + "\n") == meant


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a:\n\tb: 1", 3),
        ("\ta: 1", 0),
        ("a: 1\n\tb: 2", 5),
        ("a: b\n\tc", 5),
        ("a:\n  b: 1\n \tc: 2", 11),
        ("- a\n\t- b", 4),
        ("a:\n  - x\n  \t- y", 11),
        ("-\tx: 1", 1),
        ("-\t- x", 1),
        ("a: |\n  x\n\t\nb: 1", 9),
        ("a: |\n  x\n\t# c\nb: 1", 9),
        ("a:\n\tb: 1\n\t\n\t# c\nd: 1", 3),
    ],
)
def test_tabs_that_indent_are_mistakes(text: str, at: int) -> None:
    problems = read(text).problems
    assert [(problem.kind, problem.start) for problem in problems] == [("yaml-tab", at)]


@pytest.mark.parametrize("text", ["a: |\t# c\n  x", "a: >\t\n  x", "a: !!str\tx"])
def test_a_tab_that_cannot_be_read_is_no_mistake_of_indentation(text: str) -> None:
    assert [problem.kind for problem in read(text).problems] == ["yaml-tab-unread"]


@pytest.mark.parametrize("kind", [kind for kind, text in KINDS.items() if text])
def test_each_mistake_is_reported(kind: str) -> None:
    tree = read(KINDS[kind] + "\n")
    assert [problem.kind for problem in tree.problems] == [kind]
    assert all(0 <= problem.start < problem.end <= len(tree.source.text) for problem in tree.problems)


def test_several_colons_are_reported_at_once_and_the_rest_is_read_as_meant() -> None:
    tree = read("name: one: two\nlist:\n  - a\n  - b\nother: three: four\nlast: 1\n")
    assert [(problem.kind, problem.start) for problem in tree.problems] == [("yaml-colon", 9), ("yaml-colon", 45)]
    assert tree.root is not None
    assert tree.root.value == {"name": "one: two", "list": ["a", "b"], "other": "three: four", "last": 1}


def test_every_line_that_begins_with_a_tab_is_reported() -> None:
    tree = read("a:\n\tb: 1\n\tc: 2\nd: 1\n")
    assert [problem.start for problem in tree.problems] == [3, 9]


def test_what_stands_before_a_mistake_is_kept() -> None:
    tree = read("name: x\nmovements:\n  - name: plan\n    edit: true\n  - name: [\nrest: 1\n")
    assert not tree.valid
    assert tree.root is not None
    assert tree.root.value["movements"][0] == {"name": "plan", "edit": True}


def test_a_merge_conflict_is_reported_at_its_marks() -> None:
    tree = read("a: 1\n<<<<<<< ours\nb: 1\n=======\nb: 2\n>>>>>>> theirs\n")
    assert [problem.kind for problem in tree.problems] == ["merge-conflict"] * 3


def test_aliases_of_aliases_cost_no_memory_and_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    tree = read("\n".join(lines) + "\n")
    assert [problem.kind for problem in tree.problems] == ["yaml-many"]
    assert tree.root is None


def test_a_text_beyond_all_measure_is_not_read() -> None:
    assert [problem.kind for problem in read("#" * (MOST_CHARACTERS + 1)).problems] == ["yaml-long"]


def test_an_empty_text_is_reported() -> None:
    assert [problem.kind for problem in read("# only a comment\n").problems] == ["empty"]


def test_a_document_is_yaml_by_its_ending() -> None:
    root = ParsedFile.read(Path("piece.YML"), Source("a: yes\n")).root
    assert root is not None
    assert root.value == {"a": "yes"}
    assert ParsedFile.read(Path("piece.json"), Source('{"a": 1}')).tree.valid


def test_every_file_of_the_corpus_reads_as_the_library_reads_it(corpus: Path) -> None:
    loader = YAML(typ="safe", pure=True)
    files = sorted((corpus / "takt" / "seed-era").rglob("*.yaml"))
    assert files
    for file in files:
        tree = read_yaml_tree(Source.decode(file.read_bytes()))
        assert tree.sound, file
        assert tree.root is not None, file
        assert tree.root.value == loader.load(file.read_text("utf-8")), file
        for _pointer, node in tree.root.walk():
            if isinstance(node.value, str) and "\n" not in node.value and tree.source.text[node.start] not in "\"'|>":
                assert tree.source.text[node.start : node.end] == node.value

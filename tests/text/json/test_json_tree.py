"""The tree of sound JSON: both readers agree, spans are exact, depth and size are no matter."""

import json
import sys
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text.json.indent_recovery import GuidedReading
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.reading import DEEPEST, Reading
from stepflow_gui.text.json.tree import JsonTree, Node
from stepflow_gui.text.source import Source
from tests.conftest import Thin
from tests.text.trees import indents, keys, outline, values


def read(text: str) -> JsonTree:
    return read_json(Source(text))


def root_of(text: str) -> Node:
    tree = read(text)
    assert tree.root is not None
    return tree.root


@given(values, indents, st.booleans(), st.sampled_from(["", " ", "\n", "\r\n\t"]))
def test_both_readers_agree_on_sound_text(
    value: object, indent: int | str | None, ascii_only: bool, blank: str
) -> None:
    text = blank + json.dumps(value, indent=indent, ensure_ascii=ascii_only) + blank
    quick = read(text)
    assert quick.valid
    assert quick.root is not None
    assert quick.root.value == value
    guided = [GuidedReading(text, quick=False)] if indent != 0 else []  # which can't guide
    for reader in (Reading(text, quick=False), Reading(text), *guided):
        reader.run()
        assert reader.problems == []
        assert reader.root is not None
        assert reader.root.value == value
        assert outline(reader.root) == outline(quick.root)


@given(values, indents)
def test_each_span_holds_its_value(value: object, indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    for pointer, node in root_of(text).walk():
        assert json.loads(text[node.start : node.end]) == node.value
        assert read(text).at(pointer) is not None
        for member in node.members():
            assert json.loads(text[member.key_start : member.key_end]) == member.key


@given(st.dictionaries(keys, values, min_size=1, max_size=40), indents)
def test_a_place_looked_for_alone_is_the_one_among_all(value: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    alone, all_known = root_of(text), root_of(text)
    known = {member.key: member.value.span for member in all_known.members()}
    for key in (*value, *value):
        assert alone.member_span(key) == all_known.member_span(key) == known[key]


@given(st.lists(values, max_size=5), indents)
def test_elements_are_the_items_placed_later(value: list[object], indent: int | str | None) -> None:
    text = json.dumps({"of": [value]}, indent=indent)
    later, known = root_of(text).get("of"), root_of(text).at("/of/0")
    assert later is not None
    assert known is not None
    (inner,) = later.elements()
    assert [each.value for each in inner.elements()] == value
    assert [outline(each) for each in inner.elements()] == [outline(each) for each in known.items()]
    assert [each.value for each in inner.elements()] == value


def test_of_doubled_keys_the_place_is_the_last() -> None:
    assert root_of('{"a": 1, "b": 2, "a": 30}').member_span("a") == (22, 24)


def test_every_corpus_file_reads_the_same_in_both_readers(corpus: Path, thin: Thin) -> None:
    """One file in three; --full: each."""
    files = thin(sorted(corpus.rglob("*.json")), 3)
    assert files
    for file in files:
        source = Source.decode(file.read_bytes())
        tree = read_json(source)
        assert tree.valid, file
        assert tree.root is not None
        assert tree.root.value == json.loads(source.text)
        reading = Reading(source.text, quick=False)
        reading.run()
        assert reading.root is not None
        assert reading.problems == []
        assert outline(reading.root) == outline(tree.root), file


def test_every_corpus_file_is_written_as_it_was_read(corpus: Path) -> None:
    files = [file for file in sorted(corpus.rglob("*")) if file.is_file()]
    assert files
    for file in files:
        data = file.read_bytes()
        assert Source.decode(data).encode() == data, file


def test_a_byte_order_mark_is_kept_and_not_counted() -> None:
    source = Source.decode(b'\xef\xbb\xbf{"a": 1}\r\n')
    tree = read_json(source)
    assert tree.valid
    assert tree.key_span("/a") == (1, 4)
    assert source.encode() == b'\xef\xbb\xbf{"a": 1}\r\n'


def test_doubled_keys_are_kept_and_the_last_one_counts() -> None:
    tree = read('{"a": {"x": 1}, "b": 2, "a": {"x": 3}}')
    assert tree.root is not None
    assert [member.key for member in tree.root.members()] == ["a", "b", "a"]
    assert [member.value.value for member in tree.root.members()] == [{"x": 1}, 2, {"x": 3}]
    assert tree.at("/a/x").value == 3  # type: ignore[union-attr]
    (found,) = tree.duplicates()
    assert (found.pointer, found.first, found.again) == ("/a", (1, 4), (24, 27))


def test_doubled_keys_deep_inside_and_in_broken_text_are_found() -> None:
    assert [found.pointer for found in read('{"a": [{"b": 1, "b": 2}]}').duplicates()] == ["/a/0/b"]
    assert [found.pointer for found in read('{"a": [{"b": 1, "b": 2,}],}').duplicates()] == ["/a/0/b"]
    assert read('{"a": {"b": 1}, "c": {"b": 1}}').duplicates() == []


def test_the_innermost_value_at_an_offset() -> None:
    text = '{"a": {"b": [10, 20]}, "c": 1}'
    tree = read(text)
    assert tree.pointer_at(text.index("20")) == "/a/b/1"
    assert tree.pointer_at(text.index('"b"') + 1) == "/a/b"
    assert tree.pointer_at(text.index('"c"')) == "/c"
    assert tree.pointer_at(0) == ""


def test_places_in_long_lists_and_objects_are_found_at_once() -> None:
    items = 50_000
    tree = read(json.dumps({"a": [0] * items, **{f"k{at}": 0 for at in range(items)}}))
    assert tree.root is not None
    numbers = tree.root.members()[0].value.items()
    begun = process_time()
    for at in range(0, items, 50):
        assert tree.pointer_at(numbers[at].start) == f"/a/{at}"
        assert tree.pointer_at(tree.root.members()[at + 1].key_start) == f"/k{at}"
    assert process_time() - begun < 2


def test_of_two_values_that_touch_the_first_is_at_an_offset() -> None:
    tree = read('["a""b"]')
    assert tree.pointer_at(4) == "/0"


@pytest.mark.parametrize("token", ["-", "01", "1", "+0", "٠", "9" * 5000, ""])
def test_a_pointer_token_that_is_no_index_has_no_target(token: str) -> None:
    assert read("[10]").at(f"/{token}") is None


def test_lone_surrogates_and_numbers_of_any_size_are_sound() -> None:
    digits = "7" * 6000
    tree = read(f'{{"a": "\\ud800", "b": {digits}, "c": -{digits}.5e9, "d": 1e999}}')
    assert tree.valid
    assert tree.root is not None
    assert tree.root.value["a"] == "\ud800"
    node = tree.root.get("b")
    assert node is not None
    assert node.kind == "number"
    assert tree.source.text[node.start : node.end] == digits


@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [("[", "", "]"), ('{"a":', "1", "}"), ('[{"a": ', "[]", "}]"), ("[1,\n", "2", "]")],
)
@pytest.mark.parametrize("cut", [False, True])
def test_ten_thousand_levels(opening: str, middle: str, closing: str, cut: bool) -> None:
    depth = DEEPEST - 1
    levels = depth // (opening.count("[") + opening.count("{"))
    tree = read(opening * levels + (middle + closing * levels if not cut else ""))
    assert [problem.kind[:8] for problem in tree.problems] == (["unclosed"] if cut else [])
    assert tree.root is not None
    assert sum(1 for _ in tree.root.nodes()) >= depth
    assert tree.root.at("/a" * 3 if opening == '{"a":' else "") is not None


@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [("[", "", "]"), ('{"a":', "1", "}"), ('[{"a": ', "[]", "}]"), ("[1,\n", "2", "]"), ("[{},", "", "]")],
)
@pytest.mark.takes_turns("levels")
@pytest.mark.parametrize("levels", [100_000, 1_000_000])
def test_more_levels_are_not_read(opening: str, middle: str, closing: str, levels: int) -> None:
    """One problem, whether they are closed or not, and no more nodes than for those that are read."""
    for text in (opening * levels, opening * levels + middle + closing * levels):
        tree = read(text)
        assert [problem.kind for problem in tree.problems] == ["too-deep"]
        assert tree.root is not None
        assert sum(1 for _ in tree.root.nodes()) <= 2 * DEEPEST + 2


def test_depth_that_the_scanner_took_is_walked_from_deep_in_the_stack() -> None:
    levels = 700
    text = "[" * levels + '{"a": [1, 2]}' + "]" * levels

    def walk_below(frames: int, root: Node) -> int:
        return walk_below(frames - 1, root) if frames else sum(1 for _ in root.nodes())

    root = root_of(text)
    assert walk_below(sys.getrecursionlimit() - 400, root) == levels + 4


def test_wide_values_below_many_levels_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan a level would read the wide inside as often as there are levels."""
    levels = 400
    inside = ", ".join(f'{{"n": {number}}}' for number in range(2000))
    tree = read("[" * levels + inside + "]" * levels)
    assert tree.root is not None
    assert sum(1 for _ in tree.root.nodes()) == levels + 4000

"""A tree that is taken along equals one that is read again, wherever it had been looked at before."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text.json.incremental import ChangedSpan, carry_on, stretch_between
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree, Node
from stepflow_gui.text.source import Source

STEPS = {
    "one": {"name": "One", "ways": {"next": "two", "list": ["a", {"b": [1, 2]}, None]}, "on": True},
    "two": {"name": "Zwei “2”", "ways": {}, "list": []},
    "three": {"name": "drei", "deep": {"er": {"still": {"x": 1.5}}}},
    "four": {},
}
TEXT = json.dumps({"id": "made up", "list": [1, {"a": 2}], "steps": STEPS, "after": {"b": ["c"]}}, indent=2)
POINTERS = [pointer for pointer, _node in (read_json(Source(TEXT)).root or Node({}, 0, 0, "")).walk()]
VALUES = st.sampled_from(["7", '"three"', "{}", '{"new": [1, "two"]}', "[]", "null", "  true  ", '"x": 1', "}", '"'])


def _told(tree: JsonTree) -> list[object]:
    """Every value with its pointer and place, keys' places too."""
    assert tree.root is not None
    return [
        (pointer, node.value, node.span, node.kind, tree.key_span(pointer) if pointer else None)
        for pointer, node in tree.root.walk()
    ]


def _step(tree: JsonTree, key: str) -> Node:
    steps = tree.root.member("steps") if tree.root else None
    found = steps.value.member(key) if steps else None
    assert found is not None
    return found.value


@st.composite
def _edits(draw: st.DrawFn) -> list[tuple[list[str], str, str]]:
    """Rows of: pointers looked at before, a pointer whose value is replaced, and what replaces it."""
    return draw(
        st.lists(
            st.tuples(st.lists(st.sampled_from(POINTERS), max_size=4), st.sampled_from(POINTERS), VALUES), max_size=6
        )
    )


@given(_edits())
def test_it_reports_the_same_as_a_new_one(edits: list[tuple[list[str], str, str]]) -> None:
    tree = read_json(Source(TEXT))
    for looked_at, pointer, value in edits:
        for each in looked_at:
            tree.at(each)
            tree.key_span(each)
        text, node = tree.source.text, read_json(tree.source).at(pointer)
        if node is None:
            continue
        after = Source(text[: node.start] + value + text[node.end :])
        anew = carry_on(tree, after, stretch_between(text, after.text), "steps")
        fresh = read_json(after)
        if anew is None:
            tree = fresh
            if not fresh.valid:
                return
        assert tree.sound == fresh.sound
        assert _told(tree) == _told(fresh)


def test_what_is_looked_at_later_stands_in_the_later_text() -> None:
    """If a step wasn't looked into before, nothing of it is made again, and its places are the new ones."""
    tree = read_json(Source(TEXT))
    last, shown = _step(tree, "three"), _step(tree, "two").get("name")
    assert shown is not None
    assert shown.span  # so that "two" is known inside
    name = last.get("name")
    assert name is not None
    at = TEXT.index('"One"')
    after = Source(TEXT[:at] + '"Another one"' + TEXT[at + 5 :])
    assert carry_on(tree, after, stretch_between(TEXT, after.text), "steps") == {"one", "two"}
    assert _step(tree, "three") is last
    assert after.text[name.start : name.end] == '"drei"'


def test_what_is_not_inside_one_step_is_left_to_reading() -> None:
    for old, new in (('"made up"', '"x"'), ('"four": {}', '"four": 1'), ('"two"', '"too'), ('"on"', '"name"')):
        tree, text = read_json(Source(TEXT)), TEXT
        at = text.rindex(old)
        after = Source(text[:at] + new + text[at + len(old) :])
        before = _told(read_json(Source(TEXT)))
        assert carry_on(tree, after, stretch_between(text, after.text), "steps") is None, new
        assert _told(tree) == before


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_the_stretch_between(before: str, after: str) -> None:
    start, end, length = stretch_between(before, after)
    assert before[:start] + after[start : start + length] + before[end:] == after
    assert stretch_between(before, before) == ChangedSpan(len(before), len(before), 0)


def test_a_real_registry(corpus: Path) -> None:
    path = max((corpus / "climpt").glob("iterator/*/steps_registry.json"), key=lambda file: file.stat().st_size)
    source = Source.decode(path.read_bytes())
    tree = read_json(source)
    _told(tree)
    at = source.text.index('"stepKind"') + 14
    after = Source(source.text[:at] + "xyz" + source.text[at:])
    assert carry_on(tree, after, ChangedSpan(at, at, 3), "steps")
    assert _told(tree) == _told(read_json(after))

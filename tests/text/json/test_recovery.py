"""Broken JSON: each mistake is named once, where it is, and the rest of the tree is there."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.chance import Chance
from benchmarks.generate import registry_text
from benchmarks.mistakes import MISTAKES, with_mistakes
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.recovery import KINDS
from stepflow_gui.text.json.tree import JsonTree, SyntaxProblem
from stepflow_gui.text.source import Source

FLOW = """{
  "steps": {
    "a": {
      "x": 1,
      "y": [1, 2]
    },
    "b": {
      "next": { "target": "c" },
      "z": "t"
    },
    "c": { "k": 1 }
  },
  "end": true
}
"""
FLOW_VALUE = {
    "steps": {"a": {"x": 1, "y": [1, 2]}, "b": {"next": {"target": "c"}, "z": "t"}, "c": {"k": 1}},
    "end": True,
}


def read(text: str) -> JsonTree:
    return read_json(Source(text))


def kinds_of(tree: JsonTree) -> list[str]:
    return [problem.kind for problem in tree.problems]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_by_its_smallest_text(kind: str) -> None:
    assert kinds_of(read(KINDS[kind])) == [kind]


# A mistake in FLOW: what is replaced, by what, the problem, the text it points at, and what the tree contains then.
SLIPS: dict[str, tuple[str, str, str, str]] = {
    "a closing brace and its comma are missing": ("[1, 2]\n    },\n", "[1, 2]\n", "unclosed-object", ""),
    "a closing brace is missing": ("[1, 2]\n    },\n", "[1, 2],\n", "unclosed-object", ""),
    "the brace of an inner object is missing": ('{ "target": "c" }', '{ "target": "c" ', "unclosed-object", ""),
    "a brace too many": ('"t"\n    },', '"t"\n    }\n    },', "unexpected", "}"),
    "a brace too many in the line": ('"t"\n    },', '"t"\n    }},', "unexpected", "}"),
    "a closing bracket is missing": ("[1, 2]", "[1, 2", "unclosed-array", ""),
    "an opening brace is missing": ('"b": {', '"b": ', "unopened-object", ""),
    "an opening brace is missing in a line": ('{ "k": 1 }', '"k": 1 }', "unopened-object", ""),
    "a bracket for a brace": ('"t"\n    }', '"t"\n    ]', "wrong-bracket", "]"),
    "a brace for a bracket": ("[1, 2]", "[1, 2}", "wrong-bracket", "}"),
    "a quotation mark is missing at the end": ('"c" }', '"c }', "unclosed-string", '"c'),
    "a quotation mark is missing at the start": ('"c" }', 'c" }', "unclosed-string", 'c"'),
    "a quotation mark is missing at a line's end": ('"t"', '"t', "unclosed-string", '"t'),
    "a key without its last quotation mark": ('"z":', '"z:', "unclosed-string", '"z'),
    "a key without its first quotation mark": ('"z":', 'z":', "unclosed-string", 'z"'),
    "a key in a line without its last quotation mark": ('"target":', '"target:', "unclosed-string", '"target'),
    "a quotation mark too many": ('"t"', '"t""', "unescaped-quote", '"'),
    "a slip before a key": ('"next": {', '/"next": {', "unexpected", "/"),
    "a comma is missing": ('"x": 1,', '"x": 1', "missing-comma", ""),
    "a comma too many": ('"x": 1,', '"x": 1,,', "unexpected", ","),
    "a comma before the first": ('"x": 1,', ', "x": 1,', "unexpected", ","),
    "a comma after the last": ("[1, 2]", "[1, 2],", "trailing-comma", ","),
    "a semicolon for a comma": ('"x": 1,', '"x": 1;', "unexpected", ";"),
    "a colon for a comma": ('"x": 1,', '"x": 1:', "unexpected", ":"),
    "an equals sign for a colon": ('"x": 1', '"x" = 1', "missing-colon", "="),
    "a semicolon for a colon": ('"x": 1', '"x"; 1', "missing-colon", ";"),
    "no colon": ('"b": {', '"b" {', "missing-colon", ""),
    "a comment": ('"x": 1,', '"x": 1, // it\'s "x"', "comment", '// it\'s "x"'),
    "comments that follow each other": ('"x": 1,', '# one\n # two\n "x": 1,', "comment", "# one\n # two"),
    "a comment that never ends": ('"x": 1,', '"x": 1, /* one', "comment", "/* one"),
    "a no-break space": ('"x": 1', '"x":\u00a01', "odd-blank", "\u00a0"),
    "a control character outside strings": ('"x": 1', '"x": \x001', "unexpected", "\x00"),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_one_slip_is_one_problem_and_the_tree_is_whole(name: str) -> None:
    old, new, kind, pointed_at = SLIPS[name]
    assert FLOW.count(old) == 1
    text = FLOW.replace(old, new)
    tree = read(text)
    assert kinds_of(tree) == [kind]
    (problem,) = tree.problems
    assert text[problem.start : problem.end] == pointed_at
    assert FLOW.index(old) - 1 <= problem.start <= FLOW.index(old) + len(new) + 12
    assert tree.root is not None
    assert tree.root.value == FLOW_VALUE


@pytest.mark.parametrize("end", range(1, len(FLOW) - 2))
def test_a_file_cut_off_anywhere_is_one_problem(end: int) -> None:
    tree = read(FLOW[:end])
    assert len(tree.problems) == 1
    assert tree.problems[0].kind in ("unclosed-object", "unclosed-array")
    assert tree.root is not None
    if end > FLOW.index("},"):
        assert tree.root.value["steps"]["a"] == FLOW_VALUE["steps"]["a"]  # type: ignore[index]


def test_no_value_is_reported_missing() -> None:
    for text in (
        '{"a": , "b": 1}',
        '{"a":\n"b": 1}',
        '{"a", "b": 1}',
        '{"a"\n"b": 1}',
        '{"b": 1, "a":}',
        '{"b": 1, "a"}',
    ):
        tree = read(text)
        assert kinds_of(tree) == ["missing-value"], text
        assert tree.problems[0].detail == "a"
        assert tree.at("/a").kind == "missing"  # type: ignore[union-attr]
        assert tree.at("/b").value == 1  # type: ignore[union-attr]


def test_a_conflict_is_one_problem_and_its_first_side_counts() -> None:
    text = '{\n"x": [\n<<<<<<< HEAD\n1,\n||||||| base\n9,\n=======\n2,\n{\n>>>>>>> theirs\n3]\n}'
    tree = read(text)
    assert kinds_of(tree) == ["merge-conflict"]
    assert tree.root is not None
    assert tree.root.value == {"x": [1, 3]}
    (problem,) = tree.problems
    assert text[problem.start : problem.end].splitlines()[0] == "<<<<<<< HEAD"
    assert text[problem.start : problem.end].splitlines()[-1] == ">>>>>>> theirs"


def test_two_conflicts_are_two_problems() -> None:
    side = "<<<<<<< a\n{0}\n=======\n{0}\n>>>>>>> b\n"
    tree = read("{\n" + side.format('"a": 1,') + side.format('"b": 2') + "}")
    assert kinds_of(tree) == ["merge-conflict"] * 2
    assert tree.root is not None
    assert tree.root.value == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "say "yes" now"}', 'say "yes" now'),
        ('{"a": "he said "yes""}', 'he said "yes"'),
        ("{\"a\": 'it\\'s'}", "it's"),
        ("{\"a\": 'don't'}", "don't"),
        ("{\"a\": 'say \"x\"'}", 'say "x"'),
        (r'{"a": "C:\Users\dir"}', r"C:\Users\dir"),
        (r'{"a": "\u12 \ud83d\ude00"}', r"\u12 😀"),
        ('{"a": "one\ntwo"}', "one\ntwo"),
        ('{"a": "one\r\n\r\ntwo, three"\n}', "one\r\n\r\ntwo, three"),
        ('{"a": "Use {uv-x}\n}', "Use {uv-x}"),
        ('{"a": True}', True),
        ('{"a": None}', None),
        ('{"a": {c1}/f_{edition}.md",\n "b": 1}', "{c1}/f_{edition}.md"),
        ('{"a": http://x.y/z}', "http://x.y/z"),
        ('{"a": two words}', "two words"),
        ('{"a": 0x1F}', 31),
        ('{"a": +1.50}', 1.5),
        ('{"a": .5}', 0.5),
        ('{"a": 1_000}', 1000),
    ],
)  # fmt: skip
def test_the_value_behind_the_mistake_is_what_was_meant(text: str, value: object) -> None:
    tree = read(text)
    assert len(tree.problems) == 1, tree.problems
    assert tree.root is not None
    assert tree.root.value["a"] == value


@pytest.mark.parametrize(
    "text",
    [
        "return {0};",
        "Here it is:\n```json\n{0}\n```",
        "{0} }}",
        "{0},",
        "const x = {0}",
        "module.exports = {0};",
        "{0}{0}",
    ],
)
def test_a_value_among_other_text_is_found(text: str) -> None:
    tree = read(text.format('{"a": 1}'))
    assert 1 <= len(tree.problems) <= 2
    assert tree.root is not None
    assert tree.root.value == {"a": 1}


@pytest.mark.parametrize("text", ["hello", "# Title\nSome text", "x 1", '?? "a"', "-", "a: 1", "NaN", "'a'"])
def test_what_looks_like_a_value_is_one(text: str) -> None:
    assert read(text).root is not None


@pytest.mark.parametrize("text", ["", " \n", "// only a note\n", "\ufeff", "}", "=======\n"])
def test_where_nothing_looks_like_a_value_there_is_none(text: str) -> None:
    tree = read(text)
    assert tree.root is None
    assert tree.problems


def _layouts() -> dict[str, str]:
    airy = registry_text(25, seed=1)
    in_lines = re.sub(r"\{\s+(\"target\": [^{}]*?)\s+\}", r"{ \1 }", airy)
    in_lines = re.sub(r"\[\s+([^\[\]]*?)\s+\]", lambda found: "[" + " ".join(found[1].split()) + "]", in_lines)
    return {
        "airy": airy,
        "tabs": registry_text(25, seed=1, indent="\t"),
        "in lines": in_lines,
        "minified": registry_text(25, seed=1, indent=None),
    }


BRACKETS = {"unclosed-array", "unclosed-object", "unopened-object", "wrong-bracket"}  # nothing shows where, in one line


@pytest.mark.parametrize("layout", _layouts())
def test_as_many_problems_as_mistakes(layout: str, full: bool) -> None:
    """Of files with up to one mistake of each kind, at least 95 % have as many problems, give or take one.

    40 files of each layout; --full: 250.
    """
    files = 250 if full else 40
    text = _layouts()[layout]
    usable = sorted(set(MISTAKES) - (BRACKETS | {"merge-conflict"} if layout == "minified" else set()))
    close = exact = whole = 0
    for seed in range(files):
        chance = Chance(seed)
        kinds = chance.sample(usable, 1 + chance.below(len(usable)))
        tree = read(with_mistakes(text, kinds, seed))
        close += abs(len(tree.problems) - len(kinds)) <= 1
        exact += Counter(kinds_of(tree)) == Counter(kinds)
        steps = tree.at("/steps")
        whole += steps is not None and len(steps.members()) == 25
    assert close >= 0.95 * files
    assert exact >= 0.9 * files
    assert whole >= 0.9 * files


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_alone_is_one_problem(kind: str) -> None:
    text = registry_text(10, seed=2)
    for seed in range(20):
        assert kinds_of(read(with_mistakes(text, [kind], seed))) == [kind], seed


def test_what_is_behind_a_mistake_is_still_exact() -> None:
    text = registry_text(30, seed=3)
    broken = with_mistakes(text, ["unclosed-object", "missing-comma", "merge-conflict", "single-quotes"], seed=5)
    sound = {pointer: text[node.start : node.end] for pointer, node in read(text).root.walk()}  # type: ignore[union-attr]
    found = {pointer: broken[node.start : node.end] for pointer, node in read(broken).root.walk()}  # type: ignore[union-attr]
    assert set(found) == set(sound)
    assert sum(found[pointer] != sound[pointer] for pointer in sound) <= 20  # the mistakes and what holds them


def check_tree(tree: JsonTree) -> None:
    length = len(tree.source.text)
    assert list(tree.problems) == sorted(tree.problems, key=lambda problem: (problem.start, problem.end))
    for problem in tree.problems:
        assert isinstance(problem, SyntaxProblem)
        assert problem.kind in KINDS
        assert 0 <= problem.start <= problem.end <= length
    if tree.root is None:
        return
    for node in tree.root.nodes():
        assert 0 <= node.start <= node.end <= length
        inside = [member.value for member in node.members()] or node.items()
        for before, after in pairwise(inside):
            assert before.end <= after.start
        if isinstance(node.value, list):
            assert len(node.items()) == len(node.value)
        if isinstance(node.value, dict):
            assert {member.key for member in node.members()} == set(node.value)


@given(st.text(alphabet="{}[]:,\"'\\/*#<>=|tn10-.eE \n\r\t“”：次a_", max_size=60))
@example('{"a:"b')
@example("[<<<<<<< a\n]")
@example("\n<<<<<<< a\n=======\n")
def test_any_text_is_read(text: str) -> None:
    check_tree(read(text))


@given(st.data())
def test_a_registry_with_anything_cut_doubled_or_put_in_is_read(data: st.DataObject) -> None:
    text = FLOW
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        middle = data.draw(
            st.sampled_from(["", text[start:end] * 2, "{", "}", '"', "'", "[", "]", ",", ":", "\n", "x", "//"])
        )
        text = text[:start] + middle + text[end:]
    check_tree(read(text))


@pytest.mark.parametrize(
    "piece",
    ['{"a": "x', "'", '"', "“", "/* ", "// \n", "<<<<<<< a\n", "=======\n", '"a":"b"c"', "“:", '"a:b"c', "[}", "{]",
     "{[},", '{"a":\n', "[{},", '}{"a":[', '"x\n', "\\", "x y ", "-", ",", ":"],
)  # fmt: skip
def test_growth_is_linear(piece: str) -> None:
    """Ten times the text takes about ten times as long, whatever it is made of; quadratic would be a hundred times.

    Time of this process, so a busy machine doesn't count, and the best of a few.
    """
    from time import process_time

    def seconds(count: int) -> float:
        text = piece * count
        start = process_time()
        read(text)
        return process_time() - start

    small = min(seconds(2_000) for _ in range(3))
    limit = 50 * small + 0.05
    assert any(seconds(20_000) < limit for _ in range(3))

"""Expressions match what they match in Python's own engine, and no expression takes more steps than its limit."""

import inspect
import random
import re
import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.project.finding.globs import compile_glob
from stepflow_gui.text.expressions.matching import MOST_STEPS, RegularExpression, compiled
from stepflow_gui.text.expressions.parsing import RefusedError, parse
from stepflow_gui.text.expressions.program import ExpressionProgram, LookAutomaton, program_of
from stepflow_gui.text.expressions.syntax import MOST_PARTS, TooLargeError
from tests.text.expressions.hostile_patterns import LONGEST, LONGEST_GLOB, TEXTS, hostile_expressions

ATOMS = ("a", "b", "ab", ".", "[ab]", "[^a]", r"\d", r"\W", "^", "$", r"\b", "(?:a|b)", "(?:ab?|)", "(?=a)", "(?!ab)",
         "(?<=b)", "(?<!a)", "(?=a(?!b))", "(?<=a.)", "-")  # fmt: skip
COUNTS = ("", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?")


def is_in(pattern: str, text: str) -> bool | None:
    made = compiled(pattern)
    assert made is not None
    return made.is_in(text)


@st.composite
def patterns(draw: st.DrawFn) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 5))):
        atom = draw(st.sampled_from(ATOMS))
        may_repeat = atom[0] not in "^$" and atom != r"\b" and not atom.startswith(("(?=", "(?!", "(?<"))
        count = draw(st.sampled_from(COUNTS)) if may_repeat and (len(atom) == 1 or atom[0] in "[\\(") else ""
        parts.append(atom + count)
    inner = "".join(parts)
    return draw(st.sampled_from([inner, f"(?:{inner})+", f"{inner}|b-", f"^{inner}$", f"(?={inner})."]))


@given(patterns(), st.text("ab-1", max_size=8))
def test_the_same_is_found_as_by_another_engine(pattern: str, text: str) -> None:
    """What is written the same for Python, which reads `$` otherwise before a line's end only."""
    assert is_in(pattern, text) is (re.search(pattern, text, re.ASCII) is not None)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"\1(a)", "a", None),  # a back-reference takes no bounded time
        (r"(?<word>ab)\k<word>", "abab", None),
        (r"\1", "\x01", True),  # no such group: an octal escape
        (r"\08", "\x008", True),
        (r"[\1]", "\x01", True),
        (r"\c", "\\c", True),
        (r"\k<a>", "k<a>", True),
        (r"[\w-a]", "-", True),
        (r"[a-]", "-", True),
        (r"[^\D]", "5", True),
        (r"(?m:^b$)", "a\nb\nc", True),
        (r"^b$", "a\nb\nc", False),
        (r"(?s:a.b)", "a\nb", True),
        (r"(?i:[^k])", "K", False),
        (r"(?i:k)", "\u212a", False),  # the Kelvin sign
        (r"(?i:é)", "É", True),
        (r"(?i:a(?-i:b))", "AB", False),
        (r"\B", "", True),
        (r"(?=a)*b", "b", True),
        (r"(?:^)+a", "a", True),  # a group may repeat, whatever is in it
        (r"(\b)*a", "a", True),
        (r"((?<=a))+b", "ab", True),
        (r"(?<=^a{3})b", "aaab", True),
        (r"^(?!.*\.\.)[a-z.]+$", "a.b..c", False),
        (r"^(?!.*\.\.)[a-z.]+$", "a.b.c", True),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "Passw0rd", True),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "Password", False),
        ("😀{2}", "😀😀", True),
        ("", "", True),
        ("a||b", "", True),
        ("^.{1,5000}$", "x" * 3000, True),
        ("^.{1,5000}$", "x" * 5001, False),
    ],
)
def test_odd_expressions(pattern: str, text: str, expected: bool | None) -> None:
    assert is_in(pattern, text) is expected


@pytest.mark.parametrize("pattern", ["a{2,1}", "[z-a]", "(?<a>x)(?<a>y)", "^*", r"\b+", "(?<=a)*", "{1}", "(?<1>a)"])
def test_more_that_javascript_refuses(pattern: str) -> None:
    assert compiled(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    ["(" * 100_000, "(" * 5000 + ")" * 5000, "(?:a{0,1000}){0,1000}", "(?:){1000000000}", "a{1000000000}", "a" * 10_001,
     "".join(f"(?={char})" for char in "abcdefghijklmnopqrs"), "((a*)*)*" * 5000],
)  # fmt: skip
def test_what_is_too_large_is_not_checked(pattern: str) -> None:
    made = compiled(pattern)
    assert isinstance(made, RegularExpression)
    assert made.is_in("aaaa") is None


@pytest.mark.parametrize(
    "pattern",
    ["^(a+)+$", "(a|aa)+$", "(a|a)*b", "(.*)*x", "(a?){30}a{30}$", "(?=(a+)+$)b", r"(\w+\s?)*$x"],
)
def test_known_traps_are_reported_at_once(pattern: str) -> None:
    made = compiled(pattern)
    assert made is not None
    text = "a" * 10_000 + "!"
    assert made.is_in(text) is False
    assert made.steps <= 10_000


@pytest.mark.slow
def test_hostile_expressions_stay_below_the_limit(full: bool) -> None:
    """2,000 of them; --full: 10,000."""
    count = 10_000 if full else 2_000
    dice = random.Random(5)
    texts = ("a" * 200 + "!", "ab" * 100, "", "a b " * 60, "\n" * 90, "aA1_é" * 40)
    told = 0
    for number in range(count):
        made = compiled(hostile(dice))
        if made is None:
            continue
        told += made.is_in(texts[number % len(texts)]) is not None
        assert made.steps <= MOST_STEPS + 10_000  # the step that goes beyond is one look at the states there are
    assert told > count * 0.9


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_ten_thousand_hostile_expressions_are_refused_or_stay_small(full: bool) -> None:
    """400; --full: 10,000, of each kind that `benchmarks` times: bounded in parts when built, in steps when run."""
    for number, (kind, pattern) in enumerate(hostile_expressions(10_000 if full else 400)):
        program = built(pattern)
        if program is not None and number % 9 == 0:
            made = RegularExpression(program)
            made.is_in(TEXTS[number // 9 % len(TEXTS)])
            assert made.steps <= MOST_STEPS + 2 * MOST_PARTS, (kind, pattern)


def built(pattern: str) -> ExpressionProgram | None:
    if len(pattern) > LONGEST:
        assert is_in(pattern, "a") is None
        return None
    try:
        program = program_of(parse(pattern))
    except (RefusedError, TooLargeError):
        return None
    looks = [each.machine for each in program.questions if isinstance(each, LookAutomaton)]
    assert sum(len(each.states) for each in (program.machine, *looks)) <= 2 * MOST_PARTS
    return program


@pytest.mark.parametrize(
    "pattern", ["(a)" * 3000 + r"\1", "(?:[^a]{0,99}){0,99}", "(?:" + "(?=a)" * 16 + "){600}", "(?:a|b|c){3000}"]
)
def test_what_is_too_large_ends_early(pattern: str) -> None:
    assert is_in(pattern, "a") is None


@pytest.mark.parametrize("depth", [1, 26, 99])
def test_neither_reading_nor_building_calls_itself(depth: int) -> None:
    """Where calls nest deeply, Python may ask the system for memory at each of them: that made it ten times as slow."""
    deepest = 0

    def look(frame: FrameType, event: str, _given: object) -> None:
        nonlocal deepest
        if event == "call":
            at, count = frame, 0
            while at.f_back is not None:
                at, count = at.f_back, count + 1
            deepest = max(deepest, count)

    here = len(inspect.stack(0))
    sys.setprofile(look)
    try:
        program_of(parse("(" * depth + "a?b|c" + ")*" * depth))
    finally:
        sys.setprofile(None)
    assert deepest - here <= 10


def hostile(dice: random.Random, depth: int = 0) -> str:
    choices = ("a", "a?", ".*", "a+", r"\w*", "[^b]", "(?=a*)", "(?<!b*)", "^", "$", r"\b")
    parts = [dice.choice(choices) for _ in range(dice.randint(1, 4))]
    if depth < 2:
        inner = hostile(dice, depth + 1)
        nested = (f"({inner})*", f"({inner}|{inner})+", f"(?:{inner}){{0,9}}", f"({inner})?", f"(?!{inner})")
        parts.append(dice.choice(nested))
    return "".join(parts)


def test_globs_that_take_long_to_compile_are_no_patterns() -> None:
    assert compile_glob("*a/" * (LONGEST_GLOB // 3)) is not None
    assert compile_glob("*a/" * (LONGEST_GLOB // 3 + 1)) is None

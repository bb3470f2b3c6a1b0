"""Patterns of paths: what they fit, as git has it, and at what cost."""

import random
import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.project.finding.globs import compile_glob

PIECES = ("a", "b", "*", "**", "/", "?", "[ab]", "**/", "/**", "[!a]", "\\a", "[^b-d]", "***")


def fits(glob: str, path: str) -> bool:
    pattern = compile_glob(glob)
    return pattern is not None and pattern.fullmatch(path) is not None


def should_fit(glob: str, path: str) -> bool:
    """The meaning, tried out part by part."""
    return _parts_fit(glob.split("/"), path.split("/"))


def _parts_fit(globs: list[str], parts: list[str]) -> bool:
    if not globs:
        return not parts
    if re.fullmatch(r"\*\*+", globs[0]):
        if len(globs) == 1:
            return bool(parts)
        return any(_parts_fit(globs[1:], parts[start:]) for start in range(len(parts) + 1))
    return bool(parts) and _name_fits(globs[0], parts[0]) and _parts_fit(globs[1:], parts[1:])


def _name_fits(glob: str, name: str) -> bool:
    if not glob:
        return not name
    if glob[0] == "*":
        return _name_fits(glob[1:], name) or (name != "" and _name_fits(glob, name[1:]))
    found = re.match(r"\[([!^]?)([^\]]+)\]|\\(.)|(.)", glob)
    assert found is not None
    if found[2]:
        one = (re.fullmatch(f"[{found[2]}]", name[:1]) is not None) != bool(found[1])
    else:
        one = name[:1] == (found[3] or found[4]) or found[0] == "?"
    return name != "" and one and _name_fits(glob[found.end() :], name[1:])


@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join),
    st.lists(st.text("abcd", min_size=1, max_size=4), min_size=1, max_size=5).map("/".join),
)
def test_patterns_fit_what_they_mean(glob: str, path: str) -> None:
    assert fits(glob, path) is should_fit(glob, path)


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("a/**", "a", False),
        ("a/**", "a/b/c", True),
        ("**", "a/b", True),
        ("a/**/b", "a/b", True),
        ("a**b", "a/b", False),
        ("[a/]b", "/b", False),
        ("a[&&]b", "a&b", True),
        ("a[--9]b", "a.b", True),
        ("[z-a]", "z", False),
        ("a.b", "axb", False),
        ("é*", "école", True),
    ],
)
def test_odd_patterns(glob: str, path: str, expected: bool) -> None:
    assert fits(glob, path) is expected


def test_hostile_patterns_cost_what_a_plain_one_does(full: bool) -> None:
    """Time of this process against that of a pattern of the same size without a choice, a hundred times over.

    Of 2,000 patterns; --full: of 10,000.
    """
    dice = random.Random(7)
    texts = ("a", "a" * 250, "/".join(["a" * 20] * 12), "/".join(["ab"] * 80), "a" * 249 + "c", "a/" * 120 + "c")
    patterns = [hostile(dice) for _ in range(10_000 if full else 2_000)]

    def slowest(globs: list[str]) -> float:
        worst = 0.0
        for number, glob in enumerate(globs):
            pattern = compile_glob(glob)
            start = process_time()
            if pattern is not None:
                pattern.fullmatch(texts[number % len(texts)])
            worst = max(worst, process_time() - start)
        return worst

    quadratic = re.compile("(?:a*?b|a)*c")  # of each character the rest of the text is looked at
    start = process_time()
    for _ in range(100):
        quadratic.fullmatch("a" * 250)
    assert slowest(patterns) <= process_time() - start


def hostile(dice: random.Random) -> str:
    choices = ("*a", "**/", "a*", "?*", "[ab]*", "*/", "*a*", "**/a/", "*?a", "[!b]*a")
    piece = "".join(dice.choice(choices) for _ in range(dice.randint(1, 4)))
    return piece * dice.randint(1, 30) + dice.choice(("b", "", "/b", "*", "/**", "c"))


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("[a--b]", "b", True),
        ("[+--]", ",", True),
        ("[--a]", "Z", True),
        ("[a&&b]", "&", True),
        ("[a||b]", "|", True),
        ("[a~~b]", "~", True),
        ("[[a]", "[", True),
        ("[a-]", "-", True),
        ("[z-a]", "b", False),
    ],
)
@pytest.mark.filterwarnings("error")
def test_sets_are_those_of_git_and_python_warns_of_none(glob: str, path: str, expected: bool) -> None:
    pattern = compile_glob(glob)
    assert bool(pattern and pattern.fullmatch(path)) == expected

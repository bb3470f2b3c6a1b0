"""How long hostile regular expressions and globs keep who builds and matches them busy."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from time import process_time

import pytest

from stepflow_gui.project.finding.globs import compile_glob
from stepflow_gui.text.expressions.matching import compiled
from tests.text.expressions.hostile_patterns import PATHS, TEXTS, hostile_expressions, hostile_globs

COUNT = 10_000
LIMIT = 0.05  # seconds of the processor for one pattern, built and matched


def _match_expression(pattern: str, number: int) -> None:
    made = compiled.__wrapped__(pattern)
    if made is not None:
        made.is_in(TEXTS[number // 13 % len(TEXTS)])


def _match_glob(pattern: str, number: int) -> None:
    made = compile_glob(pattern)
    if made is not None:
        made.fullmatch(PATHS[number // 4 % len(PATHS)])


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize(
    ("patterns", "match"), [(hostile_expressions, _match_expression), (hostile_globs, _match_glob)], ids=["re", "globs"]
)
def test_ten_thousand_hostile_patterns(
    patterns: Callable[[int], Iterator[tuple[str, str]]], match: Callable[[str, int], None]
) -> None:
    """50 ms each at most, in the processor's time; the longest of a kind is printed. What is over it is tried again."""
    longest: dict[str, float] = defaultdict(float)
    for number, (kind, pattern) in enumerate(patterns(COUNT)):
        taken = _time(match, pattern, number)
        if taken > LIMIT:
            taken = min(taken, _time(match, pattern, number), _time(match, pattern, number))
        longest[kind] = max(longest[kind], taken)
    sys.stdout.writelines(f"{kind:25} {taken * 1000:6.1f} ms\n" for kind, taken in longest.items())
    assert max(longest.values()) <= LIMIT


def _time(match: Callable[[str, int], None], pattern: str, number: int) -> float:
    began = process_time()
    match(pattern, number)
    return process_time() - began

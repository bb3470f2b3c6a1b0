"""One mistake brings one finding, whose fix takes it back, and no fix leaves another flow behind silently."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .kinds import KINDS
from .measuring import Outcome, figures, outcomes, table
from .mistakes import Kind
from .originals import Original, of_corpus, of_shapes, of_templates
from .placing import by_shape, placements, placing_table

RESTORED = 0.9
AT_THEIR_LINE, ENOUGH = 0.98, 50  # of the cases of each shape that has so many
MEAN, MOST = 0.3, 3


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Original]:
    return list(of_templates(tmp_path_factory.mktemp("templates")))


PARTS = 8
"""Of the sweep over real agents, so that each ends within its time: all take some hours."""


def judged(found: Iterator[Outcome]) -> list[Outcome]:
    """The outcomes, with their figures in what the test prints."""
    outcome = list(found)
    sys.stdout.write(table(figures(outcome)) + "\n")  # to be seen with -s
    return outcome


def check(found: list[Outcome]) -> None:
    spelling = [each for each in found if each.mistake.kind.spelling]
    assert sum(each.restored for each in spelling) >= RESTORED * len(spelling)
    assert sum(each.further for each in found) <= MEAN * len(found)
    assert [str(each) for each in found if each.further > MOST] == []
    assert [str(each) for each in found if each.harmed] == []
    assert [row for row in figures(found) if row.kind.name.endswith("step copied") and row.mean > MEAN] == []


def test_there_are_many_kinds() -> None:
    assert sum(kind.spelling for kind in KINDS) >= 40
    assert len({kind.name + kind.file for kind in KINDS}) == len(KINDS)


def test_mistakes_in_new_agents(made: list[Original], full: bool) -> None:
    """One kind in eight in each; --full: all of them."""
    check(judged(each for number, original in enumerate(made) for each in outcomes([original], 1, _some(number, full))))


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("part", range(PARTS))
def test_mistakes_in_real_agents(part: int, corpus: Path, tmp_path: Path, full: bool) -> None:
    """One kind in eight in one agent in 16; --full: all of them in each."""
    if part and not full:
        pytest.skip("the sample is in the first part")
    real = enumerate(of_corpus(corpus, tmp_path, PARTS if full else 16, part))
    check(judged(each for number, original in real for each in outcomes([original], 1, _some(number, full))))


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_mistakes_are_found_at_their_line_in_every_shape(corpus: Path, tmp_path: Path, full: bool) -> None:
    """Some kinds in two registries of each shape; --full: all kinds in each registry.

    Not those that write a word of a step otherwise in all steps: the file agrees with itself then; nor copies of steps,
    of which the line is new.
    """
    real = enumerate(of_shapes(corpus, tmp_path, None if full else 2))
    kinds = [kind for kind in KINDS if not kind.name.endswith((" in all steps", "step copied"))]
    placed = [each for number, one in real for each in placements(one, 1, kinds if full else kinds[number % 4 :: 4])]
    sys.stdout.write(placing_table(placed) + "\n")  # to be seen with -s
    shapes = by_shape(placed)
    assert len(shapes) > 8
    groups = [*shapes.values(), [each for group in shapes.values() for each in group]]
    for group in groups:
        missed = [str(each) for each in group if each.where != "at its line"]
        assert len(group) < ENOUGH or len(missed) <= (1 - AT_THEIR_LINE) * len(group), missed


def _some(number: int, full: bool) -> tuple[Kind, ...]:
    return KINDS if full else KINDS[number % 8 :: 8]

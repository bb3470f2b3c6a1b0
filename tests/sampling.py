"""What a usual run leaves to --full, examples of properties and combinations of parameters; and what it begins with."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import settings

USUAL = 100
"""How many examples hypothesis takes by default."""

TURNS = "takes_turns"
"""The marker: `@pytest.mark.takes_turns("language")`."""

Test = TypeVar("Test", bound=pytest.Item)


def examples(count: int) -> int:
    """`count` examples with --full; in other runs as many as the profile in use has to the usual ones."""
    usual = settings.default.max_examples if settings.default is not None else USUAL
    return max(1, count * usual // USUAL)


def in_turns(tests: Sequence[Test]) -> tuple[list[Test], list[Test]]:
    """The tests of a usual run and the others.

    Where a marker names a parameter that takes turns, each combination of the other parameters has one of its values:
    the first has the first, the second the second, and so on. So all values of each parameter are tried.
    """
    rows: dict[object, dict[object, Test]] = {}
    for test in tests:
        row, value = _row_of(test)
        rows.setdefault(row, {})[value] = test
    numbers: Counter[object] = Counter()
    taken: set[Test] = set()
    for row, values in rows.items():
        of_function = row[0] if isinstance(row, tuple) else row
        taken.add(list(values.values())[numbers[of_function] % len(values)])
        numbers[of_function] += 1
    return [test for test in tests if test in taken], [test for test in tests if test not in taken]


def long_first(tests: Sequence[Test]) -> list[Test]:
    """The tests by files, first those in which one takes seconds: at the end it would keep one worker and no other."""
    long = {test.path for test in tests if test.get_closest_marker("slow") is not None}
    return sorted(tests, key=lambda test: test.path not in long)


def _row_of(test: pytest.Item) -> tuple[object, object]:
    """What a test has in common with those that it takes turns with, and which of them it is."""
    marker = test.get_closest_marker(TURNS)
    if marker is None or not isinstance(test, pytest.Function) or not hasattr(test, "callspec"):
        return test.nodeid, None
    values = {name: repr(value) for name, value in test.callspec.params.items()}
    turn = tuple(values.pop(name) for name in marker.args)
    return ((test.path, test.originalname), tuple(values.items())), turn

"""Sampling: each value of each parameter is tried in a usual run, and everything with --full."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sampling import in_turns, long_first

Collected = Callable[..., list[pytest.Item]]

SWEEP = """
import pytest

@pytest.mark.takes_turns("language")
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("view", ["a", "b", "c"])
def test_view(view, language): ...

@pytest.mark.parametrize("language", ["en", "ja"])
def test_other(language): ...

@pytest.mark.takes_turns("shell")
def test_shell(shell): ...

@pytest.fixture(params=["en", "ja"])
def shell(request): ...
"""


@pytest.fixture
def collected(request: pytest.FixtureRequest, tmp_path: Path) -> Collected:
    """The tests of a module of that text."""

    def collected(text: str, name: str = "test_sweep.py") -> list[pytest.Item]:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return list(request.session.genitems(pytest.Module.from_parent(request.session, path=file)))

    return collected


def test_parameters_take_turns(collected: Collected) -> None:
    taken, left = in_turns(collected(SWEEP))
    assert [test.name for test in taken] == [
        *("test_view[a-en]", "test_view[b-ja]", "test_view[c-en]"),
        *("test_other[en]", "test_other[ja]", "test_shell[en]"),
    ]
    assert [test.name for test in left] == ["test_view[a-ja]", "test_view[b-en]", "test_view[c-ja]", "test_shell[ja]"]


def test_a_test_picked_by_name_is_taken_whatever_its_turn(collected: Collected) -> None:
    items = collected(SWEEP)
    assert in_turns(items[1:2]) == (items[1:2], [])


LONG = """
import pytest

def test_short(): ...

@pytest.mark.slow
def test_long(): ...
"""


def test_files_with_a_long_test_come_first(collected: Collected) -> None:
    short, long = collected(SWEEP), collected(LONG, "test_long.py")
    assert long_first([*short, *long]) == [*long, *short]

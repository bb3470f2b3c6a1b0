"""How long reading JSON with spans takes, as a multiple of `json.loads` on the same text in the same run."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.generate import registry_text
from benchmarks.memory import peak_of_reading
from benchmarks.mistakes import MISTAKES, with_mistakes
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree
from stepflow_gui.text.source import Source

SIZES = {"iterator": 40, "1,000 steps": 10, "10,000 steps": 3}  # with how often json.loads is timed

pytestmark = pytest.mark.benchmark(min_rounds=3, max_time=0.5)
TWENTY = sorted(MISTAKES)[:20]


@pytest.fixture(scope="module")
def texts(iterator_text: str) -> dict[str, str]:
    """The texts by size."""
    return {"iterator": iterator_text, "1,000 steps": registry_text(1000), "10,000 steps": registry_text(10_000)}


def read(text: str) -> JsonTree:
    """Read, every span to be had for the asking."""
    return read_json(Source(text))


def read_steps(text: str) -> int:
    """Read and take the span of every step, of each of its members and of their keys."""
    steps = read(text).at("/steps")
    assert steps is not None
    return sum(len(member.value.members()) for member in steps.members())


def read_everything(text: str) -> int:
    """Read and take every span there is."""
    root = read(text).root
    assert root is not None
    return sum(1 for _ in root.nodes())


CASES = [(size, what, 4 if what is read else None) for size in SIZES for what in (read, read_steps, read_everything)]


@pytest.mark.parametrize(
    ("size", "what", "limit"), [case for case in CASES if case[:2] != ("10,000 steps", read_everything)]
)
def test_sound(
    benchmark: BenchmarkFixture,
    texts: dict[str, str],
    size: str,
    what: Callable[[str], object],
    limit: float | None,
) -> None:
    """Sound text."""
    _measure(benchmark, what, texts[size], texts[size], SIZES[size], limit)


@pytest.mark.parametrize("size", ["1,000 steps", "10,000 steps"])
def test_broken(benchmark: BenchmarkFixture, texts: dict[str, str], size: str) -> None:
    """Text with twenty mistakes."""
    broken = with_mistakes(texts[size], TWENTY, seed=1)
    assert len(read(broken).problems) == len(TWENTY)
    _measure(benchmark, read, broken, texts[size], SIZES[size], 40)


@pytest.mark.parametrize("size", ["1,000 steps", "10,000 steps"])
def test_cut_off(benchmark: BenchmarkFixture, texts: dict[str, str], size: str) -> None:
    """Text whose last brackets are missing, so nothing around the steps is sound."""
    _measure(benchmark, read, texts[size].rstrip()[:-8], texts[size], SIZES[size], 40)


def _measure(
    benchmark: BenchmarkFixture,
    what: Callable[[str], object],
    text: str,
    sound: str,
    rounds: int,
    limit: float | None,
) -> None:
    base = min(_seconds(json.loads, sound) for _ in range(rounds))
    times: list[float] = []
    benchmark(lambda: times.append(_seconds(what, text)))
    ratio = min(times) / base
    benchmark.extra_info["times json.loads"] = round(ratio, 2)
    assert limit is None or ratio <= limit


def _seconds(what: Callable[[str], object], text: str) -> float:
    start = perf_counter()
    result = what(text)
    seconds = perf_counter() - start
    del result
    return seconds


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_memory_of_ten_thousand_steps(tmp_path: Path) -> None:
    """The whole process, Python and the text included, stays below 250 MiB at its peak."""
    file = tmp_path / "steps_registry.json"
    file.write_text(registry_text(10_000), "utf-8")
    assert peak_of_reading(file) <= 250

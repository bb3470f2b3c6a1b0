"""How many transitions a second the machine makes, beside libraries for state machines on the same edges."""

import statistics
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.generate import registry_text
from benchmarks.scripted import ours, walk, with_langgraph, with_transitions
from stepflow_gui.formats.read import read_flow
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.session import Run
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

ENTRY = "initial.project.preparation"
LENGTH = 1_000
ROUNDS = 101

pytestmark = pytest.mark.benchmark(min_rounds=5, max_time=0.5)


def interleaved(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The median seconds of each, measured in turn, so a loaded machine slows all alike."""
    times: list[list[float]] = [[] for _work in works]
    for _round in range(rounds):
        for work, seconds in zip(works, times, strict=True):
            began = perf_counter()
            work()
            seconds.append(perf_counter() - began)
    return [statistics.median(seconds) for seconds in times]


def test_as_fast_as_transitions(benchmark: BenchmarkFixture, iterator_text: str) -> None:
    """Gate, route, context and effects at 0.9 times the rate at which `transitions` changes its state, or more."""
    library = pytest.importorskip("transitions", reason="the library transitions isn't installed")
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(iterator_text)))
    way = walk(flow, ENTRY, LENGTH)
    go = ours(way)
    mine, theirs = interleaved(go, with_transitions(way, library))
    benchmark.extra_info |= {"a second": LENGTH / mine, "transitions": LENGTH / theirs, "ratio": theirs / mine}
    benchmark(go)
    assert theirs / mine >= 0.9


def test_twenty_times_as_fast_as_langgraph(benchmark: BenchmarkFixture, iterator_text: str) -> None:
    """The same beside LangGraph, whose walk is shorter, as it takes so long."""
    library = pytest.importorskip("langgraph.graph", reason="the library langgraph isn't installed")
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(iterator_text)))
    way = walk(flow, ENTRY, 500)
    go = ours(way)
    mine, theirs = interleaved(go, with_langgraph(way, library), rounds=5)
    benchmark.extra_info |= {"a second": 500 / mine, "LangGraph": 500 / theirs, "ratio": theirs / mine}
    benchmark(go)
    assert theirs / mine >= 20


@pytest.mark.parametrize("text", ["iterator", "200 steps"])
def test_a_step_and_a_step_back_in_a_long_run(benchmark: BenchmarkFixture, iterator_text: str, text: str) -> None:
    """In a run with 10,000 events behind it: 1 ms at most for a step and for a step back, without painting."""
    content = iterator_text if text == "iterator" else registry_text(200)
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(content)))
    entry = ENTRY if text == "iterator" else next(iter(flow.steps))
    way = walk(flow, entry, 10_100)
    run = Run(flow, machine=way.machine)
    run.start(entry)
    for answer in way.answers[:10_000]:
        run.send(answer)
    forth: list[float] = []
    back: list[float] = []

    def there_and_back(answer: Answered) -> None:
        began = perf_counter()
        run.send(answer)
        middle = perf_counter()
        run.back()
        forth.append(middle - began)
        back.append(perf_counter() - middle)

    benchmark(there_and_back, way.answers[10_000])
    benchmark.extra_info |= {"step ms": statistics.median(forth) * 1e3, "back ms": statistics.median(back) * 1e3}
    assert run.position == 10_001
    assert statistics.median(forth) <= 0.001
    assert statistics.median(back) <= 0.001

"""How long a debugger takes for a step, a step back, a jump in a long run, and comparing two long runs."""

import json
import statistics
from collections.abc import Callable
from pathlib import Path
from time import thread_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from stepflow_gui.formats.read import read_flow
from stepflow_gui.run.debugging.branches import ON
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from stepflow_gui.run.debugging.comparing import compare
from stepflow_gui.run.debugging.debugger import Debugger
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.machine.state import Answered, Effect, Event, State
from stepflow_gui.run.machine.verdict import Verdict
from stepflow_gui.run.session import Run
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source

LENGTH = 10_000
pytestmark = pytest.mark.benchmark(min_rounds=5, max_time=0.5)

NEXT = Answered({"next_action": {"action": "next"}, "issue": 7})


def _step(step_id: str, following: str) -> dict[str, object]:
    gate = {"allowedIntents": ["next"], "intentField": "next_action.action", "handoffFields": ["issue"]}
    return {
        "stepId": step_id,
        "stepKind": "work",
        "structuredGate": gate,
        "transitions": {"next": {"target": following}},
    }


STEPS = {name: _step(name, other) for name, other in (("initial.a", "continuation.b"), ("continuation.b", "initial.a"))}
TEXT = json.dumps({"agentId": "demo", "version": "1.0.0", "c1": "steps", "entryStep": "initial.a", "steps": STEPS})


def long_run() -> Debugger:
    """A run of so many events, with a breakpoint that is never hit."""
    flow = read_flow(ParsedFile.read(Path("steps_registry.json"), Source(TEXT)))
    debugger = Debugger()
    debugger.breakpoints.add(Breakpoint("closure.nowhere"))
    run = Run(flow, Verdict("detect:graph", {"maxIterations": 10 * LENGTH}))
    run.start()
    debugger.open(run)
    left = iter(range(LENGTH))

    def answer(_state: State, _effect: Effect) -> Event | NoAnswer:
        return NoAnswer("ended", "") if next(left, None) is None else NEXT

    debugger.drive(ON, answer)
    return debugger


def median(work: Callable[[], object], rounds: int) -> float:
    """The median seconds of this thread in so many rounds: other programs have their turns as well."""
    times = []
    for _round in range(rounds):
        began = thread_time()
        work()
        times.append(thread_time() - began)
    return statistics.median(times)


def test_step_and_step_back_take_less_than_a_millisecond(benchmark: BenchmarkFixture) -> None:
    """As the window's own part of each, painting aside."""
    debugger = long_run()
    run = debugger.run
    assert run is not None
    assert run.length == LENGTH + 1
    backs: list[float] = []

    def there_and_back() -> None:
        debugger.send(NEXT)
        began = thread_time()
        debugger.back()
        backs.append(thread_time() - began)

    assert median(there_and_back, 200) < 0.001
    assert statistics.median(backs) < 0.001
    benchmark(there_and_back)


def test_any_moment_of_a_long_run_is_reached_within_a_frame(benchmark: BenchmarkFixture) -> None:
    """A jump over all 10,000 events."""
    debugger = long_run()

    def there_and_back() -> None:
        debugger.look_at(1)
        debugger.look_at(LENGTH)

    assert median(there_and_back, 21) / 2 < 0.016
    benchmark(there_and_back)


def test_two_long_runs_are_compared_within_a_tenth_of_a_second(benchmark: BenchmarkFixture) -> None:
    """Runs of 10,000 events that share no states and don't part."""
    one, other = long_run().run, long_run().run
    assert one is not None
    assert other is not None
    assert compare(one, other).same
    assert median(lambda: compare(one, other), 11) < 0.1
    benchmark(compare, one, other)

"""The memory of a long run doesn't grow with its length: the trace goes to the disk, states share what they have."""

import multiprocessing
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.long_run import LongRun, run_long

SHORT, LONG = 2_000, 30_000  # iterations; `python -m benchmarks.long_run` goes on longer


def test_memory_is_bounded(benchmark: BenchmarkFixture) -> None:
    """Fifteen times as many transitions take at most 4 MiB more at the peak."""
    context = multiprocessing.get_context("spawn")

    def measured(iterations: int) -> LongRun:
        with context.Pool(1) as pool:
            return pool.apply(run_long, (iterations,))

    short = measured(SHORT)
    once: Any = benchmark.pedantic
    long = once(measured, args=(LONG,), rounds=1)
    benchmark.extra_info |= {"MiB": long.memory, "MiB short": short.memory, "trace MB": long.trace / 1e6}
    assert long.iterations == LONG
    assert long.memory <= short.memory + 4

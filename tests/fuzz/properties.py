"""The property tests of all rooms with other seeds than theirs: Hypothesis makes the inputs, and makes them small."""

import contextlib
import functools
import io
import random
from pathlib import Path
from time import monotonic

import pytest

_OPTIONS = ("-q", "-m", "hypothesis", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=fuzz")


def run(seed: int, seconds: float) -> int:
    """Run the files, in an order by the seed, until the time is over; gives how many inputs were made."""
    counting = _Counting(monotonic() + seconds)
    tests = Path(__file__).resolve().parents[1]
    files = [file for file in sorted(tests.rglob("test_*.py")) if "from hypothesis import" in file.read_text("utf-8")]
    while True:
        for file in random.Random(seed).sample(files, len(files)):
            with contextlib.redirect_stdout(io.StringIO()):  # what fails is reported once, at the end
                pytest.main([str(file), *_OPTIONS, f"--hypothesis-seed={seed}"], plugins=[counting])
            if counting.failed:
                raise AssertionError("\n".join(counting.failed))
            if monotonic() >= counting.end:
                return counting.inputs
        seed += 1


class _Counting:
    """Counts inputs, keeps what fails, and ends when the time is over."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.inputs = 0
        self._counting: set[object] = set()  # the tests whose inputs are counted already
        self.failed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if monotonic() >= self.end:
            item.session.shouldstop = "the time is over"
            pytest.skip("the time is over")
        handle = getattr(getattr(item, "obj", None), "hypothesis", None)
        inner = getattr(handle, "inner_test", None)
        if handle is not None and inner is not None and inner not in self._counting:
            handle.inner_test = self._counted(inner)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(f"{report.nodeid}\n{report.longreprtext}")

    def _counted(self, inner: object) -> object:
        assert callable(inner)

        @functools.wraps(inner)
        def counted(*arguments: object, **named: object) -> object:
            self.inputs += 1
            return inner(*arguments, **named)

        self._counting.add(counted)
        return counted

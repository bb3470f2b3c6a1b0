"""The property tests of all rooms with other seeds than theirs: Hypothesis makes the inputs, and makes them small."""

import contextlib
import functools
import io
from pathlib import Path
from time import monotonic

import pytest

_ROOMS = ("text", "formats", "flow", "lint", "project", "run", "export", "gui")


def run(seed: int, seconds: float) -> int:
    """Run the tests of a room, which the seed chooses, until the time is over; gives how many inputs were made."""
    counting = _Counting(monotonic() + seconds)
    checkout = Path(__file__).resolve().parents[2]
    while True:
        room = checkout / "tests" / _ROOMS[seed % len(_ROOMS)]
        options = ["-q", "-m", "hypothesis", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--no-summary"]
        with contextlib.redirect_stdout(io.StringIO()):  # what fails is told once, at the end
            options += ["--hypothesis-profile=fuzz", f"--hypothesis-seed={seed}"]
            code = pytest.main([str(room), *options], plugins=[counting])
        if counting.failed:
            raise AssertionError("\n".join(counting.failed))
        assert code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.INTERRUPTED}, code
        if monotonic() >= counting.end:
            return counting.inputs
        seed += 1


class _Counting:
    """Counts inputs, keeps what fails, and ends when the time is over."""

    def __init__(self, end: float) -> None:
        self.end = end
        self.inputs = 0
        self.failed: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if monotonic() >= self.end:
            item.session.shouldstop = "the time is over"
            pytest.skip("the time is over")
        handle = getattr(getattr(item, "obj", None), "hypothesis", None)
        inner = getattr(handle, "inner_test", None)
        if handle is not None and inner is not None and not hasattr(inner, "counted"):
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

        counted.counted = True  # type: ignore[attr-defined]
        return counted

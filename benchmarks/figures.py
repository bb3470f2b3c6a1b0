"""What a run of the benchmarks printed, as a table with machine and date: `pytest benchmarks --figures FILE`."""

import platform
import re
import subprocess
import sys
import time
from collections.abc import Generator
from datetime import UTC, datetime
from os import cpu_count, getloadavg, times
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parent
COMMITTED = HOME / "figures.md"
_COMMIT = re.compile(r"commit `([0-9a-f]{40})`")
_WORDS = {"passed": "met", "failed": "missed", "skipped": "skipped"}


class Figures:
    """A plugin of pytest that writes what each benchmark prints, and whether it keeps its limit."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._began = time.monotonic()
        self._rows: list[str] = []
        self._measured: dict[str, str] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None]:
        """Note the times that pytest-benchmark has taken."""
        yield
        benchmark = getattr(item, "funcargs", {}).get("benchmark")
        if call.when == "call" and benchmark is not None and benchmark.stats:
            stats = benchmark.stats.stats
            more = "".join(f", {name} {_short(value)}" for name, value in benchmark.extra_info.items())
            self._measured[item.nodeid] = f"median {1000 * stats.median:.3g} ms, best {1000 * stats.min:.3g} ms{more}"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the row of a benchmark, once it has run or was skipped."""
        if report.when != "call" and not (report.when == "setup" and report.outcome != "passed"):
            return
        printed = [line.strip() for line in report.capstdout.splitlines() if line.strip()]
        if report.skipped and isinstance(report.longrepr, tuple):
            printed.append(report.longrepr[2].removeprefix("Skipped: "))
        measured = self._measured.get(report.nodeid)
        told = "<br>".join([*printed, *([measured] if measured else [])]).replace("|", "\\|")
        name = report.nodeid.removeprefix("benchmarks/").replace("|", "\\|")
        self._rows.append(f"| `{name}` | {_WORDS[report.outcome]} | {told} |")

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        used = times()
        cpu = used.user + used.system + used.children_user + used.children_system
        load = (
            f"a load of {getloadavg()[0]:.1f}, {cpu:.0f} s of the processor in {time.monotonic() - self._began:.0f} s"
        )
        head = [
            "# Figures",
            "",
            "What the benchmarks printed, by `make bench`. Times are those of this machine; ratios hold on others.",
            "",
            f"{machine()}, {datetime.now(UTC):%Y-%m-%d}, commit `{commit('HEAD')}`, {load}.",
            "",
            "| benchmark | limit | figures |",
            "|---|---|---|",
        ]
        self._file.write_text("\n".join([*head, *self._rows, ""]), "utf-8")


def committed_at() -> str | None:
    """The commit whose figures are committed; None where there are none yet."""
    found = _COMMIT.search(COMMITTED.read_text("utf-8")) if COMMITTED.exists() else None
    return found[1] if found else None


def commit(name: str) -> str:
    """The full id of a commit."""
    command = ["git", "-C", str(HOME), "rev-parse", name]
    return subprocess.run(command, capture_output=True, encoding="ascii", check=True).stdout.strip()


def machine() -> str:
    """The machine, in a line."""
    model = platform.processor() or platform.machine()
    if sys.platform == "linux":
        named = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
        model = named[1] if named else model
    return f"{model}, {cpu_count()} processors, {platform.system()}, Python {platform.python_version()}"


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)

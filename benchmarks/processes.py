"""Whole commands measured beside each other: CPU time and peak memory as the system counts them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest


class Cost(NamedTuple):
    """What a command took: seconds of user and system time together, MiB at the peak."""

    cpu: float
    peak: float


def program(name: str) -> str:
    """A program of this environment; the test is skipped where it isn't installed."""
    found = Path(sys.executable).with_name(name)
    if not found.exists():
        pytest.skip(f"{name} isn't installed: the lock has it")
    return str(found)


def side_by_side(commands: Sequence[Sequence[str]], runs: int, scratch: Path) -> list[Cost]:
    """The medians of each command, run in turn, after a first round that isn't counted.

    Compiled modules are kept as those of installed packages are, whatever the surroundings say.
    """
    surroundings = {**os.environ, "PYTHONPYCACHEPREFIX": str(scratch), "STEPFLOW_LANG": "en"}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    costs: list[list[Cost]] = [[] for _ in commands]
    for _ in range(runs + 1):
        for command, taken in zip(commands, costs, strict=True):
            taken.append(_cost(command, surroundings))
    shutil.rmtree(scratch, ignore_errors=True)
    return [Cost(median(each.cpu for each in taken[1:]), median(each.peak for each in taken[1:])) for taken in costs]


# Starts a command from a small process: a child's peak counts from that of the process it was forked from.
_LAUNCH = """
import os, sys
nothing = os.open(os.devnull, os.O_WRONLY)
to_nothing = [(os.POSIX_SPAWN_DUP2, nothing, 1), (os.POSIX_SPAWN_DUP2, nothing, 2)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=to_nothing)
_, status, used = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def _cost(command: Sequence[str], surroundings: dict[str, str]) -> Cost:
    launched = [sys.executable, "-I", "-S", "-c", _LAUNCH, *command]
    told = subprocess.run(launched, capture_output=True, encoding="ascii", env=surroundings, check=True).stdout
    code, cpu, peak = told.split()
    assert code in {"0", "1"}, f"{command[0]} ended with {code}"
    return Cost(float(cpu), float(peak))

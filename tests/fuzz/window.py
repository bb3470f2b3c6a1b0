"""Gestures in the window while files change on disk behind it: the test of random gestures, by other seeds."""

import os
import random
import subprocess
import sys
from pathlib import Path

from tests.fuzz.cases import Case, Cases
from tests.fuzz.originals import CHECKOUT

_LONGEST = 600.0  # seconds of a case: a window that waits for somebody uses no time of its own
_SHRINK_SECONDS = 150.0
_SHOWN = 6000  # characters of the end of the output
_NOTE = "This plugin does not support"  # of the offscreen platform
_TEST = "tests/gui/test_random_gestures.py"


def draw(chance: random.Random) -> Case:
    """The numbers of gestures, a line each; each is the same whatever comes before it."""
    count = chance.choice((20, 40, 100))
    return Case({"gestures": "".join(f"{number}\n" for number in range(count))}, chance.getrandbits(32))


def check(case: Case, folder: Path) -> None:
    """Make them in a window of a process of its own."""
    gestures = ",".join(case.files.get("gestures", "").split())
    environment = {**os.environ, "STEPFLOW_SEED": str(case.choices), "STEPFLOW_GESTURES": f"{gestures},"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", _TEST]
    command.append(f"--basetemp={folder / 'pytest'}")  # the folder that pytest runs share is tidied up by each
    done = subprocess.run(
        command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, timeout=_LONGEST, check=False
    )
    lines = [line for line in done.stdout.splitlines(keepends=True) if _NOTE not in line]
    assert done.returncode == 0, f"seed {case.choices}, gestures {gestures}\n{''.join(lines)[-_SHOWN:]}"


WINDOW = Cases("window", draw, check, _SHRINK_SECONDS)

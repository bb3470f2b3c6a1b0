"""How much memory a piece of work takes, in a process of its own."""

import multiprocessing
from pathlib import Path

from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.source import Source


def peak_of_reading(file: Path) -> int:
    """MiB at the peak of a new process that reads a registry and takes the spans of each step's members (Linux)."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_read_steps, (file,))


def _read_steps(file: Path) -> int:
    steps = read_json(Source.decode(file.read_bytes())).at("/steps")
    assert steps is not None
    inside = [step.value.members() for step in steps.members()]
    assert inside
    status = Path("/proc/self/status").read_text("ascii").splitlines()  # getrusage would count the parent's peak
    return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))

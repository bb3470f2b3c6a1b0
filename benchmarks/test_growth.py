"""How much longer each task takes of several times the steps, in CPU time of the same run: by an exponent of 1.2."""

import sys
from pathlib import Path

import pytest

from benchmarks.tasks import TASKS, Task

EXPONENT = 1.2
ROUNDS = (3, 1)  # at the smaller size noise weighs more


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_growth(task: Task, tmp_path: Path) -> None:
    """Nothing is looked through again for each step. What seems to be is measured a second time: it may be noise."""
    for attempt in ("first", "second"):
        costs = zip(task.sizes, ROUNDS, strict=True)
        small, large = (task.cost(tmp_path / f"{attempt}-{steps}", steps, rounds) for steps, rounds in costs)
        exponent = task.exponent((small, large))
        if exponent <= EXPONENT:
            break
    sizes = " and ".join(f"{steps:,}" for steps in task.sizes)
    sys.stdout.write(f"\n{task.name}: exponent {exponent:.2f} ({small:.2f} s and {large:.2f} s for {sizes} steps)\n")
    assert exponent <= EXPONENT

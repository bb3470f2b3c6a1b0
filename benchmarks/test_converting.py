"""How much longer a conversion takes of a flow with four times the steps, in CPU time of the same run."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from benchmarks.older_agents import Json, of_checks, of_complete, written
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.project.converting.conversion import convert

SIZES = (75, 300)
LIMIT = 2 * SIZES[1] / SIZES[0]
ROUNDS = 3


@pytest.mark.parametrize("made_of", [of_complete, of_checks])
def test_growth(made_of: Callable[[int], Json], tmp_path: Path) -> None:
    """Four times the steps take at most eight times as long: no text is read again for each step."""
    costs = []
    for steps in SIZES:
        times = []
        for number in range(ROUNDS):
            agent = written(tmp_path / str(steps) / str(number), made_of(steps))
            began = process_time()
            assert not isinstance(convert(agent, "closing"), Refusal)
            times.append(process_time() - began)
        costs.append(min(times))
    told = ", ".join(f"{steps} steps {1000 * cost:.0f} ms" for steps, cost in zip(SIZES, costs, strict=True))
    sys.stdout.write(f"\n{made_of.__name__}: {told}")
    assert costs[1] <= LIMIT * costs[0]

"""The target `differential`: agents by chance, the linter against the runner. As a program it looks at so many of them.

`python -m tests.fuzz.differential.target --agents 20000 --seed 1` prints every contradiction, small, and how often each
claim was held against each runtime.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic, process_time
from typing import NamedTuple

from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.fuzz.cases import Case, Cases, lay_out
from tests.fuzz.differential import sound
from tests.fuzz.differential.claims import CLAIMS
from tests.fuzz.differential.comparing import RUNTIMES, Contradiction, Counts, contradictions
from tests.fuzz.differential.mistaking import make_mistake
from tests.fuzz.shrinking import shrunk

_MISTAKES = (0, 1, 1, 1, 2, 2, 3)
_FORMATS = tuple(RUNTIMES)
_NO_MISTAKE = 1 << 16  # a mark in the choices: whatever is wrong with the agent, the generator made it
_SHRINKING = 8.0  # seconds a contradiction
_MEMORY = Path("/dev/shm")


class ContradictionError(AssertionError):
    """Linter and runner disagree. `names` tell one disagreement from another."""

    def __init__(self, found: Contradiction) -> None:
        super().__init__(str(found))
        self.names = ("contradiction", found.kind)


def draw(chance: random.Random) -> Case:
    """An agent of some format with up to three mistakes, and the runtime that it is linted for, as a number."""
    format_id = chance.choice(_FORMATS)
    files = sound.agent(format_id, chance)
    mistakes = chance.choice(_MISTAKES)
    for _mistake in range(mistakes):
        make_mistake(files, chance)
    runtime = _ALL.index(chance.choice(RUNTIMES[format_id]))
    return Case({name: _text(content) for name, content in files.items()}, runtime | (0 if mistakes else _NO_MISTAKE))


def check(case: Case, folder: Path) -> None:
    """Raise for the first contradiction."""
    for found in found_in(case, folder, Counter()):
        raise ContradictionError(found)


def found_in(case: Case, folder: Path, counts: Counts) -> Iterator[Contradiction]:
    """Every contradiction about the agent of a case."""
    lay_out(case.files, folder)
    agent = open_agent(folder / sound.REGISTRY)
    if isinstance(agent, AgentFolder):
        runtime = _ALL[case.choices & (_NO_MISTAKE - 1)]
        if runtime not in RUNTIMES.get(agent.format or "", _ALL):
            runtime = "guide"  # the mistakes have made another format of it
        yield from contradictions(agent, runtime, counts, is_sound=bool(case.choices & _NO_MISTAKE))


def _text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content, indent=1, ensure_ascii=False)


_ALL = tuple(dict.fromkeys(runtime for runtimes in RUNTIMES.values() for runtime in runtimes))
DIFFERENTIAL = Cases("differential", draw, check)


# As a program


class _Figures(NamedTuple):
    agents: int
    found: Counter[str]
    counts: Counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at the first agents of a seed: 0 without a contradiction, 1 with one."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.differential.target", description=__doc__)
    parser.add_argument("--agents", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="print the table of claims and runtimes as well")
    options = parser.parse_args(arguments)
    began, worked = monotonic(), process_time()
    figures = _looked_at(options.agents, options.seed)
    rate = figures.agents / max(process_time() - worked, 0.001)
    if options.all:
        print(table(figures.counts))
    never = [claim.name for claim in CLAIMS if not any(name == claim.name for name, _era in figures.counts)]
    print(f"never exercised: {', '.join(never) or 'none'}")
    held = sum(figures.counts.values())
    print(f"seed {options.seed}: {figures.agents} agents, {held} claims held against the runner, {rate:.0f} agents/s")
    print(f"{sum(figures.found.values())} contradictions {dict(figures.found) or ''} in {monotonic() - began:.0f} s")
    return 1 if figures.found else 0


def _looked_at(agents: int, seed: int) -> _Figures:
    figures = _Figures(agents, Counter(), Counter())
    for number in range(agents):
        case = DIFFERENTIAL.drawn(seed, number)
        with _folder() as name:
            for found in found_in(case, Path(name), figures.counts):
                figures.found[found.kind] += 1
                if figures.found[found.kind] == 1:
                    print(f"agent {number} of seed {seed}: {_small(case, found)}", flush=True)
    return figures


def _folder() -> "tempfile.TemporaryDirectory[str]":
    inside = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="stepflow-differential-", dir=inside)


def _small(case: Case, wanted: Contradiction) -> str:
    """The contradiction with the smallest files that show it."""
    shown = [wanted]

    def fails(files: "dict[str, str]") -> bool:
        with _folder() as name:
            for found in found_in(Case(files, case.choices), Path(name), Counter()):
                if found.kind == wanted.kind:
                    shown[:] = [found]
                    return True
        return False

    files = shrunk(case.files, lambda trial: fails(dict(trial)), _SHRINKING)
    listed = "".join(f"\n  {name}: {text}" for name, text in files.items())
    return f"{shown[0]}{listed}"


def table(counts: Counts) -> str:
    """How often each claim was held against each runtime."""
    names = list(dict.fromkeys([*(claim.name for claim in CLAIMS), *(name for name, _era in counts)]))
    lines = [f"{'':34}" + "".join(f"{era.removeprefix('climpt-'):>11}" for era in _ALL)]
    rows = (f"{name[:33]:34}" + "".join(f"{counts[name, era] or '-':>11}" for era in _ALL) for name in names)
    return "\n".join([*lines, *rows])


if __name__ == "__main__":
    sys.exit(main())

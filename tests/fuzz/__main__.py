"""`python -m tests.fuzz`: gives each target its share of the time in a process of its own, and reports findings."""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from tests.fuzz.targets import TARGETS
from tests.fuzz.worker import RESULT

_TURN = 60.0  # seconds of a target at most before the others have their turn
_LEAST = 2.0
_PATIENCE = 1000.0  # seconds that a target has beyond its share for making inputs small, before it is ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign: 0 without a fault, 1 with one."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="in all (default 60)")
    parser.add_argument("--seed", type=int, help="default: another one each time")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only this one; may be given several times")
    parser.add_argument("--faults", type=Path, default=Path("fuzz-faults"), help="folder for the inputs that fail")
    parser.add_argument("--again", type=Path, metavar="FILE", help="look at such an input again, and nothing else")
    options = parser.parse_args(arguments)
    if options.again is not None:
        with tempfile.TemporaryDirectory(prefix="stepflow-fuzz-home-") as home:
            command = [sys.executable, "-m", "tests.fuzz.worker", "--again", options.again]
            return subprocess.run(command, check=False, env=_environment(home)).returncode
    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    return _Campaign(options.target or list(TARGETS), seed, options.faults).run(options.seconds)


class _Campaign:
    def __init__(self, targets: Sequence[str], seed: int, faults: Path) -> None:
        self._targets = targets
        self._seed = seed
        self._faults = faults
        self._cases: Counter[str] = Counter()
        self._seconds: dict[str, float] = dict.fromkeys(targets, 0.0)
        self._found: Counter[str] = Counter()
        self._memory: Counter[str] = Counter()

    def run(self, seconds: float) -> int:
        """Give the targets their turns until the time is over, then print the figures."""
        end = monotonic() + seconds
        seed = self._seed
        while True:
            turn = min(_TURN, max(_LEAST, (end - monotonic()) / len(self._targets)))
            for name in self._targets:
                self._give_turn(name, seed, turn)
            seed += 1
            if monotonic() + _LEAST * len(self._targets) > end:
                break
        self._print_figures()
        return 1 if self._found else 0

    def _give_turn(self, name: str, seed: int, seconds: float) -> None:
        began = monotonic()
        with tempfile.TemporaryDirectory(prefix="stepflow-fuzz-home-") as home:
            command = [sys.executable, "-m", "tests.fuzz.worker", name, str(seed), str(seconds), str(self._faults)]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_environment(home))
            try:
                output, _errors = process.communicate(timeout=seconds + _PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                output, _errors = process.communicate()
        lines = output.splitlines()
        result = json.loads(lines.pop().removeprefix(RESULT)) if lines and lines[-1].startswith(RESULT) else None
        if lines:
            print("\n".join(lines), flush=True)
        if result is None:
            print(f"FAULT in {name}, seed {seed}: it ended with {process.returncode} or never", flush=True)
            result = {"cases": 0, "faults": 1, "memory": 0}
        self._cases[name] += result["cases"]
        self._seconds[name] += monotonic() - began
        self._memory[name] = max(self._memory[name], result["memory"])
        if result["faults"]:
            self._found[name] += result["faults"]

    def _print_figures(self) -> None:
        for name in self._targets:
            cases, seconds = self._cases[name], self._seconds[name]
            rate, faults = cases / max(seconds, 0.001), self._found[name]
            print(f"{name:14} {cases:9} cases {rate:9.1f}/s {self._memory[name]:6} MB {faults:4} faults")
        if self._found:
            print(f"inputs that fail are in {self._faults}; python -m tests.fuzz --again FILE looks at one again")


def _environment(home: str) -> dict[str, str]:
    """That of the person, without settings of Stepflow's and with another home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STEPFLOW_LANG", "GIT_", "XDG_"))}
    return {**kept, "HOME": home, "QT_QPA_PLATFORM": "offscreen", "PYTHONFAULTHANDLER": "1"}


if __name__ == "__main__":
    sys.exit(main())

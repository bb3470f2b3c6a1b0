"""Whether anything got slower since the committed figures: both commits in turn, task by task, in CPU time.

`python -m benchmarks.paired [COMMIT]` names each task that takes more than 20 % longer, and ends with 1 then.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import HOME, commit, committed_at
from benchmarks.tasks import TASKS

SLOWER = 1.2
_PAIRS = 5
_FURTHER = 6  # pairs more where a task seems to be slower


def main(words: list[str]) -> int:
    """Compare; 1 where something got slower, 2 where there is nothing to compare with."""
    if words[:1] == ["--measure"]:
        name, steps, folder = words[1:]
        _tell(str(next(task for task in TASKS if task.name == name).cost(Path(folder), int(steps))))
        return 0
    before = commit(words[0]) if words else committed_at()
    if before is None:
        _tell("No figures are committed yet.")
        return 2
    slower = []
    with TemporaryDirectory() as scratch, _checked_out(before, Path(scratch)) as old:
        sides = [_surroundings(Path(scratch), name, tree) for name, tree in (("old", old), ("new", HOME.parent))]
        _tell(f"{'':32} {'then':>8} {'now':>8}    (seconds of the processor; then is {before[:12]})")
        for task in TASKS:
            ratio = _compared(task.name, task.sizes[0], sides, Path(scratch))
            if ratio is not None and ratio > SLOWER:
                slower.append(f"{task.name}: {ratio:.2f} ×")
    _tell("\n".join(["", "Slower than then by more than 20 %:", *slower] if slower else ["", "Nothing got slower."]))
    return int(bool(slower))


def _compared(name: str, steps: int, sides: list[dict[str, str]], scratch: Path) -> float | None:
    """How many times as long a task takes now: the median of pairs. None where it can't be done then."""
    pairs: list[tuple[float, float]] = []
    for number in range(1 + _PAIRS + _FURTHER):
        taken = [_cost(name, steps, scratch / f"{name}-{number}-{side}", sides[side]) for side in (0, 1)]
        if None in taken:
            _tell(f"{name:32} can't be done then" if taken[0] is None else f"{name:32} fails now")
            return None if taken[0] is None else float("inf")
        if number:  # the first pair compiles
            pairs.append((taken[0] or 0.0, taken[1] or 0.0))
        ratio = median(now / then for then, now in pairs) if pairs else 1.0
        if number >= _PAIRS and ratio <= SLOWER:
            break
    then, now = (median(pair[side] for pair in pairs) for side in (0, 1))
    _tell(f"{name:32} {then:8.3f} {now:8.3f} {ratio:7.2f} ×")
    return ratio


def _cost(name: str, steps: int, folder: Path, surroundings: dict[str, str]) -> float | None:
    command = [sys.executable, "-m", "benchmarks.paired", "--measure", name, str(steps), str(folder)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=surroundings, cwd=folder.parent, check=False
    )
    return float(done.stdout) if done.returncode == 0 else None


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextmanager
def _checked_out(name: str, scratch: Path) -> Iterator[Path]:
    """A commit in a folder of its own."""
    tree = scratch / "tree"
    git = ["git", "-C", str(HOME)]
    subprocess.run([*git, "worktree", "add", "--quiet", "--detach", str(tree), name], check=True)
    try:
        yield tree
    finally:
        subprocess.run([*git, "worktree", "remove", "--force", str(tree)], check=True)


def _surroundings(scratch: Path, name: str, tree: Path) -> dict[str, str]:
    """What a process needs to find the package of a checkout, and the benchmarks of this one."""
    paths = scratch / name
    paths.mkdir()
    for each, home in (("stepflow_gui", tree), ("resources", tree), ("benchmarks", HOME.parent)):
        (paths / each).symlink_to(home / each)
    made = {**os.environ, "PYTHONPATH": str(paths), "PYTHONPYCACHEPREFIX": str(scratch / f"{name}-compiled")}
    made.pop("PYTHONDONTWRITEBYTECODE", None)
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

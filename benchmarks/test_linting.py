"""`stepflow lint` with all rules beside check-jsonschema, which has a schema only: whole processes, in turn."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.agents import write_agent
from benchmarks.generate import registry_text
from benchmarks.processes import Cost, program, side_by_side

SCHEMA = Path(__file__).resolve().parent.parent / "resources" / "schemas" / "registry.schema.json"
LARGE = 10_000
GROWING = (1000, 2000, 5000, LARGE)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="peaks are counted as Linux does")


@pytest.fixture(scope="module")
def table() -> Iterator[list[str]]:
    """Lines to print in the end."""
    lines: list[str] = []
    yield lines
    sys.stdout.write("\n" + "\n".join(["", f"{'':44} {'CPU':>8} {'peak':>9} {'CPU':>8} {'memory':>8}", *lines, ""]))


def _tell(table: list[str], what: str, ours: Cost, theirs: Cost) -> None:
    ratios = f"{ours.cpu / theirs.cpu:7.2f}× {ours.peak / theirs.peak:7.2f}×"
    table.append(f"{'stepflow lint, ' + what:44} {ours.cpu:7.2f}s {ours.peak:6.0f}MiB {ratios}")
    table.append(f"{'check-jsonschema':44} {theirs.cpu:7.2f}s {theirs.peak:6.0f}MiB")


def _schema_check(registry: Path) -> list[str]:
    return [program("check-jsonschema"), "--schemafile", str(SCHEMA), str(registry)]


def test_an_agent_folder(iterator_text: str, corpus: Path, tmp_path: Path, table: list[str]) -> None:
    """All rules over a registry of 28 KB, its schemas and agent.json: half of the CPU time, no more memory."""
    found = sorted(corpus.glob("climpt/iterator/*/steps_registry.json"))
    real = next(path for path in found if path.read_text("utf-8") == iterator_text)
    folder = shutil.copytree(real.parent, tmp_path / "iterator")
    registry = folder / "steps_registry.json"
    commands = [[program("stepflow"), "lint", str(folder)], _schema_check(registry)]
    ours, theirs = side_by_side(commands, 11, tmp_path / "compiled")
    _tell(table, "an agent folder", ours, theirs)
    assert ours.peak <= theirs.peak
    assert ours.cpu <= 0.5 * theirs.cpu


@pytest.mark.parametrize("sound", [True, False], ids=["sound", "a finding a step"])
def test_ten_thousand_steps(tmp_path: Path, table: list[str], sound: bool) -> None:
    """13 MB: one and a half times the CPU time, 400 MiB."""
    registry = write_agent(tmp_path, LARGE)
    if not sound:
        registry.write_text(registry_text(LARGE), "utf-8")
    (registry.parent / "agent.json").unlink()
    shutil.rmtree(registry.parent / "schemas")
    commands = [[program("stepflow"), "lint", str(registry)], _schema_check(registry)]
    ours, theirs = side_by_side(commands, 3, tmp_path / "compiled")
    _tell(table, f"10,000 steps, {'sound' if sound else 'a finding a step'}", ours, theirs)
    assert ours.peak <= 400
    assert ours.cpu <= 1.5 * theirs.cpu


def test_growth(tmp_path: Path, table: list[str]) -> None:
    """Ten times the steps take at most twelve times as long."""
    commands = [[program("stepflow"), "lint", str(write_agent(tmp_path / str(steps), steps))] for steps in GROWING]
    costs = side_by_side(commands, 3, tmp_path / "compiled")
    for steps, cost in zip(GROWING, costs, strict=True):
        each = 1000 * cost.cpu / steps
        table.append(f"{f'{steps} steps with schemas':44} {cost.cpu:7.2f}s {cost.peak:6.0f}MiB {each:7.2f} ms a step")
    assert costs[-1].cpu <= 1.2 * LARGE / GROWING[0] * costs[0].cpu

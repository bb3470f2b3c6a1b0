"""Runs that can't begin exit with 2 and report why on standard error, as wrong command lines do."""

import shutil
from pathlib import Path

from tests.cli.conftest import Run


def test_a_run_that_can_not_begin_is_2(run: Run, tmp_path: Path, checkout: Path) -> None:
    """The runner refuses the entry before the first iteration: no run ended in any way."""
    folder = tmp_path / "broken"
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow-broken", folder)
    agent = folder / ".agent" / "issue-flow"
    for way in (["--random", "1"], ["--random", "2"], ["--explore"], ["--explore", "--format", "json"]):
        code, out, errors = run("run", agent, *way)
        assert (code, "SR-ENTRY-003" in errors or "can't start" in errors) == (2, True), way
        assert "SR-ENTRY-003" not in out or "json" in way, way

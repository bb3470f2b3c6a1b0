"""Whole runs against upstream's own runner, with a scripted model."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.formats.climpt.eras import Era
from tests.conformance.cases import case_file, each_version, report
from tests.conformance.check_run_cases import observe_checks
from tests.conformance.run_cases import observe


def test_runs_go_as_upstream_goes(conformance: Path, tmp_path: Path, subtests: pytest.Subtests) -> None:
    data = case_file(conformance, "runs.json")
    report(
        subtests,
        (
            (label, case, partial(_observed, case, era, tmp_path / label.replace(" ", "-")))
            for label, era, case in each_version(data)
        ),
    )


def _observed(case: dict[str, Any], era: Era, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    return observe(case, era, folder) if era.gates else observe_checks(case, era, folder)

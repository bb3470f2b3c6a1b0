"""Every kind of change is planned by somebody, and only for files that can be changed so."""

from pathlib import Path
from typing import get_args

from stepflow_gui.formats.changes import Change, RenameStep
from stepflow_gui.formats.climpt.changes import _PLANNED_BY
from tests.formats.changes.hand import Agent


def test_no_kind_is_forgotten() -> None:
    assert {*get_args(Change)} == {*_PLANNED_BY}


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "steps_registry.json"
    path.write_text('{"nothing": "here"}', encoding="utf-8")
    assert "only the text" in Agent.open(path).refused(RenameStep("a", "b")).reason

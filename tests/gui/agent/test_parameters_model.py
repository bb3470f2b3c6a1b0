"""What is entered in a cell of the parameters' table, as a change; what can't be meant is refused."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from stepflow_gui.formats.changes import Change, RemoveField, RenameKey, SetField
from stepflow_gui.gui.agent.parameters_model import DEFAULT, FLAG, NAME, REQUIRED, ParametersModel
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme

FILE = Path("agent.json")


def model_of(parameters: Any, problems: tuple[Problem, ...] = ()) -> tuple[ParametersModel, list[Change], list[str]]:
    asked: list[Change] = []
    refused: list[str] = []
    model = ParametersModel(Theme(dark=False), asked.append, refused.append)
    model.show_rows(FILE, parameters, problems, False)
    return model, asked, refused


@pytest.mark.parametrize(
    ("declared", "text", "meant"),
    [
        ("number", "12", 12),
        ("number", " １２ ", 12),
        ("number", "1.5", 1.5),
        ("boolean", "True", True),
        ("boolean", "false", False),
        ("array", '["a", "b"]', ["a", "b"]),
        ("array", "a, b", ["a", "b"]),
        ("array", "5", [5]),
        ("string", "12", "12"),
        (None, "12", "12"),
    ],
)
def test_a_default_is_taken_as_its_type_defines(
    qapp: QApplication, declared: str | None, text: str, meant: object
) -> None:
    del qapp
    model, asked, refused = model_of({"a/b": {"type": declared}})
    assert model.setData(model.index(0, DEFAULT), text)
    assert asked == [SetField("/parameters/a~1b/default", meant, FILE)]
    assert not refused


@pytest.mark.parametrize(("declared", "text"), [("number", "many"), ("boolean", "yes")])
def test_a_default_that_its_type_doesnt_have_is_refused(qapp: QApplication, declared: str, text: str) -> None:
    del qapp
    model, asked, refused = model_of({"a": {"type": declared}})
    assert not model.setData(model.index(0, DEFAULT), text)
    assert not asked
    assert len(refused) == 1


def test_cells_become_changes(qapp: QApplication) -> None:
    del qapp
    model, asked, _refused = model_of({"a": {"type": "string", "default": "x", "required": True}, "b": 3})
    assert not model.setData(model.index(0, NAME), "a")
    assert model.setData(model.index(0, NAME), "c")
    assert model.setData(model.index(0, DEFAULT), "")
    assert model.setData(model.index(0, FLAG), "--a")
    assert model.setData(model.index(0, REQUIRED), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert asked == [
        RenameKey("/parameters/a", "c", FILE),
        RemoveField("/parameters/a/default", FILE),
        SetField("/parameters/a/cli", "--a", FILE),
        SetField("/parameters/a/required", False, FILE),
    ]
    assert model.data(model.index(1, DEFAULT)) == "3"  # of another type: shown, not edited cell by cell
    assert not model.flags(model.index(1, FLAG)) & Qt.ItemFlag.ItemIsEditable


def test_problems_are_reported_at_their_cells(qapp: QApplication) -> None:
    del qapp
    problems = (Problem("/parameters/a/cli", "error", "no flag"), Problem("/parameters/a", "warning", "odd"))
    model, _asked, _refused = model_of({"a": {}}, problems)
    tips = [model.data(model.index(0, column), Qt.ItemDataRole.ToolTipRole) for column in (NAME, FLAG, DEFAULT)]
    assert tips == ["odd", "no flag", None]


def test_a_new_parameter_has_a_flag_of_its_name(qapp: QApplication) -> None:
    del qapp
    model, asked, _refused = model_of({"a": {}})
    assert not model.add("a")
    assert model.add("maxRetry_count")
    change = asked[0]
    assert isinstance(change, SetField)
    assert change.value["cli"] == "--max-retry-count"

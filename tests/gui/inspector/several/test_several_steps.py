"""Several selected steps in the window: what the inspector shows of them, and edits of all of them."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import RemoveStep
from stepflow_gui.formats.edits import Plan
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.several.view import SeveralSteps
from stepflow_gui.text.source import Source
from tests.gui.inspector.test_contract import opened

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
STEPS = ["initial.issue", "continuation.issue", "closure.issue"]


def chosen(qtbot: QtBot, window: MainWindow, folder: Path) -> tuple[Document, SeveralSteps]:
    document = opened(qtbot, window, folder)
    window.canvas.choose_steps(STEPS, STEPS[0])
    found = window.inspector.findChild(SeveralSteps)
    assert isinstance(found, SeveralSteps)
    qtbot.waitUntil(found.isVisible)
    return document, found


def text(document: Document) -> str:
    source = document.source()
    assert isinstance(source, Source)
    return source.text


def row(shown: SeveralSteps, place: str) -> FormRow:
    found = shown.form.row(f"/steps/{STEPS[0]}/{place}")
    assert found is not None, [each.line.pointer for each in shown.form.rows]
    return found


def entered(found: FormRow, new: str) -> None:
    editor = found.editor
    assert isinstance(editor, FormLineEdit)
    editor.setFocus()
    QTest.keyClicks(editor, new)
    QTest.keyClick(editor, Qt.Key.Key_Return)


def test_the_selection_is_told_with_all_its_steps(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    assert document.selection.steps == tuple(STEPS)
    chips = shown.findChildren(QPushButton, "stepChip")
    assert [chip.accessibleName() for chip in chips] == [f"Select only {step}" for step in STEPS]
    cells = {label.accessibleName() for label in shown.findChildren(QLabel)}
    assert "handoff, continuation.issue: has the intent" in cells
    assert "handoff, closure.issue: hasn’t the intent" in cells
    window.canvas.toggle_step(STEPS[2])
    assert document.selection.steps == tuple(STEPS[:2])
    assert len([chip for chip in shown.findChildren(QPushButton, "stepChip") if chip.isVisible()]) == 2
    window.canvas.toggle_step(STEPS[1])
    assert not shown.isVisible()


def test_a_chip_selects_its_step_alone_also_by_key(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    chip = shown.findChildren(QPushButton, "stepChip")[0]
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Space)
    assert (document.selected_step, document.selection.steps) == (STEPS[0], (STEPS[0],))
    assert window.canvas.graph.selected_steps == STEPS[:1]
    assert not shown.isVisible()
    assert window.inspector.hasFocus()


def test_what_is_typed_replaces_the_values_of_all_in_one_entry(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    before = text(document)
    field = row(shown, "c2")
    assert isinstance(field.editor, FormLineEdit)
    assert (field.editor.text(), field.editor.placeholderText()) == ("", "different")
    assert "3 values" in field.editor.accessibleDescription()
    edits: list[int] = []
    document.text_changed.connect(lambda _path, listed, _origin: edits.append(len(listed)))
    entered(field, "one")
    assert edits == [3]
    assert document.stack.count() == 1
    assert document.stack.undoText() == "Set “c2” in 3 steps"
    assert window.status.text == "Set “c2” in 3 steps"
    flow = document.folder.flow
    assert {flow.steps[step].raw["c2"] for step in STEPS} == {"one"}
    assert field.editor.text() == "one"
    assert document.selection.steps == tuple(STEPS)
    document.undo()
    assert text(document) == before
    assert document.selection.steps == tuple(STEPS)
    document.redo()
    assert {document.folder.flow.steps[step].raw["c2"] for step in STEPS} == {"one"}


def test_a_target_is_set_in_all(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    before = text(document)
    entered(row(shown, "transitions/repeat/target"), STEPS[1])
    targets = [document.folder.flow.steps[step].raw["transitions"]["repeat"]["target"] for step in STEPS]
    assert targets == [STEPS[1]] * 3
    assert document.stack.undoText() == "Set target of “repeat” in 3 steps"
    document.undo()
    assert text(document) == before


def test_a_refusal_is_shown_at_the_field_and_changes_nothing(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    before = text(document)
    field = row(shown, "transitions/repeat/target")
    entered(field, "no.such.step")
    assert field.shown_texts
    assert text(document) == before
    assert document.stack.count() == 0


def test_problems_are_grouped_by_rule_and_fixed_together(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    registry = next(example.rglob("steps_registry.json"))
    text_ = registry.read_text("utf-8").replace('"edition": "default"', '"edtion": "default"')
    registry.write_text(text_, "utf-8")
    document, shown = chosen(qtbot, window, example)
    before = text(document)
    buttons = [each for each in shown.findChildren(QPushButton, "formButton") if each.isVisible()]
    assert any("Fix all 3 problems" in each.text() for each in buttons), [each.text() for each in buttons]
    button = next(each for each in buttons if "Fix all 3 problems" in each.text())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert all("edtion" not in document.folder.flow.steps[step].raw for step in STEPS)
    assert document.stack.count() == 1
    document.undo()
    assert text(document) == before


def test_nothing_selected_leaves_the_several(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    window.canvas.choose_step(None)
    assert document.selection.steps == ()
    assert not shown.isVisible()


def test_a_step_that_is_removed_is_no_longer_counted(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, shown = chosen(qtbot, window, example)
    found = plan(document.folder, RemoveStep(STEPS[2], STEPS[1]))
    assert isinstance(found, Plan)
    document.apply(found.edits, found.title, "test")
    chips = [chip.accessibleName() for chip in shown.findChildren(QPushButton, "stepChip") if chip.isVisible()]
    assert chips == [f"Select only {step}" for step in STEPS[:2]]

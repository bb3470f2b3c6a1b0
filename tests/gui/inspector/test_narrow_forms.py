"""At the inspector's usual width names stand above their fields, whole, and long values are wrapped."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms.choice_field import ChoiceField
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.inspector import InspectorPanel
from stepflow_gui.gui.inspector.several.view import SeveralSteps
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.project.step_contract import contract_in
from tests.gui.inspector.several.test_bulk_changes import agent_of

WIDTH = 296  # pixels
TEMPLATES = ("issue-flow", "complete-flow", "check-flow", "addressed-flow", "takt-piece")


@pytest.mark.parametrize("template", TEMPLATES)
def test_names_are_whole_and_long_values_wrapped(template: str, tmp_path: Path, checkout: Path, qtbot: QtBot) -> None:
    agent = agent_of(template, tmp_path, checkout)
    panel = InspectorPanel(Theme(dark=False))
    qtbot.addWidget(panel)
    panel.resize(WIDTH, 4000)
    panel.show()
    panel.show_registry(agent, "", [])
    rows = checked(panel)
    for step in agent.flow.steps.values():
        panel.show_step(agent, step, contract_in(agent, step), [])
        rows += checked(panel)
    assert agent.flow.steps
    assert rows > len(agent.flow.steps)
    steps = [step for step in agent.flow.steps.values() if not step.is_section]
    for count in (2, 3, len(steps)):
        panel.show_several(agent, steps[:count], [])
        assert checked(panel)
        assert_no_label_is_cut(panel)


def assert_no_label_is_cut(panel: InspectorPanel) -> None:
    page = panel.widget()
    assert page is not None
    assert page.width() <= panel.viewport().width()
    shown = panel.findChild(SeveralSteps)
    assert isinstance(shown, SeveralSteps)
    for label in shown.findChildren(QLabel):
        if label.isVisible() and not isinstance(label, ElidedLabel) and not label.wordWrap():
            assert label.width() >= label.sizeHint().width(), label.text()
    for chip in shown.findChildren(QPushButton, "stepChip"):
        assert chip.width() >= chip.sizeHint().width(), chip.text()


def checked(panel: InspectorPanel) -> int:
    """How many rows have a name above a field, all of them whole."""
    QApplication.processEvents()
    count = 0
    for row in panel.findChildren(FormRow):
        if not row.isVisible() or not row.shown.is_plain:
            continue
        label, editor = row.handle, row.editor
        if isinstance(label, ElidedLabel):
            assert label.text() == label.whole
        assert label.geometry().bottom() <= editor.geometry().top() + 1, "the name stands above"
        if isinstance(editor, FormLineEdit) and not isinstance(editor, ChoiceField):
            room = editor.width() - 2 * 8
            assert editor.fontMetrics().horizontalAdvance(editor.text()) <= room, (row.line.pointer, editor.text())
        count += 1
    return count

"""At the inspector's usual width names stand above their fields, whole, and long values are wrapped."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms.choice_field import ChoiceField
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.inspector import InspectorPanel
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.project.step_contract import contract_in
from tests.project.converting.agents import from_template, opened

WIDTH = 296  # pixels
TEMPLATES = ("issue-flow", "complete-flow", "check-flow", "addressed-flow", "takt-piece")


@pytest.mark.parametrize("template", TEMPLATES)
def test_names_are_whole_and_long_values_wrapped(template: str, tmp_path: Path, checkout: Path, qtbot: QtBot) -> None:
    piece = next((checkout / "resources" / "templates" / template).rglob("pieces/*.yaml"), None)
    agent = from_template(tmp_path, checkout, template) if piece is None else opened(piece)
    panel = InspectorPanel(Theme(dark=False))
    qtbot.addWidget(panel)
    panel.resize(WIDTH, 4000)
    panel.show()
    panel.show_registry(agent, "", [])
    rows = checked(panel)
    for step in agent.flow.steps.values():
        panel.show_step(agent, step, contract_in(agent, step), [])
        rows += checked(panel)
    assert rows > len(agent.flow.steps)


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

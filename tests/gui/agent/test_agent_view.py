"""The agent edited by hand in the window: fields, verdict, parameters, older layouts, broken and missing files."""

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu

from stepflow_gui.gui.agent.chart_popup import ChartPopup
from stepflow_gui.gui.agent.parameters_model import DEFAULT, NAME, REQUIRED, TYPE
from stepflow_gui.gui.app.frame.views import AGENT, FLOW
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.editors import Segments
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import difference
from tests.formats.agent.agents import CODE_IMPROVER
from tests.gui.agent.conftest import AgentDesk

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagate)")


def type_in(field: Any, text: str) -> None:
    assert isinstance(field, QLineEdit)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_fields_are_minimal_edits_of_one_history(desk: AgentDesk) -> None:
    before = desk.text(desk.file)
    assert desk.window.focusWidget() is desk.row("/name").editor
    type_in(desk.row("/runner/verdict/config/maxIterations").editor, "12")
    assert desk.value["runner"]["verdict"]["config"]["maxIterations"] == 12
    assert desk.changed_lines(before) == 1
    tool = desk.row("/runner/boundaries/allowedTools/0")
    shown = [label.text() for label in tool.findChildren(QLabel) if "Alt with an arrow key" in label.text()]
    assert not shown  # beside every item it would be the same
    # A default is shown greyed, and is written once another value is entered.
    absent = desk.row("/runner/execution/worktree/enabled")
    assert isinstance(absent.editor, Segments)
    desk.write({**desk.value, "runner": {k: v for k, v in desk.value["runner"].items() if k != "logging"}})
    directory = desk.row("/runner/logging/directory").editor
    assert isinstance(directory, FormLineEdit)
    assert (directory.text(), directory.placeholderText()) == ("", "default: logs")
    type_in(directory, "tmp/logs")
    assert desk.value["runner"]["logging"] == {"directory": "tmp/logs"}
    # Problems are shown at the field, live.
    type_in(desk.row("/runner/flow/systemPromptPath").editor, "prompts/none.md")
    desk.settle()
    assert "prompts/none.md" in "".join(desk.row("/runner/flow/systemPromptPath").shown_texts)
    type_in(desk.row("/runner/verdict/config/maxIterations").editor, "0")
    assert "at least 1" in "".join(desk.row("/runner/verdict/config/maxIterations").shown_texts)
    type_in(desk.row("/runner/logging/directory").editor, "tmp/more")  # what was refused is past with the next change
    assert not desk.row("/runner/verdict/config/maxIterations").shown_texts
    desk.window.set_language("ja")
    views, row = desk.window.views.switch, desk.row("/runner/logging")
    assert (views.buttons[AGENT].text(), row.shown.title) == ("エージェント", "ログ（logging）")
    assert "フォルダー" in desk.row("/runner/logging/directory").line.meaning
    desk.document.select("initial.issue", "outline")  # the flow comes back to the front
    assert desk.canvas.isVisible()
    assert desk.window.save()
    assert desk.window.statusBar().currentMessage() == "agent.json を保存しました"
    desk.undo_all()
    assert desk.text(desk.file) == before


def test_the_verdict_has_the_fields_of_its_type_and_nests(desk: AgentDesk) -> None:
    type_in(desk.row("/runner/verdict/type").editor, " detect:keyword ")  # blanks around a choice aren't meant
    keyword = desk.row("/runner/verdict/config/verdictKeyword").editor
    assert isinstance(keyword, FormLineEdit)
    assert keyword.placeholderText() == "needed"
    assert "doesn’t read this" in desk.row("/runner/verdict/config/resourceType").line.meaning
    config = {"operator": "or", "conditions": []}
    desk.write(
        {**desk.value, "runner": {**desk.value["runner"], "verdict": {"type": "meta:composite", "config": config}}}
    )
    conditions = desk.row("/runner/verdict/config/conditions")
    assert conditions.add_button is not None
    for _each in range(2):
        conditions.add_button.click()
    first = {"type": "count:iteration", "config": {"maxIterations": 10}}
    assert desk.value["runner"]["verdict"]["config"]["conditions"] == [first, first]
    desk.page.focus_place("/runner/verdict/config/conditions/1/type", focus=True)
    type_in(desk.row("/runner/verdict/config/conditions/1/type").editor, "detect:structured")
    desk.page.focus_place("/runner/verdict/config/conditions/1/config/signalType", focus=True)
    type_in(desk.row("/runner/verdict/config/conditions/1/config/signalType").editor, "done")
    act(desk, "/runner/verdict/config/conditions/1", "Move Up")
    inner = desk.value["runner"]["verdict"]["config"]["conditions"][0]
    assert (inner["type"], inner["config"]["signalType"]) == ("detect:structured", "done")
    act(desk, "/runner/verdict/config/conditions/1", "Remove")
    assert len(desk.value["runner"]["verdict"]["config"]["conditions"]) == 1


def act(desk: AgentDesk, pointer: str, title: str) -> None:
    """Choose an entry of a row's menu."""
    row = desk.row(pointer)
    row.menu_button.click()
    menus = [menu for view in desk.page.views for menu in view.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    next(entry for entry in menus[0].actions() if entry.text().startswith(title)).trigger()
    menus[0].close()
    desk.qtbot.wait(1)


def test_parameters_are_a_table(desk: AgentDesk) -> None:
    before = desk.value
    model, table = desk.page.model, desk.page.table
    table.add_button.click()
    popup = desk.page.findChild(AskPopup)
    assert popup is not None
    QTest.keyClicks(popup.field, "dryRun")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert desk.value["parameters"]["dryRun"] == {
        "type": "string",
        "description": "",
        "required": False,
        "cli": "--dry-run",
    }
    assert table.current == "dryRun"
    row = model.names.index("dryRun")
    assert model.setData(model.index(row, TYPE), "boolean")
    assert not model.setData(model.index(row, DEFAULT), "perhaps")
    assert "true or false" in "".join(table.remarks.texts)
    assert model.setData(model.index(row, DEFAULT), "true")
    assert model.setData(model.index(row, REQUIRED), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    made = desk.value["parameters"]["dryRun"]
    assert (made["type"], made["default"], made["required"]) == ("boolean", True, True)
    assert model.setData(model.index(0, NAME), "ticket")
    assert next(iter(desk.value["parameters"])) == "ticket"
    assert "uvVariables" in "".join(table.remarks.texts)
    assert desk.row("/parameters/dryRun/description").line.absent is False
    QTest.keyClick(table.view, Qt.Key.Key_Delete)
    assert list(desk.value["parameters"]) == ["ticket"]
    desk.settle()
    assert table.current == "ticket"
    desk.undo_all()
    assert desk.value == before


def test_the_chart_is_gone_through_by_keys_and_fills_the_verdict_in(desk: AgentDesk) -> None:
    before = desk.text(desk.file)
    desk.window.desk.actions["focus-canvas"].trigger()
    desk.window.desk.actions["choose-verdict"].trigger()
    desk.qtbot.waitUntil(lambda: desk.page.findChild(ChartPopup) is not None)
    popup = desk.page.findChild(ChartPopup)
    assert popup is not None
    kind = desk.row("/runner/verdict/type")
    assert desk.page.rect().contains(kind.mapTo(desk.page, kind.rect().center()))
    for key in (Qt.Key.Key_3, Qt.Key.Key_1, Qt.Key.Key_Backspace, Qt.Key.Key_2, Qt.Key.Key_1):
        QTest.keyClick(popup.focusWidget(), key)
    assert popup.at == "detect:keyword"
    assert popup.apply_button is not None
    assert not popup.apply_button.isEnabled()
    QTest.keyClicks(popup.focusWidget(), "DONE")
    QTest.keyClick(popup.focusWidget(), Qt.Key.Key_Return)
    assert desk.value["runner"]["verdict"] == {
        "type": "detect:keyword",
        "config": {"maxIterations": 30, "verdictKeyword": "DONE"},
    }
    assert desk.window.focusWidget() is desk.row("/runner/verdict/type").editor
    desk.document.undo()
    assert desk.text(desk.file) == before


def test_an_older_layout_is_edited_as_it_is_and_converted_after_a_look(desk: AgentDesk) -> None:
    assert not desk.page.convert_button.isVisible()
    desk.write({**CODE_IMPROVER, "behavior": {**CODE_IMPROVER["behavior"], "preCloseValidation": {"enabled": False}}})
    type_in(desk.row("/behavior/completionType").editor, "iterate")
    type_in(desk.row("/behavior/completionConfig/maxIterations").editor, "4")
    flat = desk.text(desk.file)
    assert desk.value["behavior"]["completionConfig"] == {"maxIterations": 4}
    desk.page.convert_button.click()
    offer = desk.page.offer
    assert "preCloseValidation" in offer.preview.note.text()
    assert '+       "type": "count:iteration"' in offer.preview.text.toPlainText().replace("  +", "+")
    assert desk.text(desk.file) == flat
    offer.back_button.click()
    assert desk.page.form_shown
    desk.page.convert_button.click()
    offer.preview.button.click()
    assert desk.value["runner"]["verdict"] == {"type": "count:iteration", "config": {"maxIterations": 4}}
    assert desk.page.form_shown
    assert not desk.page.convert_button.isVisible()
    assert desk.row("/behavior").line.value == {"preCloseValidation": {"enabled": False}}
    desk.document.undo()
    assert desk.text(desk.file) == flat


def test_what_was_reported_of_a_change_goes_with_its_agent(desk: AgentDesk, tmp_path: Path) -> None:
    desk.page.refuse("There is one already")
    desk.page.table.remarks.refuse("There is one already")
    assert desk.window.open(copy_example(into=tmp_path / "another"))
    desk.window.desk.actions["focus-agent"].trigger()
    assert desk.page.notices.texts == desk.page.table.remarks.texts == []


def test_a_broken_text_leaves_the_last_form_greyed(desk: AgentDesk) -> None:
    before = desk.text(desk.file)
    desk.write(before.replace('"displayName":', '"displayName"'))
    parsed = desk.document.folder.agent_document
    assert parsed is not None
    line = desk.text(desk.file).count("\n", 0, parsed.tree.problems[0].start) + 1
    assert any(f"has a syntax error in line {line}." in text for text in desk.page.notices.texts)
    name = desk.row("/name").editor
    assert isinstance(name, FormLineEdit)
    assert (name.text(), name.isEnabled()) == ("issue-flow", False)
    desk.page.notices.button.click()
    assert desk.window.source.path == desk.file
    desk.document.undo()
    desk.settle()
    assert desk.page.notices.texts == []
    assert desk.row("/name").editor.isEnabled()
    desk.write({**desk.value, "runner": {**desk.value["runner"], "flow": {"prompts": {"registry": "other.json"}}}})
    assert "names “other.json” as its registry" in "".join(desk.page.notices.texts)
    desk.write({**desk.value, "runner": {**desk.value["runner"], "flow": {"prompts": {"registry": "a\0b"}}}})
    assert "as its registry" in "".join(desk.page.notices.texts)
    desk.write("[1]")
    assert desk.page.notices.texts == ["agent.json must hold an object."]


def test_form_and_source_keep_together(desk: AgentDesk) -> None:
    source = desk.window.source
    assert desk.window.isActiveWindow()  # nothing of the page was a window of its own for a moment
    desk.row("/version").take_focus()
    assert source.path != desk.file  # the source isn't turned to the file unasked
    desk.page.source_button.click()
    assert source.path == desk.file
    desk.row("/runner/logging/format").take_focus()
    text = desk.text(desk.file)
    start = text.index('"jsonl"')
    assert start <= source.editor.caret <= start + len('"jsonl"')
    assert isinstance(desk.window.focusWidget(), FormLineEdit)
    source.editor.setFocus()
    source.editor.place_caret(text.index('"displayName"') + 3)
    desk.qtbot.wait(1)
    name = desk.row("/displayName")
    at = name.mapTo(desk.page, name.rect().center())
    assert desk.page.rect().contains(at)
    assert source.editor.hasFocus()


def test_a_missing_file_is_created_and_tabs_and_problems_open_it(desk: AgentDesk, tmp_path: Path) -> None:
    del tmp_path
    found = desk.window.agent
    desk.window.desk.actions["focus-canvas"].trigger()
    views = desk.window.views.switch
    assert (desk.canvas.isVisible(), views.shown) == (True, FLOW)
    desk.write({**desk.value, "name": "Other"})
    registry = desk.text()
    third = difference(registry, registry.replace('"agentId": "issue-flow"', '"agentId": "third"'))
    assert desk.document.apply({desk.document.path: third}, "Type", "test") is None
    desk.settle()
    assert {each.file for each in desk.document.diagnostics} == {desk.file, desk.document.path}
    for _each in desk.document.diagnostics:
        desk.window.desk.actions["next-problem"].trigger()
        led_to = desk.window.problems.current_finding
        assert led_to is not None
        assert found.is_open or led_to.file != desk.file
    assert found.is_open
    assert desk.row("/name").shown_texts
    assert views.shown == AGENT
    desk.document.undo()
    desk.settle()
    views.buttons[FLOW].click()
    assert not found.is_open
    desk.file.write_bytes(b"\xff\xfe\xff")
    assert desk.window.open(desk.document.path)
    views.buttons[AGENT].click()
    assert "agent.json" in desk.page.offer.text.text()
    assert "There is no" not in desk.page.offer.text.text()
    assert not desk.page.offer.button.isVisible()
    desk.file.unlink()
    assert desk.window.open(desk.document.path)
    assert desk.window.document is not None
    desk.document = desk.window.document
    desk.settle()
    views.buttons[AGENT].click()
    assert "There is no agent.json" in desk.page.offer.text.text()
    desk.page.offer.button.click()
    desk.settle()
    assert desk.value["name"] == "issue-flow"
    assert desk.value["runner"]["verdict"]["type"] == "poll:state"
    assert desk.page.form_shown
    assert not [each for each in desk.document.diagnostics if each.severity == "error"]
    desk.document.undo()
    desk.settle()
    assert not desk.page.form_shown
    assert not desk.file.exists()

"""The contract of a step made to agree by a click, over registry and schema file, in one undo."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.changes import RemoveIntent
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.contract import ContractGrid
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.inspector import InspectorPanel
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.step_contract import contract_in
from stepflow_gui.text.edit import difference
from stepflow_gui.text.source import Source

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing)")  # the offscreen one, of pop-ups
STEP = "continuation.issue"


def opened(qtbot: QtBot, window: MainWindow, folder: Path) -> Document:
    assert window.open(folder)
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)
    document.select(STEP, "test")
    return document


def schema_file(folder: Path) -> Path:
    return next(folder.rglob("issue.schema.json"))


def without_handoff(folder: Path) -> None:
    file = schema_file(folder)
    text = file.read_text("utf-8")
    assert '"handoff"' in text
    head, tail = text.split('"handoff"', 1)
    file.write_text(head.rstrip().removesuffix(",") + tail, "utf-8")


def texts(document: Document, folder: Path) -> tuple[str, str]:
    sources = document.source(), document.source(schema_file(folder))
    assert isinstance(sources[0], Source)
    assert isinstance(sources[1], Source)
    return sources[0].text, sources[1].text


def grid(window: MainWindow) -> ContractGrid:
    page = window.inspector.widget()
    assert page is not None
    found = page.findChild(ContractGrid)
    assert isinstance(found, ContractGrid)
    return found


def button(window: MainWindow, text: str) -> QPushButton:
    found = [each for each in grid(window).findChildren(QPushButton) if text in each.accessibleName() + each.text()]
    shown = [each for each in found if each.isVisible()]
    assert shown, [each.accessibleName() for each in grid(window).findChildren(QPushButton)]
    return shown[0]


def differing(before: str, after: str) -> int:
    lines, others = before.split("\n"), after.split("\n")
    return sum(line not in lines for line in others) + sum(line not in others for line in lines)


def test_a_word_that_is_no_intent_can_only_be_taken_out(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    file = schema_file(example)
    file.write_text(file.read_text("utf-8").replace('"repeat", "handoff"', '"repeat", "handoff", "wait"'), "utf-8")
    document = opened(qtbot, window, example)
    shown = [each.text() for each in grid(window).findChildren(QPushButton) if each.isVisible()]
    assert "+ wait" not in shown
    QTest.mouseClick(button(window, "Remove “wait”"), Qt.MouseButton.LeftButton)
    assert grid(window).notice == ""
    assert '"wait"' not in texts(document, example)[1]
    assert not [each for each in grid(window).findChildren(QPushButton, "formMark") if each.isVisible()]


def test_what_was_refused_is_forgotten_when_the_contract_changes(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    document = opened(qtbot, window, example)
    grid(window).ask(RemoveIntent(STEP, "no such intent"))
    assert grid(window).notice
    document.apply({document.path: difference(texts(document, example)[0], changed(document, example))}, "Type", "test")
    assert grid(window).notice == ""


def changed(document: Document, folder: Path) -> str:
    return texts(document, folder)[0].replace(
        '"handoff": { "target": "closure.issue" }', '"handoff": { "target": "x.y" }'
    )


def test_intents_can_be_read_in_a_narrow_inspector(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    without_handoff(example)
    opened(qtbot, window, example)
    window.resize(1010, 600)
    qtbot.wait(50)
    assert window.width() == 1010
    cells = [each for each in grid(window).findChildren(ElidedLabel, "contractCell") if each.isVisible()]
    assert {"next", "repeat", "handoff"} <= {each.text() for each in cells}
    page = window.inspector.widget()
    assert page is not None
    assert page.width() <= window.inspector.viewport().width()


@pytest.mark.parametrize("tongue", ["en", "ja"])
@pytest.mark.parametrize("width", [240, 296, 337])
@pytest.mark.parametrize("broken", [False, True])
def test_the_heads_of_the_columns_are_whole(qtbot: QtBot, example: Path, width: int, broken: bool, tongue: str) -> None:
    if broken:
        without_handoff(example)
    agent = open_agent(example)
    assert isinstance(agent, AgentFolder)
    use_language(tongue)
    try:
        panel = InspectorPanel(Theme(dark=False))
        qtbot.addWidget(panel)
        panel.resize(width, 2000)
        panel.show()
        step = agent.flow.steps[STEP]
        panel.show_step(agent, step, contract_in(agent, step), [])
        qtbot.waitExposed(panel)
        QApplication.processEvents()
        shown = panel.findChild(ContractGrid)
        assert isinstance(shown, ContractGrid)
        heads = [
            label for label in shown.findChildren(QLabel) if label.wordWrap() and label.text() and label.isVisible()
        ]
        heads = [label for label in heads if label.objectName() != "contractCell"]
        assert len(heads) >= 3
        for head in heads[:3]:
            words = head.text().replace("\u200b", " ").split()
            assert max(head.fontMetrics().horizontalAdvance(word) for word in words) <= head.width(), head.text()
            assert head.height() >= head.heightForWidth(head.width())
        page = panel.widget()
        assert page is not None
        assert page.width() <= panel.viewport().width()
    finally:
        use_language("en")


def test_an_agreeing_contract_offers_nothing_to_repair(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    opened(qtbot, window, example)
    assert not [each for each in grid(window).findChildren(QPushButton) if each.isVisible()]


def test_adding_what_the_schema_lacks_changes_the_schema_alone(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    without_handoff(example)
    document = opened(qtbot, window, example)
    before = texts(document, example)
    QTest.mouseClick(button(window, "schema enum: Add “handoff”"), Qt.MouseButton.LeftButton)
    after = texts(document, example)
    assert after[0] == before[0]
    assert differing(before[1], after[1]) <= 2
    assert document.stack.count() == 1
    assert not grid(window).notice
    assert not [each for each in grid(window).findChildren(QPushButton) if each.isVisible()]
    document.undo()
    assert texts(document, example) == before
    assert button(window, "+ handoff")


def test_removal_takes_the_other_direction_and_is_one_undo(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    without_handoff(example)
    document = opened(qtbot, window, example)
    before = texts(document, example)
    QTest.mouseClick(button(window, "Remove “handoff”"), Qt.MouseButton.LeftButton)
    after = texts(document, example)
    assert after[1] == before[1]
    assert '"handoff"' not in document.folder.flow.steps[STEP].node.value["transitions"]
    assert document.folder.flow.steps[STEP].transition("handoff") is None
    assert document.stack.count() == 1
    document.undo()
    assert texts(document, example) == before


def test_all_three_can_be_made_as_one_column_by_key(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    without_handoff(example)
    document = opened(qtbot, window, example)
    before = texts(document, example)
    wanted = button(window, "Make all three match schema enum")
    wanted.setFocus()
    QTest.keyClick(wanted, Qt.Key.Key_Space)
    gate = document.folder.flow.steps[STEP].gate
    assert gate is not None
    assert [text.value for text in gate.intents] == ["next", "repeat"]
    document.undo()
    assert texts(document, example) == before


def test_the_cell_of_a_transition_changes_its_target(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = texts(document, example)
    field = next(each for each in grid(window).findChildren(FormLineEdit) if "“next”" in each.accessibleName())
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "initial.issue")
    QTest.keyClick(field, Qt.Key.Key_Return)
    after = texts(document, example)
    pairs = zip(before[0].split("\n"), after[0].split("\n"), strict=True)
    assert sum(line != other for line, other in pairs) == 1
    assert document.stack.count() == 1
    document.undo()
    assert texts(document, example) == before


def test_a_refused_target_is_reported_and_changes_nothing(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document = opened(qtbot, window, example)
    before = texts(document, example)
    field = next(each for each in grid(window).findChildren(FormLineEdit) if "“next”" in each.accessibleName())
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "nowhere")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "There is no step “nowhere”" in grid(window).notice
    assert texts(document, example) == before
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == STEP


def test_the_buttons_follow_the_language(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    without_handoff(example)
    opened(qtbot, window, example)
    english = button(window, "handoff").toolTip()
    window.set_language("ja")
    assert button(window, "handoff").toolTip() != english


def test_a_shared_enum_is_reported_and_changed_on_a_second_click(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    without_handoff(example)
    registry = next(example.rglob("steps_registry.json"))
    shared = registry.read_text("utf-8").replace('"schema": "initial.issue"', '"schema": "continuation.issue"')
    registry.write_text(shared, "utf-8")
    document = opened(qtbot, window, example)
    before = texts(document, example)
    QTest.mouseClick(button(window, "schema enum: Add “handoff”"), Qt.MouseButton.LeftButton)
    assert "initial.issue" in grid(window).notice
    assert texts(document, example) == before
    QTest.mouseClick(button(window, "Apply to these steps too"), Qt.MouseButton.LeftButton)
    assert texts(document, example)[1] != before[1]
    assert document.stack.count() == 1
    document.undo()
    assert texts(document, example) == before


@pytest.mark.parametrize("language", ["en", "ja"])
def test_while_the_text_is_broken_nothing_can_be_clicked(
    qtbot: QtBot, window: MainWindow, example: Path, language: str
) -> None:
    without_handoff(example)
    document = opened(qtbot, window, example)
    window.set_language(language)
    cursor = window.source.editor.textCursor()
    cursor.setPosition(0)
    window.source.editor.setTextCursor(cursor)
    QTest.keyClicks(window.source.editor, "{{")
    document.select(STEP, "test")
    assert document.text_broken
    assert not [each for each in grid(window).findChildren(QPushButton) if each.isVisible()]

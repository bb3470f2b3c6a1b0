"""What is shown under the mouse, links with Ctrl held, renaming at the name, and what the menu offers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

import catalogue
from stepflow_gui.gui.source.assist.rename import RenamePopup
from stepflow_gui.gui.source.menu import source_menu
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.messages import use_language
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source, Span
from tests.formats.changes.conftest import Written
from tests.gui.source.bench import CTRL, Bench
from tests.gui.source.conftest import Make

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture(autouse=True)
def no_popup_stays() -> Iterator[None]:
    yield
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()


def find(bench: Bench, before: str, inside: str) -> int:
    text = bench.editor.mapping.source.text
    return text.index(inside, text.index(before)) + 2


def point_at(bench: Bench, offset: int) -> QPoint:
    bench.editor.reveal(Span(offset, offset))
    return bench.editor.cursorRect().center() + QPoint(1, 0)


def rest_at(bench: Bench, offset: int) -> str:
    """Rest the mouse there; return what is shown."""
    point = point_at(bench, offset)
    view = bench.editor.viewport()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, point, view.mapToGlobal(point)))
    card = bench.panel.assist.card
    return card.label.text() if card.isVisible() else ""


def move(bench: Bench, point: QPoint, modifiers: Qt.KeyboardModifier) -> None:
    view = bench.editor.viewport()
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(point), QPointF(view.mapToGlobal(point)), none, none, modifiers)
    QApplication.sendEvent(view, event)


def break_target(bench: Bench, qtbot: QtBot) -> int:
    """Make the target of a transition unknown; return a place in it."""
    text = bench.text
    at = text.index('"continuation.issue"')
    bench.document.apply({bench.document.path: [TextEdit(at, at + 20, '"continuation.isue"')]}, "break", "test")
    qtbot.waitUntil(lambda: bench.document.linted)
    return at + 3


def test_a_steps_kind_entries_and_transitions_are_reported(example: Bench) -> None:
    message = rest_at(example, find(example, '"handoff": {', '"closure.issue"'))
    assert "<b>closure.issue</b>" in message
    assert "closure step: Check and close" in message
    assert "Comes from: continuation.issue (handoff)" in message
    assert example.editor.hovered is None  # no finding
    card = example.panel.assist.card
    assert example.panel.window().rect().contains(card.geometry())


def test_a_findings_message_reason_and_fixes_are_reported(example: Bench, qtbot: QtBot) -> None:
    asked: list[tuple[Diagnostic, object]] = []
    example.panel.assist.fix_asked.connect(lambda found, fix: asked.append((found, fix)))
    message = rest_at(example, break_target(example, qtbot))
    (found,) = [each for each in example.document.diagnostics if each.code == "SF301"]
    assert "SF301" in message
    assert "which is not a step" in message
    assert found.fixes
    for fix in found.fixes:
        assert fix.title in message
    assert message.count("<a ") == len(found.fixes) + 1  # the rule's page
    assert example.editor.hovered is not None
    example.panel.assist.card.label.linkActivated.emit("0")
    assert [each[0] for each in asked] == [found]
    assert not example.panel.assist.card.isVisible()


def test_reasons_are_given_in_the_language_in_use(example: Bench, qtbot: QtBot, checkout: Path) -> None:
    catalogue.compile_catalogue(checkout)
    at = break_target(example, qtbot)
    english = rest_at(example, at)
    example.panel.assist.hover.hide()
    use_language("ja")
    japanese = rest_at(example, at)
    assert "The run stops with an error as soon as it follows the transition." in english
    assert "その遷移をたどると、実行はエラーになり停止します。" in japanese
    assert "The run" not in japanese


def test_the_card_goes_with_a_key_a_click_or_the_mouse(example: Bench, qtbot: QtBot) -> None:
    at = find(example, "{", '"agentId"')
    card = example.panel.assist.card
    assert rest_at(example, at)
    example.press(Qt.Key.Key_Escape)
    assert not card.isVisible()
    assert rest_at(example, at)
    QTest.mouseClick(example.editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    assert not card.isVisible()
    assert rest_at(example, at)
    move(example, QPoint(5, 5), Qt.KeyboardModifier.NoModifier)
    qtbot.waitUntil(lambda: not card.isVisible())
    assert rest_at(example, at)
    example.editor.verticalScrollBar().setValue(example.editor.verticalScrollBar().value() + 3)
    assert not card.isVisible()


def test_by_keyboard_the_same_is_reported(example: Bench) -> None:
    example.put_caret(find(example, '"handoff": {', '"closure.issue"'))
    example.press(Qt.Key.Key_I, CTRL)
    assert "closure.issue" in example.panel.assist.card.label.text()
    example.put_caret(0)
    example.press(Qt.Key.Key_I, CTRL)
    assert "No information" in example.panel.assist.card.label.text()


def test_keywords_of_schemas_and_keys_of_the_configuration_are_reported(example: Bench) -> None:
    example.document.reveal(example.document.path.parent / "schemas" / "issue.schema.json", Span(0, 0))
    assert "must have" in rest_at(example, find(example, "{", '"required"'))
    config = example.document.folder.root / "stepflow.toml"
    example.document.reveal(config, Span(0, 0))
    example.put_caret(0)
    example.document.apply({config: [TextEdit(0, 0, "strict = true\n")]}, "set", "test")
    assert "warnings" in rest_at(example, 2)


def test_with_ctrl_a_name_is_a_link_that_a_click_follows(example: Bench) -> None:
    at = find(example, '"handoff": {', '"closure.issue"')
    point = point_at(example, at)
    move(example, point, CTRL)
    assert example.editor.link == Span(at - 2, at - 2 + len('"closure.issue"'))
    assert example.editor.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    underlined = [
        each.cursor.selectedText() for each in example.editor.extraSelections() if each.format.fontUnderline()
    ]
    assert underlined == ['"closure.issue"']
    QTest.keyRelease(example.editor, Qt.Key.Key_Control)
    assert example.editor.link is None
    assert example.editor.viewport().cursor().shape() == Qt.CursorShape.IBeamCursor
    QTest.mouseClick(example.editor.viewport(), Qt.MouseButton.LeftButton, CTRL, point)
    assert example.text[example.editor.caret :].startswith('"closure.issue": {')


def test_what_has_no_target_is_no_link(example: Bench) -> None:
    point = point_at(example, find(example, "{", '"agentId"'))
    move(example, point, CTRL)
    assert example.editor.link is None
    key = point_at(example, find(example, '"steps"', '"closure.issue": {'))
    move(example, key, CTRL)
    assert example.editor.link is None  # it is defined here


def test_a_prompt_and_a_variable_go_to_their_files(example: Bench) -> None:
    example.put_caret(find(example, '"initial.issue": {', '"issue"'))
    example.press(Qt.Key.Key_F12)
    assert example.panel.path is not None
    assert example.panel.path.name == "f_default.md"
    example.put_caret(example.editor.mapping.source.text.index("{uv-issue}") + 5)
    example.press(Qt.Key.Key_F12)
    assert example.panel.path.name == "agent.json"
    assert example.editor.textCursor().selectedText() == '"issue"'


def test_f12_explains_why_there_is_nowhere_to_go(example: Bench) -> None:
    example.put_caret(0)
    example.press(Qt.Key.Key_F12)
    assert example.panel.assist.card.label.text() == "No name here"
    example.press(Qt.Key.Key_F12, SHIFT)
    assert example.panel.assist.card.isVisible()


def rename(bench: Bench, offset: int) -> RenamePopup:
    bench.put_caret(offset)
    bench.press(Qt.Key.Key_F2)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, RenamePopup)
    return popup


def write(popup: RenamePopup, text: str) -> None:
    popup.field.selectAll()
    QTest.keyClicks(popup.field, text)
    popup._look()


def test_a_step_is_renamed_in_every_file_as_one_entry(example: Bench) -> None:
    schema = example.document.path.parent / "schemas" / "issue.schema.json"
    before = example.text, schema.read_text()
    example.document.select("closure.issue", "test")
    popup = rename(example, find(example, '"handoff": {', '"closure.issue"'))
    assert popup.field.text() == "closure.issue"
    assert popup.field.selectedText() == "closure.issue"
    write(popup, "closure.done")
    assert "7 edits" in popup.message.text()
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    source = example.document.source(schema)
    assert isinstance(source, Source)
    assert '"closure.issue"' not in example.text
    assert '"closure.done": {' in source.text
    assert example.document.selected_step == "closure.done"
    assert example.document.stack.count() == 1
    example.document.undo()
    source = example.document.source(schema)
    assert isinstance(source, Source)
    assert (example.text, source.text) == before
    example.check()


def test_conflicts_are_reported_while_the_name_is_typed(example: Bench) -> None:
    before = example.text
    popup = rename(example, find(example, '"handoff": {', '"closure.issue"'))
    write(popup, "initial.issue")
    assert "already" in popup.message.text()
    assert popup.message.property("token") == "error"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert popup.isVisible()
    write(popup, "no step id!")
    assert "is not a step id" in popup.message.text()
    QTest.keyClick(popup.field, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert example.text == before


def test_an_intent_is_renamed_over_the_contract(example: Bench) -> None:
    popup = rename(example, find(example, '"initial.issue": {', '"next"'))
    assert popup.message.text() == "One of next, repeat, jump, handoff"
    write(popup, "closing")
    assert "can’t emit" in popup.message.text()
    write(popup, "jump")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    step = json.loads(example.text)["steps"]["initial.issue"]
    assert "jump" in step["structuredGate"]["allowedIntents"]
    assert "jump" in step["transitions"]
    assert example.document.stack.count() == 1


@pytest.mark.parametrize(
    ("before", "inside", "new"),
    [
        ('"validator"', '"git-clean"', "clean"),
        ('"failurePattern":', '"git-dirty"', "dirty"),
        ('"schema":', '"initial', "first"),
    ],
)
def test_other_names_are_renamed_too(example: Bench, before: str, inside: str, new: str) -> None:
    text = example.text
    popup = rename(example, find(example, before, inside))
    old = popup.field.text()
    write(popup, new)
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert f'"{new}"' in example.text
    place = find(example, before, f'"{new}"')
    assert f'"{old}"' not in example.text[place : place + 40]
    example.document.undo()
    assert example.text == text
    example.check()


def test_what_cannot_be_renamed_is_reported_at_the_place(example: Bench) -> None:
    example.put_caret(0)
    example.press(Qt.Key.Key_F2)
    assert QApplication.activePopupWidget() is None
    assert example.panel.assist.card.label.text() == "No name here"
    example.put_caret(1)
    example.type("x")
    example.put_caret(find(example, '"handoff": {', '"closure.issue"'))
    example.press(Qt.Key.Key_F2)
    assert example.panel.assist.card.label.text() == "Fix the syntax error first."


def entries(menu: QMenu) -> dict[str, tuple[bool, str]]:
    return {
        action.text().partition("\t")[0].replace("&", ""): (action.isEnabled(), action.toolTip())
        for action in menu.actions()
        if not action.isSeparator()
    }


def test_the_menu_offers_what_can_be_done_and_explains_why_not(example: Bench) -> None:
    menu = source_menu(example.editor, find(example, '"handoff": {', '"closure.issue"'))
    offered = entries(menu)
    menu.close()
    for name in ("Go to Definition", "Find All References", "Rename…"):
        assert offered[name][0], name
    menu = source_menu(example.editor, 0)
    nothing = entries(menu)
    menu.close()
    for name in ("Go to Definition", "Find All References", "Rename…"):
        assert nothing[name] == (False, "No name here"), name


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_Period, CTRL), (Qt.Key.Key_Return, ALT)])
def test_a_key_opens_the_fixes_of_the_line(
    example: Bench, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier
) -> None:
    asked: list[int] = []

    def offer(menu: QMenu, _path: Path, offset: int) -> None:
        asked.append(offset)
        menu.addAction("Fix it")

    example.panel.extend_menu = offer
    at = break_target(example, qtbot)
    example.editor.reveal(Span(at, at))
    example.put_caret(example.text.rindex("\n", 0, at) + 1)
    example.press(key, modifiers)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert asked == [at - 3]
    assert menu.activeAction() is not None
    menu.close()
    example.put_caret(0)
    example.press(key, modifiers)
    assert QApplication.activePopupWidget() is None
    assert example.panel.assist.card.label.text() == "No problem here"


def test_the_palette_gets_what_the_keys_do_at_the_caret(example: Bench) -> None:
    example.put_caret(find(example, '"handoff": {', '"closure.issue"'))
    keys = [each.keys for each in example.panel.assist.commands()]
    assert keys == ["Ctrl+Space", "Ctrl+I", "Ctrl+Shift+[", "Ctrl+Shift+]", "", ""]  # all lines without keys
    offered = {each.keys: each for each in example.panel.assist.offers(example.editor.caret)}
    assert set(offered) == {"F12", "Shift+F12", "F2"}  # actions of the window
    assert offered["F12"].against == ""
    offered["F12"].does()
    assert example.text[example.editor.caret :].startswith('"closure.issue": {')


def test_a_parameter_is_renamed_from_a_prompt_in_every_file(example: Bench) -> None:
    prompt = example.document.path.parent / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    example.document.reveal(prompt, Span(0, 0))
    example.editor.setFocus()
    popup = rename(example, example.editor.mapping.source.text.index("{uv-issue}") + 5)
    assert popup.field.text() == "issue"
    write(popup, "ticket")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert "{uv-ticket}" in example.editor.mapping.source.text
    assert '"uvVariables": ["ticket"' in example.text
    assert example.document.stack.count() == 1
    example.document.undo()
    assert "{uv-ticket}" not in example.editor.mapping.source.text
    assert not example.document.dirty


def test_what_other_steps_share_is_changed_by_a_button_only(bench: Make, tmp_path: Path) -> None:
    shown = bench(Written(tmp_path).folder / "steps_registry.json")
    before = shown.text
    popup = rename(shown, find(shown, '"verification.issue": {', '"next"'))
    write(popup, "jump")
    assert "verification.again" in popup.message.text()
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert shown.text == before
    (button,) = popup.buttons
    button.click()
    assert shown.document.stack.count() == 1
    assert "jump" in json.loads(shown.text)["steps"]["verification.issue"]["transitions"]

"""Texts of the agent's other files in the source panel, each in a tab of its own."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTabBar
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.gui.document.open_texts import on_disk
from stepflow_gui.gui.source.heading.tabs import SourceTabs
from stepflow_gui.gui.widgets.file_names import short_names
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import Saved
from stepflow_gui.text.source import Source, Span
from tests.gui.source.bench import CTRL, Bench

SHIFT = Qt.KeyboardModifier.ShiftModifier


def schema_of(bench: Bench) -> Path:
    return bench.document.path.parent / "schemas" / "issue.schema.json"


def tab_names(bench: Bench) -> list[str]:
    return [bench.panel.tabs.tabText(index) for index in range(bench.panel.tabs.count())]


def text_in(bench: Bench, path: Path) -> str:
    source = bench.document.source(path)
    assert isinstance(source, Source)
    return source.text


def test_a_tab_grows_for_the_mark_of_what_isnt_saved(qtbot: QtBot) -> None:
    tabs = SourceTabs(Theme(dark=False))
    qtbot.addWidget(tabs)
    tabs.resize(400, 40)
    tabs.show()
    path = Path("/project/steps_registry.json")
    tabs.start(path, path.parent)
    tabs.set_state(path, unsaved=False, gone=False)
    saved = tabs.tabRect(0).width()
    tabs.set_state(path, unsaved=True, gone=False)
    end = tabs.tabButton(0, QTabBar.ButtonPosition.RightSide)
    assert tabs.tabRect(0).width() == tabs.tabSizeHint(0).width() >= saved + end.width() - 4
    tabs.set_state(path, unsaved=False, gone=False)
    assert tabs.tabRect(0).width() == saved
    narrow = saved - tabs.fontMetrics().horizontalAdvance(tabs.tabText(0))  # what a tab has beside its text
    tabs.set_state(path, unsaved=True, gone=True)
    assert tabs.tabText(0).endswith(" (deleted)")
    assert tabs.fontMetrics().horizontalAdvance(tabs.tabText(0)) + narrow <= tabs.tabRect(0).width() <= 240


def test_a_place_in_another_file_of_the_agent_is_shown_and_edited_there(iterator: Bench) -> None:
    registry = iterator.text
    schema = schema_of(iterator)
    before = schema.read_text()
    at = before.index('"repeat"')
    iterator.document.reveal(schema, Span(at, at + len('"repeat"')))
    assert iterator.editor.textCursor().selectedText() == '"repeat"'
    assert tab_names(iterator) == ["steps_registry.json", "issue.schema.json"]
    assert iterator.panel.tabs.current == schema
    line = before.count("\n", 0, at) + 1
    assert iterator.panel.head.place.text().startswith(f"{line}:")
    iterator.type('"again"')
    assert text_in(iterator, schema) == f'{before[:at]}"again"{before[at + len(chr(34) + "repeat" + chr(34)) :]}'
    assert iterator.text == registry
    iterator.press(Qt.Key.Key_Z, CTRL)
    iterator.press(Qt.Key.Key_Z, CTRL)
    assert not iterator.document.dirty
    assert iterator.editor.mapping.source.text == before
    # back through the registry's tab
    click_tab(iterator, 0)
    iterator.check()
    iterator.type(" ")
    assert iterator.text == f" {registry}"


def click_tab(bench: Bench, index: int, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
    QTest.mouseClick(bench.panel.tabs, button, pos=bench.panel.tabs.tabRect(index).center())
    bench.editor.setFocus()


def test_a_place_in_a_file_that_cannot_be_read_leaves_what_is_shown_and_explains_why(iterator: Bench) -> None:
    iterator.document.reveal(iterator.document.path.parent / "schemas" / "none.json", Span(0, 1))
    assert "none.json" in iterator.panel.head.note.text()
    assert iterator.panel.head.note.isVisible()
    iterator.document.reveal(Path("/etc/passwd"), Span(0, 1))
    assert "passwd" in iterator.panel.head.note.text()
    iterator.check()
    assert iterator.panel.tabs.count() == 1
    iterator.document.reveal(iterator.document.path, Span(0, 1))
    assert not iterator.panel.head.note.isVisible()


def test_the_caret_in_another_file_selects_no_step(iterator: Bench, qtbot: QtBot) -> None:
    iterator.document.select("initial.polling", "test")
    iterator.document.reveal(schema_of(iterator), Span(300, 300))
    iterator.put_caret(2000)
    qtbot.wait(20)
    assert iterator.document.selected_step == "initial.polling"


def test_a_tab_keeps_caret_selection_and_scroll_while_its_file_changes(iterator: Bench) -> None:
    at = iterator.text.index('"closure.issue": {')
    iterator.editor.reveal(Span(at, at))
    iterator.put_caret(at, at + 15)
    iterator.editor.horizontalScrollBar().setValue(20)
    top, left = iterator.editor.firstVisibleBlock().text(), iterator.editor.horizontalScrollBar().value()
    iterator.panel.show_file(schema_of(iterator))
    iterator.document.apply({iterator.document.path: [TextEdit(1, 1, "\n\n\n")]}, "Add", "canvas")
    iterator.put_caret(7)
    iterator.panel.show_file(iterator.document.path)
    assert iterator.editor.textCursor().selectedText() == '"closure.issue"'
    assert iterator.editor.firstVisibleBlock().text() == top
    assert iterator.editor.horizontalScrollBar().value() == left
    iterator.check()
    iterator.panel.show_file(schema_of(iterator))
    assert iterator.editor.caret == 7


def test_keys_go_round_the_tabs_and_close_them(iterator: Bench) -> None:
    schema, registry = schema_of(iterator), iterator.document.path
    agent = registry.parent / "agent.json"
    for path in (schema, agent):
        iterator.panel.show_file(path)
    iterator.press(Qt.Key.Key_Tab, CTRL)
    assert iterator.panel.path == registry
    iterator.press(Qt.Key.Key_PageDown, CTRL)
    assert iterator.panel.path == schema
    iterator.press(Qt.Key.Key_PageUp, CTRL)
    iterator.press(Qt.Key.Key_Tab, CTRL | SHIFT)
    assert iterator.panel.path == agent
    iterator.press(Qt.Key.Key_W, CTRL)
    assert iterator.panel.path == registry  # looked at before
    iterator.press(Qt.Key.Key_W, CTRL)
    assert iterator.panel.tabs.paths == [registry, schema]  # the registry stays open
    assert "\t" not in iterator.text[:40]


def test_a_middle_click_and_the_cross_close_a_tab_and_lose_nothing(iterator: Bench) -> None:
    schema = schema_of(iterator)
    iterator.panel.show_file(schema)
    iterator.put_caret(1)
    iterator.type(" ")
    click_tab(iterator, 1, Qt.MouseButton.MiddleButton)
    assert iterator.panel.tabs.paths == [iterator.document.path]
    assert iterator.document.dirty
    iterator.panel.show_file(schema)
    assert iterator.editor.mapping.source.text.startswith("{ \n")
    end = iterator.panel.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
    QTest.mouseClick(end, Qt.MouseButton.LeftButton)
    assert iterator.panel.tabs.count() == 1
    click_tab(iterator, 0, Qt.MouseButton.MiddleButton)
    assert iterator.panel.tabs.count() == 1


def test_tabs_are_put_in_another_order_by_dragging(iterator: Bench, qtbot: QtBot) -> None:
    schema, registry = schema_of(iterator), iterator.document.path
    iterator.panel.show_file(schema)
    tabs = iterator.panel.tabs
    start, end = tabs.tabRect(1).center(), tabs.tabRect(0).center() - QPoint(30, 0)
    for kind, at in (
        (QEvent.Type.MouseButtonPress, start),
        *((QEvent.Type.MouseMove, start + (end - start) * step / 8) for step in range(1, 9)),
        (QEvent.Type.MouseButtonRelease, end),
    ):
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else Qt.MouseButton.LeftButton
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
        where = QPointF(at)
        event = QMouseEvent(kind, where, tabs.mapToGlobal(where), button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(tabs, event)
    qtbot.waitUntil(lambda: tabs.paths == [schema, registry])
    iterator.press(Qt.Key.Key_Tab, CTRL)
    assert iterator.panel.path == registry


def test_a_dot_marks_what_is_not_saved_per_file(iterator: Bench) -> None:
    schema = schema_of(iterator)
    iterator.panel.show_file(schema)
    tips = [iterator.panel.tabs.tabToolTip(index).splitlines()[1:] for index in range(2)]
    assert tips == [[], []]
    iterator.put_caret(1)
    iterator.type(" ")
    tips = [iterator.panel.tabs.tabToolTip(index).splitlines()[1:] for index in range(2)]
    assert tips == [[], ["Not saved"]]
    assert iterator.panel.tabs.accessibleTabName(1) == "issue.schema.json, Not saved"
    iterator.document.save()
    assert len(iterator.panel.tabs.tabToolTip(1).splitlines()) == 1
    iterator.document.undo()
    assert iterator.panel.tabs.tabToolTip(1).endswith("\nNot saved")


def test_tool_tips_show_the_path_from_the_project(iterator: Bench) -> None:
    iterator.panel.show_file(schema_of(iterator))
    root = iterator.document.last_valid.root
    assert root / iterator.panel.tabs.tabToolTip(1) == schema_of(iterator)


def test_files_of_one_name_are_distinguished_by_folder(example: Bench) -> None:
    prompts = [path for path in agent_files(example.document) if path.name == "f_default.md"][:2]
    assert len(prompts) == 2
    for path in prompts:
        example.panel.show_file(path)
    names = tab_names(example)[1:]
    assert len(set(names)) == 2
    assert all("/" in name for name in names)
    example.press(Qt.Key.Key_W, CTRL)
    assert tab_names(example)[1] == "f_default.md"


def test_names_take_as_much_of_the_path_as_they_need() -> None:
    paths = [Path("/p/a/x/f.md"), Path("/p/b/x/f.md"), Path("/p/b/y/f.md"), Path("/p/agent.json")]
    assert short_names(paths) == ["a/x/f.md", "b/x/f.md", "y/f.md", "agent.json"]


def test_undo_shows_the_file_that_it_changed(iterator: Bench) -> None:
    schema = schema_of(iterator)
    iterator.panel.show_file(schema)
    iterator.put_caret(1)
    iterator.type(" ")
    iterator.panel.show_file(iterator.document.path)
    iterator.put_caret(1)
    iterator.type(" ")
    iterator.press(Qt.Key.Key_Z, CTRL)
    assert iterator.panel.path == iterator.document.path
    iterator.press(Qt.Key.Key_Z, CTRL)
    assert iterator.panel.path == schema
    assert iterator.editor.caret == 1
    assert not iterator.document.dirty
    iterator.document.redo()
    iterator.document.redo()
    assert iterator.panel.path == iterator.document.path
    iterator.check()


def test_typing_in_two_files_is_two_entries(iterator: Bench) -> None:
    iterator.put_caret(1)
    iterator.type("a")
    iterator.panel.show_file(schema_of(iterator))
    iterator.put_caret(1)
    iterator.type("b")
    assert iterator.document.stack.count() == 2


def test_a_change_of_several_files_reaches_their_tabs(iterator: Bench) -> None:
    schema = schema_of(iterator)
    iterator.panel.show_file(schema)
    edits = {schema: [TextEdit(0, 0, " ")], iterator.document.path: [TextEdit(0, 0, "\n")]}
    iterator.document.apply(edits, "Both", "canvas")
    assert iterator.editor.mapping.source.text.startswith(" {")
    assert iterator.editor.mapping.in_step()
    iterator.panel.show_file(iterator.document.path)
    iterator.check()


def test_a_file_that_is_gone_from_disk_is_reported_and_goes_with_a_reload(iterator: Bench) -> None:
    schema = schema_of(iterator)
    before = schema.read_text()
    told: list[object] = []
    iterator.document.disk_changed.connect(told.append)
    iterator.panel.show_file(schema)
    schema.unlink()
    iterator.document.check_disk()
    assert told == [schema]
    assert tab_names(iterator)[1] == "issue.schema.json (deleted)"
    assert "No longer on disk" in iterator.panel.tabs.tabToolTip(1)
    assert iterator.document.reload() is None
    assert text_in(iterator, schema) == ""
    assert not iterator.document.dirty
    iterator.document.undo()
    assert iterator.editor.mapping.source.text == before
    assert iterator.document.dirty
    assert isinstance(iterator.document.save(on_disk(schema)), Saved)
    assert schema.read_text() == before


def test_after_a_reload_a_schema_that_is_gone_is_missing_for_the_linter(iterator: Bench, qtbot: QtBot) -> None:
    schema = schema_of(iterator)
    iterator.panel.show_file(schema)
    schema.unlink()
    iterator.document.check_disk()
    iterator.document.reload()
    qtbot.waitUntil(lambda: iterator.document.linted)
    assert any(schema.name in found.message for found in iterator.document.diagnostics)
    assert all(path != schema for path, _text, _bom in iterator.document.snapshot().texts)


@pytest.mark.parametrize("ending", ["agent.json", "f_default.md", "issue.schema.json", "stepflow.toml"])
def test_the_menu_of_files_opens_each_kind(example: Bench, ending: str) -> None:
    menu = example.panel.head.file_menu(example.document)
    menus = [menu, *menu.findChildren(QMenu)]
    next(action for each in menus for action in each.actions() if action.text() == ending).trigger()
    menu.close()
    assert example.panel.path is not None
    assert example.panel.path.name == ending
    assert example.editor.hasFocus()
    example.put_caret(0)
    example.type("x")
    assert text_in(example, example.panel.path).startswith("x")
    example.document.undo()
    assert not example.document.dirty


def test_another_session_begins_with_its_registry_alone(iterator: Bench) -> None:
    iterator.panel.show_file(schema_of(iterator))
    document = iterator.document
    iterator.panel.set_document(None)
    assert iterator.panel.tabs.count() == 0
    iterator.panel.set_document(document)
    assert iterator.panel.tabs.paths == [document.path]


def test_copying_works_in_every_tab(iterator: Bench) -> None:
    schema = schema_of(iterator)
    iterator.panel.show_file(schema)
    iterator.press(Qt.Key.Key_A, CTRL)
    iterator.press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == schema.read_text()

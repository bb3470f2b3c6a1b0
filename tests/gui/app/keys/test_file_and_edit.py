"""Every shortcut of the menus File and Edit, pressed where it is meant for, and what came of it."""

import json
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from stepflow_gui.gui.source.finding.files_panel import FilesPanel
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from tests.gui.app.keys.conftest import STEP, Hands


def test_the_keys_of_the_file_menu(hands: Hands, tmp_path: Path) -> None:
    hands.press("Ctrl+N")
    hands.close_dialog()
    for keys, kind in ((("Ctrl+O",), "file"), (("Ctrl+K", "Ctrl+O"), "folder")):
        hands.press(*keys)
        assert hands.asked.asked.pop() == kind, keys
    hands.press("Ctrl+R")
    assert hands.popup(QMenu) is hands.window.file_actions.recent
    hands.press("Esc")
    hands.in_source()
    hands.press("Return")
    assert hands.document.dirty
    hands.press("Ctrl+S")
    assert not hands.document.dirty
    hands.press("Return", "Ctrl+Alt+S")
    assert not hands.document.dirty
    first = hands.document.path
    before = first.read_bytes()
    hands.press("Return")
    hands.asked.answer = tmp_path / "elsewhere"
    hands.press("Ctrl+Shift+S")
    assert hands.document.path.is_relative_to(tmp_path / "elsewhere")
    assert hands.document.path.read_bytes() == b"\n" + before
    assert first.read_bytes() == before  # and its own file isn't touched
    assert len(hands.shell.windows) == 1
    hands.asked.answer = None
    hands.press("Ctrl+,")
    assert hands.dialog().windowTitle() == "Settings"
    hands.dialog().close()


def test_closing_and_opening_again(hands: Hands) -> None:
    schema = next(hands.document.path.parent.rglob("issue.schema.json"))
    assert hands.window.source.show_file(schema)
    hands.in_source()
    assert hands.window.source.path == schema
    hands.press("Ctrl+W")
    assert hands.window.source.path == hands.document.path  # the text's tab, while the keyboard is in it
    hands.press("Ctrl+W")
    assert hands.window.document is not None
    assert "Ctrl+Shift+W" in hands.status
    hands.press("Ctrl+Shift+T")
    assert hands.window.source.path == schema
    hands.on_canvas()
    path = hands.document.path
    hands.press("Ctrl+W")
    assert hands.window.document is None
    hands.press("Ctrl+Shift+T")
    assert hands.document.path == path
    hands.press("Ctrl+Shift+E")
    assert hands.shell.project.root is not None
    hands.press("Ctrl+K", "Ctrl+W")
    assert hands.shell.project.root is None


def test_the_keys_of_the_edit_menu_on_the_canvas(hands: Hands) -> None:
    before, canvas = hands.text, hands.window.canvas
    hands.on_canvas(STEP)
    hands.press("Ctrl+D")
    assert f'"{STEP}.copy"' in hands.text or hands.text != before
    hands.press("Ctrl+Z")
    assert hands.text == before
    hands.press("Ctrl+Shift+Z")
    assert hands.text != before
    hands.press("Ctrl+Z", "Ctrl+Y", "Ctrl+Z")
    assert hands.text == before
    hands.on_canvas(STEP)
    hands.press("Ctrl+C")
    assert STEP in QGuiApplication.clipboard().text()
    hands.press("Ctrl+V")
    assert hands.text != before
    hands.press("Ctrl+Z")
    hands.on_canvas("section.conventions")
    hands.press("Ctrl+X")
    assert "section.conventions" not in hands.document.folder.flow.steps
    hands.press("Ctrl+Z")
    hands.on_canvas("section.conventions")
    hands.press("Del")
    assert "section.conventions" not in hands.document.folder.flow.steps
    hands.press("Ctrl+Z", "Ctrl+A")
    assert set(canvas.graph.selected_steps) == set(hands.document.last_valid.flow.steps)


def test_going_about_from_the_canvas(hands: Hands) -> None:
    hands.press("Ctrl+F")
    find = hands.popup(PalettePopup)
    assert isinstance(find, PalettePopup)
    QTest.keyClicks(find.field, "issue")
    hands.press("Return")
    assert QApplication.activePopupWidget() is None
    first = hands.document.selected_step
    hands.on_canvas()
    hands.press("F3")
    assert hands.document.selected_step != first
    hands.press("Shift+F3")
    assert hands.document.selected_step == first
    hands.press("Alt+Left")
    hands.press("Alt+Right")
    assert hands.document.selected_step == first
    for keys in ("F2", "Shift+F2"):
        hands.on_canvas(STEP)
        hands.press(keys)
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit)
        assert field.objectName() == "inlineEdit"
        hands.press("Esc")
    for keys, place in (("Ctrl+P", True), ("Ctrl+G", True), ("Ctrl+K", False), ("Ctrl+Shift+P", False)):
        hands.on_canvas()
        hands.press(keys)
        palette = hands.popup(PalettePopup)
        assert isinstance(palette, PalettePopup)
        assert (STEP in palette.titles()) == place, keys
        hands.press("Esc")


def test_the_keys_of_the_edit_menu_in_the_source(hands: Hands) -> None:
    source, before = hands.window.source, hands.text
    hands.in_source()
    hands.press("Ctrl+G")
    popup = hands.popup(AskPopup)
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, "7")
    hands.press("Return")
    assert source.editor.textCursor().blockNumber() == 6
    hands.press("Ctrl+F")
    assert QApplication.focusWidget() is source.find_bar.widget.field
    QTest.keyClicks(source.find_bar.widget.field, "target")
    hands.qtbot.waitUntil(lambda: len(source.find_bar.widget.hits) > 2)
    places = []
    for keys in ("F3", "F3", "Shift+F3"):
        hands.press(keys)
        places.append(source.editor.caret)
    assert places[0] == places[2] != places[1]
    hands.press("Ctrl+H")
    assert source.find_bar.widget.by.isVisible()
    hands.press("Esc")
    hands.on_canvas()
    hands.press("Ctrl+H")  # from elsewhere it goes there
    assert source.find_bar.widget.by.isVisible()
    hands.press("Esc")
    hands.in_source('"target": "', 12)
    hands.press("F12")
    assert source.editor.caret != hands.text.index('"target": "') + 12
    hands.in_source('"target": "', 12)
    hands.press("Shift+F12")
    assert isinstance(hands.popup(PalettePopup), PalettePopup)
    hands.press("Esc")
    hands.in_source('"target": "', 12)
    hands.press("F2")
    assert QApplication.activePopupWidget() is not None
    hands.press("Esc")
    hands.in_source()
    hands.press("Ctrl+A", "Ctrl+C")
    assert QGuiApplication.clipboard().text() == before.replace("\r\n", "\n")
    hands.press("Del")
    assert hands.text == ""
    hands.press("Ctrl+Z")
    assert hands.text == before
    assert set(hands.window.canvas.graph.selected_steps) != set(hands.document.last_valid.flow.steps)


def test_going_to_what_is_in_the_file(hands: Hands) -> None:
    hands.in_source()
    hands.press("Ctrl+Shift+O")
    palette = hands.popup(PalettePopup)
    assert {STEP, "steps"} <= set(palette.titles())
    QTest.keyClicks(palette.field, STEP)
    hands.press("Return")
    assert hands.window.source.editor.caret == hands.text.index(f'"{STEP}": {{')
    assert hands.asked.asked == []  # no file is asked for any more
    hands.qtbot.waitUntil(lambda: hands.document.selected_step == STEP)
    hands.on_canvas()
    hands.press("Ctrl+Shift+O")  # elsewhere it finds steps
    assert STEP in hands.popup(PalettePopup).titles()
    hands.press("Esc")


def test_json_has_no_line_comments(hands: Hands) -> None:
    before = hands.text
    hands.in_source()
    assert not hands.window.desk.actions.fits("toggle-comment")
    hands.press("Ctrl+/")
    assert hands.text == before
    assert hands.status == "Only YAML and TOML have line comments."


def test_lines_of_a_piece_become_comments_and_lines_again(hands: Hands, tmp_path: Path) -> None:
    text = "name: p\nmovements:\n  - name: plan\n    rules:\n      - condition: done\n        next: COMPLETE\n"
    path = tmp_path / "piece.yaml"
    path.write_text(text, "utf-8")
    assert hands.shell.open(path)
    hands.settle()
    hands.in_source("    rules")
    editor = hands.window.source.editor
    hands.press("Shift+Down", "Shift+Down", "Shift+Down", "Ctrl+/")
    assert hands.text == text.replace("    rules", "    # rules").replace("      - c", "    #   - c").replace(
        "        next", "    #     next"
    )
    assert hands.document.stack.count() == 1
    assert editor.textCursor().hasSelection()  # the same lines are still selected
    hands.press("Ctrl+/")
    assert hands.text == text
    hands.press("Ctrl+Z", "Ctrl+Z")
    assert hands.text == text
    assert not hands.document.stack.canUndo()


def test_the_menu_acts_on_the_text_that_had_the_keyboard(hands: Hands) -> None:
    actions, before = hands.window.desk.actions, hands.text
    hands.in_source()
    actions["select-all"].trigger()
    assert hands.window.source.editor.textCursor().hasSelection()
    assert actions.fits("remove")
    actions["remove"].trigger()
    assert hands.text == ""
    hands.document.undo()
    assert hands.text == before
    field = next(each for each in hands.window.inspector.findChildren(QLineEdit) if each.isVisible())
    field.setFocus()
    field.setText("abc")
    assert not actions.fits("copy")
    actions["select-all"].trigger()
    assert field.selectedText() == "abc"
    actions["cut"].trigger()
    assert (field.text(), QGuiApplication.clipboard().text()) == ("", "abc")
    assert hands.text == before


def test_formatting_in_the_source_is_laying_out_on_the_canvas(hands: Hands) -> None:
    before = hands.text
    hands.in_source()
    editor = hands.window.source.editor
    editor.selectAll()
    editor.insertPlainText(json.dumps(json.loads(before), separators=(",", ":")))
    hands.settle()
    hands.in_source()
    hands.press("Shift+Alt+F")
    assert hands.document.stack.undoText() == "Format Document"
    assert json.loads(hands.text) == json.loads(before)
    assert hands.text.count("\n") > 100
    once = hands.text
    hands.press("Shift+Alt+F")
    assert hands.text == once
    hands.press("Ctrl+Z", "Ctrl+Z")
    assert hands.text == before
    hands.in_source()
    hands.press("x", "Shift+Alt+F")
    assert hands.status == "Only valid JSON can be formatted."


def test_find_and_replace_in_files(hands: Hands) -> None:
    hands.press("Ctrl+Shift+F")
    page = hands.window.side.findChild(FilesPanel)
    assert isinstance(page, FilesPanel)
    assert (hands.window.side.shown, page.field.hasFocus(), page.by.isVisible()) == ("find", True, False)
    hands.in_source()
    hands.press("Ctrl+Shift+H")
    assert (page.field.hasFocus(), page.by.isVisible()) == (True, True)

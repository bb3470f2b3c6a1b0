"""The line over the source text, by mouse and keyboard."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from stepflow_gui.text.edit import TextEdit
from tests.gui.source.bench import SMALL, Bench

Make = Callable[[Path], Bench]
ALT = Qt.KeyboardModifier.AltModifier


def menu_of(bench: Bench) -> QMenu:
    menus = [menu for menu in bench.panel.crumbs.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    return menus[0]


def parts(bench: Bench) -> list[str]:
    shown = [part for part in bench.panel.crumbs.findChildren(QToolButton) if part.isVisible()]
    return [part.accessibleName() for part in sorted(shown, key=lambda part: part.x())]


def has_keyboard() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def test_the_path_follows_the_caret(iterator: Bench, qtbot: QtBot) -> None:
    at = iterator.text.index('"structuredGate"', iterator.text.index('"initial.polling": {'))
    iterator.put_caret(at + 3)
    qtbot.waitUntil(lambda: iterator.panel.crumbs.labels == ["steps", "initial.polling", "structuredGate"])
    iterator.put_caret(0)
    qtbot.waitUntil(lambda: iterator.panel.crumbs.labels == [])


def test_the_path_follows_the_text(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(small.text.index('A"'))
    qtbot.waitUntil(lambda: small.panel.crumbs.labels == ["steps", "initial.a", "name"])
    small.document.apply(
        {small.document.path: [TextEdit(*_place(small, "initial.a"), "initial.c")]}, "Rename", "canvas"
    )
    qtbot.waitUntil(lambda: small.panel.crumbs.labels == ["steps", "initial.c", "name"])


def _place(bench: Bench, text: str) -> tuple[int, int]:
    at = bench.text.index(text)
    return at, at + len(text)


def test_a_part_lists_its_siblings_and_goes_there(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(small.text.index('A"'))
    qtbot.waitUntil(lambda: len(small.panel.crumbs.labels) == 3)
    small.panel.crumbs.open_list(1)
    menu = menu_of(small)
    assert [action.text() for action in menu.actions()] == ["initial.a", "initial.b"]
    assert [action.isChecked() for action in menu.actions()] == [True, False]
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert small.editor.textCursor().selectedText() == '"initial.b"'
    assert small.editor.hasFocus()
    qtbot.waitUntil(lambda: small.document.selected_step == "initial.b")


def test_the_keyboard_goes_up_along_the_parts_and_back(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(small.text.index('A"'))
    qtbot.waitUntil(lambda: len(small.panel.crumbs.labels) == 3)
    small.press(Qt.Key.Key_Up, ALT)
    assert has_keyboard().accessibleName() == "name"
    QTest.keyClick(has_keyboard(), Qt.Key.Key_Left)
    assert has_keyboard().accessibleName() == "initial.a"
    QTest.keyClick(has_keyboard(), Qt.Key.Key_Down)
    menu = menu_of(small)
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    assert not menu.isVisible()
    QTest.keyClick(has_keyboard(), Qt.Key.Key_Right)
    QTest.keyClick(has_keyboard(), Qt.Key.Key_Right)
    assert has_keyboard().accessibleName() == "name"
    QTest.keyClick(has_keyboard(), Qt.Key.Key_Escape)
    assert small.editor.hasFocus()


def test_where_there_is_little_room_the_outer_parts_come_together(iterator: Bench, qtbot: QtBot) -> None:
    at = iterator.text.index('"allowedIntents"', iterator.text.index('"initial.polling": {'))
    iterator.put_caret(at + 3)
    way = ["steps", "initial.polling", "structuredGate", "allowedIntents"]
    qtbot.waitUntil(lambda: parts(iterator) == way)
    iterator.panel.resize(240, 400)
    qtbot.waitUntil(lambda: parts(iterator) == ["Path", "allowedIntents"])
    more = next(part for part in iterator.panel.crumbs.findChildren(QToolButton) if part.text() == "…")
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    menu = menu_of(iterator)
    assert [action.text() for action in menu.actions()] == way[:3]
    menu.actions()[0].trigger()
    assert iterator.editor.textCursor().selectedText() == '"steps"'
    menu.close()


def test_many_siblings_are_listed_with_a_field(qtbot: QtBot, bench: Make, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    steps = ", ".join(f'"step.{number}": {{}}' for number in range(60))
    (folder / "steps_registry.json").write_text(f'{{"steps": {{{steps}}}}}')
    many = bench(folder)
    many.put_caret(many.text.index('"step.3"') + 2)
    qtbot.waitUntil(lambda: many.panel.crumbs.labels == ["steps", "step.3"])
    many.panel.crumbs.open_list(1)
    popup = many.panel.findChild(PalettePopup)
    assert popup is not None
    QTest.keyClicks(popup.field, "step.47")
    assert popup.titles()[0] == "step.47"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert many.editor.textCursor().selectedText() == '"step.47"'


def test_headings_of_a_prompt(example: Bench, qtbot: QtBot) -> None:
    prompt = next(path for path in agent_files(example.document) if "\n# " in path.read_text())
    text = prompt.read_text()
    example.panel.show_file(prompt)
    example.put_caret(text.index("\n# ") + 5)
    name = text[text.index("\n# ") + 3 :].partition("\n")[0].strip()
    qtbot.waitUntil(lambda: example.panel.crumbs.labels[-1:] == [name])
    example.type("x")
    qtbot.waitUntil(lambda: example.panel.crumbs.labels[-1:] not in ([name], []))


def test_where_the_caret_is_in_nothing_the_top_is_offered(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(len(small.text))
    qtbot.waitUntil(lambda: parts(small) == ["Go to…"])
    small.panel.crumbs.open_list(0)
    menu = menu_of(small)
    assert [action.text() for action in menu.actions()] == ["steps"]
    menu.close()


def test_broken_text_keeps_a_path(small: Bench, qtbot: QtBot) -> None:
    small.put_caret(small.text.index('{"name"'))
    small.press(Qt.Key.Key_Delete)
    small.put_caret(small.text.index("initial.b") + 2)
    qtbot.waitUntil(lambda: small.panel.crumbs.labels[-1:] == ["initial.b"])
    assert small.text != SMALL

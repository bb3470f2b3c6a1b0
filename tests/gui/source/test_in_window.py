"""The source panel in the window: what opens its tabs, what is shown about their files, a small window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.source.menu import source_menu
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import emptied

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(qtbot: QtBot, kept: MainWindow, tmp_path: Path) -> Iterator[MainWindow]:
    with emptied(kept, size=(800, 600)) as made:
        made.open(copy_example(into=tmp_path / "project"))
        document = made.document
        assert document is not None
        qtbot.waitUntil(lambda: document.linted)
        yield made


@pytest.mark.parametrize("name", ["agent.json", "issue.schema.json", "system.md", "f_failed.md", "stepflow.toml"])
def test_a_file_of_the_palette_opens_in_a_tab(window: MainWindow, name: str) -> None:
    entry = next(entry for entry in window.palette_entries() if entry.kind == "file" and entry.title == name)
    entry.act()
    assert window.source.path is not None
    assert window.source.path.name == name
    assert [path.name for path in window.source.tabs.paths] == ["steps_registry.json", name]


def test_an_edit_in_a_tab_is_the_windows_to_undo_and_to_save(window: MainWindow) -> None:
    document = window.document
    assert document is not None
    prompt = next(path for path in document.folder.files_below(document.path.parent) if path.name == "system.md")
    window.source.show_file(prompt)
    window.source.editor.setFocus()
    QTest.keyClicks(window.source.editor, "x")
    assert window.windowTitle().count("•") == 1
    window.desk.actions["save"].trigger()
    assert prompt.read_text().startswith("x")
    window.desk.actions["undo"].trigger()
    window.desk.actions["save"].trigger()
    assert not prompt.read_text().startswith("x")


def test_a_file_of_a_tab_that_changes_on_disk_is_reported(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    assert document is not None
    prompt = next(path for path in document.folder.files_below(document.path.parent) if path.name == "system.md")
    window.source.show_file(prompt)
    prompt.write_text("# Other\n")
    document.check_disk()
    qtbot.waitUntil(lambda: "system.md" in window.banner.text)
    window.reload()
    assert window.source.editor.toPlainText() == "# Other\n"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_in_a_small_window_everything_has_its_place(window: MainWindow, qtbot: QtBot, language: str) -> None:
    window.set_language(language)
    window.resize(440, 600)  # panels are drawers over it
    document = window.document
    assert document is not None
    assert messages.language() == language
    for path in document.folder.files_below(document.path.parent):
        window.source.show_file(path)
    window.source.editor.setFocus()
    QTest.keyClick(window.source.editor, Qt.Key.Key_H, CTRL)
    window.source.find_bar.widget.field.pattern.setChecked(True)
    window.source.find_bar.widget.field.setText("(")
    qtbot.wait(50)
    panel = window.source
    assert panel.width() <= 400
    for part in panel.findChildren(QWidget):
        if part.isVisible() and part.parentWidget() is not None and not part.isWindow():
            left = part.mapTo(panel, QPoint(0, 0)).x()
            inside = panel.tabs.isAncestorOf(part) or panel.editor.isAncestorOf(part)  # which scroll
            assert inside or (left >= 0 and left + part.width() <= panel.width()), part
    assert panel.editor.viewport().height() >= 2 * panel.editor.fontMetrics().lineSpacing()


def test_ctrl_w_closes_a_text_in_the_source_and_elsewhere_the_agent(window: MainWindow) -> None:
    document = window.document
    assert document is not None
    window.source.show_file(document.path.parent / "agent.json")
    window.source.tabs.setFocus()
    QTest.keyClick(window.source.tabs, Qt.Key.Key_W, CTRL)
    assert window.source.tabs.count() == 1
    assert window.document is document
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_W, CTRL)
    assert window.document is None


def test_the_menu_of_the_text_finds_and_replaces(window: MainWindow) -> None:
    menu = source_menu(window.source.editor)
    actions = {action.text(): action for action in menu.actions()}
    actions["&Find…"].trigger()
    assert window.source.find_bar.widget.field.hasFocus()
    assert not window.source.find_bar.widget.by.isVisible()
    actions["R&eplace…"].trigger()
    assert window.source.find_bar.widget.by.isVisible()
    menu.close()

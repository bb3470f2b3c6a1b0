"""Narrow windows: menus and panels fold, nothing of the frame is cut, and what was beside the canvas comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent

SMALL, WIDE = (960, 540), (1280, 800)


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    made.resize(*SMALL)
    made.show()
    qtbot.waitExposed(made)
    assert made.open(next(copy_example(into=tmp_path / "project").rglob("steps_registry.json")))
    document = made.current.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and not made.current.canvas.is_building)
    qtbot.wait(20)
    yield made
    made.close()
    messages.use_language("en")


def resized(qtbot: QtBot, shell: Shell, size: tuple[int, int]) -> MainWindow:
    shell.resize(*size)
    qtbot.waitUntil(lambda: shell.current.width() == size[0])
    QApplication.processEvents()
    return shell.current


def cut(shell: Shell) -> list[str]:
    """Buttons and tabs of the frame of which a part can't be seen."""
    window = shell.current
    bars: list[QWidget] = [window._bar, window.menuBar(), window.statusBar(), window.rail]
    found = []
    for button in (each for bar in bars if bar.isVisible() for each in bar.findChildren(QAbstractButton)):
        if not button.isVisible() or button.objectName() in {"ScrollLeftButton", "ScrollRightButton"}:
            continue
        seen, wanted = button.visibleRegion().boundingRect().size(), button.sizeHint()
        if seen.width() < wanted.width() or seen.height() < min(wanted.height(), button.height()):
            found.append(f"{button.objectName()} “{button.text()}”: {seen} of {wanted}")
    for tabs in (window.output.tabs, shell.tabs):
        seen_tabs = tabs.visibleRegion().boundingRect()
        found += [f"tab {tabs.tabText(at)}" for at in range(tabs.count()) if not seen_tabs.contains(tabs.tabRect(at))]
    return found


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("size", [(640, 400), SMALL, (1000, 600), WIDE, (1440, 900)])
def test_nothing_of_the_frame_is_cut(qtbot: QtBot, shell: Shell, size: tuple[int, int], language: str) -> None:
    shell.current.set_language(language)
    window = resized(qtbot, shell, size)
    window.bottom_bar.clearMessage()
    for layout in ("edit", "debug"):
        window.layouts.turn_to("debug" if layout == "debug" else "edit")
        QApplication.processEvents()
        assert shell.size() == QSize(*size)
        assert cut(shell) == [], layout


def test_menus_fold_into_one_button_which_has_them_all(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    assert not window.menuBar().isVisible()
    folded = window._bar.menus
    assert folded.isVisible()
    assert [each.text() for each in folded.menu().actions()] == [each.text() for each in window.menuBar().actions()]
    assert window.layouts.switch.isVisible()
    resized(qtbot, shell, WIDE)
    assert window.menuBar().isVisible()
    assert not folded.isVisible()
    assert window.layouts.switch.isVisible()
    window.desk.actions["canvas-only"].trigger()
    resized(qtbot, shell, (1300, 800))
    assert not window.menuBar().isVisible()
    window.desk.actions["canvas-only"].trigger()
    assert window.menuBar().isVisible()


def test_find_asks_where_to_go_while_its_field_is_folded(shell: Shell) -> None:
    shell.current.desk.actions["find"].trigger()
    popup = QApplication.activePopupWidget()
    assert popup is not None
    popup.close()


def test_panels_are_drawers_over_the_canvas(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    canvas = window.canvas.size()
    assert canvas.width() * canvas.height() >= 0.7 * SMALL[0] * SMALL[1]
    assert window.inspector_dock.isHidden()
    for open_it, dock in (
        (window.desk.actions["focus-inspector"].trigger, window.inspector_dock),
        (window.drawers.edge.click, window.inspector_dock),
        (window.desk.actions["focus-outline"].trigger, window.side_dock),
    ):
        open_it()
        QApplication.processEvents()
        assert dock.isVisible()
        assert dock.isAncestorOf(QApplication.focusWidget() or window)
        assert window.canvas.size() == canvas  # it lies over it
        assert dock.height() == window.middle.height()
        QTest.keyClick(QApplication.focusWidget() or dock, Qt.Key.Key_Escape)
        assert dock.isHidden()
        assert QApplication.focusWidget() is window.canvas


def test_a_run_has_its_answers_in_a_drawer(shell: Shell) -> None:
    window = shell.current
    window.desk.actions["run-step"].trigger()
    QApplication.processEvents()
    assert window.run_panel.now.isVisible()
    assert window.bottom_dock.isVisible()
    assert window.bottom_dock.height() <= 0.45 * SMALL[1]
    window.desk.actions["run-stop"].trigger()
    assert window.inspector_dock.isHidden()
    assert window.bottom_dock.isHidden()


def test_a_wide_window_has_its_panels_back_as_they_were(qtbot: QtBot, shell: Shell) -> None:
    window = resized(qtbot, shell, WIDE)
    window.side.show_page("outline")
    window.resizeDocks([window.side_dock, window.inspector_dock], [300, 350], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    before = [(dock.isVisible(), dock.width()) for dock in window.docks[:2]]
    resized(qtbot, shell, SMALL)
    assert [dock.isVisible() for dock in window.docks[:2]] == [False, False]
    resized(qtbot, shell, WIDE)
    qtbot.waitUntil(lambda: [(dock.isVisible(), dock.width()) for dock in window.docks[:2]] == before)


def test_a_layout_first_shown_in_a_narrow_window_is_arranged_in_a_wide_one(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    window.layouts.turn_to("debug")
    resized(qtbot, shell, WIDE)
    qtbot.waitUntil(lambda: abs(window.inspector_dock.width() - 400) <= 8)
    window.layouts.turn_to("edit")
    assert window.inspector_dock.isVisible()
    assert window.side_dock.isHidden()


def test_the_window_is_never_larger_than_the_screen_nor_smaller_than_its_least(qtbot: QtBot, tmp_path: Path) -> None:
    make_application()
    settings = Settings(tmp_path / "settings.ini")
    for wanted in (QSize(4000, 3000), QSize(200, 100)):
        shell = Shell(settings, None, Silent)
        qtbot.addWidget(shell)
        shell.resize(wanted)
        shell.close()
        again = Shell(settings, None, Silent)
        qtbot.addWidget(again)
        free = again.screen().availableSize()
        assert again.width() <= free.width()
        assert again.height() <= free.height()
        assert (again.width(), again.height()) >= (640, 400)
        again.close()


def test_what_the_canvas_is_about_stays_beside_an_open_drawer(qtbot: QtBot, shell: Shell) -> None:
    window = resized(qtbot, shell, (800, 600))
    canvas = window.canvas
    canvas.zoom_to(0.8)
    canvas.select_step("continuation.issue", reveal=True)
    item = canvas.graph.step_item("continuation.issue")
    assert item is not None
    window.inspector_dock.show()
    QApplication.processEvents()
    assert canvas.covered.right() == window.inspector_dock.width() > 0
    assert canvas.uncovered().contains(canvas.viewport_area(item.frame))
    window.inspector_dock.hide()
    QApplication.processEvents()
    assert canvas.covered.isNull()

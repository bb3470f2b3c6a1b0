"""Layouts: each comes back as it was left, in every tab and after a restart; runs and comparisons have theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent

SIZE = (1440, 900)


def opened(qtbot: QtBot, folder: Path, name: str = "one", size: tuple[int, int] = SIZE) -> Shell:
    make_application()
    shell = Shell(Settings(folder / "settings.ini"), None, Silent)
    qtbot.addWidget(shell)
    shell.resize(*size)
    shell.show()
    qtbot.waitExposed(shell)
    assert shell.open(copy_example(into=folder / name))
    qtbot.wait(30)
    return shell


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    made = opened(qtbot, tmp_path)
    yield made
    made.close()


def panels(window: MainWindow) -> dict[str, tuple[bool, int, int]]:
    QApplication.processEvents()
    sizes = {dock.objectName(): (dock.isVisible(), dock.width(), dock.height()) for dock in window.docks}
    return {name: size if size[0] else (False, 0, 0) for name, size in sizes.items()}


def share(window: MainWindow, shell: Shell) -> float:
    QApplication.processEvents()
    page = window.desk.pages
    return page.width() * page.height() / (shell.width() * shell.height())


def shown(window: MainWindow) -> str:
    return window.layouts.now


def open_panels(window: MainWindow) -> set[str]:
    return {dock.objectName() for dock in window.docks if dock.isVisible()}


def test_each_layout_has_its_panels_and_leaves_the_canvas_its_share(shell: Shell) -> None:
    window = shell.current
    assert open_panels(window) == {"inspector"}
    assert share(window, shell) >= 0.65
    for name, wanted in (("debug", {"inspector", "output"}), ("review", {"side", "inspector"})):
        window.desk.actions[f"layout-{name}"].trigger()
        assert open_panels(window) == wanted, name
        assert share(window, shell) >= 0.4, name
        assert window.layouts.switch.shown == name
    assert window.versions.is_open
    window.desk.actions["layout-edit"].trigger()
    assert open_panels(window) == {"inspector"}
    assert not window.versions.is_open


def test_a_layout_comes_back_as_it_was_left_until_it_is_reset(shell: Shell) -> None:
    window = shell.current
    first = panels(window)
    window.side.show_page("outline")
    window.resizeDocks([window.side_dock, window.inspector_dock], [300, 350], Qt.Orientation.Horizontal)
    window.room.show_view("split")
    window.middle.set_share(0.3)
    left = panels(window)
    assert left != first
    window.layouts.turn_to("debug")
    assert window.middle.view == "flow"
    window.layouts.turn_to("edit")
    assert panels(window) == left
    assert (window.middle.view, window.middle.share) == ("split", 0.3)
    window.desk.actions["layout-reset"].trigger()
    assert panels(window) == first
    assert window.middle.view == "flow"


def test_canvas_only_leaves_every_size_equal(shell: Shell) -> None:
    window = shell.current
    for name in ("edit", "debug"):
        window.desk.actions[f"layout-{name}"].trigger()
        before = panels(window)
        for _time in range(2):
            window.desk.actions["canvas-only"].trigger()
        assert panels(window) == before, name
    window.desk.actions["canvas-only"].trigger()
    window.desk.actions["layout-edit"].trigger()
    assert not window.room.canvas_only
    assert not window.rail.isHidden()


def test_all_agents_have_the_same_arrangement(shell: Shell, tmp_path: Path) -> None:
    first = shell.current
    first.side.show_page("outline")
    first.bottom_dock.show()
    assert shell.open(copy_example(into=tmp_path / "two"))
    second = shell.current
    QTest.qWait(30)
    assert second is not first
    assert open_panels(second) == {"side", "inspector", "output"}
    second.bottom_dock.hide()
    shell.turn_to(first)
    assert open_panels(first) == {"side", "inspector"}


def test_the_arrangement_is_there_after_a_restart(qtbot: QtBot, tmp_path: Path) -> None:
    shell = opened(qtbot, tmp_path)
    window = shell.current
    window.side.show_page("outline")
    window.inspector_dock.hide()
    window.room.show_view("split")
    shell.close()
    again = opened(qtbot, tmp_path, "two")
    assert open_panels(again.current) == {"side"}
    assert again.current.side.shown == "outline"
    assert again.current.middle.view == "split"
    again.close()


@pytest.mark.parametrize(
    "kept", ["{", "[]", '{"edit": 3}', '{"edit": {"docks": "?", "view": "x", "share": 1, "page": ""}}']
)
def test_what_another_version_kept_breaks_nothing(qtbot: QtBot, tmp_path: Path, kept: str) -> None:
    settings = Settings(tmp_path / "settings.ini")
    settings.layouts = kept
    settings.sync()
    shell = opened(qtbot, tmp_path)
    assert open_panels(shell.current) == {"inspector"}
    shell.close()


def test_a_run_has_the_layout_for_debugging_until_it_is_left(shell: Shell) -> None:
    window = shell.current
    window.side.show_page("outline")
    before = panels(window)
    window.desk.actions["run-start"].trigger()
    assert shown(window) == "debug"
    assert open_panels(window) == {"inspector", "output"}
    assert window.output.currentWidget() is window.run_panel
    assert window.run_panel.now.isVisible()
    window.desk.actions["run-stop"].trigger()
    assert shown(window) == "edit"
    assert panels(window) == before
    window.desk.actions["run-start"].trigger()
    window.layouts.turn_to("edit")
    window.desk.actions["run-stop"].trigger()
    assert shown(window) == "edit"  # where the person had turned to


def test_the_end_of_a_run_moves_no_panel(shell: Shell) -> None:
    window = shell.current
    window.desk.actions["run-start"].trigger()
    before = panels(window)
    run = window.runs.agent.run
    assert run is not None
    for word in ("next", "handoff", "closing"):
        window.runs.agent._chosen(next(each for each in run.choices() if each.intent == word))
    while run.validator is not None:
        window.runs.agent._chosen(True)
    assert run.state.outcome is not None
    assert panels(window) == before


def test_the_tabs_at_the_right_are_there_only_while_debugging(shell: Shell) -> None:
    window = shell.current
    right = window.run_panel.right
    assert not right.tabBar().isVisible()
    assert window.inspector.isVisible()
    window.layouts.turn_to("debug")
    assert right.tabBar().isVisible()
    visible = [right.tabText(at) for at in range(right.count()) if right.isTabVisible(at)]
    assert visible == [
        "Answer",
        "Context",
        "Prompt",
        "Checks",
        "Step",
    ]
    window.desk.actions["focus-inspector"].trigger()
    assert window.inspector.isVisible()
    window.layouts.turn_to("edit")
    assert window.inspector.isVisible()


def test_escape_leaves_the_review_for_the_layout_before(shell: Shell, qtbot: QtBot) -> None:
    window = shell.current
    window.layouts.turn_to("debug")
    window.desk.actions["versions"].trigger()
    assert shown(window) == "review"
    assert window.side.shown == "changes"
    page = window.versions.page
    assert page is not None
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert shown(window) == "debug"
    assert window.side.shown is None


def test_a_review_has_changes_at_the_left_canvas_and_texts_at_the_right(shell: Shell, qtbot: QtBot) -> None:
    shell.resize(1440, 900)
    window = shell.current
    window.desk.actions["layout-review"].trigger()
    qtbot.waitUntil(lambda: (window.side_dock.width(), window.inspector_dock.width()) == (280, 420))
    page = window.versions.page
    assert page is not None
    assert window.side.shown == "changes"
    qtbot.waitUntil(page.diff.isVisible)
    assert not window.run_panel.right.tabBar().isVisible()
    qtbot.waitUntil(lambda: window._pages.width() * window._pages.height() >= 0.4 * 1440 * 900)

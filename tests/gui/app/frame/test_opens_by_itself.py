"""What opens by itself, and what doesn't: each row of the design's table with the panels that are open afterwards."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.preferences.page import SettingsPage
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import OPENINGS, Settings
from stepflow_gui.gui.problems.model import DIAGNOSTIC
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.gui.silent import Silent

STEP = "continuation.issue"
EDIT = {"flow", "inspector"}
DEBUG = {"flow", "inspector", "bottom"}


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    return next(copy_example(into=tmp_path / "project").rglob("steps_registry.json"))


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path, registry: Path) -> Iterator[Shell]:
    make_application()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    assert made.open(registry)
    settled(qtbot, made.current)
    made.current.bottom_bar.clearMessage()
    yield made
    made.close()


def document_of(window: MainWindow) -> Document:
    assert window.document is not None
    return window.document


def settled(qtbot: QtBot, window: MainWindow) -> None:
    document = document_of(window)
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)
    QApplication.processEvents()


def opened(window: MainWindow) -> set[str]:
    """The panels that are open."""
    panels = {
        "side": window.side_dock,
        "inspector": window.inspector_dock,
        "bottom": window.bottom_dock,
        "flow": window.middle.pages,
        "source": window.source,
    }
    return {name for name, panel in panels.items() if not panel.isHidden()}


def edit(qtbot: QtBot, window: MainWindow, old: str, new: str) -> None:
    document = document_of(window)
    source = document.source()
    assert isinstance(source, Source)
    at = source.text.index(old)
    document.apply({document.path: [TextEdit(at, at + len(old), new)]}, "test", "test")
    settled(qtbot, window)


def break_contract(qtbot: QtBot, window: MainWindow) -> None:
    edit(qtbot, window, '"handoff": {', '"handof": {')


def line(window: MainWindow) -> str:
    return window.bottom_bar.line.whole


def test_a_run_turns_to_debug_and_leaving_it_comes_back(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    assert opened(window) == EDIT
    sizes = window.inspector_dock.width()
    window.desk.actions["run-step"].trigger()
    assert (window.layouts.now, opened(window)) == ("debug", DEBUG)
    window.desk.actions["run-stop"].trigger()
    assert (window.layouts.now, opened(window)) == ("edit", EDIT)
    qtbot.waitUntil(lambda: window.inspector_dock.width() == sizes)


def test_a_run_leaves_the_panels_where_that_is_switched_off(shell: Shell) -> None:
    window = shell.current
    window.settings.set_opens("layout", on=False)
    window.desk.actions["run-step"].trigger()
    assert (window.layouts.now, opened(window)) == ("edit", EDIT)


def test_a_new_problem_is_a_sentence_in_the_bottom_bar(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    break_contract(qtbot, window)
    assert opened(window) == EDIT
    assert line(window).startswith("SF205  “continuation.issue” has a transition for “handof”")
    assert window.bottom_bar._over.interval() == 8_000
    assert window.output.tabs.tabText(0) == f"Problems  {len(document_of(window).diagnostics)}"
    window.bottom_bar._over.timeout.emit()
    assert line(window) == ""
    edit(qtbot, window, '"version": "1.0.0"', '"version": "1.0.1"')
    assert line(window) == ""  # what was there before is not a news


def test_no_sentence_where_that_is_switched_off_nor_at_opening(qtbot: QtBot, shell: Shell, tmp_path: Path) -> None:
    window = shell.current
    window.settings.set_opens("sentence", on=False)
    window.bottom_bar.clearMessage()
    break_contract(qtbot, window)
    assert line(window) == ""
    window.settings.set_opens("sentence", on=True)
    assert window.save()
    other = next(copy_example(into=tmp_path / "other").rglob("steps_registry.json"))
    other.write_text(other.read_text("utf-8").replace('"handoff": {', '"handof": {'), "utf-8")
    assert shell.open(other)
    settled(qtbot, shell.current)
    assert "SF" not in line(shell.current)


def test_the_sentence_leads_to_the_problems_of_its_step(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    break_contract(qtbot, window)
    edit(qtbot, window, '"handoffFields": [', '"handoffField": [')
    break_contract_line = line(window)
    assert break_contract_line
    QTest.mouseClick(window.bottom_bar.line, Qt.MouseButton.LeftButton)
    assert opened(window) == {*EDIT, "bottom"}
    assert window.output.currentWidget() is window.problems
    found = window.problems.list.chosen()
    assert found is not None
    assert break_contract_line == f"{found.code}  {found.message}"
    assert window.problems.filter.only_step.isChecked() == (found.step is not None)
    assert {each.step for each in window.problems._model.rows} == {found.step}


def test_why_a_text_is_invalid_stands_until_it_is_valid(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    edit(qtbot, window, '"version": "1.0.0",', '"version": "1.0.0,')
    assert opened(window) == EDIT
    reason = line(window)
    assert reason.startswith("Line 3: ")
    assert window.bottom_bar.line.property("token") == "error"
    window.status.done("Saved")
    assert line(window) == "Saved"
    window.bottom_bar.clearMessage()
    assert line(window) == reason
    assert not window.banner.isHidden()
    assert window.banner.text == reason
    (split,) = [button for button in window.banner._buttons if button.text() == "Split"]
    split.click()
    assert opened(window) == {*EDIT, "source"}
    assert window.source.editor.textCursor().blockNumber() == 2
    assert window.banner.isHidden()
    document_of(window).undo()
    settled(qtbot, window)
    window.bottom_bar.clearMessage()
    assert line(window) == ""


def test_no_banner_where_that_is_switched_off(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    window.settings.set_opens("banner", on=False)
    edit(qtbot, window, '"version": "1.0.0",', '"version": "1.0.0,')
    assert window.banner.isHidden()
    assert line(window).startswith("Line 3: ")


def test_a_click_on_a_problem_unfolds_seven_lines_below_it(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    break_contract(qtbot, window)
    window.desk.actions["focus-problems"].trigger()
    problems = window.problems.list
    index = problems.model().index(0, 0)
    found = index.data(DIAGNOSTIC)
    high = problems.visualRect(index).height()
    QTest.mouseClick(problems.viewport(), Qt.MouseButton.LeftButton, pos=problems.visualRect(index).center())
    QApplication.processEvents()
    assert opened(window) == {*EDIT, "bottom"}
    assert document_of(window).selected_step == found.step
    assert problems.delegate.excerpt is not None
    lines = problems.delegate.excerpt[1]
    assert len(lines) == 7
    assert [each.number for each in lines if each.is_place] == [found.range.start.line]
    assert '"handof"' in lines[3].text
    assert problems.visualRect(index).height() > high
    QTest.mouseDClick(problems.viewport(), Qt.MouseButton.LeftButton, pos=problems.visualRect(index).center())
    assert opened(window) == {*EDIT, "bottom", "source"}
    assert QApplication.focusWidget() is window.source.editor
    assert window.source.editor.textCursor().blockNumber() == found.range.start.line - 1


@pytest.mark.parametrize("how", ["source", "switched off"])
def test_a_click_on_a_problem_moves_the_cursor_where_the_source_is_shown(qtbot: QtBot, shell: Shell, how: str) -> None:
    window = shell.current
    break_contract(qtbot, window)
    if how == "source":
        window.room.show_source()
    else:
        window.settings.set_opens("lines", on=False)
    before = opened(window)
    window.desk.actions["focus-problems"].trigger()
    problems = window.problems.list
    index = problems.model().index(0, 0)
    QTest.mouseClick(problems.viewport(), Qt.MouseButton.LeftButton, pos=problems.visualRect(index).center())
    assert problems.delegate.excerpt is None
    assert window.source.editor.textCursor().blockNumber() == index.data(DIAGNOSTIC).range.start.line - 1
    assert opened(window) == {*before, "bottom"}


def test_enter_opens_split_at_the_token(qtbot: QtBot, shell: Shell) -> None:
    window = shell.current
    break_contract(qtbot, window)
    window.desk.actions["focus-problems"].trigger()
    window.problems.list.setCurrentIndex(window.problems.list.model().index(0, 0))
    QTest.keyClick(window.problems.list, Qt.Key.Key_Return)
    assert opened(window) == {*EDIT, "bottom", "source"}


def test_a_file_that_changed_outside_is_a_banner(qtbot: QtBot, shell: Shell, registry: Path) -> None:
    window = shell.current
    edit(qtbot, window, '"version": "1.0.0"', '"version": "1.0.1"')
    content = json.loads(registry.read_text("utf-8"))
    registry.write_text(json.dumps(content), "utf-8")
    document_of(window).check_disk()
    assert not window.banner.isHidden()
    assert opened(window) == EDIT


def _several(window: MainWindow) -> None:
    window.canvas.choose_steps([STEP, "closure.issue"], STEP)


def _run(window: MainWindow) -> None:
    window.desk.actions["run-step"].trigger()


@pytest.mark.parametrize(("act", "words"), [(_several, "Several selected"), (_run, "F10 runs a step")])
def test_a_hint_is_shown_once(qtbot: QtBot, shell: Shell, act: Callable[[MainWindow], None], words: str) -> None:
    window = shell.current
    shown: list[str] = []
    window.bottom_bar.messageChanged.connect(shown.append)
    act(window)
    qtbot.waitUntil(lambda: any(text.startswith(words) for text in shown))
    window.desk.actions["run-stop"].trigger()
    window.canvas.choose_step(STEP)
    shown.clear()
    act(window)
    QApplication.processEvents()
    assert not [text for text in shown if text.startswith(words)]


def test_the_first_start_shows_the_keys_of_the_panels_once(qtbot: QtBot, tmp_path: Path, registry: Path) -> None:
    make_application()
    hints = []
    for _start in range(2):
        shell = Shell(Settings(tmp_path / "others.ini"), None, Silent)
        qtbot.addWidget(shell)
        assert shell.open(registry)
        hints.append(line(shell.current))
        shell.close()
    assert hints[0] == "Panels: Ctrl+B, Ctrl+J"
    assert not hints[1].startswith("Panels")


def test_no_hint_where_they_are_switched_off(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "others.ini")
    settings.set_opens("hints", on=False)
    assert not settings.take_hint("several")
    settings.set_opens("hints", on=True)
    assert settings.take_hint("several")
    assert not settings.take_hint("several")


def test_each_has_a_switch_in_the_settings(shell: Shell) -> None:
    window = shell.current
    window.desk.actions["settings"].trigger()
    (page,) = window.findChildren(SettingsPage)
    assert tuple(page.openings) == OPENINGS
    for opening, switch in page.openings.items():
        assert switch.isChecked()
        switch.click()
        assert not window.settings.opens(opening)
    page.search.setText("8 seconds")
    assert [opening for opening, switch in page.openings.items() if switch.isVisibleTo(page)] == ["sentence"]
    page.close()

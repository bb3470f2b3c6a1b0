"""When the program crashes: the window stays, what is safe is shown, and a report holds nothing of the user's files."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.crash_report import CRASH_FILE, CrashReport, report_text, without_home
from stepflow_gui.gui.app.help.about import AboutPage
from stepflow_gui.gui.app.help.log_panel import LogPanel
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.log import LOGGER, Log
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit
from tests.gui.silent import Silent

SECRET = "what the file says"


class Saves(Silent):
    """Saves a report to the path that the test sets."""

    path: Path | None = None

    def save_file(self, title: str, name: str) -> Path | None:
        del title, name
        return Saves.path


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    make_application()
    monkeypatch.setattr(Saves, "path", tmp_path / "report.txt")
    made = Shell(Settings(tmp_path / "settings.ini"), None, Saves)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()


@pytest.fixture
def trouble(shell: Shell, tmp_path: Path) -> Iterator[CrashReport]:
    before = sys.excepthook
    made = CrashReport(shell, shell.log, tmp_path / "state")
    assert made.watch() == ""
    yield made
    made.close()
    assert sys.excepthook is before


def fail() -> None:
    raise ValueError(SECRET)


def caught(trouble: CrashReport) -> None:
    try:
        fail()
    except ValueError as error:
        trouble.failed(ValueError, error, error.__traceback__)


def press(shell: Shell, label: str) -> None:
    banner = shell.current.banner
    (button,) = [each for each in banner.findChildren(QPushButton) if each.text() == label and not each.isHidden()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_report_shows_the_place_and_not_the_content(trouble: CrashReport, shell: Shell, tmp_path: Path) -> None:
    caught(trouble)
    assert "ValueError" in shell.current.banner.text
    assert "Everything is saved." in shell.current.banner.text
    press(shell, "Save Report…")
    report = (tmp_path / "report.txt").read_text()
    assert "test_crash_report.py" in report
    assert " fail\n" in report
    assert "Qt 6." in report
    assert SECRET not in report
    assert str(Path.home()) not in report.replace("/\n", "\n") or str(Path.home()) == "/"


def test_unsaved_files_are_named(
    trouble: CrashReport, shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.open(copy_example(into=tmp_path / "agent"))
    document = shell.current.document
    assert document is not None
    document.apply({document.path: [TextEdit(0, 0, " ")]}, "change", "test")
    caught(trouble)
    assert "steps_registry.json" in shell.current.banner.text
    assert SECRET not in capsys.readouterr().err


def test_a_report_that_cant_be_written_is_reported(trouble: CrashReport, shell: Shell, tmp_path: Path) -> None:
    Saves.path = tmp_path
    caught(trouble)
    press(shell, "Save Report…")
    assert tmp_path.name in shell.current.banner.text


def test_who_thinks_better_of_it_saves_none(trouble: CrashReport, shell: Shell, tmp_path: Path) -> None:
    Saves.path = None
    caught(trouble)
    press(shell, "Save Report…")
    assert not (tmp_path / "report.txt").exists()


DIE = """
import faulthandler, os, signal, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.crash_report import CrashReport
application = QApplication([])
shell = Shell(Settings(Path(sys.argv[1]) / "settings.ini"))
trouble = CrashReport(shell, shell.log, Path(sys.argv[1]))
trouble.watch()
def deep(secret):
    faulthandler._sigsegv()
deep("what the file says")
"""


def test_a_crash_of_the_program_is_reported_at_the_next_start(shell: Shell, tmp_path: Path) -> None:
    died = subprocess.run([sys.executable, "-c", DIE, str(tmp_path)], capture_output=True, check=False)
    assert died.returncode != 0
    trouble = CrashReport(shell, shell.log, tmp_path)
    crash = trouble.watch()
    assert "in deep" in crash
    assert SECRET not in crash
    trouble.show_crash(crash)
    press(shell, "Save Report…")
    assert "in deep" in (tmp_path / "report.txt").read_text()
    trouble.close()
    assert not (tmp_path / CRASH_FILE).exists()  # it ended well
    again = CrashReport(shell, shell.log, tmp_path)
    assert again.watch() == ""
    again.close()


def test_without_a_place_for_crashes_the_window_works(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    trouble = CrashReport(shell, shell.log, tmp_path / "file")
    assert trouble.watch() == ""
    assert "crashes can't be noted" in shell.log.entries[-1].text
    caught(trouble)
    assert "ValueError" in shell.current.banner.text
    trouble.close()


def test_the_home_folder_is_left_out() -> None:
    assert without_home(f"at {Path.home()}/project/a.json") == (
        "at ~/project/a.json" if str(Path.home()) != "/" else f"at {Path.home()}/project/a.json"
    )


def test_the_log_holds_what_was_noted_and_no_trace(qtbot: QtBot) -> None:
    log = Log()
    try:
        fail()
    except ValueError:
        logging.getLogger(LOGGER + ".part").exception("%s failed", "SF001")
    logging.getLogger("another").error("not ours")
    assert [entry.text for entry in log.entries] == ["SF001 failed"]
    assert SECRET not in report_text([], log)
    log.close()
    logging.getLogger(LOGGER).error("after the end")
    assert len(log.entries) == 1


def test_the_log_panel_follows_and_can_be_copied_and_closed(shell: Shell, qtbot: QtBot) -> None:
    window = shell.current
    logging.getLogger(LOGGER).warning("before")
    window.desk.actions["log"].trigger()
    panel = window.output.findChild(LogPanel)
    assert panel is not None
    assert window.output.currentWidget() is panel
    logging.getLogger(LOGGER).warning("behind")
    assert "before" in panel.text.toPlainText()
    assert panel.text.toPlainText().endswith("behind")
    QTest.mouseClick(panel.copy, Qt.MouseButton.LeftButton)
    assert "behind" in QGuiApplication.clipboard().text()
    window.set_language("ja")
    assert window.output.tabText(window.output.indexOf(panel)) == "ログ"
    window.set_language("en")
    QTest.mouseClick(panel.close_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.output.findChild(LogPanel) is None)
    logging.getLogger(LOGGER).warning("after")  # a deleted listener is not called


def test_the_page_about_the_program_names_licences(shell: Shell) -> None:
    shell.current.desk.actions["about"].trigger()
    (page,) = shell.current.findChildren(AboutPage)
    text = page.text.toPlainText()
    for word in ("MIT", "LGPL-3.0", "networkx", "BSD", "PySide6-Essentials"):
        assert word in text
    page.close()

"""Exports from the window: what it shows, with its findings or its run, and never over the agent's own files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from stepflow_gui.export.formats import FORMATS
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.marks import RunMarks, TransitionRef
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit
from tests.gui.silent import Silent


class Saves(Silent):
    """Saves to the path that the test sets."""

    path: Path | None = None
    proposed = ""

    def save_file(self, title: str, name: str) -> Path | None:
        del title
        Saves.proposed = name
        return Saves.path


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setattr(Saves, "path", tmp_path / "out")
    make_application()
    made = MainWindow(Settings(tmp_path / "settings.ini"), Saves())
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    assert made.open(copy_example(into=tmp_path / "project"))
    assert made.document is not None
    document = made.document
    qtbot.waitUntil(lambda: document.linted)
    yield made
    made.close()


def choose(window: MainWindow, form: str) -> None:
    assert window.exporting.menu.isEnabled()  # else it couldn't be opened
    window.exporting.menu.aboutToShow.emit()
    (action,) = [action for action in window.exporting.menu.actions() if action.objectName() == form]
    assert action.isEnabled()
    action.trigger()


@pytest.mark.parametrize("form", [form for form, each in FORMATS.items() if each.in_menu])
def test_each_format_is_written_to_the_chosen_place(window: MainWindow, form: str, tmp_path: Path) -> None:
    choose(window, form)
    assert Saves.proposed.startswith("issue-flow.")
    (written,) = tmp_path.glob("out.*")
    assert written.suffix == Path(Saves.proposed).suffix == FORMATS[form].endings[0]
    assert FORMATS[form].mark in written.read_bytes()
    assert written.name in window.status.text


def test_what_isnt_saved_and_where_steps_were_moved_is_exported(window: MainWindow, tmp_path: Path) -> None:
    document = window.document
    assert document is not None
    text = document.texts.buffers()[document.path].text
    at = text.index("Work on the issue")
    document.apply({document.path: [TextEdit(at, at, "UNSAVED ")]}, "change", "test")
    assert window.exporting.export("svg", tmp_path / "a.svg")
    before = (tmp_path / "a.svg").read_text()
    assert "UNSAVED" in before
    window.canvas.set_layout_positions({"initial.issue": (900.0, 40.0)})
    assert window.exporting.export("svg", tmp_path / "b.svg")
    assert (tmp_path / "b.svg").read_text() != before


def test_findings_are_drawn_where_asked(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    document = window.document
    assert document is not None
    text = document.texts.buffers()[document.path].text
    at = text.index('"closure.issue"', text.index('"handoff": {'))
    document.apply({document.path: [TextEdit(at, at + 15, '"nowhere"')]}, "change", "test")
    qtbot.waitUntil(lambda: document.linted and bool(document.diagnostics))
    assert window.exporting.export("svg", tmp_path / "plain.svg")
    window.exporting.findings.setChecked(True)
    assert window.exporting.export("svg", tmp_path / "found.svg")
    assert (tmp_path / "plain.svg").read_text() != (tmp_path / "found.svg").read_text()


def test_visits_of_a_run_are_drawn_where_asked(window: MainWindow, tmp_path: Path) -> None:
    exporting = window.exporting
    exporting.menu.aboutToShow.emit()
    assert not exporting.runs.isEnabled()
    assert exporting.export("svg", tmp_path / "plain.svg")
    move = TransitionRef("initial.issue", "next")
    window.canvas.set_run(RunMarks(step_visits={"initial.issue": 41}, move_visits={move: 41}))
    exporting.menu.aboutToShow.emit()
    exporting.runs.setChecked(True)
    assert exporting.export("svg", tmp_path / "run.svg")
    assert ">next ×41<" in (tmp_path / "run.svg").read_text()
    assert ">next ×41<" not in (tmp_path / "plain.svg").read_text()
    exporting.findings.setChecked(True)
    assert not exporting.runs.isChecked()


def test_the_agents_own_files_are_never_written_over(window: MainWindow) -> None:
    document = window.document
    assert document is not None
    before = document.path.read_bytes()
    assert not window.exporting.export("json", document.path)
    assert document.path.name in window.banner.text
    assert document.path.read_bytes() == before


def test_what_cant_be_written_is_reported(window: MainWindow, tmp_path: Path) -> None:
    assert not window.exporting.export("svg", tmp_path / "missing" / "a.svg")
    assert "a.svg" in window.banner.text


def test_who_thinks_better_of_it_writes_nothing(window: MainWindow, tmp_path: Path) -> None:
    Saves.path = None
    choose(window, "svg")
    assert not list(tmp_path.glob("*.svg"))


def test_picture_and_mermaid_go_to_the_clipboard(window: MainWindow) -> None:
    window.exporting.copy_mermaid()
    assert "initial.issue" in QGuiApplication.clipboard().text()
    window.exporting.copy_picture()
    image = QGuiApplication.clipboard().image()
    assert isinstance(image, QImage)
    assert image.width() > 500


def test_without_an_agent_there_is_nothing_to_export(window: MainWindow, tmp_path: Path) -> None:
    assert window.close_agent()
    window.exporting.menu.aboutToShow.emit()
    assert not any(action.isEnabled() for action in window.exporting.menu.actions() if not action.isSeparator())
    assert not window.exporting.export("svg", tmp_path / "a.svg")

"""Making a new agent in the window: by keys, with a word where it can't be, and with the agent open afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app import new_agent_page
from stepflow_gui.gui.app.new_agent_page import NewAgentPage, proposed_folder
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.creating.templates import templates
from stepflow_gui.text.files.new_files import FilesNotCreated
from tests.gui.shown import shown_window
from tests.gui.silent import Silent


class Picking(Silent):
    """Picks a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open_folder(self) -> Path:
        return self.folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def window(qtbot: QtBot, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.chdir(project)
    with shown_window(qtbot, project.parent, Picking(project.parent / "picked")) as shown:
        yield shown


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> NewAgentPage:
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    (found,) = window.findChildren(NewAgentPage)
    return found


def listed(page: NewAgentPage) -> list[str]:
    return [page.files.item(row).text() for row in range(page.files.count())]


def test_an_agent_by_keys_alone(page: NewAgentPage, window: MainWindow, project: Path) -> None:
    assert page.list.hasFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert page.name.text() == "issue-flow"
    QTest.keyClick(page, Qt.Key.Key_Tab)
    QTest.keyClicks(page.focusWidget(), "triage")
    assert page.name.text() == "triage"
    assert page.title.placeholderText() == "Triage"
    assert ".agent/triage/agent.json" in listed(page)
    assert "stepflow.toml" in listed(page)
    QTest.keyClick(page.focusWidget(), Qt.Key.Key_Return)
    assert window.document is not None
    assert window.document.path == project / ".agent" / "triage" / "steps_registry.json"
    assert sorted(path.name for path in project.iterdir()) == [".agent", "stepflow.toml"]


def test_the_name_follows_the_template_until_one_is_given(page: NewAgentPage) -> None:
    names = []
    for row in range(page.list.count()):
        page.list.setCurrentRow(row)
        names.append(page.name.text())
        assert page.confirm.isEnabled()
        assert page.picture.accessibleName().startswith("Steps: ")
    assert names == [template.name for template in templates()]
    page.name.selectAll()
    QTest.keyClicks(page.name, "mine")
    page.list.setCurrentRow(0)
    assert page.name.text() == "mine"


def test_what_cannot_be_is_reported_at_the_field(page: NewAgentPage, project: Path) -> None:
    for line, text in ((page.name, "No Name"), (page.folder, ""), (page.title, "a\x07b")):
        before = line.text()
        line.setText(text)
        assert line.property("wrong")
        assert page.note.text()
        assert not page.confirm.isEnabled()
        assert listed(page) == []
        line.setText(before)
        assert not line.property("wrong")
        assert page.confirm.isEnabled()
    (project / ".agent" / "my-agent").mkdir(parents=True)
    (project / ".agent" / "my-agent" / "notes").write_text("mine")
    page.folder.setText(str(project) + "/")
    assert page.name.text() == "my-agent-2"  # no other was given
    page.name.setText("my-agent")
    page.title.setText("x")
    assert "my-agent" in page.note.text()


def test_a_folder_is_picked_and_settings_are_added_to_its_file(
    page: NewAgentPage, window: MainWindow, project: Path
) -> None:
    picked = project.parent / "picked"
    picked.mkdir()
    (picked / "stepflow.toml").write_text("strict = true\n")
    page.list.setCurrentRow(4)
    QTest.mouseClick(page.choose, Qt.MouseButton.LeftButton)
    assert page.folder.text() == str(picked)
    assert "stepflow.toml (settings are added)" in listed(page)
    QTest.mouseClick(page.confirm, Qt.MouseButton.LeftButton)
    assert 'runtime = "guide"' in (picked / "stepflow.toml").read_text()
    assert window.document is not None
    assert window.document.path.is_relative_to(picked)


def test_a_disk_that_refuses_is_reported_and_the_page_stays(
    page: NewAgentPage, window: MainWindow, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_agent_page, "make", lambda wanted, _edit: FilesNotCreated(wanted.opened, "no space left"))
    QTest.mouseClick(page.confirm, Qt.MouseButton.LeftButton)
    assert "no space left" in page.note.text()
    assert page.isVisible()
    assert window.document is None
    assert list(project.iterdir()) == []


def test_a_folder_below_no_ones_home_is_taken_by_its_word(page: NewAgentPage) -> None:
    page.folder.setText("~nobody-of-that-name/project")
    assert page.confirm.isEnabled()
    assert page.files.item(0).toolTip().startswith(str(Path.cwd() / "~nobody-of-that-name"))


def test_the_welcome_page_offers_it(window: MainWindow) -> None:
    (button,) = [each for each in window.welcome.findChildren(QPushButton) if each.text() == "New Agent…"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    (page,) = window.findChildren(NewAgentPage)
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert not page.isVisible()


def test_the_proposed_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert proposed_folder(None) == tmp_path
    assert proposed_folder(tmp_path / "open") == tmp_path / "open"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert proposed_folder(None) is None

"""Versions in the window: what differs from the last commit, what is saved, or a file; on the graph and listed."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from stepflow_gui.flow.comparison.both import GONE
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.items.edge_item import EdgeItem
from stepflow_gui.gui.canvas.items.sign_items import EntryItem
from stepflow_gui.gui.canvas.layers.change_layer import ChangeLayer, StepChangeItem, TransitionChangeItem
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.versions.comparing import HEAD, OTHER, REVISION, SAVED, Base
from stepflow_gui.gui.versions.panel import VersionsPage
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit, difference
from tests.gui.silent import Silent

GIT = shutil.which("git")


class Picks(Silent):
    """Picks the file that the test sets."""

    file: Path | None = None

    def open_log(self) -> Path | None:
        return None

    def open_file(self) -> Path | None:
        return Picks.file


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """The example's registry, committed in a repository of its own where there is git."""
    (found,) = copy_example(into=tmp_path / "project").rglob("steps_registry.json")
    if GIT is not None:
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
            who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
            subprocess.run([GIT, "-C", str(tmp_path / "project"), *who, *command], check=True, capture_output=True)
    return found


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, registry: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setattr(Picks, "file", None)
    make_application()
    made = MainWindow(Settings(tmp_path / "settings.ini"), Picks())
    qtbot.addWidget(made)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    assert made.open(registry)
    yield made
    made.close()


def change(window: MainWindow, edit: Callable[[dict[str, Any]], object]) -> None:
    """Write another registry over the one that is open, unsaved."""
    document = window.document
    assert document is not None
    text = document.texts.buffers()[document.path].text
    registry = json.loads(text)
    edit(registry)
    document.apply({document.path: difference(text, json.dumps(registry, indent=2))}, "change", "test")


def more(registry: dict[str, Any]) -> None:
    steps = registry["steps"]
    steps["initial.issue"]["name"] = "Read it"
    steps["new.issue"] = {**steps["continuation.issue"], "stepId": "new.issue", "c3": "other", "name": "Another"}
    steps["continuation.issue"]["transitions"]["handoff"]["target"] = "new.issue"
    del steps["section.conventions"]


def other_entries(registry: dict[str, Any]) -> None:
    registry["entryStep"] = "continuation.issue"
    registry["entryStepMapping"]["manual"] = "closure.issue"


def page_of(window: MainWindow, qtbot: QtBot, *, listed: bool = True) -> VersionsPage:
    window.desk.actions["versions"].trigger()
    page = window.versions.page
    assert page is not None
    if listed:
        qtbot.waitUntil(lambda: page.list.count() > 0)
    return page


def test_the_side_panel_says_why_it_lists_nothing(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window, qtbot, listed=False)
    page.base_chosen.emit(SAVED)
    qtbot.waitUntil(lambda: page.summary.text() == "No difference in the flow")
    assert page.list.isHidden()
    assert [label.text() for label in page.changes.findChildren(QLabel) if label.isVisible()] == [
        "CHANGES",
        "No difference in the flow",
    ]
    change(window, more)
    qtbot.waitUntil(lambda: page.list.count() > 0)
    assert page.list.isVisible()


def lines(page: VersionsPage) -> list[str]:
    return [page.list.item(row).text() for row in range(page.list.count())]


def layer(page: VersionsPage) -> ChangeLayer:
    return page._layer


needs_git = pytest.mark.skipif(GIT is None, reason="git is not there")


@needs_git
def test_what_differs_from_the_last_commit_is_on_the_graph_and_in_the_list(window: MainWindow, qtbot: QtBot) -> None:
    change(window, more)
    page = page_of(window, qtbot)
    assert page.isVisible()
    assert not window.canvas.isVisible()
    marks = {item.mark for item in layer(page).items if isinstance(item, StepChangeItem)}
    assert marks == {"added", "removed", "changed"}
    ways = [item for item in layer(page).items if isinstance(item, TransitionChangeItem)]
    assert {item.mark for item in ways if isinstance(item.line, EdgeItem)} >= {"added", "removed"}
    assert page.canvas.graph.step_item("section.conventions") is not None
    assert any(line.startswith("+ new.issue") for line in lines(page))
    assert '    ~ name  "Understand the issue" → "Read it"' in lines(page)
    assert "1 step added" in page.summary.text()
    drawn = page.canvas.graph.step_item("continuation.issue")
    assert drawn is not None
    assert any(rule.intent == GONE + "handoff" for rule in drawn.step.transitions)


@needs_git
def test_the_texts_that_differ_stand_at_the_right(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    assert document is not None
    prompt = next(path for path in document.folder.files_below(document.path.parent) if path.name == "f_default.md")
    document.apply({prompt: [TextEdit(0, 0, "One line more\n")]}, "change", "test")
    change(window, more)
    page = page_of(window, qtbot)
    qtbot.waitUntil(page.diff.isVisible)
    shown = page.diff.toPlainText()
    assert "+ One line more" in shown
    assert any(line.startswith("−") and '"name": "Understand the issue"' in line for line in shown.split("\n"))
    row = next(at for at, line in enumerate(lines(page)) if line.startswith("+ new.issue"))
    page.list.setCurrentRow(row)
    assert "new.issue" in page.diff.textCursor().block().text()
    QTest.keyClick(page.diff, Qt.Key.Key_Escape)
    assert not page.diff.isVisible()
    assert window.inspector.isVisible()


@needs_git
def test_an_edit_is_compared_again_and_closing_goes_back(window: MainWindow, qtbot: QtBot) -> None:
    before = window.side.shown
    page = page_of(window, qtbot, listed=False)
    qtbot.waitUntil(lambda: "No difference" in page.summary.text())
    change(window, more)
    qtbot.waitUntil(lambda: page.list.count() > 0)
    assert window.document is not None
    window.document.undo()
    qtbot.waitUntil(lambda: "No difference" in page.summary.text())
    QTest.mouseClick(page.close_button, Qt.MouseButton.LeftButton)
    assert window.canvas.isVisible()
    assert window.side.shown == before
    page_of(window, qtbot, listed=False)
    assert page.isVisible()


def test_what_isnt_saved_is_compared_with_the_file(window: MainWindow, qtbot: QtBot) -> None:
    page_of(window, qtbot, listed=False)
    change(window, more)
    window.versions.compare_with(Base(SAVED))
    page = window.versions.page
    assert page is not None
    qtbot.waitUntil(lambda: page.list.count() > 0)
    assert window.save()
    qtbot.waitUntil(lambda: "No difference" in page.summary.text())


def test_another_file_is_picked(window: MainWindow, qtbot: QtBot, registry: Path) -> None:
    other = registry.with_name("other.json")
    other.write_text(registry.read_text().replace('"1.0.0"', '"2.0.0"'))
    page = page_of(window, qtbot, listed=False)
    page.base_chosen.emit(OTHER)  # nothing is picked
    assert page.base.currentData() != OTHER
    Picks.file = other
    page.base_chosen.emit(OTHER)
    qtbot.waitUntil(lambda: any("2.0.0" in line for line in lines(page)))
    assert "other.json" in page.base.currentText()


@needs_git
def test_a_revision_is_asked_for_by_name_and_a_wrong_one_reported(window: MainWindow, qtbot: QtBot) -> None:
    change(window, more)
    page = page_of(window, qtbot)
    page.base_chosen.emit(REVISION)
    assert page.revision.isVisible()
    assert page.list.count() == 0
    QTest.keyClicks(page.revision, "nowhere")
    QTest.keyClick(page.revision, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "nowhere" in page.summary.text())
    assert not page.canvas.isVisible()
    page.revision.setText("HEAD")
    QTest.keyClick(page.revision, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.list.count() > 0)


@needs_git
def test_the_list_goes_to_steps_and_back(window: MainWindow, qtbot: QtBot) -> None:
    change(window, more)
    page = page_of(window, qtbot)
    seen = []
    for _difference in range(3):
        QTest.mouseClick(page.next, Qt.MouseButton.LeftButton)
        seen.append(page.canvas.graph.selected)
    assert len(set(seen)) == 3
    QTest.mouseClick(page.previous, Qt.MouseButton.LeftButton)
    assert page.canvas.graph.selected == seen[1]
    page.canvas.step_selected.emit("new.issue")
    assert page.list.currentItem().text().startswith("+ new.issue")
    assert window.document is not None
    assert window.document.selected_step == "new.issue"


def test_entries_that_differ_are_marked_and_led_to(window: MainWindow, qtbot: QtBot) -> None:
    window.versions.compare_with(Base(SAVED))
    change(window, other_entries)
    page = page_of(window, qtbot)
    ways = [item for item in layer(page).items if isinstance(item, TransitionChangeItem)]
    marks = {item.line.mark.label: item.mark for item in ways if isinstance(item.line, EntryItem)}
    assert marks == {
        "~ entry": "changed",
        "+ manual": "added",
        f"poll:state, {GONE}entry": "changed",
    }
    qtbot.waitUntil(lambda: page.canvas.height() > page.height() // 2)
    page.canvas.fit()
    marked = page.canvas.grab().toImage()
    page.canvas.zoom_to(0.2)
    afar = page.canvas.grab().toImage()
    layer(page).clear()
    assert page.canvas.grab().toImage() != afar
    page.canvas.fit()
    assert page.canvas.grab().toImage() != marked
    at = lines(page).index("    ~ entry → continuation.issue (was initial.issue)")
    page.list.setCurrentRow(at)
    assert page.canvas.graph.selected == "continuation.issue"
    QTest.mouseClick(page.next, Qt.MouseButton.LeftButton)
    assert page.canvas.graph.selected == "closure.issue"
    window.set_language("ja")
    qtbot.waitUntil(lambda: any("入口" in line for line in lines(page)))


def test_without_git_it_is_compared_with_the_file(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepflow_gui.project.git.revision.git_program", lambda: None)
    change(window, more)
    page = page_of(window, qtbot)
    assert page.base.currentData() == SAVED
    assert layer(page).items
    page.base_chosen.emit(HEAD)  # who asks for it hears why not
    qtbot.waitUntil(lambda: "git" in page.summary.text())
    assert page.list.count() == 0


def test_look_and_language_hold_and_another_agent_closes_it(window: MainWindow, qtbot: QtBot, registry: Path) -> None:
    change(window, more)
    page_of(window, qtbot, listed=False)
    window.versions.compare_with(Base(SAVED))
    page = window.versions.page
    assert page is not None
    qtbot.waitUntil(lambda: page.list.count() > 0)
    window.set_language("ja")
    assert page.close_button.text() == "閉じる"
    assert page.list.accessibleName() == "差分"
    window.set_look("dark")
    assert layer(page).items
    window.set_language("en")
    assert window.open(registry.parent)
    assert window.canvas.isVisible()

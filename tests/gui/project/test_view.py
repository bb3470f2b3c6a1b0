"""A repository beside its agents: what is shown of it, what a click opens, how it follows files and open texts."""

from pathlib import Path
from typing import ClassVar

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QRadioButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.editing.step_files_popup import StepFilesPopup
from stepflow_gui.gui.project import view as view_module
from stepflow_gui.gui.project.check_process import CheckedAgents, Rested, ScanProgress, ScanResult
from stepflow_gui.gui.project.row_text import row_details
from stepflow_gui.lint.engine.project_status import Health
from stepflow_gui.project.step_files import step_files
from stepflow_gui.text.edit import TextEdit
from tests.gui.project.conftest import Beside
from tests.gui.project.told import key_of, told


def test_a_repository_is_shown_checked_opened_and_followed(beside: Beside, qtbot: QtBot, tmp_path: Path) -> None:
    shell = beside.shell
    assert shell.open(beside.root)
    beside.rest()
    view = beside.view
    assert shell.current.document is None
    assert [agent.apart for agent in view.model.rows] == ["billing", "docs", "webapp"]
    assert row_details(beside.node("docs")) == ["no problems"]
    assert row_details(beside.node("billing")) == ["3 warnings", "3 missing"]
    assert view.panel.foot.text == "3 agents, 1 with problems"
    assert not view.panel.foot.bar.isVisible()

    view.open(beside.node("docs", "prompts/steps/initial/issue/f_default.md"))
    window = shell.current
    assert window.document is not None
    assert window.document.path == beside.registry("docs")
    assert window.source.path == beside.node("docs", "prompts/steps/initial/issue/f_default.md").path
    assert view.panel.isVisible()
    assert window.side.shown == "project"

    view.open(beside.node("docs", "agent.json"))
    assert window.agent.is_open
    view.open(beside.node("billing"))  # another tab, the panel comes along
    assert len(shell.windows) == 2
    assert shell.current.isAncestorOf(view.panel)
    assert row_details(beside.node("billing"))[-1] == "3 missing"

    document = shell.current.document
    assert document is not None
    document.apply({document.path: [TextEdit(0, 1, "")]}, "break", "test")  # unsaved texts count as they are
    qtbot.waitUntil(lambda: "error" in row_details(beside.node("billing"))[0])
    document.undo()

    missing = beside.node("billing", "prompts/steps/closure/issue/f_default.md")
    view.open(missing)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, StepFilesPopup)
    assert popup.create_button is not None
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert missing.path.read_text("utf-8").startswith("---\ntitle: Check and close\n---\n\n# Check and close\n")
    assert shell.current.source.path == missing.path
    qtbot.waitUntil(lambda: row_details(beside.node("billing"))[-1] == "2 missing")

    other = beside.registry("webapp")
    other.write_text(other.read_text("utf-8").replace('"closure.issue"', '"closure.isue"', 1), "utf-8")
    view.look()  # as when the window is turned to again
    qtbot.waitUntil(lambda: "1 error" in row_details(beside.node("webapp")))

    shell.current.desk.actions["close-project"].trigger()
    assert not view.panel.isVisible()
    shell.current.desk.actions["focus-project"].trigger()  # that of the agent in front
    assert view.root == document.last_valid.root
    view.show_root(beside.root)
    shell.close()
    assert Settings(tmp_path / "settings.ini").open_project == beside.root


class Work(QObject):
    """Notes what is asked for, and gives the test's answers."""

    answered = Signal(object)
    ended = Signal()
    made: ClassVar["list[Work]"] = []

    def __init__(self, root: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        del root
        self.asked: list[str] = []
        self.made.append(self)

    def look(self) -> None:
        self.asked.append("look")

    def first(self, key: Path) -> None:
        self.asked.append(f"first {key.parent.name}")

    def stop(self) -> None:
        self.asked.append("stop")

    def go_on(self) -> None:
        self.asked.append("go on")

    def end(self) -> None:
        self.asked.append("end")

    close = end


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch, shell: Shell, repository: Path) -> Work:
    monkeypatch.setattr(view_module, "CheckClient", Work)
    shell.open(repository)
    return Work.made[-1]


def test_the_project_of_last_time_is_shown_again(work: Work, shell: Shell, repository: Path) -> None:
    assert shell.settings.open_project == repository  # at once: a program may end without closing its windows
    shell.project.close()
    assert work.asked[-1] == "end"
    assert shell.settings.open_project is None
    shell.settings.open_project = repository
    shell.restore()
    assert shell.project.root == repository


def test_the_progress_is_reported_and_can_be_cancelled(shell: Shell, work: Work, qtbot: QtBot) -> None:
    view = shell.project.view
    assert view is not None
    foot, tree, keys = view.panel.foot, view.panel.tree, [key_of(name) for name in "abc"]
    assert (foot.text, foot.bar.maximum()) == ("Looking for agents…", 0)
    work.answered.emit(ScanProgress(keys[:2]))
    assert len(view.model.rows) == 2
    work.answered.emit(ScanResult(keys, keys, []))
    work.answered.emit(CheckedAgents([told("a", "A", Health(errors=1), ["prompts/x.md"])]))
    assert (foot.text, foot.bar.value(), foot.bar.isVisible()) == ("Checking: 1 of 3", 1, True)
    tree.expand(view.model.index(1, 0))
    assert work.asked[-1] == "first b"
    work.answered.emit(CheckedAgents([told("b", "B", prompts=["prompts/y.md"])]))
    assert view.model.rowCount(view.model.index(1, 0)) == 3

    QTest.mouseClick(foot.button, Qt.MouseButton.LeftButton)
    assert work.asked[-1] == "stop"
    work.answered.emit(Rested(1, 0.1))
    assert (foot.text, foot.button.text(), foot.bar.isVisible()) == ("Checked: 2 of 3", "Continue", False)
    QTest.mouseClick(foot.button, Qt.MouseButton.LeftButton)
    assert (work.asked[-1], foot.button.text()) == ("go on", "Cancel")
    work.ended.emit()  # the process died
    assert foot.button.text() == "Continue"
    QTest.mouseClick(foot.button, Qt.MouseButton.LeftButton)
    assert work.asked[-1] == "look"
    work.answered.emit(ScanResult(keys, keys[1:], []))
    QTest.mouseClick(foot.button, Qt.MouseButton.LeftButton)  # while it is at something that takes long
    qtbot.waitUntil(lambda: work.asked[-1] == "end")
    assert foot.button.text() == "Continue"
    QTest.mouseClick(foot.button, Qt.MouseButton.LeftButton)
    work.answered.emit(ScanResult(keys, keys[2:], []))
    work.answered.emit(CheckedAgents([told("c", "C")]))
    work.answered.emit(Rested(0, 0.1))
    assert foot.text == "3 agents, 1 with problems"


def test_what_is_looked_for_is_opened_out_and_the_rest_comes_back_as_it_was(
    shell: Shell, work: Work, qtbot: QtBot
) -> None:
    view = shell.project.view
    assert view is not None
    panel, model = view.panel, view.model
    keys = [key_of(name) for name in "abc"]
    work.answered.emit(ScanResult(keys, keys, []))
    work.answered.emit(
        CheckedAgents([told(name, name.upper(), prompts=[f"prompts/deep/{name}.md", "b.md"]) for name in "abc"])
    )
    work.answered.emit(Rested(0, 0.1))
    panel.tree.expand(model.index(2, 0))
    panel.tree.setCurrentIndex(model.find(keys[2], keys[2].parent / "b.md"))
    panel.field.setFocus()
    QTest.keyClicks(panel.field, "deep/b")
    qtbot.waitUntil(lambda: len(model.rows) == 1)
    folder = model.index(0, 0, model.index(0, 0))
    assert panel.tree.isExpanded(folder)
    assert model.rowCount(folder) == 1
    panel.field.clear()
    qtbot.waitUntil(lambda: len(model.rows) == 3)
    assert [panel.tree.isExpanded(model.index(row, 0)) for row in range(3)] == [False, False, True]
    work.answered.emit(CheckedAgents([told("c", "C", Health(errors=1), ["prompts/deep/c.md"])]))
    assert panel.tree.isExpanded(model.index(2, 0))


def test_from_a_step_to_its_files(beside: Beside, qtbot: QtBot) -> None:
    shell = beside.shell
    assert shell.open(beside.registry("billing"))
    window = shell.current
    document = window.document
    assert document is not None
    window.desk.actions["step-files"].trigger()
    assert "Select a step" in window.banner.text
    document.select("closure.issue", "link")
    window.desk.actions["step-files"].trigger()
    offer = QApplication.activePopupWidget()
    assert isinstance(offer, StepFilesPopup)
    QTest.keyClick(offer.list, Qt.Key.Key_Return)
    (place,) = offer.findChildren(QRadioButton)
    assert place.accessibleName() == place.text() == ".agent/issue-flow/prompts/steps/closure/issue/f_default.md"
    offer.setFixedWidth(320)
    qtbot.waitUntil(lambda: place.width() < 320)
    assert "…" in place.text()  # cut in the middle, not at the edge
    offer.close()
    menu = window.on_canvas.menu.build(window.canvas.graph.step_frames()["closure.issue"].center())
    below = next(below for below in menu.findChildren(QMenu) if below.title() == "&Files")
    titles = [action.text() for action in below.actions()]
    assert titles[:2] == ["Prompt: create f_default.md…", "Output schema: issue.schema.json"]
    assert ".agent/issue-flow/prompts/steps/closure/issue/f_default.md" in below.actions()[0].toolTip()
    window.desk.actions["step-files"].trigger()
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, StepFilesPopup)
    QTest.keyClick(popup.list, Qt.Key.Key_Down)
    QTest.keyClick(popup.list, Qt.Key.Key_Return)
    assert window.source.path == document.path.parent / "schemas" / "issue.schema.json"

    file = step_files(document.folder, document.folder.flow.steps["closure.issue"])[0]
    file.tried[0].parent.mkdir(parents=True)
    file.tried[0].write_text("of somebody else", "utf-8")  # meanwhile
    assert not window.step_files.create(document.folder.flow.steps["closure.issue"], file, file.tried[0])
    assert file.tried[0].read_text("utf-8") == "of somebody else"
    assert "changed on disk" in window.banner.text


def test_findings_about_a_prompt_are_marked_in_its_text(beside: Beside, qtbot: QtBot) -> None:
    assert beside.shell.open(beside.registry("docs"))
    window = beside.shell.current
    document = window.document
    assert document is not None
    prompt = document.path.parent / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    assert window.source.show_file(prompt)
    window.source.editor.setFocus()
    end = window.source.editor.textCursor()
    end.movePosition(end.MoveOperation.End)
    window.source.editor.setTextCursor(end)
    QTest.keyClicks(window.source.editor, "Say {uv-nobody}")
    qtbot.waitUntil(lambda: document.linted and any(found.code == "SF508" for found in document.diagnostics))
    mark = next(mark for mark in window.source.editor.marks if mark.code == "SF508")
    text = window.source.editor.mapping.source.text
    assert "uv-nobody" in text[mark.start : mark.end]

    listed = next(step for step in document.folder.flow.steps.values() if step.id == "initial.issue")
    names = listed.node.get("uvVariables")
    assert names is not None
    document.apply({document.path: [TextEdit(names.end - 1, names.end - 1, ', "nobody"')]}, "list", "test")
    qtbot.waitUntil(lambda: document.linted and any(mark.code == "SF510" for mark in window.source.editor.marks))
    mark = next(mark for mark in window.source.editor.marks if mark.code == "SF510")
    assert text[mark.start : mark.end] == "{uv-nobody}"  # the finding itself is in the registry

    def missing() -> bool:
        return document.linted and any("continuation/issue" in found.message for found in document.diagnostics)

    assert not missing()
    (document.path.parent / "prompts" / "steps" / "continuation" / "issue" / "f_default.md").unlink()
    document.check_disk()  # as when the window is turned to again
    qtbot.waitUntil(missing)

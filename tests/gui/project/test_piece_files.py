"""A repository with TAKT pieces: its view lists them with their facets, and a movement opens its files."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.editing.step_files_popup import StepFilesPopup
from stepflow_gui.gui.project.row_text import row_details, sign_of
from stepflow_gui.gui.project.tree import TreeNode
from stepflow_gui.gui.widgets.dialogs import DialogPrompts
from stepflow_gui.lint.examples.piece import FILE, PIECE_FILES
from stepflow_gui.text.document import YAML_ENDINGS
from tests.gui.project.conftest import Beside


def popped_up() -> StepFilesPopup:
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, StepFilesPopup)
    return popup


def titles_in(popup: StepFilesPopup) -> list[str]:
    return [popup.list.item(row).text() for row in range(popup.list.count())]


def test_pieces_and_their_facets(shell: Shell, qtbot: QtBot, tmp_path: Path) -> None:
    root = tmp_path / "work"
    for name, text in PIECE_FILES.items():
        path = root / ".takt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (root / ".git").mkdir()
    (root / ".takt" / "pieces" / "other.yaml").write_text("name: other\nmovements: []\n", "utf-8")
    piece, lost = root / ".takt" / FILE, root / ".takt" / "policies" / "coding.md"
    lost.unlink()
    beside = Beside(qtbot, root, shell)
    assert shell.open(root)
    beside.rest()
    view = beside.view

    def node(path: Path | None = None) -> TreeNode:
        found = view.model.node(view.model.find(piece, path))
        assert found is not None
        return found

    assert node().title == "issue-flow"
    assert row_details(node()) == ["1 warning", "1 missing"]
    assert row_details(node(lost)) == ["missing"]
    assert sign_of(node(lost)) == ("warning", "warning")

    persona = root / ".takt" / "personas" / "coder.md"
    view.open(node(persona))
    window = shell.current
    assert window.document is not None
    assert (window.document.path, window.source.path) == (piece, persona)

    window.document.select("plan", "link")
    window.desk.actions["step-files"].trigger()
    popup = popped_up()
    assert titles_in(popup) == ["Persona “planner”", "Instruction “plan”", "Report format “plan”"]
    QTest.keyClick(popup.list, Qt.Key.Key_Down)
    QTest.keyClick(popup.list, Qt.Key.Key_Return)
    assert window.source.path == root / ".takt" / "instructions" / "plan.md"

    window.document.select("implement", "link")
    window.desk.actions["step-files"].trigger()
    popup = popped_up()
    assert titles_in(popup) == [
        "Persona “coder”",
        "Policy “coding” – missing",
        "Persona “planner”, for the judge of the loop",
    ]
    popup.close()

    view.open(node(lost))
    popup = popped_up()
    assert popup.create_button is not None
    popup.create_button.click()
    assert lost.read_text("utf-8") == "# Coding\n"
    assert window.source.path == lost
    qtbot.waitUntil(lambda: row_details(node()) == ["no problems"])

    other = root / "other.yaml"
    other.write_text("- a list\n", "utf-8")
    assert not shell.open(other)
    assert "other.yaml: not a TAKT piece (found a list). A piece has" in shell.current.banner.text


def test_the_dialog_that_opens_files_shows_pieces_as_well(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    asked: list[str] = []

    def choose(_parent: object, _title: str, _folder: str, kinds: str) -> tuple[str, str]:
        asked.append(kinds)
        return str(tmp_path / "piece.yml"), ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    assert DialogPrompts(parent).open_file() == tmp_path / "piece.yml"
    first = asked[0].partition(";;")[0]
    assert all(f"*{ending}" in first for ending in (".json", *YAML_ENDINGS))

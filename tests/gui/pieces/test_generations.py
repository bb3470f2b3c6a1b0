"""A piece of each generation of TAKT goes through the window: opened, edited, checked, run, to the newest and back."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.sets import between, named
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.forms.text_edit import FormTextEdit
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.runs.piece.control import PieceControl
from stepflow_gui.gui.versions.convert_dialog import ConvertDialog
from stepflow_gui.project.finding.takt_releases import releases_of_piece
from stepflow_gui.text.files.store import Saved
from stepflow_gui.text.source import Source
from stepflow_gui.text.yaml.tree import read_yaml_tree
from tests.gui.shown import shown_window
from tests.gui.silent import Silent
from tests.lint.takt.generations import FILES, NEWEST

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
LATEST = between("0.60.0", "0.60.0")
READ_AS_IT_IS = {"t0.34", "t0.50", "t0.53", "t0.60"}  # what the newest release reads
OLDER_FIELDS = (("agent", "agent: coder", "writer"), ("report", "report: plan.md", "other.md"))
NO_FORMAT = {"t0.3", "t0.4"}  # that of their report has to be written by hand
FIRST = {"t0.1": "done", "t0.36": "when(context.a.b == 1)", "t0.50": 'ai("ok")'}
"""By generation: the condition of its first rule, where it isn't `done`."""


def _file(folder: Path, generation: str) -> Path:
    text = FILES[generation].replace("../personas/coder.md", "coder")
    home = "pieces" if "movements:" in text else "workflows"
    path = folder / "project" / ".takt" / home / "flow.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(f"# kept\n{text}", encoding="utf-8")
    return path


def _type(window: MainWindow, key: str, text: str) -> None:
    page = window.inspector.widget()
    found = page.findChild(FormView) if page is not None else None
    assert isinstance(found, FormView)
    at = next((each for each in found.rows if each.line.pointer.endswith(f"/{key}")), None)
    assert isinstance(at, FormRow), [each.line.pointer for each in found.rows]
    editor = at.editor
    assert isinstance(editor, FormLineEdit | FormTextEdit)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    QApplication.processEvents()


@pytest.mark.parametrize("generation", FILES)
def test_a_piece_of_each_generation_is_taken_through_the_window(
    generation: str, qtbot: QtBot, tmp_path: Path, checkout: Path
) -> None:
    path = _file(tmp_path, generation)
    before = path.read_text("utf-8")
    with shown_window(qtbot, tmp_path, Silent(), (1280, 800)) as window:
        document = _opened(window, path, qtbot)
        rules = document.last_valid.flow.steps["write"].transitions
        assert rules[0].intent == FIRST.get(generation, "done")
        assert rules[0].end == "COMPLETE"
        _edited(window, document, before, qtbot)
        _run(window, rules[0].intent)
        lost = _converted(window, "takt-0.60.0", qtbot, changes=generation != "t0.60")
        assert isinstance(document.save(), Saved)
        text = path.read_text("utf-8")
        qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)
        assert document.last_valid.flow.steps["write"].transitions[0].end == "COMPLETE"
        _converted(window, f"takt-{NEWEST[generation]}", qtbot, changes=generation not in READ_AS_IT_IS)
        assert isinstance(document.save(), Saved)
        again = path.read_text("utf-8")
    back = held_against_releases(read_yaml_tree(Source(again)))
    assert back.loads & between(NEWEST[generation], NEWEST[generation])
    assert (again == text) is (generation in READ_AS_IT_IS)
    assert ("\nmovements:\n" in again) is ("\nmovements:\n" in before and generation != "t0.34")
    assert text.startswith("# kept\nname: flow\n")
    assert "\nsteps:\n" in text
    held = held_against_releases(read_yaml_tree(Source(text)))
    assert held.refusals_by(LATEST) == [], lost
    assert ("needs a “format” for each report" in lost) is (generation in NO_FORMAT)
    for word in ("agent:", "movements:", "max_iterations", "max_movements", " permission_mode", "provider:", "when:"):
        assert word not in text


def _opened(window: MainWindow, path: Path, qtbot: QtBot) -> Document:
    assert window.open(path)
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)
    wanted = releases_of_piece(path, document.folder.registry.tree).releases
    qtbot.waitUntil(lambda: f"{named(wanted)}  ·  " in window.state_label.whole, timeout=10_000)
    assert [each for each in document.diagnostics if each.severity != "info"] == []
    assert list(document.last_valid.flow.steps) == ["write"]
    return document


def _edited(window: MainWindow, document: Document, before: str, qtbot: QtBot) -> None:
    """Change a field by the inspector, and see what is said of it."""
    document.select("write", "test")
    key, old, new = "instruction", "Write {task}.", "Write it {Task}."
    if old not in before:  # there it is a list
        key, old, new = "persona", "You write.", "You"
    _type(window, key, new)
    qtbot.waitUntil(lambda: document.linted and document.parsed)
    source = document.source()
    assert isinstance(source, Source)
    assert source.text == before.replace(old, new)
    wanted = source.text
    for field, was, now in OLDER_FIELDS:
        if was in wanted:
            _type(window, field, now)
            qtbot.waitUntil(lambda: document.linted and document.parsed)
            source = document.source()
            assert isinstance(source, Source)
            assert source.text == wanted.replace(was, f"{field}: {now}")
            document.undo()
            qtbot.waitUntil(lambda: document.linted and document.parsed)
    if key == "instruction":
        (found,) = [each for each in document.diagnostics if each.code == "T017"]
        assert "{Task}" in found.message


def _run(window: MainWindow, rule: str) -> None:
    """Run the step by hand to the end."""
    window.desk.actions["run-start"].trigger()
    control = window.runs.control
    assert isinstance(control, PieceControl)
    offers = window.run_panel.now.widget.offers.findChildren(QPushButton)
    next(each for each in offers if each.text().partition("  →  ")[0] == rule).click()
    QApplication.processEvents()
    assert control.run is not None
    assert control.run.state.end is not None
    assert control.run.state.end.kind == "complete"


def _converted(window: MainWindow, release: str, qtbot: QtBot, *, changes: bool) -> str:
    """Take the piece to a release; what the dialog says."""
    window.desk.actions["convert"].trigger()
    (dialog,) = window.findChildren(ConvertDialog)
    dialog.target.setCurrentIndex(dialog.target.findData(release))
    dialog.settings.setChecked(True)
    qtbot.waitUntil(lambda: dialog.conversion is not None)
    lost = dialog.lost.toPlainText()
    if changes:
        with qtbot.waitSignal(dialog.accepted):
            dialog.button.click()
    else:
        with qtbot.waitSignal(dialog.destroyed):
            dialog.reject()
    return lost

"""File ▸ Convert…: both graphs, the difference and what is lost are shown; one entry of the history makes it."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.versions.convert_dialog import ConvertDialog
from stepflow_gui.project.converting.work import ConversionCancelledError
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import Saved
from tests.gui.shown import shown_window
from tests.gui.silent import Silent
from tests.project.converting.agents import from_template


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, checkout: Path) -> Iterator[MainWindow]:
    with shown_window(qtbot, tmp_path, Silent(), (800, 600)) as made:
        assert made.open(from_template(tmp_path, checkout, "check-flow").folder)
        yield made


def shown(view: GraphView) -> set[str]:
    return {node.name for node in view.graph.nodes}


def test_what_is_shown_is_what_one_entry_of_the_history_makes(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    assert document is not None
    window.desk.actions["convert"].trigger()
    (dialog,) = window.findChildren(ConvertDialog)
    assert not dialog.button.isEnabled()
    qtbot.waitUntil(lambda: dialog.conversion is not None)
    assert shown(dialog.before) >= set(document.last_valid.flow.steps)
    assert "verification.analyze" in shown(dialog.after)
    dialog.resize(dialog.width(), dialog.height() - 4)  # as words of another height do
    qtbot.wait(20)
    assert dialog.after.zoom == pytest.approx(dialog.after.fitting_zoom(dialog.after.content), rel=0.05)
    assert dialog.checks.isVisibleTo(dialog)
    assert "onFail.maxRetries: 2" in dialog.lost.toPlainText()
    assert not dialog.preview.text.toPlainText()  # it may have many lines
    dialog.tabs.setCurrentWidget(dialog.preview)
    assert "s_4c1e" in dialog.preview.text.toPlainText()
    assert "verification/analyze/f_default.md" in dialog.preview.text.toPlainText().split("\n")
    dialog.checks.setCurrentIndex(1)
    assert dialog.conversion is None
    qtbot.waitUntil(lambda: dialog.conversion is not None)
    assert "verification/analyze" not in dialog.preview.text.toPlainText()
    assert "verification.analyze" not in shown(dialog.after)
    assert dialog.target.itemData(1) == "c3l"
    before = {text.path: text.source.text for text in document.texts}
    entries = document.stack.count()
    laid = dialog.after.arrangement.layout.steps
    with qtbot.waitSignal(dialog.accepted):
        dialog.button.click()
    assert document.stack.count() == entries + 1
    qtbot.waitUntil(lambda: document.last_valid.flow.format == "closing")
    assert "initial.analyze" in document.last_valid.flow.steps
    canvas = window.canvas
    qtbot.waitUntil(lambda: shown(canvas) >= set(document.last_valid.flow.steps))
    assert canvas.arrangement.layout.steps == laid
    seen = canvas.mapToScene(canvas.viewport().rect()).boundingRect()
    assert all(seen.intersects(item.frame) for item in canvas.graph.steps())
    document.undo()
    qtbot.waitUntil(lambda: document.last_valid.flow.format == "checks")
    now = {text.path: text.source.text for text in document.texts}
    assert {path: now[path] for path in before} == before
    assert all(not text for path, text in now.items() if path not in before and not path.exists())


def test_a_file_that_changes_meanwhile_is_converted_again(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    assert document is not None
    window.desk.actions["convert"].trigger()
    (dialog,) = window.findChildren(ConvertDialog)
    qtbot.waitUntil(lambda: dialog.conversion is not None)
    first = dialog.conversion
    assert first is not None
    path = next(path for path, old, _new in first.changes if old is not None and path != document.path)
    path.write_text(path.read_text("utf-8").replace("{", '{"$comment": "theirs",', 1), "utf-8")
    dialog.button.click()
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog.conversion is not None and dialog.conversion is not first)
    with qtbot.waitSignal(dialog.accepted):
        dialog.button.click()
    text = document.texts.get(path)
    assert text is not None
    assert '"theirs"' in text.source.text


def test_a_registry_with_a_mistake_is_reported(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    assert document is not None
    document.apply({document.path: [TextEdit(0, 1, "{,")]}, "typed", "source")
    dialog = ConvertDialog(document, window.theme, window)
    qtbot.waitUntil(lambda: "syntax error in line 1" in dialog.note.text())
    assert not dialog.button.isEnabled()
    assert not dialog.tabs.isVisibleTo(dialog)
    dialog.deleteLater()


def test_closing_calls_the_work_off(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The window goes on meanwhile, and nothing comes afterwards."""
    going, ended = threading.Event(), threading.Event()

    def endless(*given: Any) -> None:
        going.set()
        while not given[-1]():
            time.sleep(0.001)
        ended.set()
        raise ConversionCancelledError

    monkeypatch.setattr("stepflow_gui.gui.versions.conversions.convert", endless)
    window.desk.actions["convert"].trigger()
    (dialog,) = window.findChildren(ConvertDialog)
    qtbot.waitUntil(lambda: going.is_set() and "Computing" in dialog.note.text())
    assert not dialog.button.isEnabled()
    with qtbot.waitSignal(dialog.destroyed):
        dialog.reject()
    assert ended.is_set()


PIECE = """\
# kept
name: p
initial_movement: a
max_movements: 4
movements:
  - name: a
    provider: claude
    model: opus
    permission_mode: edit
    rules:
      - condition: done   # kept too
        next: COMPLETE
"""


def test_a_piece_goes_to_another_release_and_its_settings_to_their_file(
    qtbot: QtBot, tmp_path: Path, checkout: Path
) -> None:
    piece = tmp_path / "project" / ".takt" / "pieces" / "p.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(PIECE, "utf-8")
    with shown_window(qtbot, tmp_path, Silent(), (800, 600)) as window:
        assert window.open(piece)
        document = window.document
        assert document is not None
        window.desk.actions["convert"].trigger()
        (dialog,) = window.findChildren(ConvertDialog)
        qtbot.waitUntil(lambda: dialog.conversion is not None)
        assert dialog.target.currentText() == "TAKT 0.60"
        assert not dialog.checks.isVisibleTo(dialog)
        assert "TAKT 0.60 refuses it; it was opus" in dialog.lost.toPlainText()
        dialog.target.setCurrentIndex(dialog.target.findData("takt-0.35.4"))
        qtbot.waitUntil(lambda: dialog.conversion is not None)
        assert not dialog.settings.isEnabled()
        assert "TAKT 0.60" not in dialog.lost.toPlainText()
        dialog.target.setCurrentIndex(0)
        dialog.settings.setChecked(True)
        qtbot.waitUntil(lambda: dialog.conversion is not None)
        assert "Moved to runtime.yaml: /movements/0/model, /movements/0/provider" in dialog.lost.toPlainText()
        dialog.tabs.setCurrentWidget(dialog.preview)
        with qtbot.waitSignal(dialog.accepted):
            dialog.button.click()
        assert document.stack.count() == 1
        assert isinstance(document.save(), Saved)
        assert piece.read_text("utf-8") == PIECE.replace("movements:\n", "steps:\n").replace(
            "initial_movement", "initial_step"
        ).replace("max_movements", "max_steps").replace("    provider: claude\n    model: opus\n", "").replace(
            "permission_mode", "required_permission_mode"
        )
        runtime = (piece.parent.parent / "runtime.yaml").read_text("utf-8")
        assert "p/a:\n        profile: claude-opus\n" in runtime
        document.undo()
        assert isinstance(document.save(), Saved)
        assert piece.read_text("utf-8") == PIECE
        assert not (piece.parent.parent / "runtime.yaml").exists()  # it came with the conversion

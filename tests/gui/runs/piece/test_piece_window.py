"""A TAKT piece is run by hand in the window."""

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from stepflow_gui import messages
from stepflow_gui.formats.takt.releases.sets import minors_of
from stepflow_gui.formats.takt.runners import RUNNERS
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.actions import plain_title
from stepflow_gui.project.creating.example import copy_example
from tests.gui.runs.piece.conftest import opened
from tests.run.takt.pieces import PARALLEL, TWO


def test_a_piece_is_run_to_its_end_and_nothing_is_written(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, TWO)
    bench.control.setup.widget.task.setPlainText("mend it")
    bench.do("run-start")
    assert bench.offered() == ["done  →  check", "stop  →  ABORT", "Undecided"]
    assert "mend it, run 1 of 1" in bench.control.pages.prompts.widget.text.toPlainText()
    bench.write("found it")
    bench.press("done")
    assert bench.control.pages.reports.widget.text.toPlainText() == "found it"
    assert window.canvas.graph.run.active == {"check"}
    bench.press("ask")
    bench.write("please")
    bench.press("Answer")
    assert bench.run.state.inputs == ("please",)
    bench.press("good")
    assert bench.panel.now.widget.title.whole == "The piece is complete."
    assert bench.panel.trace.widget.rows.rowCount() == bench.run.length
    kept = tmp_path / "kept.jsonl"
    bench.panel.setup_form.widget.ask_trace_file = lambda: kept
    bench.do("run-save-trace")
    assert len(kept.read_text().splitlines()) == bench.run.length + 1
    assert window.canvas.graph.run.ended
    assert [path.name for path in tmp_path.joinpath(".takt").rglob("*")] == ["pieces", "piece.yaml"]


def test_sub_steps_are_picked_in_any_order_and_a_choice_is_taken_back_whole(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PARALLEL)
    bench.do("run-start")
    assert "style: approved" in bench.named()
    bench.press("safety: needs_fix")
    assert not any(text.startswith("safety: ") for text in bench.named())
    bench.do("run-back")
    assert "safety: needs_fix" in bench.named()
    assert bench.run.position == 1
    bench.do("run-step")
    bench.press("style: approved")
    assert window.canvas.graph.run.active == {"fix"}
    bench.press("fixed")
    bench.do("run-restart")
    assert bench.run.position == 1
    bench.do("run-stop")
    assert bench.control.run is None
    assert bench.offered() == ["Start"]


def test_who_types_while_a_run_waits_keeps_the_keyboard(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    bench = opened(window, tmp_path, TWO)
    bench.do("run-start")
    bench.panel.now.widget.focus_offers()
    before = window.focusWidget()
    assert isinstance(before, QPushButton)
    editor = window.source.editor
    editor.setFocus()
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "x: y")
    qtbot.waitUntil(lambda: not isValid(before) or before.isHidden())  # what is offered is shown again
    assert window.focusWidget() is editor


def test_iterations_are_granted_or_end_the_run(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, TWO.replace("max_iterations: 6", "max_iterations: 1"))
    bench.do("run-start")
    bench.press("done")
    assert bench.offered() == ["10 further iterations", "End here"]
    bench.press("10 further iterations")
    assert bench.run.state.limit == 11
    bench.do("run-back")
    bench.press("End here")
    assert bench.panel.now.widget.title.whole.startswith("Aborted: the iterations are used up")


def test_exploring_is_shown_and_cancelled(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    bench = opened(window, tmp_path, TWO)
    page = bench.control.explore.widget
    page.go.click()
    assert page.busy
    qtbot.waitUntil(lambda: not page.busy)
    assert "5 of 5 rules are taken." in page.text.toPlainText()
    page.go.click()
    page.go.click()
    assert not page.busy
    page.forget()
    assert page.text.toPlainText() == ""


def test_a_search_that_ends_at_once_is_shown(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Quick(threading.Thread):
        def start(self) -> None:
            super().start()
            self.join()

    page = opened(window, tmp_path, TWO).control.explore.widget
    monkeypatch.setattr(threading, "Thread", Quick)
    page.go.click()
    qtbot.waitUntil(lambda: not page.busy)
    assert "5 of 5 rules are taken." in page.text.toPlainText()


def test_a_piece_that_is_refused_explains_why(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, TWO.replace("next: check", "next: ghost"))
    bench.do("run-start")
    assert bench.control.run is None
    assert bench.panel.now.widget.title.whole == "This piece can't be run"
    assert "ghost" in bench.panel.now.widget.detail.text()


def test_the_language_changes_in_a_run_and_an_agent_gets_its_pages_back(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, TWO)
    bench.do("run-start")
    messages.use_language("ja")
    window.retranslate()
    assert bench.offered()[-1] == "判断できない"
    pages, right = bench.panel.pages, bench.panel.right
    shown = [pages.tabText(at) for at in range(pages.count()) if pages.isTabVisible(at)]
    assert shown == ["トレース", "設定", "実際の実行"]
    titles = [right.tabText(at) for at in range(right.count()) if right.isTabVisible(at)]
    assert titles == ["回答", "コンテキスト", "プロンプト", "検査", "movement"]
    assert not right.isTabEnabled(3)
    messages.use_language("en")
    window.retranslate()
    assert window.open(next(copy_example(into=tmp_path / "agent").rglob("steps_registry.json")))
    shown = [pages.tabText(at) for at in range(pages.count()) if pages.isTabVisible(at)]
    assert shown == ["Trace", "Setup", "Real Runs"]
    titles = [right.tabText(at) for at in range(right.count()) if right.isTabVisible(at)]
    assert titles == ["Answer", "Context", "Prompt", "Checks", "Step"]
    assert right.isTabEnabled(3)
    assert bench.panel.places["context"].currentWidget() is bench.panel.data


def test_a_run_begins_at_the_selected_movement_without_an_edit(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, TWO)
    document = window.document
    assert document is not None
    bench.do("run-start")
    document.select("check", "canvas")
    bench.do("run-from-here")
    run = bench.control.run
    assert run is not None
    assert run.state.movement == "check"
    assert len(bench.control.debugger.branches) == 2  # the other one is kept
    assert not document.dirty
    titles = [plain_title(window.desk.actions[name].text()) for name in ("rename", "new-step", "step-files", "follow")]
    assert titles == ["Rename Movement", "New Movement", "Movement Files", "Follow Active Movement"]
    assert not window.desk.actions["rename-name"].isVisible()
    assert window.search.accessibleName() == "Go to a movement, file, rule or action"
    kinds = {"action", "setting", "movement", "transition", "file", "rule"}
    assert {entry.kind for entry in window.palette_entries()} == kinds


def test_any_release_can_be_chosen_and_typed(window: MainWindow, tmp_path: Path) -> None:
    text = TWO.replace("max_iterations", "max_movements").replace("name: work", "name: work\n    allowed_tools: [Read]")
    bench = opened(window, tmp_path, text)
    form = bench.control.setup.widget
    offered = [form.era.itemData(number) for number in range(form.era.count())]
    assert form.setup.era == "takt-0.29"
    assert {"guide", "takt-latest", "takt-head", "takt-0.29", "takt-0.17", "takt-0.12"} <= set(offered)
    assert "takt-0.30" not in offered
    form.era.setCurrentIndex(offered.index("takt-0.17"))
    form.era.activated.emit(offered.index("takt-0.17"))
    assert form.setup.era == "takt-0.17"
    for typed, era in (("takt-0.13.0-alpha.1", "takt-0.13.0-alpha.1"), ("0.27", "takt-0.27")):
        form._typed.setText(typed)
        form._typed.editingFinished.emit()
        assert form.setup.era == era
        assert form.era.currentText() == era
    form._typed.setText("takt-x0.12")
    form._typed.editingFinished.emit()
    assert form.setup.era == "takt-0.27"
    assert form.note.text() == "“takt-x0.12” isn't a runtime. Did you mean “takt-0.12”?"
    form._typed.setText("takt-latest")
    form._typed.editingFinished.emit()
    bench.do("run-start")
    assert bench.control.run is None
    assert bench.panel.now.widget.title.whole == "This piece can't be run"
    assert "TAKT 0.60 refuses to load the file" in bench.panel.now.widget.detail.text()


def test_the_runtime_of_the_settings_is_the_usual_one(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "stepflow.toml").write_text('runtime = "takt-0.9"\n')
    assert opened(window, tmp_path, TWO).control.setup.widget.setup.era == "takt-0.9"


def test_the_runtimes_of_the_file_come_first(window: MainWindow, tmp_path: Path) -> None:
    form = opened(window, tmp_path, TWO).control.setup.widget
    listed = [str(form.era.itemData(at)) for at in range(form.era.count())]
    own = [f"takt-{minor}" for minor in reversed(minors_of(form._releases))]
    assert own
    assert listed[: len(own) + 2] == [*own, "takt-latest", "takt-head"]
    assert set(RUNNERS) <= set(listed)
    assert len(listed) == len(set(listed))

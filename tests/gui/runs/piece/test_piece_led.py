"""A TAKT piece is led by a script, a trace and chance, and pauses at breakpoints; each sub-step glows for itself."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.items.sign_items import EndItem
from stepflow_gui.gui.runs.stored_breakpoints import StoredBreakpoints
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from stepflow_gui.run.takt.scripts.scripted import path_of
from tests.gui.runs.piece.conftest import PieceBench, opened
from tests.run.takt.pieces import PARALLEL, TWO

SCRIPT = """
task: mend the export
answers:
  work: [{rule: done, text: It is done., reports: {notes.md: Two files}}]
  check: [ask, good]
inputs: [please]
expect: {end: complete, path: [work, check, check]}
"""


FLOW = """
name: flow
subworkflow: {callable: true, returns: [needs_fix]}
steps:
  - name: both
    parallel:
      - {name: one, rules: [{condition: ok}, {condition: bad}]}
      - {name: two, rules: [{condition: ok}, {condition: bad}]}
    rules:
      - {condition: any(error), next: both}
      - {condition: any(bad), return: needs_fix}
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script beside the piece, as one of its tests."""
    file = tmp_path / ".takt" / "pieces" / "flow_tests" / "piece" / "happy.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(SCRIPT, "utf-8")
    return file


def waited(bench: PieceBench, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not bench.control.busy)


def test_a_script_of_its_tests_answers_step_by_step_to_the_end(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, script: Path
) -> None:
    bench = opened(window, tmp_path, TWO)
    form = bench.control.setup.widget
    form.who.setCurrentIndex(form.who.findData("script"))
    form.who.activated.emit(form.who.currentIndex())
    assert form.setup.file == script
    assert [action.text() for action in form.tests.actions()] == ["happy.yaml", "", "Another File…"]
    bench.do("run-step")
    assert (bench.run.position, bench.run.state.task) == (1, "mend the export")
    bench.do("run-step")
    waited(bench, qtbot)
    assert bench.run.state.movement == "check"
    assert bench.run.state.reports == {"notes.md": "Two files"}
    bench.do("run-back")
    assert bench.run.position == 1
    bench.do("run-start")
    waited(bench, qtbot)
    assert bench.title == "The piece is complete."
    assert path_of(bench.run) == ("work", "check", "check")
    assert "Otherwise" not in bench.panel.now.widget.detail.text()
    bench.do("run-stop")
    script.write_text(SCRIPT.replace("end: complete", "end: abort_transition"), "utf-8")
    bench.do("run-start")
    waited(bench, qtbot)
    assert (
        "Otherwise than the script expects:\nexpected as end: abort_transition" in bench.panel.now.widget.detail.text()
    )


def test_a_script_that_doesnt_fit_reports_it_and_no_run_begins(
    window: MainWindow, tmp_path: Path, script: Path
) -> None:
    bench = opened(window, tmp_path, TWO)
    script.write_text("answers: {nobody: 1}\n", "utf-8")
    bench.setup(who="script", file=script)
    bench.do("run-start")
    assert bench.control.run is None
    assert bench.note == "happy.yaml:1: There is no movement “nobody”."
    assert bench.offered() == ["Start"]
    bench.setup(who="script", file=None)
    bench.do("run-start")
    assert bench.note == "Choose a script first."


def test_a_trace_is_replayed_and_the_first_difference_is_reported(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    bench = opened(window, tmp_path, TWO)
    kept = tmp_path / "kept.jsonl"
    bench.do("run-start")
    bench.press("done")
    bench.press("good")
    bench.panel.setup_form.widget.ask_trace_file = lambda: kept
    bench.do("run-save-trace")
    length = bench.run.length
    bench.do("run-stop")
    bench.setup(who="replay", file=kept)
    bench.do("run-step")
    bench.do("run-step")
    waited(bench, qtbot)
    assert bench.run.state.movement == "check"
    bench.do("run-back")
    assert bench.run.state.movement == "work"
    bench.do("run-start")
    waited(bench, qtbot)
    assert (bench.run.length, bench.title) == (length, "The piece is complete.")
    bench.do("run-stop")
    records = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    records[3]["event"]["task"] = "check"
    kept.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    bench.do("run-start")
    waited(bench, qtbot)
    assert bench.note == "The run diverges from the trace at its event 3."
    assert bench.run.position == 2


def test_breakpoints_pause_chance_at_movements_sub_steps_and_results_and_are_kept(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    bench = opened(window, tmp_path, PARALLEL)
    assert window.document is not None
    window.document.select("fix", "canvas")
    bench.do("run-breakpoint")
    bench.control.toggle_breakpoint("safety")
    layer = window.canvas.graph.run_layer
    assert layer.breakpoints == {"fix": True, "safety": True}
    card = window.canvas.graph.step_item("reviewers")
    assert card is not None
    assert card.frame.contains(layer._dots["safety", 0].pos())
    page = bench.panel.breakpoints.widget
    bench.panel.show_page(page)
    page.step.setText("style")
    page.intent.setText("unheard of")
    page.add.click()
    assert page.problem.text() == "No rule has the condition “unheard of”."
    page.intent.setText("needs_fix")
    page.condition.setText("visit >= 1")
    page.add.click()
    assert [page.rows.row(at).cells[1].text for at in range(page.rows.rowCount())] == [
        "fix",
        "safety",
        "style · needs_fix if visit >= 1",
    ]
    assert not page.validator.isVisibleTo(page)
    answers = tmp_path / "answers.yaml"
    answers.write_text("answers: {style: [needs_fix, approved], safety: [approved]}\n", "utf-8")
    bench.setup(who="script", file=answers)
    notes = []
    for _time in range(4):
        bench.do("run-start")
        waited(bench, qtbot)
        notes.append(bench.note.removeprefix("Paused at a breakpoint: "))
    assert notes[:3] == ["safety", "fix", "safety"]
    assert bench.title == "The piece is complete."
    bench.control.toggle_breakpoint("safety")
    bench.control.look_at(1)
    bench.do("run-start")
    assert bench.note.startswith("Paused at a breakpoint: style · needs_fix if visit >= 1"), "in what is kept, too"
    window.settings.sync()
    assert StoredBreakpoints(window.settings, window.document.path).breakpoints[0] == Breakpoint("fix")


def test_sub_steps_glow_together_and_each_ends_with_its_result(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PARALLEL)
    bench.do("run-start")
    assert bench.subs("reviewers") == {"style": "runs", "safety": "runs"}
    bench.press("safety: needs_fix")
    assert bench.subs("reviewers") == {"style": "runs", "safety": "needs_fix"}
    assert "style runs now, safety: needs_fix" in window.canvas.graph.accessible_name("reviewers")
    bench.press("style: approved")
    assert bench.subs("reviewers") == {"style": "approved", "safety": "needs_fix"}
    assert window.canvas.graph.run.active == {"fix"}
    bench.press("fixed")
    assert bench.subs("reviewers") == {"style": "runs", "safety": "runs"}
    bench.do("run-back")
    assert bench.subs("reviewers") == {"style": "approved", "safety": "needs_fix"}
    bench.do("run-stop")
    assert bench.subs("reviewers") == {}


def test_looking_back_keeps_the_run_and_another_pick_begins_one_of_its_own(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, TWO)
    bench.do("run-start")
    bench.press("done")
    bench.press("good")
    bench.control.look_at(1)
    assert "this one is kept" in bench.note
    bench.press("stop")
    assert len(bench.control.debugger.branches) == 2
    assert bench.title.startswith("Aborted")
    page = bench.panel.compare.widget
    bench.panel.show_page(page)
    assert page.isVisible()
    assert page.summary.text() == "They are the same up to entry 3 and then differ."
    assert [cell.text for cell in page.rows.row(3).cells] == [
        "4",
        "work: 2 stop (by a tag of the judge) → ABORT; Aborted: a rule of work goes to ABORT.",
        "work: 1 done (by a tag of the judge) → check; 2. check",
    ]
    bench.do("run-stop")
    assert not page.isVisible()


def test_f9_in_the_text_of_a_sub_step_is_for_that_one(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PARALLEL)
    assert window.document is not None
    window.document.select("reviewers", "canvas")
    editor = window.source.editor
    cursor = editor.textCursor()
    cursor.setPosition(editor.toPlainText().index("name: safety") + 2)
    editor.setFocus()
    editor.setTextCursor(cursor)
    bench.do("run-breakpoint")
    assert window.canvas.graph.run_layer.breakpoints == {"safety": True}
    menu = QMenu()
    bench.control.extend_menu(menu, "reviewers")
    entries = menu.findChildren(QMenu)[0].actions()
    assert [(entry.text(), entry.isChecked()) for entry in entries] == [("style", False), ("safety", True)]
    entries[1].trigger()
    entries[0].trigger()
    assert window.canvas.graph.run_layer.breakpoints == {"style": True}


def test_a_sub_step_of_a_workflow_can_fail_and_the_run_return_a_result(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, FLOW)
    bench.do("run-start")
    bench.press("one: fails")
    assert bench.subs("both")["one"] == "failed"
    bench.press("two: ok")
    assert bench.run.state.counts["both"] == 2
    bench.press("one: bad")
    bench.press("two: ok")
    assert bench.title == "The workflow returns “needs_fix” to the one that called it."
    ends = [end for end in window.canvas.graph.nodes.values() if isinstance(end, EndItem)]
    assert [end.reached for end in ends] == [True]


def test_a_run_goes_on_as_it_began_while_the_piece_is_edited(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    bench = opened(window, tmp_path, TWO)
    bench.do("run-start")
    document = window.document
    assert document is not None
    text = document.last_valid.registry.source.text
    editor = window.source.editor
    editor.setFocus()
    editor.selectAll()
    editor.insertPlainText(text.replace("check", "renamed"))
    qtbot.waitUntil(lambda: "renamed" in document.last_valid.flow.steps)
    bench.press("done")
    assert bench.run.state.movement == "check"
    bench.press("good")
    assert bench.title == "The piece is complete."
    bench.do("run-stop")
    bench.do("run-start")
    bench.press("done")
    assert bench.run.state.movement == "renamed"
    assert document.selected_step == "renamed"


def test_sub_steps_are_blocks_and_the_rule_that_holds_already_is_shown(window: MainWindow, tmp_path: Path) -> None:
    bench = opened(window, tmp_path, PARALLEL)
    bench.do("run-start")
    blocks = [label.text() for label in bench.panel.now.widget.offers.findChildren(QLabel, "answerBlock")]
    assert blocks == ["style", "safety"]
    assert bench.offered()[:4] == ["approved", "needs_fix", "approved", "needs_fix"]
    place = bench.panel.now.widget.offers.mapToGlobal(QPoint())
    bench.press("style: needs_fix")
    assert bench.panel.now.widget.offers.mapToGlobal(QPoint()) == place
    assert bench.panel.now.widget.detail.text().splitlines()[1:] == ['Holds already: any("needs_fix")  →  fix']
    assert bench.offered()[:3] == ["Change", "approved", "needs_fix"]
    bench.press("Change the answer of style")
    assert "this one is kept" in bench.note
    bench.press("style: approved")
    assert bench.subs("reviewers") == {"style": "approved", "safety": "runs"}
    assert len(bench.panel.now.widget.detail.text().splitlines()) == 1


def test_a_changed_answer_keeps_those_of_the_others(window: MainWindow, tmp_path: Path) -> None:
    third = "      - name: third\n        rules: [{condition: approved}, {condition: needs_fix}]\n"
    three = PARALLEL.replace("      - name: safety", third + "      - name: safety")
    bench = opened(window, tmp_path, three)
    bench.do("run-start")
    bench.press("style: needs_fix")
    bench.press("third: approved")
    before = bench.run
    bench.press("Change the answer of style")
    bench.press("style: approved")
    assert bench.run is not before
    assert bench.subs("reviewers") == {"style": "approved", "third": "approved", "safety": "runs"}
    bench.press("safety: approved")
    assert bench.title == "The piece is complete."
    bench.control.debugger.switch(1)
    assert bench.run is before
    bench.control.look_at(before.length)
    assert bench.subs("reviewers") == {"style": "needs_fix", "third": "approved", "safety": "runs"}

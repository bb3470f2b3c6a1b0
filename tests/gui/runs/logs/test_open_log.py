"""Logs of real runs in the window: opened as runs, step by step, explained, and what can't be opened."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.runs.logs.log_control import LogControl
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.conftest import read
from tests.run.logs.test_takt_logs import PIECE, record, step

EXAMPLE = ("initial.issue", "continuation.issue", "closure.issue")


def line(message: str, at: int = 0, **data: Any) -> str:
    value = {"timestamp": f"2026-04-20T10:00:{at:02}.000Z", "level": "info", "message": message, "metadata": data}
    return json.dumps(value) + "\n"


def turn(step: str, iteration: int, intent: str, to: str | None, *, answer: bool = True) -> str:
    lines = [line("[FlowLoop] Enter", iteration, stepId=step, iteration=iteration)]
    if answer:
        output = {"stepId": step, "next_action": {"action": intent}}
        lines.append(
            line("SDK result", iteration, structuredOutput=output, totalCostUsd=0.1, numTurns=2, durationMs=1500)
        )
    lines.append(line(f"[StepFlow] Interpreted intent: {intent}", iteration, stepId=step))
    if to is not None:
        lines.append(line(f"[StepFlow] Routing decision: {step} -> {to}", iteration, intent=intent))
    return "".join(lines)


START = line("Starting agent: Issue flow")
PATH = turn(EXAMPLE[0], 1, "next", EXAMPLE[1]) + turn(EXAMPLE[1], 2, "handoff", EXAMPLE[2])
FAILED = line("Agent failed", 9, error="Nothing fits", code="GATE_INTERPRETATION_ERROR", iteration=3)


def test_a_log_is_shown_as_a_run(bench: Bench, opened: Callable[..., LogControl]) -> None:
    control = opened(START, PATH, FAILED)
    assert bench.rows("trace") == [
        "1  initial.issue  start  1      ● log",
        "2  initial.issue  next  →  continuation.issue  2  1.5 s  $0.10  ● log",
        "3  continuation.issue  handoff  →  closure.issue  6  1.5 s  $0.10  ● log",
        "4    failed: Nothing fits [GATE_INTERPRETATION_ERROR]  10      ● log",
    ]
    assert bench.title == "The run has failed"
    run = control.run
    assert run is not None
    marks = bench.window.canvas.graph.run
    assert marks.move_visits[TransitionRef("initial.issue", "next")] == 1
    assert marks.active == frozenset()
    bench.do("run-back")
    assert run.position == 3
    assert bench.window.canvas.graph.run.active == {"closure.issue"}
    bench.do("run-back")
    assert bench.title == "initial.issue"
    assert control.lines.line == 2
    assert "structuredOutput" in control.lines.text.toPlainText()
    bench.panel.trace.widget.looked.emit(3)
    assert control.lines.line == 6
    bench.do("run-start")
    assert run.position == 4
    assert bench.window.desk.actions["run-save-test"].isEnabled()
    assert not bench.window.desk.actions["run-start"].isEnabled()
    bench.press("Close Log")
    assert bench.window.runs.shown is bench.control
    assert bench.rows("trace") == []
    assert bench.window.canvas.graph.run.moves == 0


def test_the_flow_is_compared_and_the_difference_explained(bench: Bench, opened: Callable[..., LogControl]) -> None:
    control = opened(START, turn(EXAMPLE[0], 1, "next", EXAMPLE[2]), turn(EXAMPLE[2], 2, "closing", None))
    assert "◆ next  →  closure.issue" in bench.rows("trace")[1]
    bench.press("Go to First Difference")
    explained = bench.panel.trace.widget.explanation.toPlainText().split("\n")
    assert explained[:3] == [
        "Log, line 4: initial.issue answered next, and the run went on with closure.issue.",
        "This flow: with this answer it goes to continuation.issue.",
        "Difference: climpt went to closure.issue; “next” of initial.issue goes to continuation.issue in this flow.",
    ]
    assert bench.note.startswith("climpt went to closure.issue")
    assert TransitionRef("initial.issue", "next") not in bench.window.canvas.graph.run.move_visits
    document = bench.window.document
    assert document is not None
    source = document.source()
    assert isinstance(source, Source)
    text = source.text
    at = text.index('"target": "continuation.issue"')
    edit = TextEdit(at, at + len('"target": "continuation.issue"'), '"target": "closure.issue"')
    document.apply({document.path: [edit]}, "Change", "test")
    bench.qtbot.waitUntil(lambda: document.parsed and "◆" not in "".join(bench.rows("trace")))
    assert control.run is not None
    assert control.run.position == 2


def test_simulated_runs_resume_when_the_log_is_closed(
    bench: Bench, example: Path, opened: Callable[..., LogControl]
) -> None:
    bench.open(example)
    bench.do("run-step")
    bench.press("next")
    before, title = bench.rows("trace"), bench.title
    opened(START, PATH, FAILED)
    assert bench.title == "The run has failed"
    bench.do("run-stop")
    assert (bench.rows("trace"), bench.title) == (before, title)
    assert bench.run.length == 2


def test_how_an_entry_is_known(bench: Bench, opened: Callable[..., LogControl]) -> None:
    text = line("Assistant response", content="x" * 200)
    entered = line("[FlowLoop] Enter", stepId=EXAMPLE[1], iteration=3)
    answered = line("SDK result", structuredOutput={"next_action": {"action": "next"}})
    opened(
        START,
        turn(EXAMPLE[0], 1, "next", EXAMPLE[1], answer=False),
        line("[FlowLoop] Enter", stepId=EXAMPLE[1], iteration=2) + answered,
        entered + text,
    )
    assert [row.split("  ")[-1] for row in bench.rows("trace")] == ["● log", "◌ guessed", "◐ computed", "◍ cut off"]
    assert bench.title == "The log has no end"


def test_two_logs_are_compared(bench: Bench, opened: Callable[..., LogControl]) -> None:
    opened(START, PATH, FAILED)
    opened(START, turn(EXAMPLE[0], 1, "repeat", EXAMPLE[0]), name="other.jsonl")
    assert [bench.panel.bar.branches.itemText(at) for at in range(2)] == ["run.jsonl", "other.jsonl"]
    bench.do("run-compare")
    assert "They are the same up to entry 1" in bench.panel.compare.widget.summary.text()
    opened(START, PATH, FAILED)  # once more
    assert bench.panel.bar.branches.count() == 2


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\1\2" * 100, b"{" * 100_000, START[:20].encode(), b'{"type": "step_start", "step": "plan"}\n'],
)
def test_what_cant_be_opened_is_said(content: bytes, bench: Bench, example: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_bytes(content)
    bench.open(example)
    bench.window.runs.open_log(file)
    read(bench)
    assert "bad.jsonl" in bench.window.desk.notices.text
    assert bench.window.runs.shown is bench.control


def test_a_pipe_a_folder_and_a_missing_file_are_said(bench: Bench, example: Path, tmp_path: Path) -> None:
    bench.open(example)
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("pipe.jsonl", "missing.jsonl", "."):
        bench.window.desk.notices.clear()
        bench.window.runs.open_log(tmp_path / name)
        read(bench)
        assert bench.window.desk.notices.text
        assert bench.window.runs.shown is bench.control


def test_a_log_of_another_agent_names_it(bench: Bench, example: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(line("Starting agent: Other flow") + turn("x.y", 1, "next", "x.z"), "utf-8")
    bench.window.runs.open_log(file)
    assert "“Other flow”" in bench.window.desk.notices.text
    bench.open(example)
    bench.window.runs.open_log(file)
    read(bench)
    assert "“Other flow”" in bench.window.desk.notices.text
    assert bench.window.runs.shown is bench.control


def test_a_log_is_dropped_on_the_window(bench: Bench, example: Path, tmp_path: Path) -> None:
    bench.open(example)
    file = tmp_path / "run.log"
    text = '[2026-04-20T10:00:00.011Z] [INFO] [FlowLoop] Enter {"iteration":1,"stepId":"initial.issue"}\n'
    file.write_text(text, "utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    none = Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    bench.window.dropEvent(event)
    read(bench)
    assert isinstance(bench.window.runs.shown, LogControl)
    assert bench.window.canvas.graph.run.active == {"initial.issue"}


def test_a_large_log_can_be_cancelled(
    bench: Bench, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepflow_gui.gui.runs.logs.log_reading._LARGE", 10)
    file = tmp_path / "run.jsonl"
    file.write_text(START + PATH * 20_000, "utf-8")
    bench.open(example)
    bench.window.runs.open_log(file)
    assert "Reading run.jsonl" in bench.window.desk.notices.text
    logs = bench.window.runs._logs
    assert logs is not None
    logs.reading.cancel()
    assert not logs.reading.is_busy
    assert bench.window.desk.notices.text == ""
    assert bench.window.runs.shown is bench.control


@pytest.mark.parametrize("text", [START, START + FAILED])
def test_a_log_without_any_step_is_shown(text: str, bench: Bench, opened: Callable[..., LogControl]) -> None:
    opened(text)
    assert bench.rows("trace")[0] == "1    start  1      ● log"
    assert "0 turns" in bench.panel.now.widget.detail.text()


def test_an_explored_path_takes_the_place_of_the_log(bench: Bench, opened: Callable[..., LogControl]) -> None:
    opened(START, PATH, FAILED)
    exploring = bench.window.runs.exploring
    bench.do("run-explore")
    exploring.page.explore.click()
    bench.qtbot.waitUntil(lambda: not exploring.busy)
    exploring.page.table.selectRow(0)
    exploring.page.play.click()
    assert bench.window.runs.shown is bench.control
    assert bench.run.position == 1


def test_breakpoints_stop_in_a_log(bench: Bench, opened: Callable[..., LogControl]) -> None:
    control = opened(START, PATH, FAILED)
    document, run = bench.window.document, control.run
    assert document is not None
    assert run is not None
    bench.panel.trace.widget.looked.emit(1)
    document.select(EXAMPLE[1], "test")
    bench.do("run-breakpoint")
    bench.do("run-start")
    assert run.position == 2
    bench.do("run-breakpoint")
    bench.do("run-start")
    assert run.position == 4


def test_the_folder_of_a_run_of_a_piece(bench: Bench, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "review.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(PIECE, "utf-8")
    logs = tmp_path / ".takt" / "runs" / "one" / "logs"
    logs.mkdir(parents=True)
    records = [record("piece_start", pieceName="review"), step("plan", 0), step("work", 1, 2), step("plan", 1, 3)]
    (logs / "s.jsonl").write_text("".join([*records, record("piece_abort", reason="Stopped")]), "utf-8")
    (logs / "usage.jsonl").write_text('{"tokens": 1}\n', "utf-8")
    bench.open(piece)
    assert bench.window.runs.open_if_log(logs.parent)
    read(bench)
    assert [row.partition("  ")[2] for row in bench.rows("trace")] == [
        "plan  start  1      ● log",
        "plan  rule 1 (clear)  →  work  2  0.0 s    ● log",
        "work  rule 2 (unclear)  →  plan  4  0.0 s    ● log",
        "plan  rule 2 (unclear)  6  0.0 s    ● log",
        "  failed: Stopped  8      ● log",
    ]
    assert bench.window.canvas.graph.run.move_visits == {
        TransitionRef("plan", "clear"): 1,
        TransitionRef("work", "unclear"): 1,
        TransitionRef("plan", "unclear"): 1,
    }
    bench.do("run-stop")
    assert bench.title == "Not started"


def test_a_log_is_gone_on_with_as_a_simulated_run(bench: Bench, opened: Callable[..., LogControl]) -> None:
    opened(START, PATH, FAILED)
    bench.panel.trace.widget.looked.emit(2)
    bench.do("run-fork")
    assert "“issue”" in bench.window.desk.notices.text
    assert bench.panel.pages.currentWidget() is bench.panel.setup_form
    bench.setup(args="issue=7")
    bench.do("run-fork")
    assert bench.window.runs.shown is bench.control
    assert bench.title == EXAMPLE[1]
    assert bench.run.length == 2
    bench.press("repeat")
    assert bench.run.length == 3
    assert bench.window.desk.actions["run-save-test"].isEnabled()
    opened(START, turn(EXAMPLE[0], 1, "next", EXAMPLE[2]), turn(EXAMPLE[2], 2, "closing", None))
    bench.do("run-fork")
    assert bench.title == EXAMPLE[1]  # where this flow goes
    assert "goes elsewhere" in bench.window.desk.notices.text
    bench.setup(args="")


def test_rows_keep_their_answer_in_a_small_window(opened: Callable[..., LogControl], bench: Bench) -> None:
    size = bench.window.size()
    bench.window.resize(800, 600)
    try:
        opened(START, PATH)
        bench.panel.show_page(bench.panel.trace)
        bench.qtbot.wait(20)
        trace = bench.panel.trace.widget
        row = trace.rows.index(2, 2)
        assert "closure.issue" in str(row.data()), "the answer with its target"
        assert trace.table.columnWidth(2) >= trace.table.sizeHintForIndex(row).width()
    finally:
        bench.window.resize(size)

"""What the end of a logged run offers, its explanation, and a log saved as a test without secrets."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from stepflow_gui.gui.runs.piece.control import PieceControl
from tests.gui.runs.conftest import Bench
from tests.gui.runs.logs.conftest import read
from tests.gui.runs.logs.test_log_header import Opened
from tests.gui.runs.logs.test_open_log import EXAMPLE, FAILED, PATH, START, line, turn
from tests.gui.shown import in_run
from tests.run.logs.test_takt_logs import PIECE, record, step

CANARY = "sk-" + "C4nary" * 6
FINISHED = line("Agent completed after 3 iteration(s): done", 9)
LIMIT = '{"timestamp": "2026-04-20T10:00:09.000Z", "level": "warn", "message": "Maximum iterations (3) reached"}\n'
CLOSED = turn(EXAMPLE[2], 3, "closing", None)


def offers(bench: Bench) -> list[str]:
    words = ("Go to", "Follow", "Show ", "Save as", "Open Another", "Close Log")
    buttons = (each.text() for each in in_run(bench.panel, QPushButton) if each.isVisible())
    return [text for text in buttons if text.startswith(words)]


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        ((PATH, CLOSED, FINISHED), "Save as Test…"),
        ((PATH, FAILED), "Show continuation.issue"),
        ((PATH, LIMIT), "Show continuation.issue"),
        ((PATH,), "Follow the Newest Log"),
        ((turn(EXAMPLE[0], 1, "next", EXAMPLE[2]), CLOSED, FINISHED), "Go to First Difference"),
    ],
)
def test_each_end_offers_what_comes_next(texts: tuple[str, ...], first: str, bench: Bench, opened: Opened) -> None:
    opened(START, *texts)
    assert offers(bench)[0] == first
    assert offers(bench)[-2:] == ["Open Another Log…", "Close Log"]


def test_the_step_at_which_it_failed_is_shown(bench: Bench, opened: Opened) -> None:
    control = opened(START, PATH, FAILED)
    assert control.run is not None
    explained = bench.panel.trace.widget.explanation.toPlainText().split("\n")
    assert explained == [
        "Line 10: failed: Nothing fits [GATE_INTERPRETATION_ERROR]",
        "This flow: with this answer it goes to closure.issue.",
    ]
    bench.press("Show ")
    document = bench.window.document
    assert document is not None
    assert document.selected_step == EXAMPLE[1]
    assert bench.panel.right.currentIndex() == bench.panel.right.count() - 1


def test_the_newest_log_is_followed(bench: Bench, opened: Opened) -> None:
    opened(START, PATH)
    bench.press("Follow the Newest")
    logs = bench.window.runs._logs
    assert logs is not None
    assert logs.following.is_on
    bench.qtbot.waitUntil(lambda: not logs.following._worker.is_busy)
    bench.do("run-stop")
    assert not logs.following.is_on


def test_a_log_is_saved_as_a_test_without_secrets(bench: Bench, tmp_path: Path, opened: Opened) -> None:
    secret = line("Assistant response", 1, content=f"The key is {CANARY}")
    opened(START, turn(EXAMPLE[0], 1, "next", EXAMPLE[1]), secret, turn(EXAMPLE[1], 2, "handoff", EXAMPLE[2]), FAILED)
    named: list[Path] = []

    def ask(proposed: Path) -> Path:
        named.append(proposed)
        return tmp_path / "t.jsonl"

    bench.panel.setup_form.widget.ask_test_file = ask
    bench.do("run-save-test")
    assert "“issue”" in bench.window.desk.notices.text  # the log has no parameters
    assert not named
    bench.setup(args=f"issue=7 apiKey={CANARY}")
    bench.press("Save as Test")
    assert named[0].parent.name == "flow_tests"
    written = (tmp_path / "t.jsonl").read_text("utf-8")
    assert "C4nary" not in written
    assert "[removed]" in written
    assert '"path": ["initial.issue", "continuation.issue"]' in written
    bench.panel.trace.widget.looked.emit(2)
    bench.do("run-save-test")
    assert '"path": ["initial.issue"]' in (tmp_path / "t.jsonl").read_text("utf-8")
    bench.setup(args="")


def test_a_log_of_a_piece_is_saved_as_a_test(bench: Bench, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "review.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(PIECE, "utf-8")
    file = tmp_path / "s.jsonl"
    said = step("plan", 0, content=f"Use {CANARY}"), step("work", 0, 2)
    file.write_text("".join((record("piece_start", pieceName="review"), *said, record("piece_complete"))), "utf-8")
    bench.open(piece)
    bench.window.runs.open_log(file)
    read(bench)

    def ask(proposed: Path) -> Path:
        return tmp_path / f"t{proposed.suffix}"

    bench.panel.setup_form.widget.ask_test_file = ask
    bench.press("Save as Test")
    written = (tmp_path / "t.json").read_text("utf-8")
    assert "C4nary" not in written
    assert '"end": "complete"' in written


def test_a_log_of_a_piece_is_gone_on_with(bench: Bench, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "review.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(PIECE, "utf-8")
    file = tmp_path / "s.jsonl"
    records = record("piece_start", pieceName="review"), step("plan", 0), step("work", 1, 2), step("plan", 1, 3)
    file.write_text("".join(records), "utf-8")
    bench.open(piece)
    bench.window.runs.open_log(file)
    read(bench)
    bench.panel.trace.widget.looked.emit(3)
    bench.do("run-fork")
    control = bench.window.runs.shown
    assert control is bench.window.runs.control
    assert isinstance(control, PieceControl)
    assert control.run is not None
    assert (control.run.state.movement, dict(control.run.visits)) == ("plan", {"plan": 2, "work": 1})
    control.run.pick("plan", 1)
    assert control.run.state.end is not None

"""Traces of pieces: written down and gone through again."""

import json

import pytest

from stepflow_gui.formats.takt.runners import PIECES
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Extended
from stepflow_gui.run.takt.scripts.trace import PieceTrace, TraceFault, read_trace, replayed, trace_text
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.traces.redaction import Redactor
from tests.run.takt.pieces import PARALLEL, TWO, piece_of


def _run(text: str) -> PieceRun:
    return PieceRun(PieceMachine(piece_of(text), PIECES))


def _led() -> PieceRun:
    run = _run(TWO)
    run.begin("mend it")
    run.pick("work", 0, "noted")
    run.pick("check", 1)
    run.input("please")
    for _round in range(2):
        run.pick("check", 2)
        run.pick("work", 0)
    run.send(Extended(3))
    run.pick("check", 0)
    return run


def test_a_run_is_gone_through_again_to_the_same_state() -> None:
    run = _led()
    trace = read_trace(trace_text(run))
    assert isinstance(trace, PieceTrace)
    assert (trace.piece, trace.runner) == ("two", PIECES)
    again = _run(TWO)
    assert list(replayed(again, trace)) == list(range(1, run.length + 1))
    assert again.state == run.state


def test_each_line_describes_what_happened() -> None:
    lines = [json.loads(line) for line in trace_text(_led()).splitlines()]
    assert lines[0] == {"stepflow-piece-trace": 1, "piece": "two", "era": PIECES.name, "interactive": False}
    assert lines[1]["event"] == {"kind": "begin", "task": "mend it", "facts": {}}
    assert lines[1]["happened"] == [{"kind": "Started", "movement": "work", "iteration": 1}]
    assert lines[-1]["end"]["kind"] == "complete"


def test_sub_steps_are_in_it() -> None:
    run = _run(PARALLEL)
    run.begin()
    run.pick("style", 0)
    run.pick("safety", 0)
    trace = read_trace(trace_text(run))
    assert isinstance(trace, PieceTrace)
    again = _run(PARALLEL)
    list(replayed(again, trace))
    assert again.state.end == run.state.end


def test_only_what_has_happened_where_the_run_stands_is_written() -> None:
    run = _led()
    run.go_to(3)
    assert len(trace_text(run).splitlines()) == 4


def test_no_secret_is_written() -> None:
    run = _run(TWO)
    run.begin("use sk-ant-abcdefghijklmnop1234")
    assert "sk-ant" not in trace_text(run, Redactor({}))


def test_a_run_that_goes_otherwise_parts_from_its_trace() -> None:
    trace = read_trace(trace_text(_led()))
    assert isinstance(trace, PieceTrace)
    other = _run(TWO.replace("next: check", "next: ABORT"))
    assert max(replayed(other, trace)) < len(trace.events)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("{}\n", 1),
        ("[]\n", 1),
        ('{"stepflow-trace": 1}\n', 1),
        ('{"stepflow-piece-trace": 1, "era": "guide"}\n', 1),
        ('{"stepflow-piece-trace": 1, "era": "old"}\n{"event": {"kind": "begin"}}\n', 1),
        ('{"stepflow-piece-trace": 1, "era": "guide"}\n{"event": {"kind": "begin"}}\n{"event": {"kind": "x"}}\n', 3),
        ('{"stepflow-piece-trace": 1, "era": "guide"}\n{"event": {"kind": "replied", "task": "a"}}\n', 2),
        ('{"stepflow-piece-trace": 1, "era": "guide"}\nno json\n', 2),
        ('{"stepflow-piece-trace": 1, "era": "guide"}\n{"event": {"kind": "input"}}\n', 1),
    ],
)
def test_what_is_no_trace_is_reported_with_its_line(text: str, line: int) -> None:
    found = read_trace(text)
    assert isinstance(found, TraceFault)
    assert found.line == line
    assert found.message

"""The trace of a piece's run: JSON Lines, a line for each event, from which the run can be gone through again.

The first line names the piece, its runner, and whether a person was there; each other one holds the
event, what happened and where the run then was. Secrets and home folders are left out.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from stepflow_gui.formats.takt.runners import RUNNERS, TaktRunner, runner_named
from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import (
    Begin,
    Entered,
    Event,
    Extended,
    JudgeReply,
    Moment,
    PieceState,
    Replied,
    Status,
    UserInput,
)
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.traces.redaction import Redactor
from stepflow_gui.text.json.tree import JsonValue

MARK = "stepflow-piece-trace"
VERSION = 1
_EVENTS: dict[str, type[Event]] = {
    "begin": Begin,
    "replied": Replied,
    "judged": JudgeReply,
    "input": UserInput,
    "extended": Extended,
    "entered": Entered,
}
_STATUS: dict[object, Status] = {"done": "done", "blocked": "blocked", "error": "error"}


class TraceFault(NamedTuple):
    """Why a text is not a trace that can be used, and the line, from 1."""

    line: int
    message: str


class PieceTrace(NamedTuple):
    """A trace: of which piece, as which runner, and its events."""

    piece: str
    runner: TaktRunner
    interactive: bool
    events: tuple[Event, ...]


def trace_text(run: PieceRun, redactor: Redactor | None = None) -> str:
    """A run up to where it is, as the text of a trace."""
    cleaner = redactor or Redactor()
    machine = run.machine
    header: dict[str, JsonValue] = {
        MARK: VERSION,
        "piece": machine.piece.name,
        "era": machine.runner.name,
        "interactive": machine.interactive,
    }
    lines = [header, *(_record(number, moment) for number, moment in enumerate(run.moments, 1))]
    return "".join(json.dumps(cleaner.value(line), ensure_ascii=False) + "\n" for line in lines)


def read_trace(text: str) -> PieceTrace | TraceFault:
    """Read a trace; the first error is reported."""
    header: Mapping[str, JsonValue] | None = None
    events: list[Event] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        value = _object(line)
        if header is None:
            if value is None or value.get(MARK) != VERSION:
                return TraceFault(number, _("This is not a trace of a piece that this Stepflow can read."))
            header = value
            continue
        event = _event(value.get("event")) if value is not None else None
        if event is None:
            return TraceFault(number, _("There is no event in this line."))
        events.append(event)
    if header is None or not events or not isinstance(events[0], Begin):
        return TraceFault(1, _("The trace holds no run."))
    runner = runner_named(str(header.get("era")))
    if runner is None:
        message = _("Unknown runtime “{era}”: choose from {eras}.")
        return TraceFault(1, message.format(era=header.get("era"), eras=", ".join(RUNNERS)))
    return PieceTrace(str(header.get("piece", "")), runner, header.get("interactive") is True, tuple(events))


def replayed(run: PieceRun, trace: PieceTrace) -> Iterator[int]:
    """Let the events of a trace happen, each once; gives its number. It ends early where one isn't waited for."""
    for number, event in enumerate(trace.events, 1):
        before = run.length
        run.send(event)
        if run.length == before:
            return
        yield number


def _record(number: int, moment: Moment) -> dict[str, JsonValue]:
    event, state = moment.event, moment.state
    assert event is not None
    kind = next(kind for kind, made in _EVENTS.items() if type(event) is made)
    content = _plain(event)
    if isinstance(event, Replied) and not event.facts:
        del content["facts"]
    record: dict[str, JsonValue] = {"n": number, "event": {"kind": kind, **content}}
    record |= {"movement": state.movement, "iteration": state.iteration}
    if state.workflow:
        record["workflow"] = state.workflow
    if moment.happened:
        record["happened"] = [{"kind": type(each).__name__, **_plain(each)} for each in moment.happened]
    if state.end is not None:
        record["end"] = _plain(state.end)
    return record


@runtime_checkable
class _Named(Protocol):
    """A named tuple."""

    def _asdict(self) -> dict[str, Any]: ...


def _plain(value: _Named) -> dict[str, JsonValue]:
    """A named tuple as an object, those inside it likewise."""
    return {key: _json(each) for key, each in value._asdict().items() if each is not None}


def _json(value: object) -> JsonValue:
    if isinstance(value, _Named):
        return _plain(value)
    if isinstance(value, Mapping):
        return {str(key): _json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_json(each) for each in value]
    return value if isinstance(value, str | int | float | bool) else None


def _object(line: str) -> Mapping[str, JsonValue] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _event(value: JsonValue) -> Event | None:
    if not isinstance(value, dict):
        return None
    task, text, holds = value.get("task"), value.get("text"), value.get("holds")
    match value.get("kind"):
        case "begin":
            movement, facts = value.get("movement"), value.get("facts")
            named = movement if isinstance(movement, str) else None
            return Begin(task if isinstance(task, str) else "", named, facts if isinstance(facts, dict) else {})
        case "replied" if isinstance(task, str) and isinstance(text, str):
            facts = value.get("facts")
            status = _STATUS.get(value.get("status"), "done")
            return Replied(task, text, status, value.get("structured"), facts if isinstance(facts, dict) else {})
        case "judged" if isinstance(task, str):
            return JudgeReply(task, holds if isinstance(holds, int) and not isinstance(holds, bool) else None)
        case "entered" if isinstance(task, str):
            return Entered(task)
        case "input":
            return UserInput(text if isinstance(text, str) else None, value.get("possible") is not False)
        case "extended" if isinstance(value.get("iterations"), int):
            return Extended(int(value["iterations"]))
    return None


class Replayed:
    """The events of a trace, from one on, as long as the run waits for them."""

    def __init__(self, trace: PieceTrace, at: int = 1) -> None:
        """`at`: how many of them have happened in the run already."""
        self._trace = trace
        self._at = at

    def next_event(self, machine: PieceMachine, state: PieceState) -> Event | NoAnswer:
        """What comes next in a state that isn't the end; why there is nothing, where the run has left the trace."""
        if self._at >= len(self._trace.events):
            return NoAnswer("ended", _("The trace ends here, the run doesn't."))
        event = self._trace.events[self._at]
        after, _happened = machine.step(state, event)
        if after is state:
            text = _("The run diverges from the trace at its event {number}.")
            return NoAnswer("misfit", text.format(number=self._at + 1))
        self._at += 1
        return event

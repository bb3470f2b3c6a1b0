"""Reads a session log of TAKT: NDJSON records, of the releases before and after 2026-04-11 (piece, then workflow)."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from stepflow_gui.run.logs.climpt_log import seconds_between
from stepflow_gui.run.logs.lines import LogLine
from stepflow_gui.run.logs.logged_run import (
    EraGuess,
    LogEnd,
    LoggedPhase,
    LoggedRun,
    LoggedTurn,
    LogNote,
)

_ENDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"max(?:imum)?[ _-]?(?:iterations|movements|steps)", re.IGNORECASE), "limit"),
)


class TaktLogReader:
    """Takes the records of a log in their order; `run` is what they show so far."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._turns: list[LoggedTurn] = []
        self._count = 0  # turns that have begun
        self._open: dict[str, Any] | None = None
        self._phases: list[LoggedPhase] = []
        self._notes: list[LogNote] = []
        self._calls: list[tuple[str, dict[str, Any] | None, list[LoggedPhase], list[LogNote]]] = []  # innermost last
        self._end: LogEnd | None = None
        self._names: dict[str, str | None] = {"name": None, "task": None}
        self._times: tuple[str | None, str | None] = (None, None)

    def take(self, line: LogLine) -> None:
        """Take the next record. A type that isn't known means nothing."""
        record = line.value
        time = next(
            (record[key] for key in ("timestamp", "startTime", "endTime") if isinstance(record.get(key), str)), None
        )
        if time is not None:
            self._times = (self._times[0] or time, time)
        meaning = self._MEANINGS.get(str(record.get("type")))
        if meaning is not None:
            meaning(self, line, record)

    def run(self, lines: int, skipped: int, *, is_cut: bool) -> LoggedRun:
        """The run as far as it was read."""
        turns = list(self._turns)
        for values, phases, notes in (*(call[1:] for call in self._calls), (self._open, self._phases, self._notes)):
            if values is not None:
                turns.append(_turn_of(values, phases, notes))
        turns.sort(key=lambda turn: turn.number)
        return LoggedRun(
            self._file,
            "takt",
            EraGuess(None),
            tuple(turns),
            self._end or LogEnd("unfinished"),
            self._names["name"],
            self._names["task"],
            *self._times,
            lines,
            skipped,
            is_cut,
        )

    def _started(self, _line: LogLine, record: Mapping[str, Any]) -> None:
        for name, keys in (("name", ("workflowName", "pieceName")), ("task", ("task",))):
            found = next((record[key] for key in keys if isinstance(record.get(key), str)), None)
            self._names[name] = found

    def _step_started(self, line: LogLine, record: Mapping[str, Any]) -> None:
        step = self._named(record)
        self._close(line, step)
        iteration = record.get("iteration")
        self._count += 1
        self._open = {
            "number": self._count,
            "line": line.number,
            "iteration": iteration if isinstance(iteration, int) else self._count,
            "step": step,
            "began": _text(record.get("timestamp")),
        }

    def _phase(self, line: LogLine, record: Mapping[str, Any]) -> None:
        step, phase, content = record.get("step"), record.get("phase"), record.get("content")
        if isinstance(step, str) and isinstance(phase, int) and phase in {1, 2, 3}:
            status = _text(record.get("status")) or ""
            self._phases.append(LoggedPhase(step, phase, status, _text(content) or "", line.number))

    def _step_done(self, line: LogLine, record: Mapping[str, Any]) -> None:
        step = self._named(record)
        if self._open is None or self._open["step"] != step:
            self._step_started(line, record)
        assert self._open is not None
        rule, status = record.get("matchedRuleIndex"), record.get("status")
        self._open |= {
            "answer_line": line.number,
            "seconds": seconds_between(self._open["began"], record.get("timestamp")),
        }
        if isinstance(record.get("content"), str):
            self._open["texts"] = (record["content"],)
        if isinstance(rule, int) and not isinstance(rule, bool) and rule >= 0:
            method = _text(record.get("matchedRuleMethod")) or _text(record.get("matchMethod"))
            self._open |= {"intent": str(rule), "intent_line": line.number, "rule_method": method}
        if status in ("blocked", "error"):
            self._notes.append(LogNote("blocked" if status == "blocked" else "query", line.number, _reason(record)))

    def _call_began(self, _line: LogLine, record: Mapping[str, Any]) -> None:
        """The steps of the called workflow come before the step that calls it is complete."""
        called = _text(record.get("childWorkflow")) or "?"
        self._calls.append((called, self._open, self._phases, self._notes))
        self._open, self._phases, self._notes = None, [], []

    def _call_ended(self, line: LogLine, _record: Mapping[str, Any]) -> None:
        if self._calls:
            self._close(line, None)
            _called, self._open, self._phases, self._notes = self._calls.pop()

    def _ended(self, line: LogLine, record: Mapping[str, Any]) -> None:
        self._close(line, None)
        if str(record.get("type")).endswith("_complete"):
            self._end = LogEnd("finished", "", None, line.number)
            return
        reason = _reason(record)
        kind = next((kind for pattern, kind in _ENDS if pattern.search(reason)), "failed")
        self._end = LogEnd("limit" if kind == "limit" else "failed", reason, None, line.number)

    def _named(self, record: Mapping[str, Any]) -> str | None:
        """The step, below the called workflow that it is in."""
        step = _text(record.get("step"))
        return step if step is None else "/".join([*(call[0] for call in self._calls[-1:]), step])

    def _close(self, line: LogLine, following: str | None) -> None:
        if self._open is None:
            return
        turn = _turn_of(self._open, self._phases, self._notes)
        if following is not None:
            turn = turn._replace(to=following, to_line=line.number)
        self._turns.append(turn)
        self._open, self._phases, self._notes = None, [], []

    _MEANINGS: ClassVar[Mapping[str, Callable[["TaktLogReader", LogLine, Mapping[str, Any]], None]]] = {
        "piece_start": _started,
        "workflow_start": _started,
        "step_start": _step_started,
        "phase_complete": _phase,
        "step_complete": _step_done,
        "piece_complete": _ended,
        "workflow_complete": _ended,
        "piece_abort": _ended,
        "workflow_abort": _ended,
        "workflow_call_start": _call_began,
        "workflow_call_complete": _call_ended,
    }


def _turn_of(values: Mapping[str, Any], phases: Sequence[LoggedPhase], notes: Sequence[LogNote]) -> LoggedTurn:
    return LoggedTurn(**values, phases=tuple(phases), notes=tuple(notes))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _reason(record: Mapping[str, Any]) -> str:
    return next((record[key] for key in ("reason", "error", "content") if isinstance(record.get(key), str)), "")

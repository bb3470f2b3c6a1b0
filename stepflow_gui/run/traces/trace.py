"""A run written down: JSON Lines, a header and then an object for each event, enough to go through it without a model.

The header is `{"stepflow-trace": 1, "agent", "registry", "era", "shadow", "entry", "args", "started"}`. An event has
`n` (from 1), `step`, `iteration`, `event` (its `kind`, and what came in), the `prompt` (path and hash), and what became
of it: `intent`, `raw`, `cause` of a fallback, `case`, `to`, `validator`, `check` (whether one passed, what it
message, what was followed), `outcome`, `error`. Empty ones aren't written.
"""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.machine.state import Answered, Event, NotAsked, ProgramEnded, Start, Validated
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.flow.model import Flow
    from stepflow_gui.run.traces.trace_shape import TraceEvent, TraceHeader

MARK = "stepflow-trace"
VERSION = 1


class TraceProblem(NamedTuple):
    """Why something is not a trace that can be used; `line` from 1, None where it is about the whole file."""

    message: str
    line: int | None = None


class Trace(NamedTuple):
    """A trace as it was read."""

    header: "TraceHeader"
    events: "tuple[TraceEvent, ...]"
    cut: bool = False  # whoever wrote it was stopped in the midst of its last line, which isn't among the events

    @property
    def has_prompts(self) -> bool:
        """Whether every step that was asked was shown a prompt."""
        return all(event.prompt is not None for event in self.events if event.event.kind == "answered")


def registry_hash(flow: "Flow") -> str:
    """The hash that identifies a registry: by its content, whatever its layout and the order of its keys."""
    root = flow.document.root
    if root is None or flow.document.tree.problems:
        data = flow.document.source.text
    else:
        data = json.dumps(root.value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(data.encode('utf-8', 'surrogatepass')).hexdigest()}"


def text_hash(text: str) -> str:
    """The hash of a prompt."""
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def read_trace(source: Path | str) -> Trace | TraceProblem:
    """Read a trace from a file, or from its text."""
    if isinstance(source, Path):
        found = read(source)
        if isinstance(found, ReadProblem):
            return TraceProblem(describe(found))
        source = found.text
    return _read(Source(source).text)


def _read(text: str) -> Trace | TraceProblem:
    from pydantic import ValidationError

    from stepflow_gui.run.traces.trace_shape import TraceEvent, TraceHeader

    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        return TraceProblem(_("The file is empty, so it is not a trace."))
    version = _version(lines[0][1])
    if version is None:
        return TraceProblem(_("This is not a trace of Stepflow: its first line has no “{mark}”.").format(mark=MARK), 1)
    if version != VERSION:
        message = _("The trace is of version {version}; this Stepflow reads version {known}. Use a newer one.")
        return TraceProblem(message.format(version=version, known=VERSION), 1)
    events: list[TraceEvent] = []
    try:
        header = TraceHeader.model_validate_json(lines[0][1])
    except ValidationError as error:
        return TraceProblem(_unfit(lines[0][0], error.errors()[0]), lines[0][0])
    try:
        for _number, line in lines[1:]:
            events.append(TraceEvent.model_validate_json(line))
    except ValidationError as error:
        at = len(events) + 1
        number, line = lines[at]
        if events and at == len(lines) - 1 and _is_cut(line):
            return Trace(header, tuple(events), cut=True)
        return TraceProblem(_unfit(number, error.errors()[0]), number)
    wrong = next((at for at, event in enumerate(events, 1) if event.n != at), None)
    if wrong is not None:
        number = lines[wrong][0]
        message = _("Line {line} of the trace isn't event {n}: lines are missing.").format(line=number, n=wrong)
        return TraceProblem(message, number)
    return Trace(header, tuple(events))


def _version(line: str) -> JsonValue:
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return first.get(MARK) if isinstance(first, dict) else None


def _is_cut(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _unfit(line: int, error: "object") -> str:
    place = error.get("loc", ()) if isinstance(error, dict) else ()
    key = ".".join(str(part) for part in place)
    if not key:
        return _("Line {line} of the trace is not a JSON object.").format(line=line)
    return _("Line {line} of the trace: “{key}” is missing or of the wrong type.").format(line=line, key=key)


def event_value(event: Event) -> dict[str, JsonValue]:
    """An event as the trace has it."""
    match event:
        case Start(entry, args, payload, input_text):
            found: dict[str, JsonValue] = {"kind": "start", "entry": entry, "args": dict(args)}
            found |= {"payload": dict(payload), "input": input_text}
        case Answered(answer, texts, verdict_reached, session, failed, by_handler):
            found = {"kind": "answered", "answer": answer, "told": verdict_reached}
            found |= {"texts": None if texts is None else list(texts)}
            found |= {"session": session, "failed": failed, "handler": by_handler}
        case NotAsked(why, message, code):
            found = {"kind": "not_asked", "why": why, "message": message, "code": code}
        case Validated(passed, error, params, recoverable, fault):
            found = {"kind": "validated", "passed": passed, "error": error, "params": dict(params)}
            found |= {"unrecoverable": not recoverable, "fault": fault}
        case ProgramEnded(exit_code, stdout, failed):
            found = {"kind": "program_ended", "exit_code": exit_code, "stdout": stdout, "failed": failed}
    kept = ("kind", "answer", "passed", "exit_code")
    return {key: value for key, value in found.items() if key in kept or value not in (None, "", False, {})}

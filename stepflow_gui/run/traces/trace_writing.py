"""Writes a trace as the run goes on: one line an event, nothing kept in memory."""

import json
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.run.host.host import HostEvent
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.traces.redaction import Redactor
from stepflow_gui.run.traces.trace import MARK, VERSION, TraceProblem, event_value, registry_hash, text_hash
from stepflow_gui.text.files.boundary import refuse_outside
from stepflow_gui.text.files.store import reason_of


def header_of(
    agent: AgentFolder, machine: Machine, start: Start, shadow: str | None = None, max_iterations: int | None = None
) -> dict[str, Any]:
    """The first line of the trace of a run."""
    name = agent.agent.name.value if agent.agent and agent.agent.name else None
    header = {
        MARK: VERSION,
        "agent": name or agent.folder.name,
        "registry": registry_hash(agent.flow),
        "format": agent.format,
        "era": machine.era.name,
        "shadow": shadow,
        "entry": start.entry,
        "args": dict(start.args),
        "max_iterations": max_iterations,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return {key: value for key, value in header.items() if value is not None}


def record_of(happened: HostEvent, number: int, root: Path | None = None) -> dict[str, Any]:
    """An event as a line of a trace has it; prompts are named from `root`."""
    entry = happened.entry
    record: dict[str, Any] = {"n": number, "step": entry.step, "iteration": entry.iteration}
    record["event"] = event_value(entry.event)
    if happened.request is not None and happened.request.prompt.text is not None:
        prompt = happened.request.prompt
        record["prompt"] = {"hash": text_hash(prompt.text or "")}
        if prompt.path is not None:
            inside = root is not None and prompt.path.is_relative_to(root)
            path = prompt.path.relative_to(root) if root is not None and inside else prompt.path
            record["prompt"]["path"] = path.as_posix()
    read = entry.interpretation
    if read is not None:
        record |= {"intent": read.intent, "cause": read.cause, "target": read.target}
        record["raw"] = None if read.raw is ABSENT else read.raw
    record["case"] = entry.transition.case if entry.transition is not None else None
    record |= {"to": entry.to, "validator": entry.validator}
    if entry.judged is not None:
        answer, transition = entry.judged
        record["check"] = {"passed": answer.passed, "transition": transition, "message": answer.message}
    if entry.outcome is not None:
        end = entry.outcome
        record["outcome"] = {"kind": end.kind, "success": end.success, "message": end.message}
        record["outcome"] |= {key: value for key, value in (("code", end.code), ("verdict", end.verdict)) if value}
    if entry.error is not None:
        record["error"] = {"kind": entry.error.kind, "message": entry.error.message}
        record["error"] |= {"code": entry.error.code} if entry.error.code else {}
    return {key: value for key, value in record.items() if value is not None}


class TraceWriter:
    """Writes to an open text file. `problem` is the error that prevents writing; the run isn't stopped by it."""

    def __init__(
        self, file: IO[str], header: dict[str, Any], root: Path | None = None, redactor: Redactor | None = None
    ) -> None:
        self.problem: TraceProblem | None = None
        self._file = file
        self._root = root
        self._redactor = redactor or Redactor()
        self._count = 0
        self._put(header)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, happened: HostEvent) -> None:
        """Write an event."""
        self._count += 1
        self._put(record_of(happened, self._count, self._root))

    def close(self) -> None:
        """Write what is left, and no more."""
        try:
            self._file.close()
        except OSError as error:
            self._fail(error)

    def _put(self, record: dict[str, Any]) -> None:
        if self.problem is not None:
            return
        try:
            self._file.write(json.dumps(self._redactor.value(record), ensure_ascii=False) + "\n")
        except (OSError, ValueError) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        path = getattr(self._file, "name", None)
        message = (
            _("{path}: the rest of the trace can't be written ({reason})")
            if path
            else _("The rest of the trace can't be written ({reason}).")
        )
        self.problem = self.problem or TraceProblem(message.format(path=path, reason=reason_of(error)))


def open_trace(path: Path, header: dict[str, Any], root: Path | None = None) -> TraceWriter | TraceProblem:
    """Begin a trace in a file, in place of what it held."""
    try:
        refuse_outside(path, marked_root(path))
        file = path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        return TraceProblem(_("{path}: can't be written ({reason})").format(path=path, reason=reason_of(error)))
    return TraceWriter(file, header, root)

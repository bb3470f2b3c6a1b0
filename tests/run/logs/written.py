"""Writes a simulated run as the runner of its release would log it, by the messages that the documents name."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.agent_run import AgentRun, RunOptions
from stepflow_gui.run.host.host import HostEvent, Ran
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.closure_checks import validators_of
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.state import Answered, Start, Validated
from stepflow_gui.run.responders.random_answers import RandomResponder

SIGNALS = "climpt-2026-01-18"
LOOPS = ("climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20")


def simulated(agent: AgentFolder, era: str, seed: int, **wishes: Any) -> tuple[list[HostEvent], Ran]:
    """A random run and its events."""
    run = AgentRun(agent, RunOptions(era=era, needs_prompts=False, **wishes))
    responder = RandomResponder(run.machine, seed, Simulated())
    happened: list[HostEvent] = []
    ran = run.drive(responder, responder, happened.append)
    return happened, ran


def write_log(file: Path, happened: Sequence[HostEvent], ran: Ran, era: str, agent: AgentFolder) -> None:
    """The log of a run."""
    key = "data" if era == SIGNALS else "metadata"
    lines = []
    for number, (level, message, data) in enumerate(_messages(happened, ran, era, agent)):
        time = f"2026-04-20T10:{number // 60 % 60:02}:{number % 60:02}.000Z"
        lines.append({"timestamp": time, "level": level, "message": message} | ({key: data} if data else {}))
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8", newline="\n")


_Message = tuple[str, str, dict[str, Any] | None]


def _messages(happened: Sequence[HostEvent], ran: Ran, era: str, agent: AgentFolder) -> Iterator[_Message]:
    yield "info", "Starting agent: Demo", None
    begun = 0
    for at, event in enumerate(happened):
        entry = event.entry
        if isinstance(entry.event, Start):
            continue
        if entry.iteration != begun:
            begun = entry.iteration
            yield "info", f"=== Iteration {begun} ===", None
            if era in LOOPS:
                yield "info", "[FlowLoop] Enter", {"iteration": begun, "stepId": entry.step}
        if isinstance(entry.event, Validated):
            yield from _checked(entry.validator or "", entry.event, happened[at + 1 :], agent)
        elif isinstance(entry.event, Answered):
            yield from _answered(event, entry.event, era)
    if ran.stopped is not None:
        error = ran.stopped.error
        yield "error", "Agent failed", {"error": error.message, "code": error.code, "iteration": ran.state.iteration}
    elif ran.outcome is not None and ran.outcome.success:
        yield "info", f"Agent completed after {ran.outcome.iterations} iteration(s): {ran.outcome.message}", None
    elif ran.outcome is not None and ran.outcome.kind == "limit":
        yield "warn", "Maximum iterations (10) reached without completion", {"code": "AGENT_MAX_ITERATIONS"}
    elif ran.outcome is not None:
        yield "error", "Agent failed", {"error": ran.outcome.message, "code": ran.outcome.code}


def _answered(event: HostEvent, answered: Answered, era: str) -> Iterator[_Message]:
    entry = event.entry
    for text in answered.texts or ():
        yield "debug", "Assistant response", {"content": text[:200]}
    yield (
        "debug",
        "SDK result",
        {"sessionId": "s", "structuredOutput": answered.answer, "totalCostUsd": 0.01, "numTurns": 2, "durationMs": 500},
    )
    read = entry.interpretation
    if read is None:
        return
    yield (
        "info",
        f"[StepFlow] Interpreted intent: {read.intent}",
        {"stepId": entry.step, "usedFallback": bool(read.cause)},
    )
    routed = entry.transition
    if isinstance(routed, Routed) and entry.error is None:
        signal = "signalCompletion" if era == SIGNALS else "signalClosing"
        yield (
            "info",
            f"[StepFlow] Routing decision: {entry.step} -> {routed.step}",
            {"intent": read.intent, signal: False},
        )


def _checked(name: str, event: Validated, following: Sequence[HostEvent], agent: AgentFolder) -> Iterator[_Message]:
    if not event.passed:
        pattern = validators_of(agent.flow).get(name, {}).get("failurePattern")
        yield "warn", f"Validation failed: pattern={pattern}", None
    elif not following or not isinstance(following[0].entry.event, Validated):
        yield "info", "All validation conditions passed", None

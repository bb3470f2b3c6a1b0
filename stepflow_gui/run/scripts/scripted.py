"""Runs a script through a flow to its end: no files, no window."""

from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.host.validating import validate
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Event, Outcome, State, TraceEntry
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict
from stepflow_gui.run.responders.script import ScriptLine
from stepflow_gui.run.responders.scripted import ScriptResponder
from stepflow_gui.run.session import Run


class ScriptResult(NamedTuple):
    """The result of a scripted run. Without an outcome `error` is what stopped it, in the flow or in the script."""

    trace: tuple[TraceEntry, ...]
    state: State
    outcome: Outcome | None
    error: RunError | None
    unused: int  # lines of the script that were not needed

    @property
    def success(self) -> bool:
        """Whether the run reached a good end."""
        return self.outcome is not None and self.outcome.success


def run_script(
    flow: Flow,
    script: Sequence[ScriptLine],
    verdict: Verdict = NO_VERDICT,
    entry: str | None = None,
    era: Era | None = None,
) -> ScriptResult:
    """Run a flow, answered by the script, until it ends, stops, or the script doesn't fit."""
    run = Run(flow, verdict, era)
    responder = ScriptResponder(script, flow, run.machine.era, Simulated())
    run.start(entry)
    error = run.state.error
    while error is None and run.state.waits in {"answer", "check", "validator"}:
        event = _next_event(run, responder)
        if isinstance(event, NoAnswer):
            error = RunError(kind=f"script_{event.kind}", message=event.message, step=run.state.step)
        else:
            run.send(event)
            error = run.state.error
    return ScriptResult(tuple(run.trace), run.state, run.state.outcome, error, len(responder.unused))


def _next_event(run: Run, responder: ScriptResponder) -> Event | NoAnswer:
    waiting = run.validator
    if waiting is None:
        return responder.answer(None, run.state)
    return validate(run.machine, run.state, waiting, responder)

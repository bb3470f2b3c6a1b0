"""Runs a script through a flow to its end, without a window."""

from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.problem import RunError
from stepflow_gui.run.responders.manual import Refusal, answer_for
from stepflow_gui.run.responders.script import ScriptAnswer, ScriptLine, ScriptValidated
from stepflow_gui.run.session import Run
from stepflow_gui.run.state import Answered, Entry, Event, Outcome, RunValidator, State, Validated
from stepflow_gui.run.verdict import NO_VERDICT, Verdict


class RunResult(NamedTuple):
    """How a scripted run went. Without an outcome `error` says what stopped it, in the flow or in the script."""

    trace: tuple[Entry, ...]
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
) -> RunResult:
    """Run a flow, answered by the script, until it ends, stops, or the script doesn't fit."""
    run = Run(flow, verdict, era)
    run.start(entry)
    rest = list(reversed(script))
    while run.state.error is None and run.state.waits in {"answer", "validator"}:
        event = _next_event(run, rest)
        if isinstance(event, RunError):
            return _result(run, event, rest)
        run.send(event)
    return _result(run, run.state.error, rest)


def _result(run: Run, error: RunError | None, rest: list[ScriptLine]) -> RunResult:
    return RunResult(tuple(run.trace), run.state, run.state.outcome, error, len(rest))


def _next_event(run: Run, rest: list[ScriptLine]) -> Event | RunError:
    waiting = run.validator
    line = rest[-1] if rest else None
    if waiting is not None:
        if not isinstance(line, ScriptValidated):
            return Validated(passed=True)
        rest.pop()
        return _validated(run, waiting, line)
    if line is None:
        message = _("The script ends, but {step} waits for an answer. Add a line for it.")
        return _misfit(run, "script_ended", message.format(step=run.state.step))
    if isinstance(line, ScriptValidated):
        message = _("Line {line} of the script is about a validator, but {step} waits for an answer.")
        return _misfit(run, "script_misfit", message.format(line=line.line, step=run.state.step))
    answered = _answered(run, line)
    if isinstance(answered, Answered):
        rest.pop()
    return answered


def _validated(run: Run, waiting: RunValidator, line: ScriptValidated) -> Validated | RunError:
    if line.validator is not None and line.validator != waiting.validator:
        message = _("Line {line} of the script is about validator “{given}”, but “{validator}” runs.")
        message = message.format(line=line.line, given=line.validator, validator=waiting.validator)
        return _misfit(run, "script_misfit", message)
    return Validated(line.passed, line.error, recoverable=line.recoverable)


def _answered(run: Run, line: ScriptAnswer) -> Answered | RunError:
    at = run.state.step
    assert at is not None
    if line.step is not None and line.step != at:
        message = _("Line {line} of the script answers “{given}”, but {step} was asked.")
        return _misfit(run, "script_misfit", message.format(line=line.line, given=line.step, step=at))
    if line.pick is None:
        return Answered(line.answer, line.texts, line.told)
    answer = answer_for(run.machine.flow.steps[at], line.pick, run.machine.era)
    if isinstance(answer, Refusal):
        message = _("Line {line} of the script: {reason}").format(line=line.line, reason=answer.message)
        return _misfit(run, "script_misfit", message)
    return Answered(answer, line.texts, line.told)


def _misfit(run: Run, kind: str, message: str) -> RunError:
    return RunError(kind=kind, message=message, step=run.state.step)

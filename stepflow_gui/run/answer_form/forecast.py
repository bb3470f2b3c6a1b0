"""What the runner would do with an answer, found out by asking the machine: it is pure, so nothing happens."""

from typing import Literal, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.check_explanation import check_in_words
from stepflow_gui.run.explanation import explain, in_words
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.state import Answered, Query, RunValidator, State, Stopped, TraceEntry

Kind = Literal["goes", "stays", "checks", "ends", "stops", "unasked"]


class Forecast(NamedTuple):
    """The result of an answer. `to`: the step asked next; `why`: how the answer is read, a sentence each."""

    kind: Kind
    message: str
    to: str | None = None
    why: tuple[str, ...] = ()


def forecast(machine: Machine, state: State, answered: Answered) -> Forecast:
    """What becomes of an answer in a state that waits for one."""
    if state.waits not in {"answer", "check"}:
        return Forecast("unasked", _("The run waits for no answer."))
    after, effects = machine.step(state, answered)
    stopped = next((effect for effect in effects if isinstance(effect, Stopped)), None)
    if stopped is not None:
        return Forecast("stops", stopped.error.message)
    found = explain(machine.flow, after.last) if after.last is not None else None
    why = tuple(in_words(found) if found is not None else check_in_words(after.last) if after.last is not None else ())
    if after.outcome is not None:
        return Forecast("ends", after.outcome.message, why=why)
    read, last, at = _read(after.last), effects[-1] if effects else None, after.step or ""
    if isinstance(last, RunValidator):
        text = _("{read} The validators run before the end, “{validator}” first.")
        return Forecast("checks", text.format(read=read, validator=last.validator), at, why)
    if at == state.step and isinstance(last, Query):
        return Forecast("stays", _("{read} {step} is asked again.").format(read=read, step=at), at, why)
    return Forecast("goes", _("{read} {step} is next.").format(read=read, step=at), at, why)


def _read(entry: TraceEntry | None) -> str:
    if entry is not None and entry.judged is not None:
        return _("The check passes.") if entry.judged.answer.passed else _("The check fails.")
    read = entry.interpretation if entry is not None else None
    if read is None:
        return _("No intent is read.")
    if read.used_fallback:
        return _("“{intent}” is used because no intent was found.").format(intent=read.intent)
    return _("The intent is “{intent}”.").format(intent=read.intent)

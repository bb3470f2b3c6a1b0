"""Replays a trace: its answers, validators and programs; reports at which step a run diverges from it, and why."""

from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer, ResponderQuery
from stepflow_gui.run.host.host import HostEvent
from stepflow_gui.run.machine.state import (
    Answered,
    Event,
    NotAsked,
    ProgramEnded,
    RunProgram,
    RunValidator,
    State,
    Validated,
)
from stepflow_gui.run.traces.trace import Trace, TraceProblem, registry_hash, text_hash
from stepflow_gui.run.validators.command_result import CommandResult

if TYPE_CHECKING:
    from stepflow_gui.run.traces.trace_shape import TraceEvent

_Place = tuple[int, str]  # the iteration, and what was waited for


class ReplayDivergence(NamedTuple):
    """Where a run differs from the trace: the event (from 1), the step and iteration, and why, as text."""

    n: int
    step: str | None
    iteration: int
    message: str


def why_not_of(trace: Trace, flow: Flow) -> TraceProblem | None:
    """Why a trace can't be gone through with a registry: it is of quite another one."""
    steps = {event.step for event in trace.events if event.step is not None} or {
        event.to for event in trace.events if event.to is not None
    }
    if trace.header.registry == registry_hash(flow) or not steps or steps & flow.steps.keys():
        return None
    message = _("The trace is of another registry, of the agent “{agent}”: none of its steps ({steps}) is here.")
    named = ", ".join(sorted(steps)[:3]) + (", …" if len(steps) > 3 else "")
    return TraceProblem(message.format(agent=trace.header.agent or "?", steps=named))


class ReplayResponder:
    """Answers from a trace, by the iteration that a run is in; so a run that steps back finds the same answers.

    It is the run's `Commands` as well: nothing is run. `watch` is notified of a run's events from its start on, and
    keeps in `parting` where that differs from the trace first; `notes` are changes that part nothing.
    """

    costs_money = False

    def __init__(self, trace: Trace, flow: Flow) -> None:
        self.parting: ReplayDivergence | None = None
        self.notes: list[str] = []
        self._trace = trace
        self._count = 0
        self._changed = trace.header.registry != registry_hash(flow)
        self._events: dict[_Place, list[TraceEvent]] = {}
        answered: set[int] = set()
        for event in trace.events:
            what: str = event.event.kind
            if what == "validated":
                what = f"{'after' if event.iteration in answered else 'before'} {event.validator}"
            elif what in {"answered", "not_asked"}:
                answered.add(event.iteration)
                what = "check" if event.is_of_check else "answer"
            self._events.setdefault((event.iteration, what), []).append(event)
        if trace.cut:
            self.notes.append(_("The trace is cut off in its last line, which is left out."))
        if self._changed:
            self.notes.append(_("The registry has changed since the trace was written."))

    @property
    def name(self) -> str:
        """What users call it."""
        return _("trace")

    def answer(self, _asked: "ResponderQuery | None", state: State) -> Answered | NoAnswer:
        """What was answered in this iteration."""
        found = self._at(state.iteration, state.waits)
        if found is None:
            return self._ended(state)
        if found.step != state.step:
            message = _("The run diverges from the trace here: {step} is asked now; in the trace it was {then}.")
            return NoAnswer("misfit", self._explained(message.format(step=state.step, then=found.step)))
        event = found.event.event
        if isinstance(event, NotAsked):
            message = _(
                "The run diverges from the trace here: {step} couldn't be asked in the trace ({reason}), and can be"
                " now."
            )
            return NoAnswer("misfit", self._explained(message.format(step=state.step, reason=event.message)))
        assert isinstance(event, Answered)
        return event

    def preset_result(self, request: RunValidator, state: State) -> Validated | NoAnswer:
        """How the validator went."""
        checking = state.checking
        done = request.validation.validators[: checking.position if checking else 0]
        when = "before" if request.before else "after"
        found = self._at(state.iteration, f"{when} {request.validator}", done.count(request.validator))
        if found is None and self._is_over(state):
            return self._ended(state)
        if found is None:
            message = _(
                "The run diverges from the trace here: it has no result of the validator “{validator}”, which runs now."
            )
            return NoAnswer("misfit", self._explained(message.format(validator=request.validator)))
        event = found.event.event
        assert isinstance(event, Validated)
        return event

    def command(self, _text: str) -> CommandResult:
        """Never asked for: every validator has its preset result."""
        return CommandResult()

    def exists(self, _path: str) -> bool:
        """Never asked for either."""
        return True

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """How the program ended."""
        found = self._at(request.iteration, "program_ended")
        if found is None or found.step != request.step:
            message = _("The run diverges from the trace here: it has no end of the program that {step} starts now.")
            return NoAnswer("misfit", self._explained(message.format(step=request.step)))
        event = found.event.event
        assert isinstance(event, ProgramEnded)
        return event

    def watch(self, happened: HostEvent) -> None:
        """Compare what happened with the next event of the trace."""
        self._count += 1
        if self.parting is not None or self._count > len(self._trace.events):
            return
        then, entry = self._trace.events[self._count - 1], happened.entry
        why = _why(then, happened)
        if why is not None:
            self.parting = ReplayDivergence(self._count, entry.step, entry.iteration, self._explained(why))
        elif then.prompt is not None and then.prompt.hash and happened.request is not None:
            text = happened.request.prompt.text
            if text is not None and text_hash(text) != then.prompt.hash:
                note = _("The prompt of {step} has changed since the trace was written.").format(step=entry.step)
                if note not in self.notes:
                    self.notes.append(note)

    @property
    def left(self) -> int:
        """How many events of the trace are still to come."""
        return max(0, len(self._trace.events) - self._count)

    def _at(self, iteration: int, what: str, index: int = 0) -> "TraceEvent | None":
        found = self._events.get((iteration, what), [])
        return found[index] if index < len(found) else None

    def _is_over(self, state: State) -> bool:
        """Whether the trace breaks off in this iteration."""
        last = self._trace.events[-1] if self._trace.events else None
        return last is None or (last.iteration <= state.iteration and last.outcome is None and last.error is None)

    def _ended(self, state: State) -> NoAnswer:
        message = _("The trace ends here, at {step} in iteration {iteration}: it doesn't say how the run goes on.")
        return NoAnswer("ended", self._explained(message.format(step=state.step, iteration=state.iteration)))

    def _explained(self, message: str) -> str:
        return f"{message} {_('The registry has changed since.')}" if self._changed else message


def _why(then: "TraceEvent", happened: HostEvent) -> str | None:
    """Why an event isn't the same as in the trace; None where it is."""
    entry = happened.entry
    read, taken = entry.interpretation, entry.transition
    stops = entry.step == then.step and (entry.error is None) is not (then.error is None)
    if not stops and (entry.step, _kind(entry.event)) != (then.step, then.event.kind):
        text = _("The run is at {step}; in the trace it was at {then}.")
        return text.format(step=entry.step or "–", then=then.step or "–")
    if (entry.error.kind if entry.error else None) != (then.error.kind if then.error else None):
        if entry.error is not None:
            return _("{step} stops the run now: {reason}").format(
                step=entry.step or entry.to, reason=entry.error.message
            )
        assert then.error is not None
        text = _("{step} stopped the run then, and doesn't now: {reason}")
        return text.format(step=entry.step, reason=then.error.message)
    if (read.intent if read else None) != then.intent:
        text = _("The gate of {step} reads the answer as “{intent}” now; then it was “{then}”.")
        return text.format(step=entry.step, intent=read.intent if read else "–", then=then.intent or "–")
    case = taken.case if taken else None
    if case != then.case:
        text = _("The condition of {step} takes the case “{case}” now; then it took “{then}”.")
        return text.format(step=entry.step, case=case or "–", then=then.case or "–")
    if entry.to != then.to:
        text = _("“{intent}” of {step} goes to {to} now; then it went to {then}.")
        if entry.step is None:
            text = _("The run begins at {to} now; then it began at {then}.")
        to, before = entry.to or _("an end"), then.to or _("an end")
        return text.format(intent=then.intent or "–", step=entry.step, to=to, then=before)
    if entry.validator != then.validator:
        text = _("The validator “{validator}” has run now; then it was “{then}”.")
        return text.format(validator=entry.validator or "–", then=then.validator or "–")
    ends = entry.outcome.kind if entry.outcome else None
    if ends != (then.outcome.kind if then.outcome else None):
        if entry.outcome is not None:
            return _("The run ends after {step} now: {reason}").format(step=entry.step, reason=entry.outcome.message)
        return _("The run ended after {step} then, and goes on now.").format(step=entry.step)
    return None


def _kind(event: Event) -> str:
    match event:
        case Answered():
            return "answered"
        case NotAsked():
            return "not_asked"
        case Validated():
            return "validated"
        case ProgramEnded():
            return "program_ended"
    return "start"

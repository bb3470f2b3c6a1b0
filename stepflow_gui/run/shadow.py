"""A second run in another era, given the same answers: where it parts from the first, and why (0a).

It follows until the two are at different places; from there on the same answers would mean different questions.
"""

from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.machine.closure_checks import validation_for
from stepflow_gui.run.machine.loading import as_read_in, start
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.run_config import NO_SETTINGS, AgentSettings
from stepflow_gui.run.machine.state import START, Answered, Event, Start, State, TraceEntry, Validated
from stepflow_gui.run.machine.verdict import NO_VERDICT, Verdict


class Divergence(NamedTuple):
    """Where two runs part: after which step's answer, what each does then, and why, as a sentence or None."""

    step: str | None
    iteration: int
    first: str  # what the run itself does
    second: str  # what the shadow does
    why: str | None
    era: str  # the shadow's

    @property
    def message(self) -> str:
        """All of it in words."""
        text = _("{era} diverges here: it {second}, while this run {first}.")
        message = text.format(era=self.era, second=self.second, first=self.first)
        return f"{message} {self.why}" if self.why else message


class Shadow(NamedTuple):
    """A shadow at one moment. Never changed: taking a step of the run back takes the shadow of that moment."""

    state: State = START
    parting: Divergence | None = None


class ShadowRun:
    """Runs a shadow beside a run. Holds no state."""

    __slots__ = ("_first", "_second")

    def __init__(self, first: Machine, second: Machine) -> None:
        self._first = first
        self._second = second

    def follow(self, shadow: Shadow, event: Event, after: State) -> Shadow:
        """The shadow after an event that has brought the run itself to `after`."""
        if isinstance(event, Start):
            shadow = Shadow()
        if shadow.parting is not None:
            return shadow
        state, _effects = self._second.step(shadow.state, event)
        if state is shadow.state or _same_place(after, state):
            return Shadow(state)
        return Shadow(state, self._parting(event, shadow.state, after, state))

    def _parting(self, event: Event, before: State, first: State, second: State) -> Divergence:
        return Divergence(
            before.step,
            before.iteration,
            _doing(first),
            _doing(second),
            self._why(event, before, first, second),
            self._second.era.name,
        )

    def _why(self, event: Event, before: State, first: State, second: State) -> str | None:
        one, other = self._first.era, self._second.era
        if second.error is not None:
            return second.error.message
        if first.error is not None:
            return first.error.message
        limit = self._second.config.limit
        if self._second.era.checks is not None and "limit" in {_kind(first), _kind(second)}:
            return _("It goes on as long as checks continue the flow.")
        if _kind(second) == "limit" or _kind(first) == "limit":
            return _("Its limit is {count} iterations.").format(count=limit)
        if _kind(first) == _kind(second) == "abort":
            return _("It treats “abort” as a normal end.") if other.abort_succeeds else None
        if isinstance(event, Answered):
            return self._why_answer(event, before, first, second)
        if isinstance(event, Validated) and not event.passed:
            if one.attempts != other.attempts:
                return _attempts(other)
            if one.closing == "trigger":
                return _("It asks the closure itself to try again, not the step that handed off to it.")
        return None

    def _why_answer(self, event: Answered, before: State, first: State, second: State) -> str | None:
        other = self._second.era
        if other.checks is not None:
            return _why_check(first, second)
        step = self._second.flow.steps.get(before.step or "")
        ours, theirs = _answer_entry(first), _answer_entry(second)
        if first.waits == "validator" or second.waits == "validator":
            return self._why_validators(before, first, second)
        if self._second.config.is_apart(step):
            return _("Closures pass neither gate nor router there: only “closing” and “repeat” as written count.")
        if ours and theirs and ours.interpretation and theirs.interpretation:
            if ours.interpretation.intent != theirs.interpretation.intent:
                text = _("It reads the answer as “{intent}”.")
                return text.format(intent=theirs.interpretation.intent)
            stays = isinstance(theirs.transition, Routed) and theirs.transition.how == "stays"
            if ours.interpretation.intent == "repeat" and stays:
                return _("“repeat” never leaves the step there.")
        if _kind(second) == "verdict" or _kind(first) == "verdict":
            return _("The verdict is tested at other times there.")
        if event.answer is None and other.closing != "trigger":
            return _("An answer without structured output is taken otherwise there.")
        return None

    def _why_validators(self, before: State, first: State, second: State) -> str | None:
        one, other = self._first, self._second
        at = second.step if second.checking is not None and second.checking.closing is None else None
        if at is not None:
            return _("It runs the validators before it asks {step} as well.").format(step=at)
        found = [validation_for(each.flow, before.step or "", each.verdict.type, each.era) for each in (one, other)]
        if found[0] is None or found[1] is None or found[0].key != found[1].key:
            key = found[1].key if found[1] else None
            if key is None:
                return _("It looks for validators by the verdict type and finds none.")
            return _("It takes the validators of “{key}”.").format(key=key)
        if other.era.closing == "word":
            return _("It runs validators only where next_action.action is “closing” or “complete” as written.")
        if first.checking is not None and second.checking is not None:
            return _("It goes over validators that the registry doesn't have.")
        return _("It runs the validators after whatever a closure answers.")


def shadow_machine(
    agent: AgentFolder, era: Era, verdict: Verdict = NO_VERDICT, settings: AgentSettings = NO_SETTINGS
) -> Machine:
    """The machine of a shadow: the same agent as that era's runner reads it."""
    loaded = start(agent, era, verdict.type)
    flow = as_read_in(agent.flow, era)
    return Machine(flow, verdict, era, settings, refused=loaded.error, routes=loaded.routes)


def _why_check(first: State, second: State) -> str | None:
    """Why two runners of checks part."""
    ours, theirs = first.last, second.last
    if ours is None or theirs is None:
        return None
    if ours.judged is not None and theirs.judged is not None:
        if ours.outcome is not None and theirs.outcome is not None:
            return _("It treats a failed check without a next step as a normal end.")
        text = _("It follows “{theirs}”, not “{ours}”.")
        return text.format(theirs=theirs.judged.transition or "–", ours=ours.judged.transition or "–")
    return _("It doesn't read “iterations” where there is a check.")


def _same_place(first: State, second: State) -> bool:
    """Whether both wait for the same, or have ended alike."""
    if (first.error is None) is not (second.error is None):
        return False
    if (first.outcome is None) is not (second.outcome is None):
        return False
    if first.outcome is not None and second.outcome is not None:
        return first.outcome.success is second.outcome.success
    return (first.waits, first.step, _validator(first)) == (second.waits, second.step, _validator(second))


def _validator(state: State) -> str | None:
    checking = state.checking
    return None if checking is None else checking.validation.validators[checking.position]


def _kind(state: State) -> str | None:
    return state.outcome.kind if state.outcome else None


def _answer_entry(state: State) -> TraceEntry | None:
    entry = state.last
    return entry if entry is not None and isinstance(entry.event, Answered) else None


def _doing(state: State) -> str:
    if state.error is not None:
        return _("stops with an error")
    if state.outcome is not None:
        return _("ends well") if state.outcome.success else _("ends without success")
    if state.waits == "validator":
        return _("runs the validator “{name}”").format(name=_validator(state))
    return _("goes on at {step}").format(step=state.step)


def _attempts(era: Era) -> str:
    match era.attempts:
        case "unread":
            return _("It doesn't read onFailure: it tries again until the limit.")
        case "tries":
            return _("It counts all tries in maxAttempts, the first one too.")
    return _("It counts retries in maxAttempts.")

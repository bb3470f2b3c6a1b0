"""How a claim is judged: what the runner has to do with an agent for it to be true."""

import re
from collections.abc import Callable
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.text.pointer import split
from tests.fuzz.differential.observing import VALIDATOR_FAULTS, Probe, RunnerSide


class Said(NamedTuple):
    """A finding with the values that its message holds."""

    found: Diagnostic
    values: dict[str, str]

    @property
    def step(self) -> str | None:
        """The step that it is about."""
        return self.found.step or self.values.get("step")

    @property
    def intent(self) -> str | None:
        """The intent of its rule."""
        parts = split(self.found.pointer) if self.found.pointer else []
        if len(parts) > 3 and parts[0] == "steps" and parts[2] == "transitions":
            return parts[3]
        named = re.search("“([^”]*)”, (?:but transitions has no|and has no)|“([^”]*)” and has no", self.found.message)
        return self.values.get("intent") or (named and (named[1] or named[2])) or None

    @property
    def case(self) -> str | None:
        """The case of its conditional rule."""
        return self.values.get("case")


Judge = Callable[[RunnerSide, Said], bool | None]
"""Whether the runner does what is claimed; None where this agent doesn't show it."""

_ENDS = frozenset({"null", "complete"})  # a run that has come to a “complete” step ends there whatever it says
_NO_PROMPT = frozenset({"PR-C3L-002", "PR-C3L-004", "prompt"})
_OF_GATE = frozenset({"fail_fast", "no_intent", "malformed_gate"})  # kinds of errors for which no router is asked


def refused(runner: RunnerSide, _said: Said) -> bool:
    """No run begins."""
    return runner.refusal is not None


def refused_under_type(runner: RunnerSide, said: Said) -> bool | None:
    """No run begins under the verdict type whose entry it is."""
    parts = split(said.found.pointer) if said.found.pointer else []
    return runner.is_refused_under(parts[1]) if parts[:1] == ["entryStepMapping"] and len(parts) > 1 else None


def unrouted(runner: RunnerSide, _said: Said) -> bool:
    """Neither gates nor transitions are followed, if a run begins at all."""
    return runner.refusal is not None or not runner.routes


def _at_step(judge: Callable[[list[Probe], Said], bool | None]) -> Judge:
    """A claim about a step: an agent that isn't started shows nothing of it."""

    def judged(runner: RunnerSide, said: Said) -> bool | None:
        if runner.refusal is not None or not runner.routes or said.step not in runner.steps:
            return None
        return judge([probe for probe in runner.probes if probe.step == said.step], said)

    return judged


def _meaning(probes: list[Probe], said: Said, intent: str | None) -> list[Probe]:
    """The answers that mean the intent, and select the case where one is named."""
    named = [probe for probe in probes if probe.intent == (intent or said.intent) and probe.sound]
    return [probe for probe in named if said.case in {None, probe.case}]


def _unvalidated(probes: list[Probe]) -> list[Probe]:
    """Those without a validator in the way, sound or not."""
    return [each for each in probes if not each.validated and not (each.error and each.error.kind in VALIDATOR_FAULTS)]


def stops_at(intent: str | None = None) -> Judge:
    """An answer with the intent ends the run with an error."""

    @_at_step
    def judge(probes: list[Probe], said: Said) -> bool | None:
        found = _meaning(probes, said, intent)
        return any(probe.error for probe in found) if found else None

    return judge


def ends_at(intent: str | None = None) -> Judge:
    """An answer with the intent ends the run without a word."""

    @_at_step
    def judge(probes: list[Probe], said: Said) -> bool | None:
        found = _meaning(probes, said, intent)
        return any(probe.outcome and probe.outcome.kind in _ENDS for probe in found) if found else None

    return judge


def finishes_at(intent: str) -> Judge:
    """An answer with the intent ends the run, whatever its transition says."""

    @_at_step
    def judge(probes: list[Probe], said: Said) -> bool | None:
        found = _unvalidated(_meaning(probes, said, intent))
        return all(probe.outcome is not None for probe in found) if found else None

    return judge


def goes_to(value: str) -> Judge:
    """An answer with the intent goes to the step of that name."""

    @_at_step
    def judge(probes: list[Probe], said: Said) -> bool | None:
        found = _meaning(probes, said, None)
        return any(probe.error is None and probe.to == said.values[value] for probe in found) if found else None

    return judge


@_at_step
def stays(probes: list[Probe], said: Said) -> bool | None:
    """An answer with the intent goes to the step itself."""
    found = [probe for probe in _meaning(probes, said, None) if not probe.validated]
    return any(probe.error is None and probe.to == probe.step for probe in found) if found else None


@_at_step
def ends_anyway(probes: list[Probe], said: Said) -> bool | None:
    """An answer with the intent ends the run, where no validator is in the way."""
    found = _unvalidated(_meaning(probes, said, None))
    return any(probe.outcome for probe in found) if found else None


@_at_step
def target_not_asked(probes: list[Probe], said: Said) -> bool | None:
    """No answer with the intent ends the run because its target is not a step."""
    found = _meaning(probes, said, None)
    return not any(probe.error and probe.error.kind.endswith("target_not_found") for probe in found) if found else None


@_at_step
def never_passes(probes: list[Probe], _said: Said) -> bool | None:
    """Every answer but an abort ends the run with an error."""
    later = [probe for probe in probes if not probe.first and probe.intent != "abort"]
    return all(probe.error for probe in later) if later else None


def unread(flaw: str, *, stops: bool) -> Judge:
    """Whether an answer with that flaw ends the run at the gate."""

    @_at_step
    def judge(probes: list[Probe], _said: Said) -> bool | None:
        found = [probe for probe in probes if probe.flaw == flaw and not probe.first]
        return any(probe.error and probe.error.kind in _OF_GATE for probe in found) is stops if found else None

    return judge


def stops_at_word(runner: RunnerSide, said: Said) -> bool | None:
    """An answer with the word that the schema offers ends the run with an error."""
    if runner.refusal is not None or not runner.routes or said.step not in runner.steps:
        return None
    return runner.stops_at_word(said.step, said.values["intent"])


def stops_at_other_id(runner: RunnerSide, said: Said) -> bool | None:
    """An answer in the name of the other step ends the run with an error."""
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return runner.stops_at_id(said.step, said.values["other"])


def repeats(count: int) -> Judge:
    """Each of the steps may say “repeat” so often in a row; the next one ends the run."""

    def judge(runner: RunnerSide, said: Said) -> bool | None:
        if runner.refusal is not None:
            return None
        steps = [said.step] if said.step else re.findall("“([^”]*)”", said.values.get("steps", ""))
        found = [runner.repeats(step) for step in steps if step in runner.steps]
        return all(each == count for each in found if each is not None) if found else None

    return judge


def schema_lost(runner: RunnerSide, said: Said) -> bool | None:
    """The step's output schema can't be resolved."""
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return said.step in runner.never_asked


def schema_not_needed(runner: RunnerSide, said: Said) -> bool | None:
    """The step is asked anyway."""
    lost = schema_lost(runner, said)
    return None if lost is None else not lost


def not_prompted(runner: RunnerSide, said: Said) -> bool | None:
    """The step isn't asked, for want of its prompt; a finding about its check is about that one's prompt."""
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return any(why for (step, _first), why in runner.unprompted.items() if step == said.step)


def stood_in(runner: RunnerSide, said: Said) -> bool | None:
    """The step is asked anyway; None where what is used instead is missing as well, or isn't enough by itself."""
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    why = [why for (step, _first), why in runner.unprompted.items() if step == said.step]
    if not why or any(each is None for each in why):
        return True if why else None
    other = said.values.get("other")
    lost = any(why for (step, _first), why in runner.unprompted.items() if step == other)
    return None if lost or why[0] not in _NO_PROMPT else False


def not_checked(runner: RunnerSide, said: Said) -> bool | None:
    """The step's check isn't asked."""
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return said.step in runner.unchecked or bool(not_prompted(runner, said))


def none_prompted(runner: RunnerSide, _said: Said) -> bool | None:
    """No step is asked: what all prompts need doesn't exist."""
    if runner.refusal is not None or not runner.unprompted:
        return None
    return all(runner.unprompted.values())


def without_file(runner: RunnerSide, said: Said) -> bool | None:
    """A file that agent.json names and that doesn't exist: the system prompt keeps all steps from being asked."""
    pointer = said.found.pointer or ""
    return none_prompted(runner, said) if pointer.endswith("systemPromptPath") else refused(runner, said)


def not_prompted_or_checked(runner: RunnerSide, said: Said) -> bool | None:
    """The step, or its check where the finding is about that, isn't asked."""
    of_check = "/check/" in (said.found.pointer or "")
    return not_checked(runner, said) if of_check else not_prompted(runner, said)


def stops_by_value(runner: RunnerSide, said: Said) -> bool | None:
    """Answers at the step, or the closing for a validator's value, end with an error: all that reach the value."""
    parts = split(said.found.pointer or "")
    if parts[:1] == ["validators"]:
        return closing_fails(runner, said)
    if said.intent is not None or runner.refusal is not None or not runner.routes or said.step not in runner.steps:
        return None  # that of an intent has its own row
    found = [probe for probe in runner.probes if probe.step == said.step]
    lost = not_prompted(runner, said)
    return lost or any(probe.error for probe in found) if found or lost else None


def leads_nowhere(runner: RunnerSide, said: Said) -> bool | None:
    """Some answer goes to a step that isn't one, or no run begins."""
    if runner.refusal is not None:
        return True
    if not runner.routes:
        return None
    kinds = [probe.error.kind for probe in runner.probes if probe.error]
    return any(kind.endswith(("target_not_found", "step_not_found")) for kind in kinds)


def no_end(runner: RunnerSide, said: Said) -> bool | None:
    """No sound answers go from the entry to an end that is a success."""
    entry = said.values["step"]
    if runner.refusal is not None or not runner.routes or entry not in runner.steps:
        return None
    ends = runner.ends_from(entry)
    return None if ends is None else not ends


def closing_fails(runner: RunnerSide, _said: Said) -> bool | None:
    """Some closing ends with an error of its validators, as they are or once one fails."""
    if runner.refusal is not None or not runner.routes:
        return None
    checked = [
        probe for probe in runner.probes if probe.validated or (probe.error and probe.error.kind in VALIDATOR_FAULTS)
    ]
    return any(probe.error for probe in checked) if checked else None


def stops_in_target(runner: RunnerSide, said: Said) -> bool | None:
    """A run that gets to the target stops there."""
    if runner.refusal is not None or not runner.routes:
        return None
    return runner.stops_in(said.values["target"])


def ends_as(*, success: bool, of_check: bool) -> Judge:
    """The run ends at the step, or at its check, as a success or a failure."""

    def judge(runner: RunnerSide, said: Said) -> bool | None:
        if runner.refusal is not None or said.step not in runner.steps:
            return None
        found = [probe for probe in runner.probes if probe.step == said.step and probe.checked is of_check]
        if any(probe.outcome and probe.outcome.success is success for probe in found):
            return True
        return not success and (any(probe.error for probe in found) or runner.is_worn_out(said.step))

    return judge


def retries_end(*, success: bool) -> Judge:
    """A check that fails again and again ends the run, as a success or a failure."""

    def judge(runner: RunnerSide, said: Said) -> bool | None:
        if runner.refusal is not None or said.step not in runner.steps:
            return None
        ended = runner.after_failures(said.step)
        return None if ended is None else ended is success

    return judge


def limited_to(value: str) -> Judge:
    """A run has so many iterations at most."""

    def judge(runner: RunnerSide, said: Said) -> bool | None:
        return None if runner.refusal is not None else runner.host.machine.config.limit == int(said.values[value])

    return judge

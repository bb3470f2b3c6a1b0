"""What findings claim about a runner, in a table: the words of a message, and what the runner has to do then.

A row's words are a part of a message of the linter. `{era}` in them is the runtime that the claim is about, unless the
row names others; without either it is the runtime that was chosen for the linter.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.text.pointer import split
from tests.fuzz.differential.observing import Probe, RunnerSide

NEWER = ("climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20")
ADDRESSED = ("climpt-1.14",)
_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")


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
        return self.values.get("intent")

    @property
    def case(self) -> str | None:
        """The case of its conditional rule."""
        return self.values.get("case")


Judge = Callable[[RunnerSide, Said], bool | None]
"""Whether the runner does what is claimed; None where this agent doesn't show it."""


class Claim(NamedTuple):
    """A row. `stops`: it says that the runner refuses the agent or stops a run, which makes the finding an error."""

    name: str
    words: str
    judge: Judge
    eras: tuple[str, ...] = ()
    stops: bool = True

    @property
    def pattern(self) -> re.Pattern[str]:
        """The words as a pattern with a group for each value."""
        seen: set[str] = set()

        def group(match: re.Match[str]) -> str:
            name = match[1]
            if name in seen:
                return ".*?"
            seen.add(name)
            return f"(?P<{name}>climpt-[-.\\d]*\\d|guide)" if name == "era" else f"(?P<{name}>[^”]*?)"

        return re.compile(_PLACEHOLDER.sub(group, re.escape(self.words)))


def _refused(runner: RunnerSide, _said: Said) -> bool:
    return runner.refusal is not None


def _unrouted(runner: RunnerSide, _said: Said) -> bool:
    return runner.refusal is not None or not runner.routes


def _with_probes(judge: Callable[[list[Probe], Said], bool | None]) -> Judge:
    """A claim about a step of an agent that starts: where it doesn't start at all, nothing shows it."""

    def judged(runner: RunnerSide, said: Said) -> bool | None:
        if runner.refusal is not None or not runner.routes or said.step not in runner.steps:
            return None
        return judge([probe for probe in runner.probes if probe.step == said.step], said)

    return judged


def _of_intent(probes: list[Probe], said: Said) -> list[Probe]:
    """The answers that mean the intent, and select the case where one is named."""
    named = [probe for probe in probes if probe.intent == said.intent and probe.sound]
    return [probe for probe in named if said.case in {None, probe.case}]


_OF_GATE = frozenset({"fail_fast", "no_intent"})  # kinds of errors for which no router is asked


@_with_probes
def _stops_at_intent(probes: list[Probe], said: Said) -> bool | None:
    found = _of_intent(probes, said)
    return any(probe.error for probe in found) if found else None


@_with_probes
def _ends_silently(probes: list[Probe], said: Said) -> bool | None:
    found = _of_intent(probes, said)
    return any(probe.outcome and probe.outcome.kind == "null" for probe in found) if found else None


@_with_probes
def _goes_on(probes: list[Probe], said: Said) -> bool | None:
    found = _of_intent(probes, said)
    return not any(probe.error for probe in found) if found else None


@_with_probes
def _never_passes(probes: list[Probe], said: Said) -> bool | None:
    later = [probe for probe in probes if not probe.first and probe.intent != "abort"]
    return all(probe.error for probe in later) if later else None


def _flawed(*flaws: str, stops: bool) -> Judge:
    @_with_probes
    def judge(probes: list[Probe], _said: Said) -> bool | None:
        found = [probe for probe in probes if probe.flaw in flaws and not probe.first]
        return any(probe.error and probe.error.kind in _OF_GATE for probe in found) is stops if found else None

    return judge


def _stops_at_word(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or not runner.routes or said.step not in runner.steps:
        return None
    return runner.stops_at_word(said.step, said.values["intent"])


def _stops_at_other_id(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return runner.stops_at_id(said.step, said.values["other"])


def _first_repeat_stops(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    found = [probe for probe in runner.probes if probe.step == said.step and probe.intent == "repeat" and probe.sound]
    return any(probe.error for probe in found) if found else None


def _second_repeat_stops(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None:
        return None
    steps = [said.step] if said.step else re.findall("“([^”]*)”", said.values.get("steps", ""))
    found = [runner.repeats(step) for step in steps if step in runner.steps]
    return all(count == 1 for count in found if count is not None) if found else None


def _schema_lost(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return said.step in runner.never_asked


def _schema_not_needed(runner: RunnerSide, said: Said) -> bool | None:
    lost = _schema_lost(runner, said)
    return None if lost is None else not lost


def _not_prompted(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return any(why for (step, _first), why in runner.unprompted.items() if step == said.step)


def _no_step_prompted(runner: RunnerSide, _said: Said) -> bool | None:
    """The first step that is asked already isn't: what all prompts need isn't there."""
    if runner.refusal is not None or not runner.unprompted:
        return None
    return all(runner.unprompted.values())


def _no_end(runner: RunnerSide, _said: Said) -> bool | None:
    if runner.refusal is not None or not runner.routes:
        return None
    return None if runner.ends is None else not runner.ends


def _closing_fails(runner: RunnerSide, said: Said) -> bool | None:
    """Some closing of the agent ends with an error of its validators, as they are or once one fails."""
    if runner.refusal is not None or not runner.routes:
        return None
    checked = [probe for probe in runner.probes if probe.validated]
    return any(probe.error for probe in checked) if checked else None


def _ends_as(success: bool, *, of_check: bool) -> Judge:
    def judge(runner: RunnerSide, said: Said) -> bool | None:
        if runner.refusal is not None or said.step not in runner.steps:
            return None
        found = [probe for probe in runner.probes if probe.step == said.step and probe.checked is of_check]
        ended = [probe.outcome for probe in found if probe.outcome]
        errors = any(probe.error for probe in found) and not success
        return errors or any(each.success is success for each in ended) or (not success and runner.is_worn_out(said.step))

    return judge


CLAIMS = (
    # Loading and starting
    Claim("loading refused", "{era} refuses to load", _refused),
    Claim("start refused", "{era} refuses to start", _refused),
    Claim("agent refused", "{era} asks for “runner” and refuses it", _refused),
    Claim("registry dropped", "{era} drops the registry and finds no entry step", _refused),
    Claim("no entry step", "{era} finds no entry step", _refused),
    Claim("run refused", "{era} can't start a run", _refused),
    Claim("no run", "the run can't begin", _refused),
    Claim("no run, empty mapping", "there is no entryStep: no run can begin", _refused),
    Claim("loading refused by newer", "climpt 2026-04-01 and later refuse to load", _refused, NEWER),
    Claim("start refused by newer", "climpt 2026-04-01 and later refuse to start", _refused, NEWER),
    Claim("refused since", "climpt since 2026-04-01 refuses it", _refused, NEWER),
    Claim("handler's step unknown", "climpt 2026-03-14 stops with “Unknown step ID”, and later versions refuse to start",
          _refused, ("climpt-2026-03-14", *NEWER)),
    Claim("refused by the pre-release", "climpt 1.14 refuses", _refused, ADDRESSED),
    Claim("no run in the pre-release", "climpt 1.14 can't start a run", _refused, ADDRESSED),
    Claim("refused by the newest", "climpt-2026-04-20, the newest that is released, refuses to load it", _refused,
          ("climpt-2026-04-20",)),
    Claim("no gates followed", "{era} runs the registry without any gate", _unrouted),
    Claim("incomplete refused", "in a registry with gates {era} refuses to run without", _refused),
    Claim("guide refuses incomplete", "in a registry with gates the guide refuses to run without", _refused, ("guide",)),
    # Routing
    Claim("target unknown", "“{intent}” of “{step}” leads to “{target}”, which is not a step: the run stops there",
          _stops_at_intent),
    Claim("target not followed", "“{intent}” of “{step}” names “{target}”, which is not a step; {era} never follows it",
          lambda r, s: _target_not_asked(r, s), stops=False),
    Claim("null stops", "“{intent}” of “{step}” has a target of null: {era} stops the run there", _stops_at_intent),
    Claim("null ends", "“{intent}” of “{step}” has a target of null: {era} ends the run there silently",
          _ends_silently, stops=False),
    Claim("null stops newer", "“{intent}” of “{step}” has a target of null: {era} ends the run there silently, climpt"
          " since 2026-04-01 stops it", _stops_at_intent, NEWER),
    Claim("escalate stops", "{era} reads only a target there and stops the run with an error", _stops_at_intent),
    Claim("condition stops", "but {era} reads only a target there: the run stops", _stops_at_intent),
    Claim("condition ends", "but {era} reads only a target there: it ends the run silently", _ends_silently, stops=False),
    Claim("no default stops", "has no “default”: where “{key}” has another value, {era} stops", _stops_at_intent),
    Claim("no default ends", "has no “default”: where “{key}” has another value, {era} ends the run silently",
          _ends_silently, stops=False),
    Claim("no case stops", "has no case for {values} and no “default”: {era} stops there", _stops_at_intent),
    Claim("no case ends", "has no case for {values} and no “default”: {era} ends the run there silently",
          _ends_silently, stops=False),
    Claim("null case stops", "The case “{case}” of “{intent}” of “{step}” is null: {era} stops the run",
          _stops_at_intent),
    Claim("null case ends", "The case “{case}” of “{intent}” of “{step}” is null: {era} ends the run", _ends_silently,
          stops=False),
    Claim("no continuation stops", "“next” of “{step}” leads nowhere, and no continuation step follows by default: {era}"
          " stops", _stops_at_intent),
    Claim("no continuation ends", "“next” of “{step}” leads nowhere, and no continuation step follows by default: {era}"
          " ends", _ends_silently, stops=False),
    Claim("unrouted stops", "“{intent}”, but transitions has no rule for it: {era} stops the run there",
          _stops_at_intent),
    Claim("unrouted ends", "“{intent}”, but transitions has no rule for it: {era} ends the run there silently",
          _ends_silently, stops=False),
    Claim("no rule stops", "“{step}” allows “{intent}” without a transition for it: {era} stops the run there",
          _stops_at_intent),
    Claim("no rule ends", "“{step}” allows “{intent}” without a transition for it: {era} ends the run there silently",
          _ends_silently, stops=False),
    Claim("complete ends", "wants a step “complete.…” there; {era} ends the run", _goes_on, stops=False),
    Claim("section stops", "“{intent}” of “{step}” leads to “{target}”, a prompt section", lambda r, s: _section(r, s)),
    Claim("entry section stops", "a prompt section: the run begins there and stops", lambda r, s: _section_entry(r, s)),
    # The gate
    Claim("unknown word stops", "The output schema of “{step}” offers “{intent}”, which is no intent: that answer stops",
          _stops_at_word),
    Claim("no intent passes", "“{step}” allows no intent: no answer can pass its gate, and the run stops there",
          _never_passes),
    Claim("field missing stops", "which its schema doesn't have: every run stops at this gate",
          _flawed("no_intent", stops=True)),
    Claim("other step stops", "accepts only “{other}” as stepId: an answer in that name stops the run",
          _stops_at_other_id),
    Claim("intent optional", "The output schema of “{step}” doesn't require “{field}”: without it the run stops",
          _flawed("no_intent", stops=True), stops=False),
    Claim("fallback unused", "The fallbackIntent of “{step}” is never used: an unreadable answer ends the run",
          _flawed("unknown_word", stops=True), stops=False),
    Claim("fail fast off", "“{step}” has failFast: false, meant for debugging: after an unreadable answer the run goes on",
          _flawed("unknown_word", stops=False), stops=False),
    Claim("chain empty", "The adaptationChain of “{step}” is empty: the first repeat ends the run", _first_repeat_stops,
          ADDRESSED, stops=False),
    Claim("repeats once", "climpt-1.14 lets {steps} repeat once", _second_repeat_stops, ADDRESSED, stops=False),
    Claim("no way out", "no step is reached that says “{end}”: a run ends only by being aborted", _no_end),
    # Schemas
    Claim("schema name missing", "isn't in {file}: the run stops there", _schema_lost),
    Claim("schema not resolved", "can't be resolved, and the run stops there", _schema_lost),
    Claim("no schema", "doesn't exist: the model is asked without a schema", _schema_not_needed, stops=False),
    Claim("twice is a circle", "{era} takes it for a circle and refuses", _refused),
    # Prompts
    Claim("no prompt stops", "“{step}” has no prompt: {path} isn't there, and {era} stops there",
          lambda r, s: _not_prompted_or_checked(r, s)),
    Claim("no fallback stops", "and no built-in prompt is known as “{key}”: {era} stops there", _not_prompted),
    Claim("system prompt stops", "systemPromptPath: the file “{path}” doesn't exist, and {era} stops there",
          _no_step_prompted),
    Claim("system prompt stops newer", "uses a built-in text, climpt 2026-04-01 and later stop", _no_step_prompted,
          NEWER, stops=False),
    Claim("handler missing stops", "handlerPath: the file “{path}” doesn't exist, and {era} stops there",
          lambda r, s: _stopped(r)),
    Claim("variable stops", "which its uvVariables don't list and nothing gives: the run stops there", _not_prompted),
    Claim("no variables stops", "without uvVariables {era} makes no prompt, and the run stops there", _not_prompted),
    Claim("c3 stops", "{era} refuses to look for the prompt, and the run ends there", _not_prompted),
    # Validators
    Claim("validator unknown", "runs the validator “{validator}”, which isn't there: {era} ends the run", _closing_fails),
    Claim("expression unreadable", "can't be read by JavaScript: the run ends there with an error", _closing_fails),
    Claim("no extractors", "“{validator}” has no extractParams: when it fails, {era} ends the run", _closing_fails),
    Claim("no retry address", "climpt 1.14 reads no others: the first failure ends the run", _closing_fails, ADDRESSED,
          stops=False),
    # Checks
    Claim("no check fails", "“{step}” has no check: {era} ends the run there, as a failure",
          _ends_as(False, of_check=False)),
    Claim("check without prompt fails", "The check of “{step}” has no {parts}: {era} ends the run there, as a failure",
          lambda r, s: _not_checked(r, s)),
    Claim("check without outcome", "The check of “{step}” has no {parts}: {era} ends the run there, as a success",
          _ends_as(True, of_check=True)),
    Claim("outcome empty", "“{outcome}” of “{step}” has no target: {era} ends the run there, as a success",
          _ends_as(True, of_check=True)),
    Claim("nothing to ask", "“{step}” has no prompt: {era} has nothing to tell the model and stops", _not_prompted),
    Claim("prompt without path", "The prompt of “{step}” has no path, and no {keys} either: {era} finds no file",
          _not_prompted),
    Claim("check's prompt without path", "The prompt of the check of “{step}” has no path, and no {keys} either: {era}"
          " finds no file", lambda r, s: _not_checked(r, s)),
)  # fmt: skip


@_with_probes
def _target_not_asked(probes: list[Probe], said: Said) -> bool | None:
    found = _of_intent(probes, said)
    return not any(probe.error and probe.error.kind.endswith("target_not_found") for probe in found) if found else None


def _section(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or not runner.routes:
        return None
    return runner.stops_in(said.values["target"])


def _section_entry(runner: RunnerSide, _said: Said) -> bool | None:
    if runner.refusal is not None or runner.entry is None:
        return None
    return runner.stops_in(runner.entry)


def _not_prompted_or_checked(runner: RunnerSide, said: Said) -> bool | None:
    of_check = said.found.message.startswith("The check of")
    return _not_checked(runner, said) if of_check else _not_prompted(runner, said)


def _not_checked(runner: RunnerSide, said: Said) -> bool | None:
    if runner.refusal is not None or said.step not in runner.steps:
        return None
    return said.step in runner.unchecked or bool(_not_prompted(runner, said))


def _stopped(runner: RunnerSide) -> bool | None:
    return runner.refusal is not None or all(runner.unprompted.values())


_PATTERNS = [(claim, claim.pattern) for claim in CLAIMS]


def claims_of(found: Diagnostic) -> Iterator[tuple[Claim, Said]]:
    """The rows that a finding's message holds."""
    for claim, pattern in _PATTERNS:
        match = pattern.search(found.message)
        if match is not None:
            yield claim, Said(found, match.groupdict())

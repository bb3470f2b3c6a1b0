"""What runners make of a value of a wrong type, by field and runtime (runtime-semantics 2 to 9, 12, 14 and 16).

A row is for all versions, or asks what it depends on. Of what neither the documents nor recorded runs tell it says
"unspecified": that is a warning, and the message claims nothing.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.intents.unrouted import unrouted
from stepflow_gui.lint.rules.prelude import ADDRESSED, ERROR, WARNING, RuleContext, _
from stepflow_gui.lint.rules.prompts.replacing import handler_shows, replacement
from stepflow_gui.lint.rules.refusals import entry_refused, refused_registry, registry_refused, with_outcome
from stepflow_gui.lint.rules.validators.running import run_validators, runs
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true
from stepflow_gui.text.pointer import join

Outcome = Literal[
    "refused", "stops", "missing", "unread", "skipped", "true", "false", "empty", "emptied", "unspecified"
]


class Consequence(NamedTuple):
    """How severe it is, and what follows: a text with a placeholder `message` for what is wrong."""

    severity: Severity
    text: str


class WrongValue(NamedTuple):
    """A value of a wrong type, or what is missing (None), and the keys of its pointer."""

    keys: tuple[str, ...]
    value: JsonValue
    context: RuleContext

    @property
    def era(self) -> Era:
        """The version that messages name."""
        return self.context.climpt

    @property
    def step(self) -> Step | None:
        """The step that it is in."""
        found = self.context.flow.steps.get(self.keys[1]) if self.keys[0] == "steps" else None
        return None if found is None or found.is_section else found

    @property
    def is_true(self) -> bool:
        """Whether JavaScript takes it for true."""
        return is_true(self.value)

    @property
    def gate(self) -> dict[str, Any] | None:
        """The step's gate."""
        gate = self.step.raw.get("structuredGate") if self.step else None
        return gate if isinstance(gate, dict) else None


Decided = Outcome | Consequence


PLAIN = "{message}"


def in_words(outcome: Outcome, context: RuleContext, era: str | None = None) -> Consequence:
    """An outcome as a text that names that era, or the version that messages name."""
    era = era or context.climpt.name
    if outcome == "refused":
        return with_clause(refused_registry(context), registry_refused(context))
    if outcome == "stops":
        return with_clause(ERROR, _("{era} stops the run there with an error").format(era=era))
    text = {
        "missing": _("{era} treats it as missing"),
        "unread": _("{era} doesn't read it"),
        "skipped": _("{era} skips it"),
        "true": _("{era} treats it as true"),
        "false": _("{era} treats it as false"),
        "empty": _("{era} treats it as empty"),
        "emptied": _("{era} treats it as an empty list"),
    }.get(outcome)
    return with_clause(WARNING, text.format(era=era)) if text else Consequence(WARNING, PLAIN)


def with_clause(severity: Severity, clause: str) -> Consequence:
    """What is wrong, with a clause behind it that says what follows."""
    return Consequence(severity, with_outcome("{message}", clause))


# What it depends on


def at_gate(outcome: Outcome, of_false: Outcome = "missing") -> Callable[[WrongValue], Outcome]:
    """What loaders that know kinds hold against the gate of a step."""

    def decide(place: WrongValue) -> Outcome:
        looks = place.gate is not None and place.era.kinds and place.era.gates
        return (outcome if place.is_true else of_false) if looks else "missing"

    return decide


def schema_ref(place: WrongValue) -> Outcome:
    """A reference that is none, but is there: without one a registry with gates is incomplete."""
    found = at_gate("refused")(place)
    return "empty" if found == "missing" and place.is_true else found


def entry(place: WrongValue, of_true: Outcome = "missing") -> Decided:
    """Without another entry a run can't begin."""
    if place.is_true and place.era.kinds and place.era.gates and of_true == "refused":
        return "refused"
    if any(entry.target is not None for entry in place.context.flow.entries):
        return "missing"
    return with_clause(ERROR, entry_refused(place.context))


def no_steps(place: WrongValue) -> Consequence:
    """A registry without steps has none to begin with."""
    return with_clause(ERROR, entry_refused(place.context))


def step_itself(place: WrongValue) -> Decided:
    """A step that is not an object is none: what goes to it fails."""
    context, name = place.context, place.keys[1]
    if context.era.whole_check:
        return "refused"
    if any(entry.target and entry.target.value == name for entry in context.flow.entries):
        return with_clause(ERROR, entry_refused(context))
    unread = {*context.era.finishing, *context.climpt.finishing, "repeat"}
    for step in context.flow.steps.values():
        allowed = {intent.value for intent in step.gate.intents} - unread if step.gate else set()
        for rule in step.transitions:
            if rule.intent not in allowed and context.format != "checks":
                continue
            targets = [rule.target, *(case.target for case in rule.cases)]
            if any(target is not None and target.value == name for target in targets):
                return with_clause(ERROR, _("a run that gets there stops with an error"))
    return "skipped" if place.value is not None else "unspecified"


def gate_itself(place: WrongValue) -> Decided:
    """A gate that is there and none: loaders that know kinds miss its references."""
    if place.step is None or not place.is_true:
        return "missing"  # SF107 speaks of what is falsy
    if place.context.era.strict_flow:
        return _no_run(place.context)
    return "refused" if place.era.kinds and place.era.gates else "unspecified"


def _no_run(context: RuleContext) -> Consequence:
    return with_clause(ERROR, _("{era} can't start a run").format(era=context.era.name))


def allowed_intents(place: WrongValue) -> Outcome:
    """The list of intents: loaders that know kinds refuse a wrong one, others stop at the gate."""
    if place.gate is None:
        return "missing"
    if place.era.kinds:
        return "refused"
    return "unspecified" if isinstance(place.value, str) else "stops"


def intent_field(place: WrongValue) -> Decided:
    """Where the gate reads the intent. Newer versions don't ask the gate of a closure step, and the guide does."""
    if place.gate is None or place.step is None:
        return "missing"
    if not place.is_true:
        return "refused" if place.era.kinds else "missing"
    if place.step.kind != "closure" or not place.era.closure_loop:
        return "stops"
    if place.context.era.closure_loop:
        return "unread"
    return in_words("stops", place.context, place.context.era.name)


def intent(place: WrongValue) -> Outcome:
    """An intent that is not text: JavaScript finds none that is falsy."""
    step = place.step
    looks = step is not None and place.gate is not None and place.era.kinds and step.kind is not None
    return "refused" if looks and place.is_true else "missing"


def listed_intent(place: WrongValue) -> Outcome:
    """An element of the list of intents."""
    return "refused" if intent(place) == "refused" else "skipped"


def all_transitions(place: WrongValue) -> Decided:
    """All transitions of a step are none; the first intent for which that is worst tells."""
    step, context = place.step, place.context
    if step is None or not place.is_true:
        return "missing"
    if context.era.strict_flow:
        return _no_run(context)
    if step.gate is None:
        return "missing"
    for intent in step.gate.intents:
        severity, clause = unrouted(intent.value, step, context)
        if intent.value != "abort" and severity == ERROR:
            return with_clause(ERROR, clause)
    return "empty"  # without any the registry would be incomplete


def of_prompt(place: WrongValue) -> Decided:
    """A part of the prompt's path: what replaces a prompt without one."""
    step, context = place.step, place.context
    if step is None or context.era.starts_program(step):
        return "unspecified"
    standby, severity = replacement(step, context)
    by_handler = context.era.closing == "word" or step.kind == "closure"
    if standby is None or (by_handler and not context.prompts.known):  # nobody knows what is there in its place
        return "unspecified"
    return Consequence(severity, _("{message}: its prompt has no path{standby}").replace("{standby}", standby))


def of_check_prompt(place: WrongValue) -> Decided:
    """Of a prompt of a step with checks, or of its check."""
    text = _("{message}: its prompt has no path, and {era} stops there")
    return Consequence(ERROR, text.replace("{era}", place.era.name))


def named_by_check(place: WrongValue) -> Decided:
    """The step that an outcome of a check names: climpt looks for one of that name, unless it follows another key."""
    rules, outcome = place.context.era.checks, place.context.registry.tree.at(join("", *place.keys[:-1]))
    if not place.is_true:
        return "missing"
    if rules is None or outcome is None or any(place.value == [step] for step in place.context.flow.steps):
        return "unspecified"  # to JavaScript such a list is the name in it
    before = rules.order[: rules.order.index(place.keys[-1])]
    if any(outcome.value.get(key) not in (None, False, "") for key in before):
        return "unspecified"  # SF904 speaks of several
    return with_clause(ERROR, _("a run that gets there stops with an error"))


def uv_variables(place: WrongValue) -> Decided:
    """A list of variables that is none."""
    if not place.era.checks_agent:
        return "unspecified"
    if not _spelt_out(place.value, place.era):
        return "emptied"
    text = _("{era} reads each of its letters as a variable").format(era=place.era.name)
    return with_clause(ERROR if stops(place.value, place.keys[1], place.context) else WARNING, text)


def stops(value: JsonValue, step: str | None, context: RuleContext) -> bool:
    """Whether a run of the chosen runtime that gets to the step is bound to stop because of a value; null is missing.

    A closure step, and each step in the oldest version, has the prompt of the verdict's handler in place of its own.
    """
    found, era = context.flow.steps.get(step) if step is not None else None, context.era
    if found is None or found.is_section or not era.needs_variables or not (value is None or _spelt_out(value, era)):
        return False
    if era.closure_loop and found.kind != "closure":
        return True
    shows_own = found.kind in {"work", "closure"}  # else SF506 speaks
    return shows_own and context.prompts.known and not handler_shows(found, context)


def _spelt_out(value: JsonValue, era: Era) -> bool:
    return era.needs_variables and isinstance(value, str) and value != ""


def uses_stdin(place: WrongValue) -> Outcome:
    """A flag that is none: older versions ask whether JavaScript takes it for true."""
    if not place.era.checks_agent:
        return "unspecified"
    return "true" if place.era.needs_variables and place.is_true else "false"


def of_input(of_true: Outcome, of_false: Outcome, place: WrongValue) -> Decided:
    """A part of an input, where inputs are read: by the guide also where the version that messages name doesn't."""
    context = place.context
    if not context.era.applies_inputs or place.step is None:
        return "unread"
    outcome = of_true if place.is_true or _is_awaited(place) else of_false
    return outcome if place.era.applies_inputs else in_words(outcome, context, context.era.name)


def _is_awaited(place: WrongValue) -> bool:
    """Whether the input has to have a value, and no other."""
    given = place.step.raw["inputs"].get(place.keys[3]) if place.step else None
    return isinstance(given, dict) and is_true(given.get("required")) and "default" not in given


def in_use(outcome: Decided | Callable[[WrongValue], Decided], place: WrongValue) -> Decided:
    """Of a validator: where a validation step that this agent comes to runs it."""
    context = place.context
    if all(named.value != place.keys[1] for _step, named in run_validators(context)):
        return "unspecified"
    return outcome(place) if callable(outcome) else outcome


def success_when(place: WrongValue) -> Decided:
    """Anything but a known form is a failure."""
    kind = _type_of_validator(place)
    if kind not in {"command", "custom"}:
        return "unread"
    return with_clause(ERROR, _("the check never passes"))


def command(place: WrongValue) -> Decided:
    """A validator that runs a command needs it."""
    return "stops" if _type_of_validator(place) == "command" else "unread"


def _type_of_validator(place: WrongValue) -> JsonValue:
    holder = place.context.registry.tree.at(join("/validators", place.keys[1]))
    value = holder.value if holder is not None else None
    return value.get("type") if isinstance(value, dict) else None


def retry_path(place: WrongValue) -> Decided:
    """Where the retry prompt lies: climpt 1.14 can't do without it."""
    context = place.context
    if context.format not in ADDRESSED:
        return with_clause(
            WARNING, _("when a check fails, {era} has only a general retry prompt").format(era=place.era.name)
        )
    if any(step.at.name == place.keys[1] and runs(step, context) for step in context.validation.steps):
        return with_clause(ERROR, _("climpt-1.14 ends the run at the first failure of a check"))
    return "unspecified"


def ends(text: Callable[[], str], place: WrongValue) -> Consequence:
    """The run ends; `text` says how."""
    return with_clause(ERROR, text().format(era=place.era.name))

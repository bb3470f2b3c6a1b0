"""The router: the target of an interpreted answer (runtime-semantics 6)."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.adaptation_chain import chain_elements
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.vocabulary import DEFAULT_CHAIN, INTENTS_OF_KIND
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import ABSENT, text_of
from stepflow_gui.run.machine.gate import Interpretation
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

How = Literal["rule", "case", "no_case", "stays", "jump", "continuation", "signal", "no_rule", "check", "again"]
HANDOFF_FROM_INITIAL = "handoff_from_initial"
REPEAT_TARGET_UNKNOWN = "repeat_target_unknown"
_ROUTING_CODES = {
    "intent_not_allowed_for_kind": "SR-INTENT-001",
    "target_not_found": "SR-TRANS-001",
    "terminal_not_allowed": "SR-TRANS-002",
    "no_continuation": "SR-TRANS-003",
    "handoff_no_transition": "SR-TRANS-004",
    "handoff_null_target": "SR-TRANS-005",
    "handoff_target_not_found": "SR-TRANS-006",
    "escalate_no_transition": "SR-TRANS-007",
    "escalate_target_not_found": "SR-TRANS-008",
    "escalate_invalid": "SR-TRANS-009",
    "jump_target_not_found": "SR-TRANS-010",
}


class Routed(NamedTuple):
    """The run goes on at `step`."""

    step: str
    how: How
    case: str | None = None  # the value of the condition that was followed
    warning: str | None = None
    reason: str | None = None  # the answer's own words


class EndRun(NamedTuple):
    """The run is to end: `signal` is the intent that ends it, or `null` for a rule or case without a target."""

    signal: str
    how: How
    case: str | None = None
    warning: str | None = None
    reason: str | None = None


class _Target(NamedTuple):
    """The result of a rule: a target, or None for the end."""

    target: str | None
    case: str | None = None
    unmatched: bool = False  # no case of the condition fits


_NOWHERE = _Target(None)


def is_unrouted(flow: Flow, step: Step, era: Era) -> bool:
    """Whether neither gate nor router is asked at a step: it has no gate, and others have.

    The guide follows the transitions of such a step, where it has any.
    """
    if not era.kinds or isinstance(step.raw.get("structuredGate"), dict):
        return False
    if era.load_errors == "reported" and step.transitions:
        return False
    return any(other.gate for other in flow.steps.values())


def no_gate(step: Step, era: Era) -> RunError:
    """The end of a run that got to such a step: no intent was produced."""
    message = _("{step} has no gate, so its answer has no effect. Give it one, or step back.").format(step=step.id)
    return RunError(kind="no_intent", message=message, code=era.no_intent_code, step=step.id, pointer=step.pointer)


def route(flow: Flow, at: str, answer: Interpretation, era: Era) -> Routed | EndRun | RunError:
    """Find the target of an answer given at a step. Pure; the same for window, command line and tests."""
    step = flow.steps.get(at)
    intent, reason = answer.intent, answer.reason
    of_all = intent == "abort" and intent in era.words
    if era.kinds and step and step.kind and not of_all and intent not in INTENTS_OF_KIND[step.kind]:
        return route_error("intent_not_allowed_for_kind", at, intent, era, step_kind=step.kind, pointer=step.pointer)
    if intent in era.finishing:
        return EndRun(intent, "signal", reason=reason)
    if era.visits_complete and (intent == "complete" or (intent != "repeat" and _is_complete(at))):
        return _complete(flow, at, answer, era)
    if intent == "repeat":
        return _repeat(flow, at, answer, era)
    if intent == "jump" and answer.target:
        if answer.target in flow.steps:
            return Routed(answer.target, "jump", reason=reason)
        kind = "jump_target_not_found" if era.own_rules or era.visits_complete else "target_not_found"
        return route_error(kind, at, intent, era, target=answer.target)
    if era.own_rules and intent == "escalate":
        return _escalate(flow, at, answer, era)
    if era.own_rules and intent == "handoff":
        return _handoff(flow, at, answer, era)
    goal = _target_of(_rule(step, intent), answer.handoff, era)
    if goal is None:
        return _continue(flow, at, answer, era)
    return _routed(flow, at, answer, era, goal)


def rule_pointer(step: Step, intent: str, case: str | None = None) -> str | None:
    """The pointer in the registry to the rule, or one case of it; None where there is none."""
    if _rule(step, intent) is None:
        return None
    pointer = join(step.pointer, "transitions", intent)
    return pointer if case is None else join(pointer, "targets", case)


def condition_of(step: Step, intent: str) -> str | None:
    """The handoff key that decides a conditional rule; None where the rule is none."""
    found = _conditional(_rule(step, intent))
    return found[0] if found else None


def cases_of(step: Step, intent: str) -> list[str]:
    """The values that a conditional rule lists, `default` last whether listed or not; [] where the rule is none."""
    found = _conditional(_rule(step, intent))
    return [*(case for case in found[1] if case != "default"), "default"] if found else []


def case_of(step: Step, intent: str, handoff: dict[str, JsonValue] | None) -> str | None:
    """Which case of a conditional rule a handoff selects, a case without a target too; None where it is none."""
    found = _conditional(_rule(step, intent))
    if found is None:
        return None
    case = _value(found[0], handoff)
    return case if case in found[1] else "default"


def _conditional(rule: dict[str, Any] | None) -> tuple[str, dict[str, JsonValue]] | None:
    if rule is None:
        return None
    target, condition, targets = rule.get("target", ABSENT), rule.get("condition"), rule.get("targets")
    if target is None or isinstance(target, str) or condition is None or targets is None:
        return None  # a target wins, an empty one too
    # JavaScript finds no case in a value of another type, and the key that such a value names.
    return text_of(condition), targets if isinstance(targets, dict) else {}


def _value(condition: str, handoff: dict[str, JsonValue] | None) -> str:
    value = handoff.get(condition) if handoff else None
    return "default" if value is None else text_of(value)


def _rule(step: Step | None, intent: str) -> dict[str, Any] | None:
    rules = step.raw.get("transitions") if step else None
    rule = rules.get(intent) if isinstance(rules, dict) else None
    return rule if isinstance(rule, dict) else None


def _target_of(rule: dict[str, Any] | None, handoff: dict[str, JsonValue] | None, era: Era) -> _Target | None:
    """The target of a rule for this handoff; None where it has none. A `target` wins over a condition."""
    if rule is None:
        return None
    target = rule.get("target", ABSENT)
    if target is None or (isinstance(target, str) and target):
        return _Target(target)
    found = _conditional(rule)
    if found is None:
        return None
    condition, targets = found
    for case in (_value(condition, handoff), "default"):
        target = targets.get(case, ABSENT)
        if (isinstance(target, str) and target) or (target is None and era.null_case_ends):
            return _Target(target, case)
    return _Target(None, unmatched=True)


def _routed(
    flow: Flow, at: str, answer: Interpretation, era: Era, goal: _Target, missing: str = "target_not_found"
) -> Routed | EndRun | RunError:
    how: How = "rule" if goal.case is None else "case"
    if goal.target is None:
        if era.null_ends:
            return EndRun("null", "no_case" if goal.unmatched else how, goal.case, reason=answer.reason)
        return _error("terminal_not_allowed", flow, at, answer, era, goal)
    if goal.target in flow.steps:
        return Routed(goal.target, how, goal.case, None, answer.reason)
    return _error(missing, flow, at, answer, era, goal)


def _error(kind: str, flow: Flow, at: str, answer: Interpretation, era: Era, goal: _Target = _NOWHERE) -> RunError:
    step = flow.steps.get(at)
    pointer = (rule_pointer(step, answer.intent, goal.case) or step.pointer) if step else None
    found = route_error(kind, at, answer.intent, era, target=goal.target or "", pointer=pointer)
    if not goal.unmatched or kind != "terminal_not_allowed":
        return found
    text = _(
        "No case of “{intent}” of {step} fits the answer, and there is no default. Add one, or step back and answer "
        "otherwise."
    )
    return found._replace(message=text.format(intent=answer.intent, step=at))


def _continue(flow: Flow, at: str, answer: Interpretation, era: Era) -> Routed | EndRun | RunError:
    """Without a rule `initial.x` goes to `continuation.x`."""
    domain = at.removeprefix("initial.")
    following = f"continuation.{domain}"
    if domain != at and following in flow.steps:
        return Routed(following, "continuation", reason=answer.reason)
    if era.no_rule_ends:
        return EndRun("null", "no_rule", reason=answer.reason)
    return _error("no_continuation", flow, at, answer, era)


def _repeat(flow: Flow, at: str, answer: Interpretation, era: Era) -> Routed | EndRun:
    step = flow.steps.get(at)
    moves = step is not None and era.repeat != "stays"
    if step is not None and era.repeat == "moves at c2 closure":
        moves = step.raw.get("c2") == "closure"
    goal = _target_of(_rule(step, "repeat"), answer.handoff, era) if moves else None
    if goal is None:
        return Routed(at, "stays", reason=answer.reason)
    if goal.target in flow.steps:
        return Routed(goal.target, "rule" if goal.case is None else "case", goal.case, reason=answer.reason)
    if goal.target is not None:
        warning = REPEAT_TARGET_UNKNOWN if era.repeat == "moves" else None  # no climpt warns of it
        return Routed(at, "stays", warning=warning, reason=answer.reason)
    if era.repeat == "moves":  # the guide: a target of null ends the run, whatever the intent
        return EndRun("null", "rule", goal.case, reason=answer.reason)
    return Routed(at, "stays", reason=answer.reason)


def _escalate(flow: Flow, at: str, answer: Interpretation, era: Era) -> Routed | EndRun | RunError:
    rule = _rule(flow.steps.get(at), "escalate")
    if rule is None:
        return _error("escalate_no_transition", flow, at, answer, era)
    goal = _target_of(rule, answer.handoff, era)
    if goal is None or not _names_one(rule, era) or (goal.target is None and not era.uniform_rules):
        return _error("escalate_invalid", flow, at, answer, era)
    return _routed(flow, at, answer, era, goal, "escalate_target_not_found")


def _handoff(flow: Flow, at: str, answer: Interpretation, era: Era) -> Routed | EndRun | RunError:
    step = flow.steps.get(at)
    rule = _rule(step, "handoff")
    goal = _target_of(rule, answer.handoff, era) if rule is not None and _names_one(rule, era) else None
    found: Routed | EndRun | RunError
    if goal is None and era.no_rule_ends:
        found = EndRun("null", "no_rule", reason=answer.reason)
    elif goal is None:
        return _error("handoff_no_transition", flow, at, answer, era)
    elif goal.target is None and not era.null_ends:
        return _error("handoff_null_target", flow, at, answer, era)
    else:
        found = _routed(flow, at, answer, era, goal, "handoff_target_not_found")
    if step and step.c2 and step.c2.value == "initial" and not isinstance(found, RunError):
        return found._replace(warning=HANDOFF_FROM_INITIAL)
    return found


def _names_one(rule: dict[str, Any], era: Era) -> bool:
    """Whether the era takes the rule for handoff and escalate: upstream takes no conditional one there."""
    return era.uniform_rules or "target" in rule


def _complete(flow: Flow, at: str, answer: Interpretation, era: Era) -> Routed | EndRun | RunError:
    """The documents: `complete` visits `complete.<domain>` once, then the run ends."""
    if _is_complete(at):
        return EndRun("complete", "signal", reason=answer.reason)
    goal = _target_of(_rule(flow.steps.get(at), "complete"), answer.handoff, era)
    if goal is None:
        following = f"complete.{at.partition('.')[2]}"
        if following in flow.steps:
            return Routed(following, "continuation", reason=answer.reason)
        return _error("no_continuation", flow, at, answer, era)
    return _routed(flow, at, answer, era, goal)


def _is_complete(at: str) -> bool:
    return at.startswith("complete.")


def route_error(
    kind: str, at: str, intent: str, era: Era, *, target: str = "", step_kind: str = "", pointer: str | None = None
) -> RunError:
    """The error of that kind at a step."""
    message = _message(kind).format(step=at, intent=intent, target=target, kind=step_kind)
    return RunError(kind, message, era.routing_code or _ROUTING_CODES.get(kind), at, pointer)


def _message(kind: str) -> str:
    if kind == "intent_not_allowed_for_kind":
        return _(
            "A {kind} step may not answer “{intent}”, but {step} did. Choose another answer, or correct the step's"
            " kind."
        )
    if kind == "jump_target_not_found":
        return _("{step} jumps to “{target}”, which is not a step. Name another target, or step back.")
    if kind.endswith("target_not_found"):
        return _("“{intent}” of {step} goes to “{target}”, which is not a step. Correct the transition, or step back.")
    if kind in {"terminal_not_allowed", "handoff_null_target"}:
        return _(
            "“{intent}” of {step} has no target step, and only “closing” may end a run here. "
            "Give it a target, or step back."
        )
    if kind == "escalate_invalid":
        return _("“escalate” of {step} must name one step. Correct the transition, or step back.")
    return _("“{intent}” of {step} has no transition to follow. Add one, or step back and answer otherwise.")


# How often a step may repeat, and with which adaptation of its prompt: its adaptationChain (climpt-1.14, 5).

Repeats = Mapping[str, int]  # step id -> how many elements of its chain were taken since it was last left
RouteResult = Routed | EndRun | RunError
_RESET_BEFORE_TARGET = frozenset({"handoff", "escalate"})
EXHAUSTED = "chain_exhausted"


def chain_of(step: Step | None) -> tuple[str, ...]:
    """The adaptations of a step's repeats, in order; a text counts letter by letter, as JavaScript indexes it."""
    declared = step.raw.get("adaptationChain") if step is not None else None
    if isinstance(declared, list | str):
        return tuple(text_of(element) for element in chain_elements(declared))
    return DEFAULT_CHAIN


class Repeat(NamedTuple):
    """The counters after an answer, and the adaptation of the next prompt where the step runs again."""

    counts: Repeats
    adaptation: str | None = None


def along_chain(
    step: Step | None, at: str, intent: str, routed: RouteResult, repeats: Repeats
) -> tuple[RouteResult, Repeat]:
    """The result of an answer that the router sends to `routed`: a repeat only as far as the chain has elements.

    Any other move that succeeds restarts the chain; a handoff or escalate does so even where its target is missing.
    """
    if intent == "repeat":
        if isinstance(routed, RunError):
            return routed, Repeat(repeats)
        adaptation = next_adaptation(step, at, repeats)
        if isinstance(adaptation, RunError):
            return adaptation, Repeat(repeats)
        return routed, Repeat({**repeats, at: repeats.get(at, 0) + 1}, adaptation)
    allowed = step is None or step.kind is None or intent in INTENTS_OF_KIND[step.kind]
    begins_anew = not isinstance(routed, RunError) or (intent in _RESET_BEFORE_TARGET and allowed)
    if begins_anew and at in repeats:
        repeats = {each: count for each, count in repeats.items() if each != at}
    return routed, Repeat(repeats)


def next_adaptation(step: Step | None, at: str, repeats: Repeats) -> str | RunError:
    """What the prompt is adapted by when the step runs again; an error where its chain is used up."""
    chain, taken = chain_of(step), repeats.get(at, 0)
    if taken < len(chain):
        return chain[taken]
    pointer = step.pointer if step is not None else None
    message = _("{step} repeats twice in a row, and has no adaptationChain. Answer otherwise, or step back.")
    if step is not None and "adaptationChain" in step.raw:
        message = _("{step} repeats once more than its adaptationChain has elements. Answer otherwise, or step back.")
        pointer = join(step.pointer, "adaptationChain")
    code = "AGENT_ADAPTATION_CHAIN_EXHAUSTED"
    return RunError(EXHAUSTED, message.format(step=at), code, at, pointer)

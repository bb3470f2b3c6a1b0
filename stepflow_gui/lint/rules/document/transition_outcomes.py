"""What follows from a value that isn't a transition, a target or a condition with its targets."""

from stepflow_gui.lint.rules.document.transition_faults import UNREAD, TransitionFault
from stepflow_gui.lint.rules.document.type_outcomes import Consequence, in_words, with_clause
from stepflow_gui.lint.rules.intents.unrouted import without_rule
from stepflow_gui.lint.rules.prelude import ERROR, KINDS, WARNING, RuleContext, _


def is_reported_elsewhere(fault: TransitionFault, step: str, context: RuleContext) -> bool:
    """Whether SF203, SF212, SF310 or SF321 speak of an empty target, which mind an intent that needs one.

    climpt 1.14 looks for each step that a target names, whether a run goes there or not: an empty one names none.
    """
    if not fault.is_empty or fault.intent in UNREAD or context.era.whole_check:
        return False
    gate = context.flow.steps[step].gate
    return context.judged_as in KINDS or gate is None or not gate.allows(fault.intent)


def outcome_of(fault: TransitionFault, step: str, context: RuleContext) -> Consequence:
    """What follows: the step has no such transition, or one case less."""
    found = context.flow.steps.get(step)
    (part, *below) = fault.keys or ("",)
    if part == "fallback":
        return in_words("unread", context)
    if part == "target" and context.era.whole_check:
        return with_clause(ERROR, _("climpt-1.14 refuses to start the agent"))
    if found is not None and context.climpt.whole_check and fault.intent in {"repeat", "closing"}:
        return with_clause(*without_rule(fault.intent, found, context))  # were it missing, the agent would be refused
    if found is None or found.is_section or fault.intent in UNREAD:
        return in_words("missing", context)
    asked = {each.value for each in found.gate.intents} if found.gate else set() if context.has_gates else {"next"}
    rule = found.transition(fault.intent)
    listed = found.gate.intents_node if found.gate else None
    both = part == "target" and rule is not None and rule.node.get("condition") and rule.node.get("targets")
    if both or (listed is not None and isinstance(listed.value, str)):
        return in_words("unspecified", context)  # which of the two counts, or which intents a text lists
    if fault.intent not in asked:
        return in_words("missing", context)
    if part == "targets" and not below:
        return _without_case(fault.intent, context)
    if part == "condition" or below:
        cases = rule.cases if rule else ()
        spare = any(each.value == "default" and each.target and each.target.value for each in cases)
        if below == ["default"] or not spare:
            return _without_case(fault.intent, context)
        return with_clause(WARNING, _("{era} uses “default” instead").format(era=context.climpt.name))
    severity, clause = without_rule(fault.intent, found, context)
    return with_clause(severity, clause)


def _without_case(intent: str, context: RuleContext) -> Consequence:
    era = context.climpt
    if era.null_ends and not (intent == "escalate" and era.own_rules):
        return with_clause(ERROR, _("{era} ends the run there silently").format(era=era.name))
    return in_words("stops", context)

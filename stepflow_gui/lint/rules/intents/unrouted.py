"""What the runner does with an intent for which a step has no rule (runtime-semantics 6)."""

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.prelude import ERROR, WARNING, RuleContext, Step, _


def unrouted(intent: str, step: Step, context: RuleContext) -> tuple[Severity, str]:
    """How bad it is, and what happens: a clause to be put behind a colon."""
    if context.era.whole_check and not has_rule(step, intent):
        return ERROR, _("climpt-1.14 refuses to start the agent")
    return without_rule(intent, step, context)


def without_rule(intent: str, step: Step, context: RuleContext) -> tuple[Severity, str]:
    """The same for a run, whatever is asked of the file before it."""
    era = context.climpt
    if intent == "repeat":
        return WARNING, _("{era} repeats the step anyway").format(era=era.name)
    if intent in {"closing", "complete"}:
        return WARNING, _("{era} ends the run anyway").format(era=era.name)
    if intent == "jump" and step.gate and step.gate.target_field:
        return WARNING, _("{era} can follow only an answer that names its target").format(era=era.name)
    continuation = "continuation." + step.id.removeprefix("initial.")
    if intent in {"next", "jump"} and step.id.startswith("initial.") and continuation in context.flow.steps:
        return WARNING, _("{era} goes on to “{target}” by default").format(target=continuation, era=era.name)
    if era.no_rule_ends and not (intent == "escalate" and era.own_rules):
        text = _("{era} ends the run there silently, climpt 2026-04-01 and later stop it with an error")
        return ERROR, text.format(era=era.name)
    return ERROR, _("{era} stops the run there with an error").format(era=era.name)


def is_refused_empty(step: Step, intent: str, context: RuleContext) -> bool:
    """Whether the rule has an empty target for which climpt 1.14 refuses to start, whatever the intent: SF004's."""
    rule = step.transition(intent)
    return context.era.whole_check and rule is not None and rule.target is not None and not rule.target.value


def has_rule(step: Step, intent: str) -> bool:
    """Whether the step has a rule for the intent; an empty target counts as none."""
    rule = step.transition(intent)
    return rule is not None and not (rule.target is not None and not rule.target.value)

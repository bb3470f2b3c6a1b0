"""SF314 condition-values.

What it does: compares the values that the output schema lists for a condition's field with the cases of the transition.

Why is this bad: a case for a value that the schema doesn't offer is never followed. A value without a case, where there
is no `default` either, leaves the runner with nowhere to go.

Fix: give each value of the schema a case, and remove the cases that no answer can select.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Case
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import take_away, write
from stepflow_gui.lint.rules.flow.conditions import DEFAULT, Decision, decisions
from stepflow_gui.lint.rules.flow.example_steps import deciding
from stepflow_gui.lint.rules.flow.naming import listed, runner
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF314", "condition-values", WARNING, formats=GATE, looks_at=STEP)

_CASES = {"ready": "continuation.issue", "default": "continuation.issue"}
BAD = changed(deciding({**_CASES, "waitng": "initial.issue"}, values=["ready", "waiting"]))
GOOD = changed(deciding({**_CASES, "waiting": "initial.issue"}, values=["ready", "waiting"]))


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every condition whose values are known."""
    for decision in decisions(step, context):
        if decision.values is None or any(has_placeholder(value) for value in decision.values):
            continue
        for case in decision.rule.cases:
            if case.value not in {DEFAULT, *decision.values} and not has_placeholder(case.value):
                yield _never(case, step, decision, context)
        if decision.unlisted and decision.default is None:
            yield _nowhere(decision.unlisted, step, decision, context)


def _never(case: Case, step: Step, decision: Decision, context: RuleContext) -> Finding:
    text = _("“{intent}” of “{step}” has a case “{case}”, which the schema doesn't offer: it is never followed").format(
        intent=decision.rule.intent, step=step.id, case=case.value
    )
    meant = context.nearest(RULE.code, case.value, decision.unlisted or ())
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    return Finding(
        text,
        case.key_span,
        case.pointer,
        step=step.id,
        sides=list(_enum(step, decision, context)),
        proposals=_settling(case, meant, context),
        misspelt=bool(meant),
    )


def _settling(case: Case, meant: str | None, context: RuleContext) -> Iterator[Proposal]:
    if meant:
        yield write(context.registry, case.key_span, meant)
    yield from take_away(context.registry, [case.pointer], _("Remove “{word}”").format(word=case.value))


def _nowhere(values: list[str], step: Step, decision: Decision, context: RuleContext) -> Finding:
    message = (
        _("“{intent}” of “{step}” has no case for {values} and no “default”: {era} ends the run there silently")
        if context.era.null_ends
        else _("“{intent}” of “{step}” has no case for {values} and no “default”: {era} stops there with an error")
    )
    rule = decision.rule
    pointer = f"{rule.pointer}/targets"
    return Finding(
        message.format(intent=rule.intent, step=step.id, values=listed(values), era=runner(context)),
        context.registry.tree.key_span(pointer) or rule.key_span,
        pointer,
        step=step.id,
        sides=list(_enum(step, decision, context)),
        cause=decision.cause,
    )


def _enum(step: Step, decision: Decision, context: RuleContext) -> Iterator[Side]:
    place = context.schema(step).field(decision.field.value) if decision.field else None
    if place:
        yield Side(place.document, place.span, place.pointer, _("the schema lists the values here"))

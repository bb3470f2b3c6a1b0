"""SF320 conditional-null.

What it does: reports a case of a conditional transition whose target is null or empty.

Why is this bad: null reads as the end of the run, but the runner takes it for absent and goes to `default`. Only where
there is no default to go to does the run end there, since 2026-04-01 with an error. The guide lets null end the run:
under the runtime `guide` this is information.

Fix: remove the case where `default` is meant; connect it to a step that hands off where the run is to end.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Case, Transition
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.flow.conditions import DEFAULT, conditional
from stepflow_gui.lint.rules.flow.example_steps import deciding
from stepflow_gui.lint.rules.flow.naming import runner
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF320", "conditional-null", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed(deciding({"blocked": None, "default": "continuation.issue"}))
GOOD = changed(deciding({"blocked": "initial.issue", "default": "continuation.issue"}))


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at every case without a target; where all are empty, SF004 says so."""
    found = (
        _finding(step, rule, case, context)
        for step in context.flow.steps.values()
        for rule in conditional(step, context)
        if any(case.target is None or case.target.value for case in rule.cases)
        for case in rule.cases
        if case.target is None or not case.target.value
    )
    yield from merge_infos(found, RULE, context)


def _finding(step: Step, rule: Transition, case: Case, context: RuleContext) -> Finding:
    default = case.value != DEFAULT and any(
        each.value == DEFAULT and each.target and each.target.value for each in rule.cases
    )
    ends = case.target is None and context.era.null_case_ends
    message = _of_null(ends, default, context) if case.target is None else _of_empty(default, context)
    return Finding(
        message.format(intent=rule.intent, step=step.id, case=case.value, era=runner(context)),
        case.target_span,
        case.pointer,
        step=step.id,
        severity=INFO if ends else WARNING,
        proposals=_taken_out(case, context) if default and not ends else (),
    )


def _of_null(ends: bool, default: bool, context: RuleContext) -> str:
    if ends:
        return _(
            "The case “{case}” of “{intent}” of “{step}” is null: the guide ends the run there, climpt since"
            " 2026-04-01 doesn't"
        )
    if default:
        return _("The case “{case}” of “{intent}” of “{step}” is null: {era} uses “default” instead")
    if context.era.null_ends:
        return _("The case “{case}” of “{intent}” of “{step}” is null: {era} ends the run there silently")
    return _("The case “{case}” of “{intent}” of “{step}” is null: {era} stops the run there with an error")


def _of_empty(default: bool, context: RuleContext) -> str:
    if default:
        return _("The case “{case}” of “{intent}” of “{step}” is empty: {era} uses “default” instead")
    if context.era.null_ends:
        return _("The case “{case}” of “{intent}” of “{step}” is empty: {era} ends the run there silently")
    return _("The case “{case}” of “{intent}” of “{step}” is empty: {era} stops the run there with an error")


def _taken_out(case: Case, context: RuleContext) -> Iterator[Proposal]:
    yield from take_away(context.registry, [case.pointer], _("Remove “{word}”").format(word=case.value))

"""SF320 conditional-null.

What it does: reports a case of a conditional transition whose target is null.

Why is this bad: null reads as the end of the run, but the runner takes it for absent and goes to `default`. Only where
there is no default to go to does the run end there, in newer versions with an error. The guide lets null end the run:
under the runtime `guide` this is information.

Fix: take the case out where `default` is meant; lead it to a step that hands off where the run is to end.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Case, Step, Transition
from stepflow_gui.lint.diagnostic import INFO, WARNING
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Proposal, Rule
from stepflow_gui.lint.rules.flow.conditions import DEFAULT, conditional
from stepflow_gui.lint.rules.flow.example_steps import deciding
from stepflow_gui.lint.rules.one_finding import as_one
from stepflow_gui.lint.rules.writing import take_away
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF320", "conditional-null", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed(deciding({"blocked": None, "default": "continuation.issue"}))
GOOD = changed(deciding({"blocked": "initial.issue", "default": "continuation.issue"}))


def check(scope: RuleContext) -> Iterator[Finding]:
    """Look at every case that is null."""
    found = (
        _finding(step, rule, case, scope)
        for step in scope.flow.steps.values()
        for rule in conditional(step, scope)
        for case in rule.cases
        if case.target is None
    )
    yield from as_one(found, RULE, scope)


def _finding(step: Step, rule: Transition, case: Case, scope: RuleContext) -> Finding:
    default = any(each.value == DEFAULT and each.target and each.target.value for each in rule.cases)
    return Finding(
        _message(default, scope).format(intent=rule.intent, step=step.id, case=case.value, era=scope.era.name),
        case.target_span,
        case.pointer,
        step=step.id,
        severity=INFO if scope.era.null_case_ends else WARNING,
        proposals=_taken_out(case, scope) if default and not scope.era.null_case_ends else (),
    )


def _message(default: bool, scope: RuleContext) -> str:
    if scope.era.null_case_ends:
        return _("The case “{case}” of “{intent}” of “{step}” is null: the guide ends the run there, climpt doesn't")
    if default:
        return _("The case “{case}” of “{intent}” of “{step}” is null: {era} takes “default” instead")
    if scope.era.null_ends:
        return _("The case “{case}” of “{intent}” of “{step}” is null: {era} ends the run there without a word")
    return _("The case “{case}” of “{intent}” of “{step}” is null: {era} stops the run there with an error")


def _taken_out(case: Case, scope: RuleContext) -> Iterator[Proposal]:
    yield from take_away(scope.registry, [case.pointer], _("Remove “{word}”").format(word=case.value))

"""SF609 retry-unbounded.

What it does: points out validation steps that retry after a failure, without a limit.

Why is this bad: climpt gives up after the third failure since April 2026. Older versions, and the guide, go on until
the iterations are used up.

Fix: set `maxAttempts`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.formats.climpt.vocabulary import DEFAULT_ATTEMPTS
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, REMOVED, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.text.pointer import join

RULE = Rule("SF609", "retry-unbounded", INFO, formats=GATE, looks_at=FLOW)

BAD = checked({"/validationSteps/closure.polling/onFailure/maxAttempts": REMOVED})
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file."""
    steps = [step for step in context.validation.steps if step.validators and _is_unbounded(step)]
    if steps:
        text = (
            _("{steps}: retries without maxAttempts; {era} gives up after the third failure, older versions don't")
            if context.era.attempts == "tries"
            else _("{steps}: retries without maxAttempts; {era} goes on until the iterations are used up")
        )
        message = text.format(steps=listed([step.at.name for step in steps]), era=context.era.name)
        yield merge_places(message, [_place(step, context) for step in steps], proposals=_proposals(steps, context))


def _is_unbounded(step: ValidationStep) -> bool:
    if "onFailure" in step.at.node.value and step.on_failure is None:
        return False  # of another type: SF004's matter
    if step.on_failure is None:
        return True
    policy = step.on_failure.value
    return policy.get("action", "retry") == "retry" and "maxAttempts" not in policy


def _place(step: ValidationStep, context: RuleContext) -> Side:
    member = step.at.node.member("onFailure")
    span = member.key_span if member else step.at.key_span
    pointer = join(step.at.pointer, "onFailure") if member else step.at.pointer
    return Side(context.registry, span, pointer, _("this one as well"))


def _proposals(steps: list[ValidationStep], context: RuleContext) -> Iterator[Proposal]:
    title = _("Add maxAttempts {count}").format(count=DEFAULT_ATTEMPTS)
    found = [proposal for step in steps for proposal in _bounded(step, title, context)]
    if found:
        yield found[0]._replace(edits=tuple(edit for proposal in found for edit in proposal.made))


def _bounded(step: ValidationStep, title: str, context: RuleContext) -> Iterator[Proposal]:
    if step.on_failure is None:
        policy = {"action": "retry", "maxAttempts": DEFAULT_ATTEMPTS}
        yield from put(context.registry, step.at.pointer, "onFailure", policy, title)
    else:
        pointer = join(step.at.pointer, "onFailure")
        yield from put(context.registry, pointer, "maxAttempts", DEFAULT_ATTEMPTS, title)

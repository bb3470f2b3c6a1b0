"""SF611 validation-step-dead.

What it does: reports validation steps that climpt never runs for this agent. It looks for them by the agent's verdict
type: `closure.polling` for poll:state, `closure.iteration` for count:iteration and so on. It reports nothing
if the step under that key runs the same validators, or for the key of another verdict type that has an entry.

Why is this bad: the guide's own example keys them by the closure step (`closure.issue`), and climpt then closes the
flow without a single check.

Fix: put a copy under the key of the verdict type. It does no harm to keep both.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.formats.climpt.vocabulary import VALIDATION_STEP_OF_VERDICT
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.entry.verdicts import unmapped
from stepflow_gui.lint.rules.fixes import guesses, put
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, INFO, KINDS, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.keys import is_known, known_keys, older_name
from stepflow_gui.lint.rules.validators.running import key_of_verdict, verdict_of

RULE = Rule("SF611", "validation-step-dead", WARNING, formats=KINDS, looks_at=FLOW, defers_to=("SF009",))

BAD = checked(
    {
        "/validationSteps/closure.issue": Moved("/validationSteps/closure.polling"),
        "/validationSteps/closure.issue/stepId": "closure.issue",
    }
)
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """A warning a step; under the guide, which runs them, one note for all.

    A key that none knows is SF604's matter; an agent without an entry of its own runs nothing (SF404).
    """
    if unmapped(context):
        return
    verdict = verdict_of(context)
    known = known_keys(context)
    dead = [
        step for step in context.validation.steps if is_known(step, known, context) and _is_dead(step, verdict, context)
    ]
    if context.settings.guide:
        named = [step for step in dead if older_name(step, context) is None]  # of the others SF009 speaks
        if named:
            yield _note(named, context)
    elif dead:
        yield from (_finding(step, verdict, context, copied=step is dead[0]) for step in dead)


def _is_dead(step: ValidationStep, verdict: str | None, context: RuleContext) -> bool:
    if (step.older and older_name(step, context) is None) or has_placeholder(step.at.name):
        return False
    if verdict is None:
        return step.at.name not in VALIDATION_STEP_OF_VERDICT.values()
    key = key_of_verdict(verdict)
    served = {key_of_verdict(entry.key) for entry in context.flow.entries if entry.key is not None}
    if step.at.name == key or step.at.name in served:
        return False
    alive = {named.value for other in context.validation.steps if other.at.name == key for named in other.validators}
    return not step.validators or not {named.value for named in step.validators} <= alive


def _finding(step: ValidationStep, verdict: str | None, context: RuleContext, *, copied: bool) -> Finding:
    """Only one of several can be copied to the key that climpt looks for."""
    if verdict is None:
        message = _(
            "{era} looks for validation steps by the verdict type, as closure.polling for poll:state: “{step}” never"
            " runs"
        ).format(step=step.at.name, era=context.climpt.name)
        return Finding(message, step.at.key_span, step.at.pointer, cause=older_name(step, context))
    key = key_of_verdict(verdict)
    message = _(
        "{era} looks for validation steps by the verdict type, for {verdict} under “{key}”: “{step}” never runs for"
        " this agent"
    ).format(verdict=verdict, key=key, step=step.at.name, era=context.climpt.name)
    proposals = _copy(step, key, context) if copied else ()
    cause = older_name(step, context)
    return Finding(message, step.at.key_span, step.at.pointer, proposals=proposals, cause=cause)


def _copy(step: ValidationStep, key: str, context: RuleContext) -> Iterator[Proposal]:
    if all(other.at.name != key or other.older for other in context.validation.steps):
        title = _("Put a copy under “{key}”").format(key=key)
        yield from guesses(put(context.registry, "/validationSteps", key, step.at.node.value | {"stepId": key}, title))


def _note(dead: list[ValidationStep], context: RuleContext) -> Finding:
    message = _(
        "The guide finds the checks of {steps} by the closure step; {era} looks for them by the verdict type, and"
        " never runs these"
    ).format(steps=listed([step.at.name for step in dead]), era=context.climpt.name)
    places = [Side(context.registry, step.at.key_span, step.at.pointer, _("this one too")) for step in dead]
    return merge_places(message, places, severity=INFO)

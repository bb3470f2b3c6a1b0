"""SF604 validation-step-key.

What it does: reports keys under `validationSteps` that are neither a closure step nor one that climpt looks for
(`closure.polling` for poll:state, `closure.iteration` for count:iteration, …), and those that differ from the `stepId`
beside them.

Why is this bad: the guide finds the checks by the closure step, climpt by the agent's verdict type. Under any other key
they never run, and the flow closes without them.

Fix: write the key of the closure step or of the verdict type, and the same as `stepId`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.validation import ValidationStep
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow.step_names import at_misnamed, respelt
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.validators.example_checks import checked
from stepflow_gui.lint.rules.validators.keys import is_known, key_meant, known_keys, older_name
from stepflow_gui.text.edit import TextEdit

RULE = Rule("SF604", "validation-step-key", WARNING, formats=GATE, looks_at=FLOW, defers_to=("SF009",))

BAD = checked(
    {
        "/validationSteps/closing.polling": Moved("/validationSteps/closure.polling"),
        "/validationSteps/closing.polling/stepId": "closing.polling",
    }
)
GOOD = checked()


def check(context: RuleContext) -> Iterator[Finding]:
    """Of a step with a wrong key only the key is reported."""
    known = known_keys(context)
    for step in context.validation.steps:
        if has_placeholder(step.at.name):
            continue
        if not is_known(step, known, context):
            yield _unknown(step, known, context)
        elif step.step_id and step.step_id.value != step.at.name and not has_placeholder(step.step_id.value):
            yield _differs(step, step.step_id, context)


def _unknown(step: ValidationStep, known: list[str], context: RuleContext) -> Finding:
    message = _(
        "“{step}” is neither a closure step nor a key that {era} looks for, as closure.polling is: its checks never run"
    ).format(step=step.at.name, era=context.climpt.name)
    meant = key_meant(step, known, context) if step.at.name not in context.misnamed.steps else None
    if meant:
        message += _(". Did you mean “{meant}”?").format(meant=meant)
    own = Text(step.at.name, step.at.key_span, step.at.pointer)
    misnamed = step.at.name in context.misnamed.steps
    finding = Finding(
        message,
        step.at.key_span,
        step.at.pointer,
        proposals=respelt(own, None, context) if misnamed else _renamed(step, meant, context) if meant else (),
        misspelt=(bool(meant) or misnamed) and not older_name(step, context),
        cause=older_name(step, context),
    )
    return at_misnamed(finding, own, context)


def _renamed(step: ValidationStep, to: str, context: RuleContext) -> Iterator[Proposal]:
    """The key and the stepId, unless there is such a step already."""
    if any(other.at.name == to and other.older == step.older for other in context.validation.steps):
        return
    key = write(context.registry, step.at.key_span, to)
    spans = [step.step_id.span] if step.step_id and step.step_id.value != to else []
    others = [(context.registry, TextEdit(*span, key.made[0][1].text)) for span in spans]
    yield key._replace(edits=(*key.made, *others))


def _differs(step: ValidationStep, declared: Text, context: RuleContext) -> Finding:
    message = _(
        "The validation step under the key “{step}” has the stepId “{declared}”: the two must be the same, and {era}"
        " looks for the key"
    ).format(step=step.at.name, declared=declared.value, era=context.climpt.name)
    return Finding(
        message,
        declared.span,
        declared.pointer,
        sides=[Side(context.registry, step.at.key_span, step.at.pointer, _("the key is here"))],
        proposals=[write(context.registry, declared.span, step.at.name)],
        cause=older_name(step, context),
    )

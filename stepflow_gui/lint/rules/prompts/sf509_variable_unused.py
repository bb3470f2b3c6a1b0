"""SF509 variable-unused.

What it does: reports a variable in uvVariables that the step's prompt doesn't use.

Why is this bad: climpt refuses to show the prompt while that variable has no value, though nothing in it needs one.

Fix: remove it from the list, or use it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.variables import listed
from stepflow_gui.text.source import Span

RULE = Rule("SF509", "variable-unused", WARNING, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/uvVariables": ["issue", "iteration"]})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Unused by all the prompts that the step can show."""
    if not context.prompts.known:
        return
    variables = listed(step)
    shown = context.prompts.written(step) if variables else []
    if not shown:
        return
    used = {name for _file, prompt in shown for name in prompt.names}
    file = shown[0][0]
    for text in variables:
        if text.value and text.value not in used:
            message = _("“{step}” lists the variable “{name}”, which its prompt doesn't use")
            title = _("Remove “{word}”").format(word=text.value)
            yield Finding(
                message.format(step=step.id, name=text.value),
                text.span,
                text.pointer,
                step.id,
                sides=[Side(file, Span(0, min(1, len(file.source.text))), None, _("the prompt"))],
                proposals=take_away(context.registry, [text.pointer], title),
            )

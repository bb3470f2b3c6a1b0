"""SF113 permission-mode.

What it does: reports a step's `permissionMode` that is none of default, plan, acceptEdits and bypassPermissions. SF805
checks the one in agent.json.

Why is this bad: `climpt --validate` refuses the registry, climpt 1.14 (a pre-release) at every start. A run hands the
word on as it is, and the step has neither the mode that was meant nor that of its kind.

Fix: write one of the four.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.formats.climpt.vocabulary import PERMISSION_MODES
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ERROR,
    KINDS,
    STEP,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule("SF113", "permission-mode", WARNING, formats=KINDS, looks_at=STEP)

BAD = changed({"/steps/initial.issue/permissionMode": "acceptEdit"}, base="c3l")
GOOD = changed({"/steps/initial.issue/permissionMode": "acceptEdits"}, base="c3l")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Only under a runner that reads the field of a step."""
    mode = text_at(step.node, "permissionMode", step.pointer)
    if mode is None or mode.value in PERMISSION_MODES or has_placeholder(mode.value) or not context.era.step_modes:
        return
    text = _("“{step}” has the permissionMode “{mode}”, not one of {modes}: {outcome}").format(
        step=step.id,
        mode=mode.value,
        modes=_(", ").join(PERMISSION_MODES),
        outcome=registry_refused(context)
        if context.era.whole_check
        else _("{era} passes it on as it is, and “climpt --validate” refuses the registry").format(
            era=context.era.name
        ),
    )
    meant = context.nearest(RULE.code, mode.value, PERMISSION_MODES)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(context.registry, mode.span, meant)] if meant else []
    severity = ERROR if context.format in ADDRESSED else WARNING  # climpt 1.14 refuses to load the registry
    yield Finding(text, mode.span, mode.pointer, step.id, severity=severity, proposals=proposals, misspelt=bool(meant))

"""SF104 step-kind-implicit.

What it does: reports steps with a gate that have no `stepKind` and leave it to be taken from their `c2`.

Why is this bad: the kind decides which intents the step may emit, and a new `c2`, which is about the prompt's path,
would change it unnoticed. `climpt --validate` refuses the registry.

Fix: write the kind that the `c2` means.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import (
    FLAT_KINDS,
    REMOVED,
    STEP,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)

RULE = Rule("SF104", "step-kind-implicit", WARNING, formats=FLAT_KINDS, looks_at=STEP)

BAD = changed({"/steps/initial.issue/stepKind": REMOVED})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A stepKind of a wrong type or outside the three is SF004's matter, a gate on a section SF108's."""
    if step.gate is None or step.is_section or step.raw.get("stepKind") is not None or step.kind is None:
        return
    assert step.c2 is not None
    title = _("Add the stepKind “{kind}”").format(kind=step.kind)
    yield Finding(
        _(
            "“{step}” has a gate and no stepKind: {era} treats it as a {kind} step because of its c2 “{c2}”, and"
            " “climpt --validate” refuses the registry"
        ).format(step=step.id, kind=step.kind, c2=step.c2.value, era=context.climpt.name),
        step.key_span,
        step.pointer,
        step.id,
        proposals=put(context.registry, step.pointer, "stepKind", step.kind, title, safe=True),
    )

"""SF405 entry-not-initial.

What it does: reports entries that name a continuation, verification or closure step in a registry that has initial
steps. The second step of an entry pair is meant to be none.

Why is this bad: the run begins in the middle. Its first step asks the model to go on with work that was never begun,
and has no handoff to work with.

Fix: name the initial step of the flow.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Entry, Text
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF405", "entry-not-initial", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed(
    {
        "/entryStepMapping/poll:state": "continuation.issue",
        "/entryStep": "initial.issue",
    }
)
GOOD = changed()

LATER = ("continuation", "verification", "closure", "complete")


def check(context: RuleContext) -> Iterator[Finding]:
    """The phase is what c2 says, else the first part of the step's id."""
    if not any(_phase(step) == "initial" for step in context.flow.steps.values()):
        return
    for entry in context.flow.entries:
        step = context.flow.steps.get(entry.target.value) if entry.target else None
        if entry.target and step and not entry.continuation and _phase(step) in LATER:
            yield _finding(entry, entry.target, step, context)


def _phase(step: Step) -> str:
    return step.c2.value if step.c2 and step.c2.value else step.id.partition(".")[0]


def _finding(entry: Entry, target: Text, step: Step, context: RuleContext) -> Finding:
    message = (
        _("entryStep is “{step}”, a {phase} step: the run begins in the middle")
        if entry.key is None
        else _("The entry for “{type}” is “{step}”, a {phase} step: the run begins in the middle")
    )
    first = context.flow.steps.get("initial." + step.id.partition(".")[2])
    return Finding(
        message.format(step=step.id, phase=_phase(step), type=entry.key),
        target.span,
        target.pointer,
        step=step.id,
        proposals=[write(context.registry, target.span, first.id)] if first and _phase(first) == "initial" else (),
    )

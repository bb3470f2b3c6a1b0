"""SF303 no-way-out.

What it does: reports entries from which no step is reached that can end the run: by `closing`, in older registries by
`complete`. A registry without any gate isn't checked: there the verdict ends the run.

Why is this bad: the run can only go on until its iteration limit, however well the work went. Where it can be aborted,
it never ends as a success; that is a warning.

Fix: connect a transition to a closure step, or let the last step close the flow.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Entry
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.ending import endless
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ALL,
    ERROR,
    FLOW,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)

RULE = Rule("SF303", "no-way-out", ERROR, formats=ALL, looks_at=FLOW)

BAD = changed(
    {
        "/steps/continuation.issue/structuredGate/allowedIntents": ["next", "repeat"],
        "/steps/continuation.issue/transitions/handoff": REMOVED,
        "issue.schema.json#/continuation.issue/properties/next_action/properties/action/enum": ["next", "repeat"],
    }
)
GOOD = changed()

ENDS = {"complete": "complete", "checks": "complete", "takt": "COMPLETE"}


def check(context: RuleContext) -> Iterator[Finding]:
    """Entries that begin at one step are one finding."""
    if context.format in ADDRESSED and {"closure", None}.isdisjoint(each.kind for each in context.flow.steps.values()):
        return  # SF322 says it
    found = endless(context)
    for step in found.entries:
        first, *others = (entry for entry in context.run_paths.entries if entry.target and entry.target.value == step)
        if step in found.aborted:
            yield _finding(first, others, step, context, _aborted(first), WARNING)
        else:
            yield _finding(first, others, step, context, _endless(first), ERROR)


def _aborted(entry: Entry) -> str:
    return (
        _("From the entry “{step}” no step is reached that says “{end}”: a run ends only by being aborted")
        if entry.key is None
        else _(
            "From “{step}”, the entry for “{type}”, no step is reached that says “{end}”: a run ends only by being"
            " aborted"
        )
    )


def _endless(entry: Entry) -> str:
    return (
        _(
            "From the entry “{step}” no step is reached that says “{end}”: the run goes on until an error or its"
            " iteration limit"
        )
        if entry.key is None
        else _(
            "From “{step}”, the entry for “{type}”, no step is reached that says “{end}”: the run goes on until an"
            " error or its iteration limit"
        )
    )


def _finding(
    entry: Entry, others: list[Entry], step: str, context: RuleContext, message: str, severity: Severity
) -> Finding:
    return Finding(
        message.format(step=step, type=entry.key, end=ENDS.get(context.format, "closing")),
        entry.span,
        entry.pointer,
        step=step,
        severity=severity,
        sides=[
            Side(context.registry, other.span, other.pointer, _("this entry begins there as well")) for other in others
        ],
    )

"""SF304 trap.

What it does: reports a step, or several that lead to each other, that a run can enter and never leave towards an end.

Why is this bad: a run that gets there goes round until its iteration limit, whatever it achieves.

Fix: add a transition that leads out, towards a step that closes the flow.
"""

from collections.abc import Iterator

from stepflow_gui.flow.reach import circle, knots, reached
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.ending import endless
from stepflow_gui.lint.rules.flow.example_steps import added
from stepflow_gui.lint.rules.flow.naming import round_trip
from stepflow_gui.lint.rules.prelude import ALL, ERROR, FLOW, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.run_paths import ANYWHERE

RULE = Rule("SF304", "trap", ERROR, formats=ALL, looks_at=FLOW)

BAD = changed(
    {
        "/steps/continuation.issue/transitions/next/target": "continuation.issue.again",
        **added("continuation.issue.again", "work", dict.fromkeys(("next", "repeat"), "continuation.issue.again")),
    },
    base="c3l",
)
GOOD = changed(base="c3l")


def check(context: RuleContext) -> Iterator[Finding]:
    """The last circles of what can't end; silent where SF303 says that nothing before it could end either."""
    found = endless(context)
    said = reached(found.entries, context.ways.leads)
    graph = {step: context.ways.taken[step] for step in found.steps}
    for knot in knots(graph):
        inside = set(knot)
        if all(other in inside for step in knot for other in graph[step]) and inside.isdisjoint(said):
            yield _finding([step for step in knot if step != ANYWHERE], graph, context)


def _finding(knot: list[str], graph: dict[str, list[str]], context: RuleContext) -> Finding:
    first = context.flow.steps[knot[0]]
    around = [step for step in circle(first.id, graph) if step != ANYWHERE]
    if len(around) > 1:
        message = _("{steps} is a circle without a way out: a run that gets there goes round until its iteration limit")
    else:
        message = _("No transition of “{step}” leads on: a run that gets there repeats it until its iteration limit")
    others = [context.flow.steps[step] for step in knot[1:]]
    return Finding(
        message.format(step=first.id, steps=round_trip(around)),
        first.key_span,
        first.pointer,
        step=first.id,
        sides=[Side(context.registry, step.key_span, step.pointer, _("no way out here either")) for step in others],
    )

"""SF304 trap.

What it does: reports a step, or several that go to each other, that a run can enter and never leave towards an end.

Why is this bad: a run that gets there loops until the iteration limit, whatever it achieves.

Fix: add a transition towards a step that closes the flow.
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
    """The last cycles of what can't end; silent where SF303 says that nothing before it could end either."""
    found = endless(context)
    from_entries = reached(found.entries, context.run_paths.successors)
    graph = {step: context.run_paths.open_successors[step] for step in found.steps}
    for knot in knots(graph):
        inside = set(knot)
        if all(other in inside for step in knot for other in graph[step]) and inside.isdisjoint(from_entries):
            yield _finding([step for step in knot if step != ANYWHERE], graph, context)


def _finding(knot: list[str], graph: dict[str, list[str]], context: RuleContext) -> Finding:
    first = context.flow.steps[knot[0]]
    around = [step for step in circle(first.id, graph) if step != ANYWHERE]
    if len(around) > 1:
        message = _("{steps} is an infinite loop: a run that gets there loops until the iteration limit")
    else:
        message = _("No transition of “{step}” leaves it: a run that gets there repeats it until its iteration limit")
    others = [context.flow.steps[step] for step in knot[1:]]
    return Finding(
        message.format(step=first.id, steps=round_trip(around)),
        first.key_span,
        first.pointer,
        step=first.id,
        sides=[Side(context.registry, step.key_span, step.pointer, _("no exit here")) for step in others],
    )

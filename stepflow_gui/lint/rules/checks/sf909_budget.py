"""SF909 budget.

What it does: counts how often steps have to run on the shortest path from the entry to the end, `iterations.min`
included, and reports where that is more than 100.

Why is this bad: a run stops after 100 iterations, so it can't get to its end. climpt counts none of the runs that a
check follows, and goes on.

Fix: let steps run fewer times, or shorten the path.
"""

import heapq
from collections.abc import Iterator, Mapping

from stepflow_gui.formats.checks.vocabulary import MOST_ITERATIONS
from stepflow_gui.lint.rules.checks.sf911_iterations_unread import CAUSE
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF909", "budget", INFO, formats=("checks",), looks_at=FLOW)

BAD = changed({"/steps/s_b2c1/iterations": {"min": 100, "max": 100}}, base="checks")
GOOD = changed(base="checks")


def check(context: RuleContext) -> Iterator[Finding]:
    """Reported at the entry. Nothing is concluded from unknown paths."""
    paths = context.run_paths
    for entry in paths.entries:
        start = entry.target.value if entry.target else ""
        needed = _shortest(start, paths.successors, paths.ends | paths.vague, context.flow.steps)
        if needed is not None and needed > MOST_ITERATIONS:
            text = _("The shortest path from “{step}” to the end takes {count} iterations: a run stops after {most}")
            message = text.format(step=start, count=needed, most=MOST_ITERATIONS)
            yield Finding(message, entry.span, entry.pointer, start, cause=CAUSE)


def _shortest(start: str, targets: Mapping[str, list[str]], ends: set[str], steps: Mapping[str, Step]) -> int | None:
    """The fewest runs of steps on a path to an end, that of the last step included; None if no path goes there."""
    waiting = [(_least(steps[start]), start)]
    done: set[str] = set()
    while waiting:
        count, step = heapq.heappop(waiting)
        if step in done:
            continue
        if step in ends:
            return count
        done.add(step)
        for other in targets.get(step, ()):
            if other in steps and other not in done:
                heapq.heappush(waiting, (count + _least(steps[other]), other))
    return None


def _least(step: Step) -> int:
    iterations = step.raw.get("iterations")
    least = iterations.get("min") if isinstance(iterations, dict) else None
    return least if isinstance(least, int) and not isinstance(least, bool) and least > 1 else 1

"""SF815 too-few-iterations.

What it does: reports a maxIterations that is smaller than the number of steps on the shortest path from the entry to an
end.

Why is this bad: no run can get to that end: it is stopped before. Under count:iteration it counts as done, with the
closing step never reached.

Fix: allow as many iterations as the path has steps, and some more for repeats.
"""

from collections import deque
from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.agent.limits import LIMIT, Limit, limit_of
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.run_paths import ANYWHERE
from stepflow_gui.text.edit import TextEdit

RULE = Rule("SF815", "too-few-iterations", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"agent.json#/runner/verdict/config/maxIterations": 2})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Ways are taken generously, so no run needs fewer steps. Without a gate no step goes to another."""
    agent = context.agent_file
    if agent is None or not context.has_gates:
        return
    limit = limit_of(context, agent)
    path = _shortest(limit.entry, context) if limit else []
    if limit is None or len(path) <= limit.iterations:
        return
    place = agent.place(LIMIT)
    edit = TextEdit(place.span.start, place.span.end, str(len(path)))
    yield agent.finding(
        _message(limit, path),
        LIMIT,
        proposals=[Proposal(_("Write “{word}”").format(word=len(path)), ((agent.document, edit),))],
    )


def _message(limit: Limit, path: list[str]) -> str:
    if limit.verdict == "count:iteration":
        text = _(
            "maxIterations is {count}, and the shortest path to an end has {steps} steps ({way}): the run counts as "
            "done before it gets there"
        )
    else:
        text = _(
            "maxIterations is {count}, and the shortest path to an end has {steps} steps ({way}): no run gets there"
        )
    return text.format(count=limit.iterations, steps=len(path), way=" → ".join(path))


def _shortest(entry: str, context: RuleContext) -> list[str]:
    """The steps from the entry to the nearest end; [] if there is no path."""
    paths = context.run_paths
    if entry in paths.vague:
        return []
    before: dict[str, str | None] = {entry: None}
    waiting = deque([entry])
    while waiting:
        step = waiting.popleft()
        if step in paths.ends or step in paths.aborts or step in paths.vague:
            return _walked(step, before) if step not in paths.vague else []
        for other in paths.successors.get(step, ()):
            if other not in before:
                before[other] = step
                if other == ANYWHERE:  # no iteration of its own: what it goes to comes as soon as it would itself
                    for each in paths.successors[ANYWHERE]:
                        if each not in before:
                            before[each] = step
                            waiting.append(each)
                else:
                    waiting.append(other)
    return []


def _walked(step: str, before: dict[str, str | None]) -> list[str]:
    path = [step]
    previous = before[step]
    while previous is not None:
        path.append(previous)
        previous = before[previous]
    return path[::-1]

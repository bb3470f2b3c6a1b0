"""SF302 unreachable-step.

What it does: reports steps that no entry reaches; those that are connected with each other are one finding. `section.*`
steps are outside the flow and aren't checked. Nothing is reported while a path is unknown, because its target is not a
step or an allowed intent has no transition. Steps that could end a run are left to SF303 where it speaks.

Why is this bad: the run never gets there, whatever the model answers; most often a transition or an entry was
forgotten.

Fix: connect a transition or an entry to the first of the steps, or remove them.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow
from stepflow_gui.flow.reach import islands
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.entry.verdicts import unmapped
from stepflow_gui.lint.rules.flow.ending import endless
from stepflow_gui.lint.rules.flow.example_steps import added
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.prelude import ALL, FLOW, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF302", "unreachable-step", WARNING, formats=ALL, looks_at=FLOW, defers_to=("SF101",))

BAD = changed(
    added("continuation.issue.again", "work", {"next": "continuation.issue", "repeat": "continuation.issue.again"}),
    base="c3l",
)
GOOD = changed(base="c3l")


def check(context: RuleContext) -> Iterator[Finding]:
    """Look for what the entries don't reach."""
    flow, paths = context.flow, context.run_paths
    if not paths.entries or paths.vague_entry or not _is_connected(flow) or unmapped(context):
        return  # without an entry of the agent's own no run gets anywhere: SF404
    reached = paths.reached()
    if not paths.vague.isdisjoint(reached):
        return
    lost = {step.id: step for step in flow.steps.values() if step.id not in reached and not step.is_section}
    graph = {step: [other for other in paths.successors[step] if other in lost] for step in lost}
    without_way_out = bool(endless(context).entries)
    for island in islands(graph):
        if not (without_way_out and paths.ends.intersection(island)):
            yield _finding([lost[step] for step in _first_ones(island, graph)], context)


def _is_connected(flow: Flow) -> bool:
    """Whether steps go to each other at all; elsewhere the verdict chooses the step."""
    return any(not rule.implied for step in flow.steps.values() for rule in step.transitions)


def _first_ones(island: list[str], graph: dict[str, list[str]]) -> list[str]:
    """The steps, those before the others that none of the others goes to."""
    targets = {other for step in island for other in graph[step] if other != step}
    return sorted(island, key=targets.__contains__)


def _finding(steps: list[Step], context: RuleContext) -> Finding:
    first, *others = steps
    return Finding(
        _("No entry reaches {steps}: no run ever gets there").format(steps=listed([step.id for step in steps])),
        first.key_span,
        first.pointer,
        step=first.id,
        sides=[Side(context.registry, step.key_span, step.pointer, _("also unreachable")) for step in others],
        cause=None if others else context.copy_cause(first),
    )

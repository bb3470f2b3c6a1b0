"""Which reports are written on every path on which a run can reach a movement."""

from collections import deque

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.takt.sections import report_names
from stepflow_gui.lint.rules.prelude import RuleContext


def reports_written_before(context: RuleContext) -> dict[str, frozenset[str]]:
    """By movement that a run can come to: the reports that are there then. Called workflows may write any."""
    flow = context.flow
    anything = frozenset(name for step in flow.steps.values() for name in _reports(step))
    following = {step.id: _targets(step) for step in flow.steps.values()}
    for monitor in flow.monitors:  # its judge decides once the last of the cycle is done
        last = monitor.cycle[-1].value if monitor.cycle else None
        if monitor.judge is not None and last in following:
            following[last] += _targets(monitor.judge)
    before: dict[str, frozenset[str]] = {name: frozenset() for name in context.run_paths.starts}
    waiting = deque(before)
    while waiting:
        name = waiting.popleft()
        step = flow.steps[name]
        after = anything if step.kind == "call" else before[name] | _reports(step)
        for target in following[name]:
            if target not in flow.steps:
                continue
            left = before[target] & after if target in before else after
            if left != before.get(target):
                before[target] = left
                waiting.append(target)
    return before


def _reports(step: Step) -> frozenset[str]:
    return frozenset(name.value for each in (step, *step.subs) for name in report_names(each))


def _targets(step: Step) -> list[str]:
    return [rule.target.value for rule in step.transitions if rule.target is not None and not rule.asks]

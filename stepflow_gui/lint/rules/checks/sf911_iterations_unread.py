"""SF911 iterations-unread.

What it does: reports which steps with a check have an `iterations.min` or `max` above 1.

Why is this bad: climpt doesn't read them there: the check runs after each run of the step and alone decides how it
goes on. Under the runtime `guide` they hold.

Fix: nothing has to be done; where the number matters, let the check answer for it.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.checks.outcomes import check_of
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, INFO, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.document import Place
from stepflow_gui.text.pointer import join

RULE = Rule("SF911", "iterations-unread", INFO, formats=("checks",), looks_at=FLOW, defers_to=("SF909",))

BAD = changed({"/steps/s_a8f3/iterations": {"min": 1, "max": 5}}, base="checks")
GOOD = changed(base="checks")

CAUSE = ("iterations",)


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file; a version that doesn't know checks can't run it at all (SF011)."""
    if context.climpt.gates:
        return
    found = [remark for step in context.flow.steps.values() for remark in _of_step(step, context)]
    several = _("{count} steps, such as “{step}”, set how often they run: {era} doesn't read that beside a check")
    several = several.replace("{era}", context.climpt.name)
    for finding in merge_remarks(found, several):
        yield finding._replace(cause=CAUSE)


def _of_step(step: Step, context: RuleContext) -> Iterator[Remark]:
    node = step.node.get("iterations") if check_of(step) else None
    value = node.value if node else None
    above = isinstance(value, dict) and [key for key in ("min", "max") if _above_one(value.get(key))]
    if node is not None and above:
        where = join(step.pointer, "iterations", above[-1])
        yield Remark(
            _("“{step}” sets how often it runs: {era} doesn't read that beside a check").format(
                step=step.id, era=context.climpt.name
            ),
            _("“{step}” has it as well").format(step=step.id),
            Place(context.registry, where, node.member_span(above[-1])),
            step.id,
        )


def _above_one(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 1

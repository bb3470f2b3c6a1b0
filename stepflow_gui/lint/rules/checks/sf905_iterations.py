"""SF905 iterations.

What it does: reports an `iterations.min` or `max` that is not a whole number or below 1, and a `max` below `min`.

Why is this bad: the step can't run that often. climpt doesn't read `min` at all, and `max` only where there is no
check: what it makes of a wrong one is a step that ends the run.

Fix: write whole numbers from 1 on, `max` not below `min`.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join

RULE = Rule("SF905", "iterations", ERROR, formats=("checks",), looks_at=FLOW)

BAD = changed({"/steps/s_a8f3/iterations": {"min": 1, "max": 0}}, base="checks")
GOOD = changed(base="checks")

NUMBERS = ("min", "max")


def check(context: RuleContext) -> Iterator[Finding]:
    """At the number; iterations that are not object are SF004's."""
    for step in context.flow.steps.values():
        node = step.node.get("iterations")
        if node is not None and node.kind == "object":
            yield from _of_step(step, node, context)


def _of_step(step: Step, node: Node, context: RuleContext) -> Iterator[Finding]:
    sound: dict[str, int] = {}
    for key in NUMBERS:
        value = node.value.get(key)
        number = _whole(value)
        if value is None or (isinstance(value, str) and has_placeholder(value)):
            continue
        if number is None:
            text = _("iterations.{key} of “{step}” is not a whole number")
            yield _finding(text.format(key=key, step=step.id), step, node, key, _meant(value), context)
        elif number < 1:
            text = _("iterations.{key} of “{step}” is {value}: a step runs at least once")
            yield _finding(text.format(key=key, step=step.id, value=value), step, node, key, 1, context)
        else:
            sound[key] = number
    least, most = sound.get("min", 1), sound.get("max")
    if most is not None and most < least:
        text = _("“{step}” runs {least} times at least and {most} times at most: no number is both")
        yield _finding(text.format(step=step.id, least=least, most=most), step, node, "max", least, context)


def _finding(message: str, step: Step, node: Node, key: str, meant: int, context: RuleContext) -> Finding:
    where = join(step.pointer, "iterations", key)

    def edits() -> DocumentEdits:
        from stepflow_gui.text.json.edit import set_value

        return [(context.registry, edit) for edit in set_value(context.registry.tree, where, meant)]

    proposals = (
        [Proposal(_("Write {number}").format(number=meant), Later(edits))] if context.registry.tree.valid else []
    )
    return Finding(message, node.member_span(key), where, step.id, proposals=proposals)


def _whole(value: JsonValue) -> int | None:
    """JSON has one kind of numbers: 2.0 is whole."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if isinstance(value, int) or value.is_integer() else None


def _meant(value: JsonValue) -> int:
    try:
        return max(1, round(float(value)))
    except (TypeError, ValueError, OverflowError):
        return 1

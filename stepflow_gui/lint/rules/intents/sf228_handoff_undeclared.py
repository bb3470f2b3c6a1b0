"""SF228 handoff-undeclared.

What it does: in the format with `complete`, reports steps that others follow and that have no `handoffFields`.

Why is this bad: the design has each step declare what it hands on, so nothing is shared in silence. The steps that
follow get nothing from this one.

Fix: list in `handoffFields` what the next step needs.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import moves_of
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, INFO, REMOVED, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.document import Place

RULE = Rule("SF228", "handoff-undeclared", INFO, formats=("complete",), looks_at=FLOW)

BAD = changed({"/steps/initial.issue/structuredGate/handoffFields": REMOVED}, base="complete")
GOOD = changed(base="complete")


def check(context: RuleContext) -> Iterator[Finding]:
    """Said once a file."""
    yield from merge_remarks(
        _remarks(context),
        _("{count} steps that others follow declare no handoffFields, first “{step}”: nothing is handed on"),
    )


def _remarks(context: RuleContext) -> Iterator[Remark]:
    for step in context.flow.steps.values():
        gate = step.gate
        if (
            gate is None
            or gate.node.kind != "object"
            or gate.node.value.get("handoffFields")
            or not _is_followed(step, context)
        ):
            continue
        message = _("“{step}” declares no handoffFields: the steps that follow it get nothing from it")
        place = Place(context.registry, gate.pointer, context.registry.tree.key_span(gate.pointer) or gate.node.span)
        yield Remark(message.format(step=step.id), _("nor does “{step}”").format(step=step.id), place, step.id)


def _is_followed(step: Step, context: RuleContext) -> bool:
    return any(move.target in context.flow.steps and move.target != step.id for move in moves_of(step))

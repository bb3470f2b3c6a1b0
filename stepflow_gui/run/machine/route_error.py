"""The errors of routing: upstream's codes, and what each says to a person (runtime-semantics 6)."""

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.machine.run_problem import RunError

_CODES = {
    "intent_not_allowed_for_kind": "SR-INTENT-001",
    "target_not_found": "SR-TRANS-001",
    "terminal_not_allowed": "SR-TRANS-002",
    "no_continuation": "SR-TRANS-003",
    "handoff_no_transition": "SR-TRANS-004",
    "handoff_null_target": "SR-TRANS-005",
    "handoff_target_not_found": "SR-TRANS-006",
    "escalate_no_transition": "SR-TRANS-007",
    "escalate_target_not_found": "SR-TRANS-008",
    "escalate_invalid": "SR-TRANS-009",
    "jump_target_not_found": "SR-TRANS-010",
}


def route_error(
    kind: str, at: str, intent: str, era: Era, *, target: str = "", step_kind: str = "", pointer: str | None = None
) -> RunError:
    """The error of that kind at a step."""
    message = _message(kind).format(step=at, intent=intent, target=target, kind=step_kind)
    return RunError(kind, message, era.routing_code or _CODES.get(kind), at, pointer)


def _message(kind: str) -> str:
    if kind == "intent_not_allowed_for_kind":
        return _("A {kind} step may not say “{intent}”, but {step} did. Answer otherwise, or correct the step's kind.")
    if kind == "jump_target_not_found":
        return _("{step} jumps to “{target}”, which is no step. Name another target, or step back.")
    if kind.endswith("target_not_found"):
        return _("“{intent}” of {step} leads to “{target}”, which is no step. Correct the transition, or step back.")
    if kind in {"terminal_not_allowed", "handoff_null_target"}:
        return _(
            "“{intent}” of {step} has no target step, and only “closing” may end a run here. "
            "Give it a target, or step back."
        )
    if kind == "escalate_invalid":
        return _("“escalate” of {step} must name one step. Correct the transition, or step back.")
    return _("“{intent}” of {step} has no transition to follow. Add one, or step back and answer otherwise.")

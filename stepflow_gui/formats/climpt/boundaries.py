"""The allowed target steps of an intent, and the reasons against others, shown on a drop (seed 000, semantics 15)."""

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, kinds_emitting
from stepflow_gui.messages import _

_WITH_KINDS = frozenset({"closing", "c3l", "adt-kind-address", "entry-pair"})


def why_not(flow: Flow, step_id: str, intent: str, target: str | None, *, allowed: bool = False) -> str | None:
    """The reason why an intent of a step can't go to `target` (None: the end); None where it can.

    With `allowed` it isn't asked whether the gate lists the intent.

    What the runner merely warns of, or only some versions refuse, is allowed where the guide's own patterns do it: a
    handoff to the first step of another flow, a repeat that goes back to another step.
    """
    step = flow.steps.get(step_id)
    if step is None:
        return _("There is no step “{step}”").format(step=step_id)
    if step.is_section:
        return _("“{step}” is a prompt section: it is outside the flow").format(step=step_id)
    if not allowed and step.transition(intent) is None and step.gate and not step.gate.allows(intent):
        return _("“{step}” doesn’t allow the intent “{intent}”").format(step=step_id, intent=intent)
    if target is not None:
        if target not in flow.steps:
            return _("There is no step “{step}”").format(step=target)
        if flow.steps[target].is_section:
            return _("“{step}” is a prompt section: no transition goes to one").format(step=target)
    if flow.format == "complete":
        return _of_complete(step, intent, target)
    return _of_kinds(flow, step, intent, target) if flow.format in _WITH_KINDS else None


def _of_complete(step: Step, intent: str, target: str | None) -> str | None:
    if intent == "abort":
        return None if target is None else _("“abort” ends the run; it goes to no step")
    closes = step.id.startswith("complete")
    if intent == "complete" and not closes and not (target or "").startswith("complete"):
        return _("“complete” goes to a step “complete.…”, and that one ends the flow")
    if intent == "complete" and closes and target is not None:
        return _("“complete” of a completion step ends the flow; it goes to no step")
    if intent != "complete" and target is None:
        return _("Only “complete” ends the flow")
    return None


def _of_kinds(flow: Flow, step: Step, intent: str, target: str | None) -> str | None:
    if intent == "abort":
        return None if target is None else _("“abort” ends the run; it goes to no step")
    if step.kind and intent not in INTENTS_OF_KIND[step.kind]:
        emitting = kinds_emitting(intent)
        if not emitting:
            return None  # not an intent at all: its target doesn't matter
        return _("A {kind} step can’t emit “{intent}”; {kinds} steps can").format(
            kind=step.kind, intent=intent, kinds=_(" and ").join(emitting)
        )
    if intent == "closing":
        return None if target is None else _("“closing” ends the flow; it goes to no step")
    if target is None:
        return _("Only “closing” ends the flow")
    if target == step.id:
        return None
    return _of_target_kind(step, intent, flow.steps[target])


def _of_target_kind(step: Step, intent: str, target: Step) -> str | None:
    if intent == "handoff":
        starts = target.kind == "work" and target.c2 is not None and target.c2.value == "initial"
        if target.kind in {"closure", None} or starts:
            return None
        return _("“handoff” goes to a closure step or to the first step of another flow")
    if intent == "escalate":
        return _("“escalate” goes to a work or verification step") if target.kind == "closure" else None
    if step.kind == "work" and target.kind == "closure":
        return _("A work step reaches a closure step by “handoff” only")
    if step.kind == "closure" and intent == "repeat" and target.kind not in {"work", None}:
        return _("“repeat” of a closure step stays there or goes back to a work step")
    return None

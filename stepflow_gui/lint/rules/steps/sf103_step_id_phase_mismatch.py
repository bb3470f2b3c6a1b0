"""SF103 step-id-phase-mismatch.

What it does: points out steps whose id, `c2` and `stepKind` name different phases: `continuation.x` with the c2
“closure”, or an initial step with the stepKind “closure”.

Why is this bad: it may be intended, and climpt's own agents do it on purpose. The `stepKind` decides which intents the
step may emit; the `c2` says where its prompt lies, and whether it counts as a closure when climpt looks for exits.

Fix: where it isn't meant, make all three agree.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, KIND_OF_C2
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    FLOW,
    GATE,
    INFO,
    KINDS,
    REMOVED,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.rules.steps.phases import phase_of

RULE = Rule("SF103", "step-id-phase-mismatch", INFO, formats=GATE, looks_at=FLOW)

BAD = changed(
    {"/steps/closure.issue/c2": "verification"},
    texts={
        "prompts/steps/closure/issue/f_default.md": REMOVED,
        "prompts/steps/verification/issue/f_default.md": "Issue {uv-issue}\n",
    },
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file."""
    places: list[Side] = []
    steps: list[Step] = []
    for step in context.flow.steps.values():
        place = _place(step, context)
        if place:
            places.append(place)
            steps.append(step)
    if places:
        message = ngettext(
            "Id, c2 and {kind} of {steps} name different phases: the {kind} decides what the step may emit",
            "Id, c2 and {kind} of {steps} name different phases: the {kind} decides what each may emit",
            len(steps),
        ).format(steps=listed([step.id for step in steps]), kind=_field(context))
        proposals = _proposals(steps[0], context) if len(steps) == 1 else ()
        yield merge_places(message, places, step=steps[0].id, proposals=proposals)


def _place(step: Step, context: RuleContext) -> Side | None:
    """Where a step departs from its phase: at its c2, else at its stepKind. Without any kind it is SF105's matter."""
    phase = phase_of(step, context.flow)
    c2, kind = step.c2, step.explicit_kind
    if step.gate and step.kind is None and context.format in KINDS:
        return None
    if c2 and phase and c2.value != phase and not has_placeholder(c2.value):
        return Side(context.registry, c2.span, c2.pointer, _("the c2 here is “{c2}”").format(c2=c2.value))
    expected = KIND_OF_C2.get(c2.value) if c2 else None
    if kind and expected and kind.value in INTENTS_OF_KIND and kind.value != expected:
        text = _("the {field} here is “{kind}”").format(field=_field(context), kind=kind.value)
        return Side(context.registry, kind.span, kind.pointer, text)
    return None


def _field(context: RuleContext) -> str:
    return "kind" if context.format in ADDRESSED else "stepKind"


def _proposals(step: Step, context: RuleContext) -> Iterator[Proposal]:
    phase = phase_of(step, context.flow)
    if step.c2 and phase and step.c2.value != phase:
        is_lost = context.prompts.is_lost_with(step, "c2", phase)
        if context.distinct.address_is_free(step, "c2", phase) and not is_lost:
            yield write(context.registry, step.c2.span, phase)
    elif step.c2 and step.explicit_kind:
        kind = KIND_OF_C2[step.c2.value]
        emitted = {text.value for text in step.gate.intents} if step.gate else set()
        if emitted <= set(INTENTS_OF_KIND[kind]):
            yield write(context.registry, step.explicit_kind.span, kind)

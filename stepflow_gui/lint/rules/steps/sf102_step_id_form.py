"""SF102 step-id-form.

What it does: reports steps whose id isn't a phase and a topic joined by a dot (`initial.issue`,
`continuation.project.review`). Phases are initial, continuation, verification, closure and section; in the older format
they are initial, continuation, complete and section.

Why is this bad: climpt finds the continuation of `initial.issue` by its name, and leaves `section.*` steps out of the
flow by theirs. Another name has neither, and tells no reader what the step is for.

Fix: rename the step everywhere, if it is to follow the convention. climpt's own newer agents don't.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Flow
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import (
    FLOW,
    GATE,
    INFO,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
    ngettext,
)
from stepflow_gui.lint.rules.steps.phases import phases_of

RULE = Rule("SF102", "step-id-form", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed(
    {
        "/steps/wrap-up": Moved("/steps/closure.issue"),
        "/steps/wrap-up/stepId": "wrap-up",
        "/steps/wrap-up/transitions/repeat/target": "wrap-up",
        "/steps/continuation.issue/transitions/handoff/target": "wrap-up",
    }
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """A warning a step; one note for all in the newer formats, where climpt's own agents do it, and in older shapes."""
    odd = [step for step in context.flow.steps.values() if not _has_form(step.id, context.flow)]
    if context.format not in ("closing", "complete") and odd:
        yield _finding(odd, context)._replace(severity=INFO)
    elif odd:
        yield from (_finding([step], context) for step in odd)


def _finding(steps: list[Step], context: RuleContext) -> Finding:
    message = ngettext(
        "{steps} isn't named by phase and topic, as initial.issue is: {era} finds no continuation by such a name",
        "{steps} aren't named by phase and topic, as initial.issue is: {era} finds no continuation by such names",
        len(steps),
    ).format(steps=listed([step.id for step in steps]), era=context.climpt.name)
    places = [Side(context.registry, step.key_span, step.pointer, _("nor is this one")) for step in steps]
    return merge_places(message, places, step=steps[0].id)


def _has_form(step: str, flow: Flow) -> bool:
    phase, *topic = step.split(".")
    has_topic = bool(topic) and all(part.split() == [part] for part in topic)
    return has_placeholder(step) or (phase in phases_of(flow) and has_topic)

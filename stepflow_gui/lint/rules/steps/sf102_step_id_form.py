"""SF102 step-id-form.

What it does: reports steps whose id isn't a phase and a topic joined by a dot (`initial.issue`,
`continuation.project.review`). Phases are initial, continuation, verification, closure and section; in the older format
they are initial, continuation, complete and section.

Why is this bad: climpt finds the continuation of `initial.issue` by its name, and leaves `section.*` steps out of the
flow by theirs. Another name has neither, and tells no reader what the step is for.

Fix: rename the step everywhere, if it is to follow the convention. climpt's own newer agents don't.
"""

from collections.abc import Iterator

from stepflow_gui.lint.closest_name import is_slip, slip_of
from stepflow_gui.lint.examples.example import Moved
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
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
from stepflow_gui.lint.rules.steps.phases import has_form, phases_of

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
    odd = [step for step in context.flow.steps.values() if not has_form(step.id, context.flow)]
    misspelt = {step.id: meant for step in odd if (meant := _meant(step, context))}
    for step in odd:
        if step.id in misspelt:
            yield _misspelt(step, misspelt[step.id], context)
    others = [step for step in odd if step.id not in misspelt]
    if context.format not in ("closing", "complete") and others:
        yield _finding(others, context)._replace(severity=INFO)
    elif others:
        yield from (_finding([step], context) for step in others)


def _meant(step: Step, context: RuleContext) -> str | None:
    """The id with its phase spelt right, where nothing names the step as it is written and no other has that id."""
    meant = _of_phase(step, context)
    if meant is None or meant in context.flow.steps or not has_form(meant, context.flow):
        return None
    entries = {entry.target.value for entry in context.flow.entries if entry.target}
    return None if step.id in entries | {move.target for move in context.flow.moves()} else meant


def _of_phase(step: Step, context: RuleContext) -> str | None:
    """The id that the step's address makes, where a slip parts them; else with the only phase that a slip parts."""
    if step.c2 and step.c3:
        of_address = f"{step.c2.value}.{step.c3.value}"
        if is_slip(step.id, of_address):
            return of_address
    phase, dot, topic = step.id.partition(".")
    like = slip_of(phase, phases_of(context.flow)) if dot else None
    if like is None or (like == phase + topic[:1]):  # the dot may stand a letter too early
        return None
    return f"{like}.{topic}"


def _misspelt(step: Step, meant: str, context: RuleContext) -> Finding:
    message = _(
        "“{step}” isn't named by phase and topic: {era} finds no continuation by such a name. Did you mean “{meant}”?"
    ).format(step=step.id, meant=meant, era=context.climpt.name)
    places = [step.key_span]
    if step.step_id and step.step_id.value == step.id:
        places.append(step.step_id.span)
    edits = [edit for span in places for edit in write(context.registry, span, meant).made]
    title = _("Rename the key to “{step}”").format(step=meant)
    fix = Proposal(title, tuple(edits))
    return Finding(message, step.key_span, step.pointer, step.id, proposals=[fix], misspelt=True)


def _finding(steps: list[Step], context: RuleContext) -> Finding:
    message = ngettext(
        "{steps} isn't named by phase and topic, such as initial.issue is: {era} finds no continuation by such a name",
        "{steps} aren't named by phase and topic, such as initial.issue is: {era} finds no continuation by such names",
        len(steps),
    ).format(steps=listed([step.id for step in steps]), era=context.climpt.name)
    places = [Side(context.registry, step.key_span, step.pointer, _("nor is this one")) for step in steps]
    return merge_places(message, places, step=steps[0].id)

"""SF107 step-incomplete.

What it does: in a registry where some step has a gate, reports steps that lack `structuredGate`, `transitions` or
`outputSchemaRef`. Steps whose id begins with `section.` need none of them.

Why is this bad: climpt since 2026-04-01 refuses to run such a registry; versions up to 2026-03-14 run it without any
gate and repeat the entry step up to the limit.

Fix: add what is missing, or make the step a section.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.runner_texts import incomplete_steps
from stepflow_gui.lint.rules.fixes import guesses
from stepflow_gui.lint.rules.flow.naming import runner
from stepflow_gui.lint.rules.prelude import ERROR, GATE, REMOVED, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.steps.completing import complete

RULE = Rule("SF107", "step-incomplete", ERROR, formats=GATE, looks_at=STEP, defers_to=("SF010",))

BAD = changed({"/steps/continuation.issue/outputSchemaRef": REMOVED})
GOOD = changed()

NEEDED = ("structuredGate", "transitions", "outputSchemaRef")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """A gate format means that some step has a gate. An empty object counts as there, as it does for the loader."""
    if step.is_section or not context.has_gates:
        return
    missing = [key for key in NEEDED if _lacks(step, key)]
    if not missing:
        return
    refused = context.climpt.load_errors != "dropped"
    by_guide = context.era.strict_flow and missing != ["outputSchemaRef"]
    text = (
        _("“{step}” has no {fields}: in a registry with gates {era} refuses to run without")
        if refused or by_guide
        else _("“{step}” has no {fields}: {era} runs the registry without any gate, climpt since 2026-04-01 refuses it")
    )
    era = runner(context) if by_guide else context.climpt.name
    message = text.format(step=step.id, fields=", ".join(missing), era=era)
    if context.format == "complete" and step is next(_without_exit(context), None):
        message += _(". climpt reports: {error}").format(error=_error(context))
    proposals = guesses(complete(step, missing, context))
    yield Finding(
        message,
        step.key_span,
        step.pointer,
        step=step.id,
        proposals=proposals,
        cause=("format", step.id),
        lacks=missing,
    )


def _lacks(step: Step, key: str) -> bool:
    return not step.raw.get(key) and step.raw.get(key) != {} and step.raw.get(key) != []


def _without_exit(context: RuleContext) -> Iterator[Step]:
    for step in context.flow.steps.values():
        if not step.is_section and (_lacks(step, "structuredGate") or _lacks(step, "transitions")):
            yield step


def _error(context: RuleContext) -> str:
    """What the loader says, once, of all of them; it asks for no output schema."""
    steps = list(_without_exit(context))
    return incomplete_steps(
        *([step.id for step in steps if _lacks(step, key)] for key in ("structuredGate", "transitions"))
    )

"""SF110 three-stages.

What it does: in the older format with the intent `complete`, points out domains that lack one of the three stages
initial, continuation and complete: `initial.issue` and `continuation.issue` without a `complete.issue`.

Why is this bad: the design has a flow always go through the three, and `complete` go to `complete.<domain>`. climpt
itself ends the run where `complete` is given, without a look at that step.

Fix: add the stage that is missing.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import FLOW, INFO, REMOVED, Finding, Rule, RuleContext, Step, changed, ngettext
from stepflow_gui.lint.rules.steps.phases import STAGES, phase_of

RULE = Rule("SF110", "three-stages", INFO, formats=("complete",), looks_at=FLOW)

BAD = changed(
    {
        "/steps/continuation.issue": REMOVED,
        "/steps/initial.issue/structuredGate/allowedIntents": ["repeat", "complete"],
        "/steps/initial.issue/transitions/next": REMOVED,
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["repeat", "complete"],
    },
    base="complete",
    texts={"prompts/steps/continuation/issue/f_default.md": REMOVED},
)
GOOD = changed(base="complete")


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file, at the first step of each domain that isn't whole; a copy that nothing goes to makes none."""
    domains: dict[str, list[Step]] = {}
    for step in context.flow.steps.values():
        phase = phase_of(step, context.flow)
        domain = step.id.partition(".")[2]
        if phase in STAGES and domain and step.id not in context.copies:
            domains.setdefault(domain, []).append(step)
    places: list[Side] = []
    missing: list[str] = []
    for domain, steps in domains.items():
        lacking = [f"{stage}.{domain}" for stage in STAGES if f"{stage}.{domain}" not in context.flow.steps]
        if lacking:
            missing += lacking
            message = ngettext("here {steps} is missing", "here {steps} are missing", len(lacking))
            places.append(
                Side(context.registry, steps[0].key_span, steps[0].pointer, message.format(steps=listed(lacking)))
            )
    if places:
        message = ngettext(
            "A flow goes through initial, continuation and complete: there is no {steps}",
            "A flow goes through initial, continuation and complete: there are no {steps}",
            len(missing),
        ).format(steps=listed(missing))
        yield merge_places(message, places)

"""SF110 three-stages.

What it does: in the older format with the intent `complete`, points out domains that lack one of the three stages
initial, continuation and complete: `initial.issue` and `continuation.issue` without a `complete.issue`.

Why is this bad: the design has a flow always go through the three, and `complete` lead to `complete.<domain>`. climpt
itself ends the run where `complete` is said, without a look at that step.

Fix: add the stage that is missing.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.diagnostic import INFO
from stepflow_gui.lint.examples.example import REMOVED, changed
from stepflow_gui.lint.rule import FLOW, Finding, Rule, Side
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.gathering import gathered
from stepflow_gui.lint.rules.steps.phases import STAGES, phase_of
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import ngettext

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


def check(scope: RuleContext) -> Iterator[Finding]:
    """One note a file, at the first step of each domain that isn't whole."""
    domains: dict[str, list[Step]] = {}
    for step in scope.flow.steps.values():
        phase = phase_of(step, scope.flow)
        domain = step.id.partition(".")[2]
        if phase in STAGES and domain:
            domains.setdefault(domain, []).append(step)
    places: list[Side] = []
    missing: list[str] = []
    for domain, steps in domains.items():
        lacking = [f"{stage}.{domain}" for stage in STAGES if f"{stage}.{domain}" not in scope.flow.steps]
        if lacking:
            missing += lacking
            message = ngettext("here {steps} is missing", "here {steps} are missing", len(lacking))
            places.append(
                Side(scope.registry, steps[0].key_span, steps[0].pointer, message.format(steps=listed(lacking)))
            )
    if places:
        message = ngettext(
            "A flow goes through initial, continuation and complete: there is no {steps}",
            "A flow goes through initial, continuation and complete: there are no {steps}",
            len(missing),
        ).format(steps=listed(missing))
        yield gathered(message, places)

"""SF706 remote-ref.

What it does: reports `$ref`s to a URL in the steps' output schemas.

Why is this bad: climpt never fetches anything. It takes the URL for a file's name, finds none, and refuses to load the
registry. Nothing is fetched to lint it either.

Fix: put the schema into the project and refer to it there.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused
from stepflow_gui.lint.rules.schemas.schema_faults import as_the_loader_sees_it, faults, finding_of

RULE = Rule("SF706", "remote-ref", ERROR, formats=GATE, looks_at=STEP)

BAD = changed(
    {"issue.schema.json#/initial.issue/properties/note": {"$ref": "https://example.com/schemas/note.json#/note"}}
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the whole schema."""
    for problem in faults(step, context, ("remote-ref",)):
        severity = as_the_loader_sees_it(step, context)
        text = (
            _("“{ref}” isn't in the project, and {era} fetches nothing: {outcome}")
            if severity == ERROR
            else _("“{ref}” isn't in the project: {era} fetches nothing, and can't resolve the schema of “{step}”")
        )
        yield finding_of(
            RULE.code,
            problem,
            step,
            context,
            text.format(ref=problem.detail, step=step.id, era=context.climpt.name, outcome=registry_refused(context)),
            severity,
        )

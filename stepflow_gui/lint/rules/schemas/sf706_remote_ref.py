"""SF706 remote-ref.

What it does: reports `$ref`s to a URL in the steps' output schemas.

Why is this bad: climpt never fetches anything. It takes the URL for a file's name, finds none, and refuses to load the
registry. Nothing is fetched to lint it either.

Fix: put the schema into the project and refer to it there.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import GATE, STEP, Finding, Rule
from stepflow_gui.lint.rules.schemas.schema_faults import as_the_loader_sees_it, faults, told
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _

RULE = Rule("SF706", "remote-ref", ERROR, formats=GATE, looks_at=STEP)

BAD = changed(
    {"issue.schema.json#/initial.issue/properties/note": {"$ref": "https://example.com/schemas/note.json#/note"}}
)
GOOD = changed()


def check(step: Step, scope: RuleContext) -> Iterator[Finding]:
    """Look at the whole schema."""
    for problem in faults(step, scope, ("remote-ref",)):
        severity = as_the_loader_sees_it(step, scope)
        text = (
            _("“{ref}” isn't in the project: climpt fetches nothing, and refuses to load the registry")
            if severity == ERROR
            else _("“{ref}” isn't in the project: climpt fetches nothing, and can't resolve the schema of “{step}”")
        )
        yield told(RULE.code, problem, step, scope, text.format(ref=problem.detail, step=step.id), severity)

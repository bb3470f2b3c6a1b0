"""SF705 ref-cycle.

What it does: reports `$ref`s in the steps' output schemas that point back to where they came from, or on through more
than fifty others.

Why is this bad: since 28 March 2026 climpt refuses to load a registry with such a schema; before, it put an empty
schema there, which takes anything. No model takes a schema that holds itself.

Fix: break the cycle.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused
from stepflow_gui.lint.rules.schemas.schema_faults import faults, finding_of, is_loaded

RULE = Rule("SF705", "ref-cycle", ERROR, formats=GATE, looks_at=STEP)

BAD = changed(
    {
        "issue.schema.json#/task": {"type": "object", "properties": {"parent": {"$ref": "#/task"}}},
        "issue.schema.json#/initial.issue/properties/task": {"$ref": "#/task"},
    },
    base="c3l",
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the whole schema."""
    for problem in faults(step, context, ("ref-cycle", "too-deep")):
        certain = problem.kind == "too-deep" or problem is context.schema(step).problem  # then the intents are lost
        refused = is_loaded(step, context) and (context.era.refuses_cycles or certain)
        message = _message(problem, step, context, refused, certain)
        yield finding_of(RULE.code, problem, step, context, message, ERROR if refused else WARNING)


def _message(problem: SchemaProblem, step: Step, context: RuleContext, refused: bool, certain: bool) -> str:
    if problem.kind == "too-deep":
        text = _("References in the schema of “{step}” lie deeper than {era} follows them")
    else:
        text = _("The schema of “{step}” holds itself: this reference points back to where it came from")
    if refused:
        text += _(". {outcome}")
    elif problem.kind == "ref-cycle" and not context.era.refuses_cycles:
        text += _(". {era} puts an empty schema here, which takes anything")
    else:
        text += _(". {era} can't resolve it")
    by_named = context.climpt.refuses_cycles or certain
    outcome = registry_refused(context) if by_named else _("climpt 2026-04-01 and later refuse to load the registry")
    return text.format(step=step.id, era=context.climpt.name, outcome=outcome)

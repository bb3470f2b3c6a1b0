"""SF209 intent-schema-ref-dangling.

What it does: follows `intentSchemaRef` in the step's resolved output schema, or `intentField` where the format has no
pointer, and reports where it finds nothing, or something that lists no intents (`enum`).

Why is this bad: climpt compares that list with `allowedIntents` when it loads the registry, and refuses it where there
is none. In the older format with `complete` the model doesn't know which intents it may choose.

Fix: point at the intent. The path begins in the step's own schema, not in its file.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.intents.answer_fields import known_paths, path_of_pointer, pointer_of_path
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule("SF209", "intent-schema-ref-dangling", ERROR, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/intentSchemaRef": "#/properties/next_action/properties/intent"})
GOOD = changed()

DANGLING = ("pointer-dangling", "field-dangling", "no-enum")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at what kept the enum from being found."""
    if step.gate is None or step.schema_ref is None:
        return
    schema = context.schema(step)
    problem = schema.problem
    if problem is None or problem.kind not in DANGLING or has_placeholder(problem.detail):
        return
    if schema.through_field and context.format != "complete":
        return  # there is no pointer to follow, says SF208
    meant = _meant(step, problem, schema, context)
    yield Finding(
        _message(problem, schema).format(step=step.id, where=problem.detail, outcome=registry_refused(context)),
        problem.place.span,
        problem.place.pointer,
        step=step.id,
        sides=_sides(problem),
        proposals=_proposals(problem, schema, meant, context),
        misspelt=meant is not None and is_slip(_wanted(problem, schema) or "", meant),
    )


def _message(problem: SchemaProblem, schema: StepSchema) -> str:
    if schema.through_field:
        if problem.kind == "no-enum":
            return _(
                "The output schema of “{step}” lists no intents at “{where}”: the model doesn't know which to choose"
            )
        return _("The intentField of “{step}”, “{where}”, isn't in its output schema: the model isn't asked for it")
    if problem.kind == "no-enum":
        return _("What the intentSchemaRef of “{step}”, “{where}”, points at lists no intents (enum): {outcome}")
    return _("The intentSchemaRef of “{step}”, “{where}”, doesn't exist in its output schema: {outcome}")


def _sides(problem: SchemaProblem) -> list[Side]:
    at = problem.related
    if at is None:
        return []
    text = _("there is no enum here") if problem.kind == "no-enum" else _("the output schema, in which the path begins")
    return [Side(at.document, at.span, at.pointer, text)]


def _wanted(problem: SchemaProblem, schema: StepSchema) -> str | None:
    """The path that is written."""
    return problem.detail if schema.through_field else path_of_pointer(problem.detail)


def _meant(step: Step, problem: SchemaProblem, schema: StepSchema, context: RuleContext) -> str | None:
    """The path of the intentField where that one goes to an enum, else the most alike."""
    field = step.gate.intent_field if step.gate else None
    candidates = [path for path in known_paths(schema.value) if _has_enum(schema, path)]
    wanted = _wanted(problem, schema)
    if field and field.value in candidates:
        return field.value if field.value != wanted else None
    return context.nearest(RULE.code, wanted, candidates) if wanted else None


def _proposals(
    problem: SchemaProblem, schema: StepSchema, meant: str | None, context: RuleContext
) -> Iterator[Proposal]:
    if meant:
        yield write(context.registry, problem.place.span, meant if schema.through_field else pointer_of_path(meant))


def _has_enum(schema: StepSchema, path: str) -> bool:
    found = schema.at(pointer_of_path(path).removeprefix("#/") + "/enum")
    return found is not None and not isinstance(found, SchemaProblem)

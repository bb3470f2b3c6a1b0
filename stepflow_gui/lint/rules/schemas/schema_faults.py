"""What keeps a step's output schema from being read, reported at its place in the schema file, with its path."""

from collections.abc import Iterable, Iterator

from stepflow_gui.formats.climpt.schema_merge import SchemaProblem
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.prelude import ERROR, KINDS, WARNING, Finding, RuleContext, Step, _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Span

_Place = tuple[ParsedFile, Span]


def faults(step: Step, context: RuleContext, kinds: Iterable[str]) -> Iterator[SchemaProblem]:
    """The problems of those kinds in the step's schema, each place once. Reads the whole schema."""
    if step.schema_ref is None:
        return
    schema = context.schema(step)
    seen: set[_Place] = set()
    for problem in ([schema.problem] if schema.problem else []) + schema.faults:
        if problem.kind not in kinds:
            continue
        place = (problem.place.document, problem.place.span)
        if place not in seen:
            seen.add(place)
            yield problem


def finding_of(
    code: str,
    problem: SchemaProblem,
    step: Step,
    context: RuleContext,
    message: str,
    severity: Severity,
    proposals: Iterable[Proposal] = (),
) -> Finding:
    """A finding at the place of the problem. Steps that share the schema share the finding."""
    place = problem.place
    return Finding(
        message,
        place.span,
        place.pointer,
        step=step.id,
        document=place.document,
        severity=severity,
        sides=_reference_sides(problem, step, context),
        proposals=proposals,
        cause=("schema", code, id(place.document), place.span),
    )


def as_the_loader_sees_it(step: Step, context: RuleContext) -> Severity:
    """How bad a schema is that only the loader's look at gated steps refuses."""
    return ERROR if is_loaded(step, context) else WARNING


def is_loaded(step: Step, context: RuleContext) -> bool:
    """Whether the schema is read when the registry is loaded."""
    return step.gate is not None and context.judged_as in KINDS


def _reference_sides(problem: SchemaProblem, step: Step, context: RuleContext) -> list[Side]:
    if problem.place.document is context.registry:
        return []
    return taken_from(step, context) + [
        Side(place.document, place.span, place.pointer, _("and from here it continues"))
        for place in problem.chain
        if place.span != problem.place.span or place.document is not problem.place.document
    ]


def taken_from(step: Step, context: RuleContext) -> list[Side]:
    """Where the step names its schema."""
    ref = step.schema_ref
    if ref is None:
        return []
    span, pointer = (ref.schema.span, ref.schema.pointer) if ref.schema else (ref.node.span, ref.pointer)
    return [Side(context.registry, span, pointer, _("“{step}” takes its schema from there").format(step=step.id))]

"""SF709 ref-twice.

What it does: reports a `$ref` that appears twice in one output schema, or again in the target of a reference beside it,
without being a cycle. Only what upstream is certain to stumble over is reported.

Why is this bad: since 28 March 2026 climpt treats it as a cycle and refuses to load the registry. Before, it put an
empty schema in the second place, which takes anything.

Fix: write the definition out in one of the places.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.eras import CLIMPT_2026_04_01
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.intents.answer_fields import readable_schema
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, KINDS, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.project.schemas.following import follow
from stepflow_gui.project.schemas.repeated_refs import RepeatedRef, RepeatedRefs, WrittenRef
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

RULE = Rule("SF709", "ref-twice", ERROR, formats=KINDS, looks_at=FLOW)

BAD = changed(
    {
        "issue.schema.json#/note": {"type": "string"},
        "issue.schema.json#/initial.issue/properties/summary": {"$ref": "#/note"},
        "issue.schema.json#/initial.issue/properties/details": {"$ref": "#/note"},
    },
    base="c3l",
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """The first of each schema; a place that schemas share is reported once."""
    repeated = RepeatedRefs(context.schema_folder)
    seen: set[tuple[int, str]] = set()

    def look(step: Step) -> Iterator[tuple[RepeatedRef, str]]:
        schema = readable_schema(step, context)
        found = repeated.of(schema) if schema else None
        if found:
            yield found, step.id

    for found, step_id in context.each(RULE.code, look):
        if (id(found.again.document), found.again.pointer) not in seen:
            seen.add((id(found.again.document), found.again.pointer))
            yield _finding(found, step_id, context)


def _finding(found: RepeatedRef, step: str, context: RuleContext) -> Finding:
    refused = context.era.refuses_cycles
    era = context.climpt if context.climpt.refuses_cycles is refused else CLIMPT_2026_04_01
    message = (
        _("The schema of “{step}” refers to “{ref}” twice: {era} treats it as a cycle and refuses to load")
        if refused
        else _("The schema of “{step}” refers to “{ref}” twice: {era} puts an empty schema here, which takes anything")
    )
    first = found.first
    return Finding(
        message.format(step=step, ref=found.again.ref, era=era.name),
        _span(found.again),
        join(found.again.pointer, "$ref"),
        step=step,
        document=found.again.document,
        severity=ERROR if refused else WARNING,
        sides=[Side(first.document, _span(first), join(first.pointer, "$ref"), _("the first one"))],
        proposals=_written_out(found.again, context),
    )


def _span(reference: WrittenRef) -> Span:
    node = reference.document.tree.at(join(reference.pointer, "$ref"))
    assert node is not None
    return node.span


def _written_out(reference: WrittenRef, context: RuleContext) -> Iterator[Proposal]:
    """Only what refers to nothing itself: else the same happens again."""
    target = follow(reference.document, reference.ref, context.folder)
    if target is None or _refers(target.value) or not reference.document.tree.valid:
        return
    from stepflow_gui.text.json.edit import set_value

    edits = set_value(reference.document.tree, reference.pointer, target.value)
    yield Proposal(_("Write the definition out here"), tuple((reference.document, edit) for edit in edits))


def _refers(value: JsonValue) -> bool:
    stack = [value]
    while stack:
        at = stack.pop()
        if isinstance(at, dict):
            if "$ref" in at:
                return True
            stack += at.values()
        elif isinstance(at, list):
            stack += at
    return False

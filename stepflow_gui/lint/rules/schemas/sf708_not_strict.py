"""SF708 not-strict.

What it does: reports which keywords of the output schemas the Messages API's structured outputs don't take, such as
`minLength`, `oneOf` or `additionalProperties: true`.

Why is this bad: it isn't wrong. A run with that API then asks for the answer by a tool call, and the schema is checked
when the answer is there instead of while it is written.

Fix: remove the keyword, or describe it in the description.
"""

from collections.abc import Iterator

from stepflow_gui.formats.strict_schema import unsupported
from stepflow_gui.lint.rules.intents.answer_fields import readable_schema
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import FLOW, GATE, INFO, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.schemas.subschemas import Seen, seen_before, subschemas
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.pointer import join

RULE = Rule("SF708", "not-strict", INFO, formats=GATE, looks_at=FLOW)

BAD = changed({"issue.schema.json#/initial.issue/properties/summary": {"type": "string", "maxLength": 200}})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Said once a schema file."""
    by_file: dict[ParsedFile, list[Remark]] = {}
    reported: set[tuple[int, str]] = set()
    seen = seen_before(context)
    for document, pointer, keyword, step in context.each(RULE.code, lambda step: _untaken(step, context, seen())):
        if (id(document), pointer) not in reported:
            reported.add((id(document), pointer))
            by_file.setdefault(document, []).append(_remark(document, pointer, keyword, step))
    for remarks in by_file.values():
        several = _(
            "{count} keywords here, first in the output schema of “{step}”, aren't taken by structured outputs of the"
            " Messages API: such a run uses a tool call"
        )
        yield from merge_remarks(remarks, several)


def _untaken(step: Step, context: RuleContext, seen: Seen) -> Iterator[tuple[ParsedFile, str, str, str]]:
    schema = readable_schema(step, context)
    for found in subschemas(schema, context.schema_folder, seen) if schema else ():
        for keyword in unsupported(found.value):
            yield found.document, join(found.pointer, keyword), keyword, step.id


def _remark(document: ParsedFile, pointer: str, keyword: str, step: str) -> Remark:
    message = _(
        "The output schema of “{step}” uses “{keyword}”, which structured outputs of the Messages API don't take:"
        " such a run uses a tool call"
    )
    node = document.tree.at(pointer)
    assert node is not None
    place = Place(document, pointer, document.tree.key_span(pointer) or node.span)
    return Remark(message.format(step=step, keyword=keyword), _("“{word}”").format(word=keyword), place, step)

"""SF703 schema-invalid.

What it does: reports output schemas that are not JSON Schema: an unknown type, `required` that is not a list of names,
properties that are not schemas, a `pattern` that is not a regular expression. The draft is the one that the file names
in `$schema`, else draft 7.

Why is this bad: climpt passes the schema on as it is. The model's side refuses a request with an invalid one, and the
run stops at that step.

Fix: give the keyword a value that it may have.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.intents.answer_fields import readable_schema
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from
from stepflow_gui.lint.rules.schemas.subschemas import Seen, seen_before, subschemas
from stepflow_gui.project.schemas.following import SchemaValue
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

RULE = Rule("SF703", "schema-invalid", ERROR, formats=GATE, looks_at=FLOW)

BAD = changed({"issue.schema.json#/initial.issue/properties/summary": {"type": "text"}})
GOOD = changed()


_Wanted = Literal[
    "types",
    "schema",
    "schemas",
    "named schemas",
    "text",
    "texts",
    "number",
    "count",
    "boolean",
    "list",
    "expression",
]
_TYPES = frozenset({"string", "number", "integer", "object", "array", "boolean", "null"})


class _Doubt(NamedTuple):
    """A keyword whose value doesn't look right, and what should stand there."""

    keyword: str
    wanted: _Wanted


def _doubts(schema: dict[str, Any]) -> Iterator[_Doubt]:
    """The keywords of one schema, not of those inside."""
    for keyword, value in schema.items():
        wanted = _WANTED.get(keyword)
        if wanted is not None and not _FITS[wanted](value):
            yield _Doubt(keyword, wanted)
    if isinstance(schema.get("pattern"), str) and not _is_expression(schema["pattern"]):
        yield _Doubt("pattern", "expression")


_WANTED: dict[str, _Wanted] = {
    "type": "types",
    "enum": "list",
    "required": "texts",
    **dict.fromkeys(
        ("additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "additionalItems"), "schema"
    ),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "schemas"),
    **dict.fromkeys(("properties", "patternProperties", "definitions", "$defs", "dependentSchemas"), "named schemas"),
    **dict.fromkeys(("$ref", "$id", "$schema", "$comment", "title", "description", "pattern", "format"), "text"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), "count"),
    **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly"), "boolean"),
    "examples": "list",
    "items": "schema",
}


def _is_schema(value: JsonValue) -> bool:
    return isinstance(value, dict | bool)


def _is_expression(pattern: str) -> bool:
    from stepflow_gui.text.expressions.matching import compiled  # few schemas have patterns

    return compiled(pattern) is not None


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: JsonValue) -> bool:
    return _is_number(value) and value >= 0 and (isinstance(value, int) or value.is_integer())


def _are_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value) and len(set(value)) == len(value)


def _are_types(value: JsonValue) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return _are_texts(value) and bool(value) and _TYPES.issuperset(value)


_FITS: dict[_Wanted, Callable[[JsonValue], bool]] = {
    "types": _are_types,
    "schema": _is_schema,  # a list of them in `items` is for the metaschema to judge
    "schemas": lambda value: isinstance(value, list) and bool(value) and all(_is_schema(each) for each in value),
    "named schemas": lambda value: isinstance(value, dict) and all(_is_schema(each) for each in value.values()),
    "text": lambda value: isinstance(value, str),
    "texts": _are_texts,
    "number": _is_number,
    "count": _is_count,
    "boolean": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
}


def check(context: RuleContext) -> Iterator[Finding]:
    """Each schema that a step uses once; the metaschema is asked only where a keyword looks wrong."""
    reported: set[tuple[int, str, str]] = set()
    seen = seen_before(context)
    for found, doubt, step in context.each(RULE.code, lambda step: _invalid(step, context, seen())):
        place = (id(found.document), found.pointer, doubt.keyword)
        if place not in reported:
            reported.add(place)
            yield _finding(found, doubt, step, context)


def _invalid(step: Step, context: RuleContext, seen: Seen) -> Iterator[tuple[SchemaValue, _Doubt, Step]]:
    schema = readable_schema(step, context)
    for found in subschemas(schema, context.schema_folder, seen) if schema else ():
        for doubt in _doubts(found.value):
            value = found.value[doubt.keyword]
            if isinstance(value, str) and has_placeholder(value):
                continue
            if doubt.wanted == "expression" or _refused(found, doubt.keyword):
                yield found, doubt, step


def _finding(found: SchemaValue, doubt: _Doubt, step: Step, context: RuleContext) -> Finding:
    wanted = {
        "types": _("the name of a type (string, number, integer, object, array, boolean, null), or a list of them"),
        "schema": _("a schema"),
        "schemas": _("a list of schemas"),
        "named schemas": _("an object of schemas"),
        "text": _("a string"),
        "texts": _("a list of different texts"),
        "number": _("a number"),
        "count": _("a whole number, at least 0"),
        "boolean": _("true or false"),
        "list": _("a list"),
        "expression": _("a regular expression as JavaScript reads it"),
    }[doubt.wanted]
    pointer = join(found.pointer, doubt.keyword)
    node = found.document.tree.at(pointer)
    assert node is not None
    text = _("“{keyword}” in the output schema of “{step}” must be {wanted}: the model's side refuses the schema")
    message = text.format(keyword=doubt.keyword, step=step.id, wanted=wanted)
    sides = taken_from(step, context)
    return Finding(message, node.span, pointer, step=step.id, document=found.document, sides=sides)


def _refused(found: SchemaValue, keyword: str) -> bool:
    """Whether the metaschema of the file's draft says so, too."""
    from jsonschema.validators import Draft7Validator, validator_for  # slow to load, and needed for wrong schemas only

    root = found.document.root
    named: dict[str, Any] = {}
    for holder in (root.value if root else None, found.value):
        if isinstance(holder, dict) and isinstance(holder.get("$schema"), str):
            named = {"$schema": holder["$schema"]}
    meta = validator_for(named, default=Draft7Validator).META_SCHEMA
    validator = validator_for(meta)(meta)
    return any(
        error.absolute_path and error.absolute_path[0] == keyword
        for error in validator.iter_errors({keyword: found.value[keyword]})
    )

"""The schemas inside an output schema, as plain values with their places, references followed.

Values only: places cost time to find, and findings are rare. References that have no target are left out; the rules
about them tell.
"""

from collections.abc import Callable, Iterator
from typing import Any

from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.schemas.following import SchemaValue, follow
from stepflow_gui.text.pointer import join

ONE = (
    *("items", "additionalProperties", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
MAPS = ("properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "dependencies")


Seen = set[tuple[int, str]]


def seen_before(context: RuleContext) -> Callable[[], Seen]:
    """What to take as seen when a step's schema is checked, for a rule that tells of a place once, whoever uses it.

    It is what steps before it have; nothing in a lint that remembers, which has to learn what each step says by itself.
    """
    seen: Seen = set()
    return (lambda: seen) if context.memory is None else set


def subschemas(schema: StepSchema, folder: AgentFolder, seen: Seen) -> Iterator[SchemaValue]:
    """Every object in the place of a schema, in the order of the text. What is `seen` is passed over, and marked."""
    root = schema.place
    node = root.document.tree.at(root.pointer) if root else None
    stack = [SchemaValue(root.document, root.pointer, node.value)] if root and node else []
    while stack:
        found = stack.pop()
        key = (id(found.document), found.pointer)
        if key in seen or not isinstance(found.value, dict):
            continue
        seen.add(key)
        yield found
        below = list(_inside(found))
        ref = found.value.get("$ref")
        target = follow(found.document, ref, folder) if isinstance(ref, str) else None
        stack += reversed([*below, target] if target else below)


def inherited(schema: SchemaValue, folder: AgentFolder) -> Iterator[SchemaValue]:
    """What a schema takes over whole: the targets of its `$ref` and what is in its `allOf`, theirs among it."""
    seen: Seen = set()
    stack = [schema]
    while stack:
        found = stack.pop()
        if (id(found.document), found.pointer) in seen or not isinstance(found.value, dict):
            continue
        seen.add((id(found.document), found.pointer))
        if found is not schema:
            yield found
        ref, parts = found.value.get("$ref"), found.value.get("allOf")
        target = follow(found.document, ref, folder) if isinstance(ref, str) else None
        stack += [target] if target else []
        for index, part in enumerate(parts if isinstance(parts, list) else ()):
            stack.append(SchemaValue(found.document, join(found.pointer, "allOf", index), part))


def _inside(found: SchemaValue) -> Iterator[SchemaValue]:
    schema: dict[str, Any] = found.value
    for key, value in schema.items():
        if isinstance(value, dict):
            where = join(found.pointer, key)
            if key in ONE:
                yield SchemaValue(found.document, where, value)
            elif key in MAPS:
                for name, inner in value.items():
                    yield SchemaValue(found.document, join(where, name), inner)
        elif isinstance(value, list) and key in LISTS:
            for index, inner in enumerate(value):
                yield SchemaValue(found.document, join(found.pointer, key, index), inner)

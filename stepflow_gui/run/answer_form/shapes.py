"""An output schema as a form reads it: references followed inside it, `allOf` merged, alternatives laid out."""

from collections.abc import Mapping
from typing import Any

from stepflow_gui.messages import _
from stepflow_gui.run.schema_errors import kinds_in_words
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import split

Schema = Mapping[str, Any]
_DEEPEST = 20  # references and merges inside one another
_ALTERNATIVES = ("oneOf", "anyOf")
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


def settled(schema: object, root: Schema, deep: int = 0) -> Schema:
    """A schema with its own `$ref` and `allOf` resolved; a dangling reference allows anything."""
    if not isinstance(schema, Mapping):
        return {}
    ref = schema.get("$ref")
    members = schema.get("allOf")
    if deep > _DEEPEST or not (isinstance(ref, str) or isinstance(members, list)):
        return schema
    merged: dict[str, Any] = {key: value for key, value in schema.items() if key not in {"$ref", "allOf"}}
    parts = [_at(ref, root)] if isinstance(ref, str) else []
    parts += members if isinstance(members, list) else []
    for part in parts:
        merged = _merged(merged, settled(part, root, deep + 1))
    return merged


def alternatives(schema: Schema, root: Schema) -> tuple[Schema, ...]:
    """The forms that a value may have, each with what all have in common; () where there is but one."""
    for key in _ALTERNATIVES:
        listed = schema.get(key)
        if isinstance(listed, list) and listed:
            common = {name: value for name, value in schema.items() if name != key}
            found = tuple(settled(_merged(common, settled(each, root)), root) for each in listed)
            return found if len(found) > 1 else alternatives(found[0], root)
    types = schema.get("type")
    if isinstance(types, list) and len(types) > 1 and "enum" not in schema and "const" not in schema:
        return tuple({**schema, "type": each} for each in types)
    return ()


def only(schema: Schema, root: Schema) -> Schema:
    """The schema, or its one alternative where it has no other."""
    for key in _ALTERNATIVES:
        listed = schema.get(key)
        if isinstance(listed, list) and len(listed) == 1:
            common = {name: value for name, value in schema.items() if name != key}
            return settled(_merged(common, settled(listed[0], root)), root)
    return schema


def type_of(schema: Schema) -> str | None:
    """The type that a resolved schema requires, as far as it is declared or implied."""
    types = schema.get("type")
    if isinstance(types, list):
        types = types[0] if len(types) == 1 else None
    if isinstance(types, str):
        return types
    if "properties" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    return next(
        (kind for kind, keys in _TELLTALE.items() if any(key in schema for key in keys)),
        None,
    )


_TELLTALE = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def kind_of_value(value: JsonValue) -> str:
    """The JSON type of a value."""
    return "null" if value is None else _TYPES[type(value)]


def named(alternative: Schema, number: int) -> str:
    """What an alternative is called: its title, the constant that sets it apart, its type."""
    title = alternative.get("title")
    if isinstance(title, str) and title:
        return title
    if "const" in alternative:
        return str(alternative["const"])
    properties = alternative.get("properties")
    for each in properties.values() if isinstance(properties, Mapping) else ():
        if isinstance(each, Mapping) and isinstance(each.get("const"), str):
            return str(each["const"])
    kind = type_of(alternative)
    return kinds_in_words(kind) if kind else _("Form {number}").format(number=number)


def _at(ref: str, root: Schema) -> object:
    """The target of a reference inside the root; {} for a dangling or external one."""
    if not ref.startswith("#"):
        return {}
    try:
        keys = split(ref[1:])
    except ValueError:
        return {}
    found: object = root
    for key in keys:
        if isinstance(found, Mapping):
            found = found.get(key)
        elif isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            return {}
    return found


def _merged(first: Schema, second: Schema) -> dict[str, Any]:
    """Both schemas at once, as the runner merges: `required` united, `properties` overlaid, else the first's."""
    merged = {**second, **first}
    mine, its = first.get("required"), second.get("required")
    if isinstance(mine, list) and isinstance(its, list):
        merged["required"] = list(dict.fromkeys(name for name in (*mine, *its) if isinstance(name, str)))
    mine, its = first.get("properties"), second.get("properties")
    if isinstance(mine, Mapping) and isinstance(its, Mapping):
        merged["properties"] = {**mine, **its}
    return merged

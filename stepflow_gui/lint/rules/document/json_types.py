"""JSON types in messages: what a field must be, what a value is."""

from stepflow_gui.formats.fields import Shape
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue, kind_of


def expectation(shape: Shape) -> str:
    """What a field must be, as a noun with its article."""
    texts = shape.of is not None and shape.of.kind == "string"
    return {
        "string": _("a text"),
        "boolean": _("true or false"),
        "integer": _("a whole number"),
        "number": _("a number"),
        "object": _("an object"),
        "map": _("an object"),
        "list": _("a list of texts") if texts else _("a list"),
    }[shape.kind]


def a_kind(value: JsonValue) -> str:
    """What a value is, as a noun with its article."""
    return {
        "object": _("an object"),
        "array": _("a list"),
        "string": _("a text"),
        "number": _("a number"),
        "boolean": _("true or false"),
        "null": _("null"),
        "missing": _("nothing"),
    }[kind_of(value)]

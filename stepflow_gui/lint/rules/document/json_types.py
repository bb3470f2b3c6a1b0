"""JSON types in messages: what a field must be, what a value is, and which value a text was meant for."""

import re

from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.closest_name import slip_of
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue, kind_of


def expectation(shape: Shape) -> str:
    """What a field must be, as a noun with its article."""
    texts = shape.of is not None and shape.of.kind == "string"
    return {
        "string": _("a string"),
        "boolean": _("true or false"),
        "integer": _("a whole number"),
        "number": _("a number"),
        "object": _("an object"),
        "map": _("an object"),
        "list": _("a list of strings") if texts else _("a list"),
    }[shape.kind]


def a_kind(value: JsonValue) -> str:
    """What a value is, as a noun with its article."""
    return {
        "object": _("an object"),
        "array": _("a list"),
        "string": _("a string"),
        "number": _("a number"),
        "boolean": _("true or false"),
        "null": _("null"),
        "missing": _("nothing"),
    }[kind_of(value)]


_BOOLEANS = {
    **dict.fromkeys(("true", "yes", "y", "on"), "true"),
    **dict.fromkeys(("false", "no", "n", "off"), "false"),
}
_DIGITS = str.maketrans("OoIl", "0011", "_")
_INTEGER = re.compile(r"-?(0|[1-9]\d*)")
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")


def literal_meant(kind: str, text: str) -> str | None:
    """The true, false or number that a text stands for where a field of that kind wants it; None where nothing tells.

    Words of older YAML count as what they mean there, and so do words and digits that only a slip parts from them.
    """
    plain = text.strip().lower()
    if kind == "boolean":
        return _BOOLEANS.get(plain) or slip_of(plain, ("true", "false"))
    form = {"integer": _INTEGER, "number": _NUMBER}.get(kind)
    digits = text.strip().translate(_DIGITS)
    return digits if form is not None and any(map(str.isdigit, text)) and form.fullmatch(digits) else None

"""JSON types as fields expect them, and their names in messages."""

from typing import Literal

from stepflow_gui.messages import _
from stepflow_gui.text.json_tree import Node

Expected = Literal["string", "boolean", "object", "strings"]


def fits(node: Node, expected: Expected) -> bool:
    """Whether a value has the type; of `strings` only that it is a list."""
    return node.kind == ("array" if expected == "strings" else expected)


def expectation(expected: Expected) -> str:
    """What a field must be, as a noun with its article."""
    return {
        "string": _("a text"),
        "boolean": _("true or false"),
        "object": _("an object"),
        "strings": _("a list of texts"),
    }[expected]


def a_kind(node: Node) -> str:
    """What a value is, as a noun with its article."""
    return {
        "object": _("an object"),
        "array": _("a list"),
        "string": _("a text"),
        "number": _("a number"),
        "boolean": _("true or false"),
        "null": _("null"),
        "missing": _("nothing"),
    }[node.kind]

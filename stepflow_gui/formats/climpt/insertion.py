"""New members of a registry, written as their neighbours are."""

import json
import re

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json_tree import JsonValue, Node

_ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}")
_INDENT = re.compile(r"\n([ \t]+)\S")


def literal(text: str, value: JsonValue) -> str:
    """A plain value as JSON; other than ASCII is escaped where the file itself escapes it."""
    return json.dumps(value, ensure_ascii=text.isascii() and bool(_ESCAPED.search(text)))


def rule(text: str, target: str | None, neighbour: Node | None) -> str:
    """A transition to a target: as its neighbour is written, without what that says besides the target."""
    written = literal(text, target)
    members = neighbour.members() if neighbour else []
    if neighbour is None or len(members) != 1 or members[0].key != "target":
        return '{ "target": ' + written + " }"
    before = members[0].value
    return text[neighbour.start : before.start] + written + text[before.end : neighbour.end]


def nested(text: str, holder: Node, key: str, value: str) -> str:
    """An object of one member that will be the value of a new member of `holder`."""
    lead = _lead(text, holder)
    if "\n" not in lead:
        return "{ " + f"{literal(text, key)}: {value}" + " }"
    return "{" + lead + _unit(text) + f"{literal(text, key)}: {value}" + lead + "}"


def member(text: str, holder: Node, key: str, value: str) -> TextEdit:
    """Add a member at the end of an object, `value` being its text."""
    members = holder.members()
    lead = _lead(text, holder)
    if members:
        last = members[-1]
        colon = text[last.key_end : last.value.start]
        return TextEdit(last.value.end, last.value.end, f",{lead}{literal(text, key)}{colon}{value}")
    close = lead[: -len(_unit(text))] if "\n" in lead else lead
    return TextEdit(holder.start, holder.end, "{" + f"{lead}{literal(text, key)}: {value}{close}" + "}")


def _lead(text: str, holder: Node) -> str:
    """What stands between the members of an object: a space, or a line end and the indent."""
    members = holder.members()
    if members:
        start = members[-1].key_start
        before = text[:start].rstrip(" \t\r\n")
        lead = text[len(before) : start]
        return lead if len(members) > 1 or lead else " "
    line = text[text.rfind("\n", 0, holder.start) + 1 : holder.start]
    if "\n" not in text:
        return " "
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return ("\r\n" if "\r\n" in text else "\n") + indent + _unit(text)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "

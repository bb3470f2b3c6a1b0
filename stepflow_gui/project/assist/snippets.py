"""What a completed key brings along: its value begun, with the members that it needs."""

import json

from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.text.json.style import Style
from stepflow_gui.text.json.tree import JsonValue

_DEEPEST = 2  # objects in objects that are begun


class SnippetStyle:
    """How a file is written where something is put in: the line's indentation, a step of it, the line end."""

    __slots__ = ("indent", "newline", "padding", "unit")

    def __init__(self, indent: str, unit: str | None, newline: str, padding: str) -> None:
        self.indent = indent
        self.padding = padding  # inside the braces of an object in one line
        self.unit = unit  # None where the file is all in one line
        self.newline = newline

    def deeper(self) -> "SnippetStyle":
        """One step further in."""
        return SnippetStyle(self.indent + (self.unit or ""), self.unit, self.newline, self.padding)


def layout_at(text: str, offset: int, style: Style, *, flat: bool) -> SnippetStyle:
    """The layout of the line that an offset is in; `flat`: what is put in has to stay in that line."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return SnippetStyle(
        text[start : min(end, offset)], None if flat else style.unit, style.newline, style.object_padding
    )


def begun(shape: Shape, known_as: str, default: JsonValue, layout: SnippetStyle, depth: int = 0) -> tuple[str, int]:
    """The text of a value as it is begun, and where in it the caret goes: where the first thing is to be written."""
    if isinstance(default, bool | int | str) and shape.kind != "either":
        text = json.dumps(default, ensure_ascii=False)
        return text, len(text) - 1 if isinstance(default, str) else len(text)
    if shape.kind == "either":
        return begun(shape.either[0], known_as, None, layout, depth)
    if shape.kind == "string":
        return '""', 1
    if shape.kind == "list":
        return "[]", 1
    if shape.kind == "object":
        needed = [field for field in shape.fields if _is_needed(field, known_as)]
        return _object(needed, known_as, layout, depth) if needed and depth < _DEEPEST else ("{}", 1)
    return ("{}", 1) if shape.kind == "map" else ("", 0)


def _is_needed(field: Field, known_as: str) -> bool:
    return field.need in {"load", "run"} and field.known_in(known_as) and not field.newer


def _object(fields: list[Field], known_as: str, layout: SnippetStyle, depth: int) -> tuple[str, int]:
    inner = layout.deeper()
    members = [(field.name, *begun(field.shape, known_as, field.default, inner, depth + 1)) for field in fields]
    flat = layout.unit is None or (len(members) == 1 and "\n" not in members[0][1])
    between = ", " if flat else "," + layout.newline + inner.indent
    text = "{" + layout.padding if flat else "{" + layout.newline + inner.indent
    caret = 0
    for number, (name, value, at) in enumerate(members):
        text += between if number else ""
        text += json.dumps(name, ensure_ascii=False) + ": "
        if not caret and (value in {"", '""', "[]", "{}"} or at < len(value)):
            caret = len(text) + at
        text += value
    text += layout.padding + "}" if flat else layout.newline + layout.indent + "}"
    return text, caret or len(text)

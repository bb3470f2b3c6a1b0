"""Writing values as JSON text in a file's own style."""

import json
import math
import re

from stepflow_gui.text.json.indent import same_line
from stepflow_gui.text.json.style import Style, spans
from stepflow_gui.text.json.tree import JsonValue, Node, kind_of

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\u[0-9a-f]{4}")


class Written(str):
    """JSON text that is put as it is where a value is asked for, such as a copy of another value's text."""

    __slots__ = ()


class Writer:
    """Writes values into one file's text: as the value they are like, else as the file is written."""

    def __init__(self, text: str, style: Style) -> None:
        self._text = text
        self._style = style

    def value(self, value: JsonValue, indent: str, model: Node | None = None, flat: bool = False) -> str:
        """The text of a value that begins in a line of that indentation.

        `model` is a value of the file that it should look like; `flat` keeps it in one line. Raises ValueError for
        NaN, which JSON has no text for, TypeError for what is not a JSON value.
        """
        if isinstance(value, Written):
            return str(value)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, float) and math.isinf(value):
            return "1e999" if value > 0 else "-1e999"  # a number too large for a float is read as infinity
        if not isinstance(value, dict | list):
            return json.dumps(value, allow_nan=False)
        if model is not None and (model.kind != kind_of(value) or not spans(model)):
            model = None
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        if not value:
            return opening + closing
        if flat or self._is_flat(value, model):
            padding = self._padding(value, model)
            line = f",{self._style.comma}".join(self._inside(value, indent, model, flat=True))
            return f"{opening}{padding}{line}{padding}{closing}"
        inner = indent + (self._style.unit or "")
        lines = f",{self._style.newline}{inner}".join(self._inside(value, inner, model, flat=False))
        return f"{opening}{self._style.newline}{inner}{lines}{self._style.newline}{indent}{closing}"

    def string(self, value: str) -> str:
        """A string with its quotes, escaped as the file escapes."""
        style = self._style
        text = json.dumps(value, ensure_ascii=style.escapes)
        if not style.escapes:
            text = _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)  # UTF-8 has no lone surrogates
        if style.upper_escapes:
            text = _ESCAPE.sub(lambda found: "\\u" + found[0][2:].upper(), text)
        return text.replace("/", "\\/") if style.escapes_slashes else text

    def member(self, key: str, value: JsonValue, indent: str, model: Node | None = None, flat: bool = False) -> str:
        """The text of a member, without anything around it."""
        return self.string(key) + self._style.colon + self.value(value, indent, model, flat)

    def _inside(self, value: JsonValue, indent: str, model: Node | None, *, flat: bool) -> list[str]:
        if isinstance(value, dict):
            return [self.member(key, inner, indent, _like(model, key, inner), flat) for key, inner in value.items()]
        return [self.value(inner, indent, _like(model, None, inner), flat) for inner in value]

    def _is_flat(self, value: JsonValue, model: Node | None) -> bool:
        inside = list(value.values()) if isinstance(value, dict) else value
        is_plain = not any(isinstance(inner, dict | list) and inner for inner in inside)
        if self._style.unit is None:
            return True
        if model is not None:
            like = any(inner.kind in ("object", "array") for inner in _values(model))
            return same_line(self._text, model.start, model.end) and (is_plain or like)
        if not is_plain:
            return False
        return len(value) <= self._style.flat_members if isinstance(value, dict) else self._style.flat_arrays

    def _padding(self, value: JsonValue, model: Node | None) -> str:
        if model is not None and same_line(self._text, model.start, model.end):
            first_gap = self._text[model.start + 1 : spans(model)[0][0]]
            if not first_gap.strip():
                return first_gap
        return self._style.object_padding if isinstance(value, dict) else self._style.array_padding


def _values(node: Node) -> list[Node]:
    return [member.value for member in node.members()] or node.items()


def _like(model: Node | None, key: str | None, value: JsonValue) -> Node | None:
    """The value inside a model that one inside a new value should look like."""
    if model is None or not isinstance(value, dict | list):
        return None
    named = model.get(key) if key is not None else None
    candidates = ([named] if named is not None else []) + _values(model)[:20]
    return next((node for node in candidates if node.kind == kind_of(value) and spans(node)), None)

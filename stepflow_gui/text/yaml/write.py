"""Writes values as YAML text, in the style of the text that they are inserted into."""

import json
import re
from math import isinf, isnan
from typing import Literal, NamedTuple

from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.source import Span
from stepflow_gui.text.yaml.lines import usual_line_end, with_line_feeds
from stepflow_gui.text.yaml.scalar import plain_value

Style = Literal["plain", "single", "double", "literal"]

_INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")
_UNPRINTED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff\ufffe\uffff]")
_FLOW_ENDS = re.compile(r"[,\[\]{}]")
_INDENTED = re.compile(r"^([ ]+)[^\s#]", re.MULTILINE)
_KEY_OF_LIST = re.compile(
    r"^((?: |- )*)[\w\"'][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ ]*(?:#[^\n]*)?\r?\n)*([ ]*)- ", re.MULTILINE
)


class Writing(NamedTuple):
    """How a text is written: its line ends, the indentation of a level, and that of lists below their key."""

    line_end: str
    step: int
    lists: int

    def value(self, value: JsonValue, indent: int, *, flow: bool = False, style: Style = "plain") -> str:
        """A value as it stands behind a key or dash at a level of that indentation, without the blank before."""
        if isinstance(value, dict | list) and value and not flow:
            return self._block(value, indent)
        if isinstance(value, dict):
            inner = ", ".join(
                f"{key_text(key, flow=True)}: {self.value(each, 0, flow=True)}" for key, each in value.items()
            )
            return f"{{ {inner} }}" if inner else "{}"
        if isinstance(value, list):
            return f"[{', '.join(self.value(each, 0, flow=True) for each in value)}]"
        if not isinstance(value, str):
            return _constant(value)
        return self.text(value, indent, flow=flow, style=style)

    def text(self, text: str, indent: int, *, flow: bool, style: Style) -> str:
        """A text, in the wished style if that can hold it."""
        if not flow and (style == "literal" or (style == "plain" and "\n" in text)) and _fits_literal(text):
            return self._literal(text, indent)
        if style == "plain" and is_plain(text, flow=flow):
            return text
        if (
            style != "double"
            and "\n" not in text
            and not _UNPRINTED.search(text)
            and ("'" not in text or style == "single")
        ):
            return "'" + text.replace("'", "''") + "'"
        return quoted(text)

    def member(self, key: str, value: JsonValue, indent: int, *, flow: bool = False) -> str:
        """A key with its value; further lines are indented as a block at that level wants."""
        return f"{key_text(key, flow=flow)}:{self.behind_key(value, indent, flow=flow)}"

    def behind_key(self, value: JsonValue, indent: int, *, flow: bool = False, style: Style = "plain") -> str:
        """What stands behind the colon of a key."""
        if not flow and isinstance(value, dict | list) and value:
            inner = indent + (self.lists if isinstance(value, list) else self.step)
            return f"{self.line_end}{' ' * inner}{self._block(value, inner)}"
        return " " + self.value(value, indent, flow=flow, style=style)

    def item(self, value: JsonValue, indent: int) -> str:
        """A dash with its value."""
        return f"- {self.value(value, indent + 2 if isinstance(value, dict | list) else indent)}"

    def _block(self, value: JsonValue, indent: int) -> str:
        between = self.line_end + " " * indent
        if isinstance(value, dict):
            return between.join(self.member(key, each, indent) for key, each in value.items())
        return between.join(self.item(each, indent) for each in value)

    def _literal(self, text: str, indent: int) -> str:
        body = text.rstrip("\n")
        ends = len(text) - len(body)
        header = "|" + ("-" if not ends else "" if ends == 1 else "+")
        pad = " " * (indent + self.step)
        lines = [pad + line if line else "" for line in body.split("\n")] + [""] * max(0, ends - 1)
        return self.line_end.join([header, *lines])


def writing_of(text: str) -> Writing:
    """The style of a text, by the first places that show it."""
    line_end = usual_line_end(text)
    text = with_line_feeds(text)
    found = _KEY_OF_LIST.search(text)
    lists = max(0, len(found[2]) - len(found[1])) if found is not None else 2
    step = min((len(each[1]) for each in _INDENTED.finditer(text)), default=2)
    return Writing(line_end, step if step in {2, 3, 4, 8} else 2, lists)


def rewritten(text: str, span: Span, word: str) -> str:
    """A short text in place of a scalar, in its quotes if it has any."""
    node = Node(None, span.start, span.end, text)
    around = text[max(0, with_line_feeds(text).rfind("\n", 0, span.start)) : span.start]
    style = style_of(text, node)
    flow = "[" in around or "{" in around
    return writing_of(text).text(word, 0, flow=flow, style="plain" if style == "literal" else style)


def style_of(text: str, node: Node) -> Style:
    """How a scalar is written."""
    first = text[node.start : node.start + 1]
    if first in {"|", ">"} and node.end > node.start:
        return "literal"
    return "single" if first == "'" else "double" if first == '"' else "plain"


def key_text(key: str, *, flow: bool = False) -> str:
    """A key, without quotes where it can be."""
    return key if is_plain(key, flow=flow) and ":" not in key else quoted(key)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Whether a text without quotes is read as this text."""
    if not text or text != text.strip() or plain_value(text) != text or "\n" in text or _UNPRINTED.search(text):
        return False
    if text[0] in _INDICATORS and not (text[0] in "-?:" and len(text) > 1 and text[1] not in " -"):
        return False
    if ": " in text or " #" in text or text.endswith(":") or text.startswith(("---", "...")):
        return False
    return not flow or (not _FLOW_ENDS.search(text) and not text.startswith(("?", ":", "-")))


def quoted(text: str) -> str:
    """A text in double quotes."""
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _constant(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and isnan(value):
        return ".nan"
    if isinstance(value, float) and isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return str(value)


def _fits_literal(text: str) -> bool:
    """Whether a block of lines can hold a text: its first line sets the indentation, so it must not be indented."""
    body = text.strip("\n")
    return bool(body) and not text.startswith(("\n", " ")) and not _UNPRINTED.search(text.replace("\t", ""))

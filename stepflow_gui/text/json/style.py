"""How a JSON file is written: its indentation, line ends, spacing and escapes, found out from the file."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from stepflow_gui.text.json.indent import line_indent, same_line
from stepflow_gui.text.json.tree import JsonTree, Node

_LOOKED_AT = 400  # values that are looked at; a file that changes its style later is written as it begins
_UNICODE_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])([0-9a-fA-F]{4})")


class Style:
    """How a file is written. `unit` is one level of indentation; None where the file is all in one line."""

    __slots__ = (
        "array_padding", "colon", "comma", "escapes", "escapes_slashes", "flat_arrays", "flat_members", "newline",
        "object_padding", "unit", "upper_escapes",
    )  # fmt: skip

    def __init__(self) -> None:
        self.unit: str | None = "  "
        self.newline = "\n"
        self.colon = ": "
        self.comma = " "  # what follows a comma inside a line
        self.object_padding = " "  # inside the braces of an object in one line
        self.array_padding = ""
        self.flat_arrays = False  # arrays of plain values are on one line
        self.flat_members = 0  # objects of up to so many plain values are on one line
        self.escapes = False  # characters outside ASCII are written as \uXXXX
        self.upper_escapes = False
        self.escapes_slashes = False


@lru_cache(maxsize=8)  # many edits are asked of one text, a quick fix each
def style_of(tree: JsonTree) -> Style:
    """The style that the file's own text shows, as far as it goes."""
    style = Style()
    text = tree.source.text
    style.newline = _newline(text)
    escapes = _UNICODE_ESCAPE.findall(text) if "\\u" in text else []
    style.escapes = bool(escapes) and text.isascii()
    style.upper_escapes = any(re.search("[A-F]", code) for code in escapes)
    style.escapes_slashes = "\\/" in text and not re.search(r"[^\\]/", text)
    if tree.root is not None:
        _look_at(style, text, tree.root)
    return style


def _newline(text: str) -> str:
    windows = text.count("\r\n")
    unix = text.count("\n") - windows
    mac = text.count("\r") - windows
    if windows > unix:
        return "\r\n"
    return "\r" if mac > unix else "\n"


def _look_at(style: Style, text: str, root: Node) -> None:
    units: Counter[str] = Counter()
    colons: Counter[str] = Counter()
    commas: Counter[str] = Counter()
    paddings: dict[str, Counter[str]] = {"object": Counter(), "array": Counter()}
    flat_arrays = 0
    for node in _first(root.nodes()):
        children = spans(node)
        colons.update(text[member.key_end : member.value.start] for member in node.members()[:20])
        if not children:
            continue
        first_gap = text[node.start + 1 : children[0][0]]
        is_flat = same_line(text, node.start, node.end)
        if is_flat:
            paddings[node.kind][first_gap] += 1
            commas.update(gaps(text, children))
        elif (unit := _unit(text, node, first_gap)) is not None:
            units[unit] += 1
        if not _has_inside(node):
            if node.kind == "array":
                flat_arrays += 1 if is_flat else -1
            elif is_flat:
                style.flat_members = max(style.flat_members, len(children))
    style.unit = _most(units, "  ") if units or not same_line(text, root.start, root.end) or not spans(root) else None
    usual = {colon: count for colon, count in colons.items() if not colon.strip(" \t:")}
    style.colon = _most(Counter(usual), ": ")
    style.comma = _most(commas, " " if style.colon.endswith(" ") else "")
    style.object_padding = _most(paddings["object"], " " if style.unit is not None else "")
    style.array_padding = _most(paddings["array"], "")
    style.flat_arrays = flat_arrays > 0 or style.unit is None


def _first(nodes: Iterable[Node]) -> Iterable[Node]:
    return (node for node, _ in zip(nodes, range(_LOOKED_AT), strict=False))


def _has_inside(node: Node) -> bool:
    inside = [member.value for member in node.members()] or node.items()
    return any(child.kind in ("object", "array") for child in inside)


def _unit(text: str, node: Node, first_gap: str) -> str | None:
    inner = first_gap.replace("\r", "\n").rpartition("\n")
    outer = line_indent(text, node.start)
    own_line = bool(inner[1]) and not inner[2].strip(" \t") and inner[2].startswith(outer)
    return inner[2][len(outer) :] if own_line else None


def _most(counted: Counter[str], otherwise: str) -> str:
    return counted.most_common(1)[0][0] if counted else otherwise


def spans(node: Node) -> list[tuple[int, int]]:
    """From where to where the members or elements of a value stand."""
    members = node.members()
    if members:
        return [(member.key_start, member.value.end) for member in members]
    return [(item.start, item.end) for item in node.items()]


def gaps(text: str, children: list[tuple[int, int]]) -> list[str]:
    """The blanks after the commas between members or elements; none if anything else is between them."""
    found = []
    for (_, end), (start, _) in pairwise(children[:50]):
        before, comma, after = text[end:start].partition(",")
        if comma and not before.strip() and not after.strip():
            found.append(after)
    return found

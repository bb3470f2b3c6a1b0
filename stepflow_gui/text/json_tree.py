"""The tree of a JSON text: values with the spans of their keys and values, duplicates kept.

Valid text is read by the standard library's C scanner; the spans inside a value are taken when somebody asks for
them. Text that the scanner refuses goes to `json_recovery`, which gives the same tree, with problems.
"""

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Literal, NamedTuple

from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source, Span

Kind = Literal["object", "array", "string", "number", "boolean", "null", "missing"]
JsonValue = Any  # a plain Python value as json.loads gives it: shared with the tree, never changed

_BLANK = re.compile(r"[ \t\n\r]*")


class Node:
    """A value in the text. `value` is the plain Python value; `start` and `end` where it stands, quotes included."""

    __slots__ = ("_children", "_text", "end", "start", "value")

    def __init__(self, value: JsonValue, start: int, end: int, text: str) -> None:
        self.value = value
        self.start = start
        self.end = end
        self._text = text
        self._children: list[Member] | list[Node] | None = None

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return Span(self.start, self.end)

    @property
    def kind(self) -> Kind:
        """What JSON calls the value; `missing` where a recovered text has none."""
        if self.value is None and self.start == self.end:
            return "missing"
        return kind_of(self.value)

    def members(self) -> "list[Member]":
        """The members of an object in file order, duplicates included; [] for any other value."""
        if not isinstance(self.value, dict):
            return []
        if self._children is None:
            self._children = _scan_members(self._text, self.start)
        return self._children  # type: ignore[return-value]

    def items(self) -> "list[Node]":
        """The elements of an array; [] for any other value."""
        if not isinstance(self.value, list):
            return []
        if self._children is None:
            self._children = _scan_items(self._text, self.start)
        return self._children  # type: ignore[return-value]

    def member(self, key: str) -> "Member | None":
        """The member of that key; of duplicates the last, which is the one that JSON readers take."""
        if not isinstance(self.value, dict) or key not in self.value:
            return None
        return next((member for member in reversed(self.members()) if member.key == key), None)

    def get(self, key: str) -> "Node | None":
        """The value of that key."""
        member = self.member(key)
        return member.value if member else None

    def at(self, pointer: str) -> "Node | None":
        """The value that a JSON Pointer leads to from here."""
        node: Node | None = self
        for token in split(pointer):
            if node is None:
                return None
            if isinstance(node.value, list):
                items = node.items()
                node = items[int(token)] if token.isdecimal() and int(token) < len(items) else None
            else:
                node = node.get(token)
        return node

    def walk(self, pointer: str = "") -> "Iterator[tuple[str, Node]]":
        """This value and all below it with their pointers, in file order, duplicates each. Iterative: any depth."""
        stack: list[tuple[str, Node]] = [(pointer, self)]
        while stack:
            where, node = stack.pop()
            yield where, node
            below = [(join(where, member.key), member.value) for member in node.members()]
            below += [(join(where, index), item) for index, item in enumerate(node.items())]
            stack.extend(reversed(below))


class Member(NamedTuple):
    """A key with its value; `key_start` and `key_end` enclose the key with its quotes."""

    key: str
    key_start: int
    key_end: int
    value: Node

    @property
    def key_span(self) -> Span:
        """Where the key stands."""
        return Span(self.key_start, self.key_end)

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return Span(self.key_start, self.value.end)


class SyntaxProblem(NamedTuple):
    """A mistake in the text. `kind` is one of `json_recovery.KINDS`; `detail` what it is about, such as a key."""

    kind: str
    start: int
    end: int
    detail: str = ""


class Duplicate(NamedTuple):
    """A key that stands more than once in one object."""

    pointer: str  # of the member
    first: Span
    again: Span  # the later one, which wins


class JsonTree:
    """A text and what it holds. `root` is None only where nothing at all could be read."""

    __slots__ = ("_has_duplicates", "problems", "root", "source")

    def __init__(
        self, source: Source, root: Node | None, problems: tuple[SyntaxProblem, ...], has_duplicates: bool
    ) -> None:
        self.source = source
        self.root = root
        self.problems = problems
        self._has_duplicates = has_duplicates

    @property
    def valid(self) -> bool:
        """Whether the text is JSON as the standard defines it."""
        return not self.problems

    def at(self, pointer: str) -> Node | None:
        """The value at a JSON Pointer."""
        return self.root.at(pointer) if self.root else None

    def key_span(self, pointer: str) -> Span | None:
        """Where the key of the member at a JSON Pointer stands; None for elements and the root."""
        keys = split(pointer)
        if not keys or self.root is None:
            return None
        holder = self.root.at(pointer.rpartition("/")[0])
        member = holder.member(keys[-1]) if holder else None
        return member.key_span if member else None

    def pointer_at(self, offset: int) -> str:
        """The pointer of the innermost value, or of the member whose key, stands at an offset."""
        pointer, node = "", self.root
        while node is not None:
            for member in node.members():
                if member.key_start <= offset <= member.value.end:
                    pointer, inner = join(pointer, member.key), member.value
                    break
            else:
                for index, item in enumerate(node.items()):
                    if item.start <= offset <= item.end:
                        pointer, inner = join(pointer, index), item
                        break
                else:
                    return pointer
            node = inner
        return pointer

    def duplicates(self) -> list[Duplicate]:
        """Every member whose key stands in its object already."""
        if not self._has_duplicates or self.root is None:
            return []
        found = []
        for pointer, node in self.root.walk():
            seen: dict[str, Span] = {}
            for member in node.members():
                if member.key in seen:
                    found.append(Duplicate(join(pointer, member.key), seen[member.key], member.key_span))
                seen[member.key] = member.key_span
        return found


def kind_of(value: JsonValue) -> Kind:
    """What JSON calls a Python value."""
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, str):
        return "string"
    if value is None:
        return "null"
    return "boolean" if isinstance(value, bool) else "number"


def read_json(source: Source) -> JsonTree:
    """Read a text, whatever is wrong with it. Never raises."""
    text = source.text
    clashes: list[bool] = []

    def build(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        built = dict(pairs)
        if len(built) != len(pairs):
            clashes.append(True)
        return built

    def refuse(constant: str) -> JsonValue:
        raise ValueError(constant)  # NaN and Infinity are no JSON

    start = _BLANK.match(text).end()  # type: ignore[union-attr]
    try:
        value, end = json.JSONDecoder(object_pairs_hook=build, parse_constant=refuse).scan_once(text, start)
        complete = _BLANK.match(text, end).end() == len(text)  # type: ignore[union-attr]
    except (ValueError, StopIteration, RecursionError):
        complete = False
    if complete:
        return JsonTree(source, Node(value, start, end, text), (), bool(clashes))
    from stepflow_gui.text.json_recovery import recover  # broken text is rare, and a clean lint stays quick

    return recover(source)


_scan = json.JSONDecoder().scan_once


def _scan_members(text: str, start: int) -> list[Member]:
    members: list[Member] = []
    at = _skip(text, start + 1)
    while text[at] != "}":
        key, key_end = scanstring(text, at + 1, True)
        begin = _skip(text, _skip(text, key_end) + 1)
        value, end = _scan(text, begin)
        members.append(Member(key, at, key_end, Node(value, begin, end, text)))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return members


def _scan_items(text: str, start: int) -> list[Node]:
    items: list[Node] = []
    at = _skip(text, start + 1)
    while text[at] != "]":
        value, end = _scan(text, at)
        items.append(Node(value, at, end, text))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return items


def _skip(text: str, at: int) -> int:
    return _BLANK.match(text, at).end()  # type: ignore[union-attr]

"""The tree of a JSON text: values with the spans of their keys and values, duplicates kept.

The spans inside a value are taken when somebody asks for them.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

from stepflow_gui.text.json.spans import scan, scan_items, scan_members
from stepflow_gui.text.pointer import element_index, join, split
from stepflow_gui.text.source import Source, Span

Kind = Literal["object", "array", "string", "number", "boolean", "null", "missing"]
JsonValue = Any  # a plain Python value as json.loads gives it: shared with the tree, never changed

T = TypeVar("T")

_DEEP = 64  # levels below which a value's inside is read at once: one scan a level would cost the depth squared
_FEW = 8  # members up to which looking through them is quicker than an index
_SHORT = 32  # members up to which a place is looked for without keeping those of the others


class Node:
    """A value in the text. `value` is the plain Python value; `start` and `end` where it is, quotes included.

    `depth` counts the levels above it. Its members or items are scanned when somebody asks for them, unless given; and
    where a text has no key twice, `get` looks for the place of what it gives only once somebody asks for that.
    """

    __slots__ = (
        *("_end", "_holder", "_index", "_items", "_key", "_members", "_start", "_text", "_unique"),
        *("depth", "value"),
    )
    read_deep: ClassVar[Callable[[str, int, int], "Node"]]
    """Reads the value at an offset of a text, that many levels down, with all its inside: set by the reader of JSON."""

    def __init__(self, value: JsonValue, start: int, end: int, text: str, depth: int = 0, unique: bool = False) -> None:
        """`unique`: no object in here has a key twice."""
        self.value = value
        self.depth = depth
        self._start = start
        self._end = end
        self._text = text
        self._unique = unique
        self._members: list[Member] | None = None
        self._items: list[Node] | None = None
        self._index: dict[str, Member] | None = None
        self._holder: Node | None = None  # of a value that is still to be placed, with its key
        self._key: str | int = ""

    @classmethod
    def filled(
        cls,
        value: JsonValue,
        span: Span,
        text: str,
        depth: int,
        inside: "tuple[list[Member] | None, list[Node] | None]",
    ) -> "Node":
        """An object or array whose members or items are known already."""
        node = cls(value, span.start, span.end, text, depth)
        node._members, node._items = inside
        return node

    @property
    def start(self) -> int:
        """Where the value begins."""
        if self._start < 0:
            self._start = self._placed().start
        return self._start

    @property
    def end(self) -> int:
        """Where the value ends."""
        if self._end < 0:
            self._end = self._placed().end
        return self._end

    @property
    def span(self) -> Span:
        """Where the value stands."""
        return Span(self.start, self.end)

    @property
    def kind(self) -> Kind:
        """What JSON calls the value; `missing` where a recovered text has none."""
        if self.value is None and not self._unique and self.start == self.end:
            return "missing"
        return kind_of(self.value)

    def members(self) -> "list[Member]":
        """The members of an object in file order, duplicates included; [] for any other value."""
        if self._members is None:
            if not isinstance(self.value, dict):
                self._members = _NO_MEMBERS
            else:
                self._members = self._scan_members() if self._holder is None else self._placed().members()
        return self._members

    def items(self) -> "list[Node]":
        """The elements of an array; [] for any other value."""
        if self._items is None:
            if not isinstance(self.value, list):
                self._items = _NO_ITEMS
            else:
                self._items = self._scan_items() if self._holder is None else self._placed().items()
        return self._items

    def elements(self) -> "list[Node]":
        """The elements of an array as `items` gives them; where they stand is looked up when somebody asks for it."""
        if self._items is None and self._unique and isinstance(self.value, list):
            return [self._later(index) for index in range(len(self.value))]
        return self.items()

    def member(self, key: str) -> "Member | None":
        """The member of that key; of duplicates the last, which is the one that JSON readers take."""
        if not isinstance(self.value, dict) or key not in self.value:
            return None
        members = self.members()
        if len(members) <= _FEW:
            return next((member for member in reversed(members) if member.key == key), None)
        if self._index is None:
            self._index = {member.key: member for member in members}
        return self._index.get(key)

    def get(self, key: str) -> "Node | None":
        """The value of that key."""
        if self._members is None and self._unique:
            if not isinstance(self.value, dict) or key not in self.value:
                return None
            return self._later(key)
        member = self.member(key)
        return member.value if member else None

    def children(self) -> "Iterator[tuple[str, Span | Node, Node]]":
        """The members of an object in file order: key, the key's place, value.

        The place is this node where it takes a look-up: `key_span` then gives it.
        """
        if self._members is None and self._unique and isinstance(self.value, dict):
            for key in self.value:
                yield key, self, self._later(key)
        else:
            for member in self.members():
                yield member.key, member.key_span, member.value

    def key_span(self, key: str) -> Span:
        """Where a key stands that is there; of duplicates the last."""
        member = self.member(key)
        assert member is not None
        return member.key_span

    def at(self, pointer: str) -> "Node | None":
        """The value at a JSON Pointer from here."""
        node: Node | None = self
        for token in split(pointer):
            if node is None:
                return None
            if isinstance(node.value, list):
                items = node.items()
                index = element_index(token, len(items))
                node = None if index is None else items[index]
            else:
                node = node.get(token)
        return node

    def walk(self, pointer: str = "") -> "Iterator[tuple[str, Node]]":
        """This value and all below it with their pointers, in file order, duplicates each. Iterative: any depth.

        A pointer is as long as its value is deep; `nodes` walks the same nodes without pointers.
        """
        stack: list[tuple[str, Node]] = [(pointer, self)]
        while stack:
            where, node = stack.pop()
            yield where, node
            below = [(join(where, member.key), member.value) for member in node.members()]
            below += [(join(where, index), item) for index, item in enumerate(node.items())]
            stack.extend(reversed(below))

    def nodes(self) -> "Iterator[Node]":
        """This value and all below it, in file order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed([member.value for member in node.members()] or node.items()))

    def member_span(self, key: str) -> Span:
        """Where the value of a key stands that is there; of duplicates the last."""
        if self._members is None and self._unique and self._holder is None and len(self.value) <= _SHORT:
            found = self._quick_span(key)
            if found:
                return found
        member = self.member(key)
        assert member is not None
        return member.value.span

    def carry(self, shift: int, text: str) -> bool:
        """Stand so much further on in another text that has this value; False where places inside are known already."""
        if self._members is not None or self._items is not None or self._holder is not None:
            return False
        self._start += shift
        self._end += shift
        self._text = text
        return True

    def carry_members(self, key: str, node: "Node", shift: int, text: str) -> set[str]:
        """`node` is the value of a key now, and so much longer; this and the members behind it follow (see `carry`).

        Gives the keys of the other members that couldn't follow: they have new nodes, as they have after reading.
        """
        changed: set[str] = set()
        members, by = self.members(), 0
        for at, member in enumerate(members):
            inner = member.value
            if member.key == key:
                members[at] = member._replace(value=node)
                by = shift
                continue
            if not inner.carry(by, text):
                inner = Node(inner.value, inner.start + by, inner.end + by, text, inner.depth, self._unique)
                changed.add(member.key)
            if by or inner is not member.value:
                members[at] = Member(member.key, member.key_start + by, member.key_end + by, inner)
        self._index = None
        self._end += shift
        self._text = text
        return changed

    def _quick_span(self, key: str) -> Span | None:
        # Most objects are asked for one place: it is found in a quarter of the time that it takes to keep them all.
        if self.depth < _DEEP:
            with suppress(RecursionError):
                for each, _, _, start, end in scan_members(self._text, self.start):
                    if each == key:
                        return Span(start, end)
        return None

    def _later(self, key: str | int) -> "Node":
        node = Node(self.value[key], -1, -1, self._text, self.depth + 1, self._unique)
        node._holder, node._key = self, key
        return node

    def _placed(self) -> "Node":
        # The same value among the members or items of its holder, which keep what is found out about it.
        assert self._holder is not None
        if isinstance(self._key, int):
            return self._holder.items()[self._key]
        member = self._holder.member(self._key)
        assert member is not None
        return member.value

    def _scan_members(self) -> "list[Member]":
        if self.depth >= _DEEP:
            return self._read_inside().members()
        text, depth, shared, unique = self._text, self.depth + 1, self.value, self._unique
        try:
            found = [
                Member(key, at, key_end, Node(shared[key], start, end, text, depth, unique))
                for key, at, key_end, start, end in scan_members(text, self.start)
            ]
            if len(found) != len(shared):  # of duplicates only the last value is in the dict
                for _, _, _, node in found:
                    node.value = scan(text, node.start)[0]
        except RecursionError:
            return self._read_inside().members()
        return found

    def _scan_items(self) -> "list[Node]":
        if self.depth >= _DEEP:
            return self._read_inside().items()
        try:
            spans = list(scan_items(self._text, self.start))
        except RecursionError:
            return self._read_inside().items()
        text, depth, unique = self._text, self.depth + 1, self._unique
        return [Node(value, *span, text, depth, unique) for value, span in zip(self.value, spans, strict=True)]

    def _read_inside(self) -> "Node":
        return Node.read_deep(self._text, self.start, self.depth)


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
    """A mistake in the text. `kind` is one of `recovery.KINDS`; `detail` what it is about, such as a key."""

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

    @property
    def sound(self) -> bool:
        """Whether it is valid and has no key twice in one object."""
        return not self.problems and not self._has_duplicates

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
        """The pointer of the innermost value, or of the member whose key, is at an offset."""
        keys: list[str | int] = []
        node = self.root
        while node is not None:
            members, items = node.members(), node.items()
            at = _first_around(offset, members, lambda each: each.key_start, lambda each: each.value.end)
            if at is not None:
                keys.append(members[at].key)
                node = members[at].value
                continue
            at = _first_around(offset, items, lambda each: each.start, lambda each: each.end)
            node = None
            if at is not None:
                keys.append(at)
                node = items[at]
        return join("", *keys)

    def duplicates(self) -> list[Duplicate]:
        """Every member whose key is already in its object."""
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


_NO_MEMBERS: list[Member] = []
_NO_ITEMS: list[Node] = []


def _first_around(offset: int, parts: Sequence[T], start: Callable[[T], int], end: Callable[[T], int]) -> int | None:
    """The number of the first of these parts, which are in file order, that an offset is in or touches."""
    at = bisect_right(parts, offset, key=start) - 1
    if at < 0 or end(parts[at]) < offset:
        return None
    while at and end(parts[at - 1]) >= offset:
        at -= 1
    return at

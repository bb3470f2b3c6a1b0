"""A tree while it is being built: the objects and arrays that are open, innermost last."""

from typing import Literal

from stepflow_gui.text.json.tree import JsonValue, Member, Node
from stepflow_gui.text.source import Span

Want = Literal["first", "next", "colon", "value", "comma"]  # next: what a comma promised


class Frame:
    """What is known of an object or array whose end is not reached."""

    __slots__ = (
        "column",
        "comma",
        "indent",
        "is_object",
        "items",
        "key",
        "members",
        "start",
        "value",
        "virtual",
        "want",
    )

    def __init__(self, is_object: bool, start: int, virtual: bool = False) -> None:
        self.is_object = is_object
        self.start = start
        self.virtual = virtual  # its opening bracket is missing
        self.want: Want = "first"
        self.comma = start  # where the last comma stands
        self.key: tuple[str, int, int] | None = None  # None while a value without a key is read, which is dropped
        self.members: list[Member] = []
        self.items: list[Node] = []
        self.value: JsonValue = {} if is_object else []
        self.indent = 0  # of the line on which it was opened; this and `column` are known to a guided reading only
        self.column: int | None = None  # where its members begin that begin a line


class Building:
    """What was read so far of a value that begins `depth` levels down."""

    def __init__(self, text: str, depth: int, clashes: list[bool]) -> None:
        self.text = text
        self.root: Node | None = None
        self._base = depth
        self._clashes = clashes
        self._stack: list[Frame] = []
        self._levels: dict[bool, list[int]] = {True: [], False: []}  # of the open objects and arrays in the stack

    @property
    def has_duplicates(self) -> bool:
        """Whether a key appears twice in an object."""
        return bool(self._clashes)

    def _depth(self) -> int:
        return self._base + len(self._stack)

    def _open(self, frame: Frame) -> None:
        self._levels[frame.is_object].append(len(self._stack))
        self._stack.append(frame)

    def _close(self, end: int) -> None:
        frame = self._stack.pop()
        self._levels[frame.is_object].pop()
        inside = (frame.members, None) if frame.is_object else (None, frame.items)
        self._add(Node.filled(frame.value, Span(frame.start, end), self.text, self._depth(), inside))

    def _add(self, node: Node) -> None:
        """A value into the innermost object or array, or as the root."""
        if not self._stack:
            self.root = node
            return
        frame = self._stack[-1]
        frame.want = "comma"
        if not frame.is_object:
            frame.items.append(node)
            frame.value.append(node.value)
        elif frame.key is not None:
            if frame.key[0] in frame.value:
                self._clashes.append(True)
            frame.members.append(Member(*frame.key, node))
            frame.value[frame.key[0]] = node.value

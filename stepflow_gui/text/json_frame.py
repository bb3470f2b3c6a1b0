"""An object or array while it is being read."""

from typing import Literal

from stepflow_gui.text.json_tree import JsonValue, Member, Node

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

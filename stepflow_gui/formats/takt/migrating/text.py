"""The text of a piece as far as it is converted, and what isn't carried over."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.formats.takt.migrating.places import Object, as_object
from stepflow_gui.text.edit import apply, ordered
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.yaml.edit import change_together
from stepflow_gui.text.yaml.tree import YamlTree, read_yaml_tree


class Left(NamedTuple):
    """What isn't carried over as it was: the pointer in the piece as it was, and what becomes of it."""

    pointer: str
    message: str


def note_lines(left: Iterable[Left]) -> list[str]:
    """Notes as lines: those that say the same of several places in one."""
    places: dict[str, list[str]] = {}
    for each in left:
        places.setdefault(each.message, []).append(each.pointer)
    return [
        f"{', '.join(pointers)}: {message}" if (pointers := [each for each in found if each]) else message
        for message, found in places.items()
    ]


class PieceText:
    """The text with changes that are gathered and made together: `make` raises ValueError where they would do more.

    Pointers are those of the text as it stands, before what is gathered.
    """

    def __init__(self, tree: YamlTree) -> None:
        self.tree = tree
        self.left: list[Left] = []
        self._values: dict[str, JsonValue] = {}
        self._removed: list[str] = []
        self._renamed: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The text as it stands."""
        return self.tree.source.text

    @property
    def root(self) -> Object:
        """The value of the whole file."""
        return as_object(self.tree.root.value if self.tree.root is not None else None)

    def has(self, pointer: str) -> bool:
        """Whether there is something at a pointer that isn't to be removed."""
        return pointer not in self._removed and self.tree.at(pointer) is not None

    def value(self, pointer: str) -> JsonValue:
        """The value at a pointer. Raises LookupError where there is none."""
        node = self.tree.at(pointer)
        if node is None:
            raise LookupError(f"nothing at {pointer!r}")
        return node.value

    def note(self, pointer: str, message: str) -> None:
        """Report what isn't as it was."""
        self.left.append(Left(pointer, message))

    def rename(self, pointer: str, key: str) -> None:
        """Give a member another key."""
        self._renamed[pointer] = key

    def set(self, pointer: str, value: JsonValue) -> None:
        """Replace a value."""
        self._values[pointer] = value

    def drop(self, pointer: str, why: str) -> None:
        """Remove a member, and report it."""
        self.remove(pointer)
        self.note(pointer, why)

    def remove(self, pointer: str) -> None:
        """Remove a member."""
        self._removed.append(pointer)

    def make(self) -> None:
        """Make the changes that are gathered."""
        edits = change_together(self.tree, self._values, self._removed, self._renamed)
        if edits:
            source = self.tree.source
            self.tree = read_yaml_tree(source.with_text(apply(source.text, ordered(edits))))
        self._values, self._removed, self._renamed = {}, [], {}


def as_written(value: JsonValue) -> str:
    """A value in a message: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

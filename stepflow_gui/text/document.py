"""A file that was read: its path, its text and its tree."""

from pathlib import Path

from stepflow_gui.text.json_tree import JsonTree, Node, read_json
from stepflow_gui.text.source import Source, Span


class Document:
    """A JSON file as read at one moment; a change makes a new Document."""

    __slots__ = ("path", "tree")

    def __init__(self, path: Path, tree: JsonTree) -> None:
        self.path = path
        self.tree = tree

    @classmethod
    def read(cls, path: Path, source: Source) -> "Document":
        """Read a text as the file at `path`."""
        return cls(path, read_json(source))

    @property
    def source(self) -> Source:
        """The text."""
        return self.tree.source

    @property
    def root(self) -> Node | None:
        """The top value; None where nothing could be read."""
        return self.tree.root


class TextFile:
    """A file as read at one moment that isn't taken for JSON: a prompt, a configuration."""

    __slots__ = ("path", "source")

    def __init__(self, path: Path, source: Source) -> None:
        self.path = path
        self.source = source


AnyDocument = Document | TextFile


class Place:
    """Where an element stands: its document, JSON Pointer and span."""

    __slots__ = ("document", "pointer", "span")

    def __init__(self, document: Document, pointer: str, span: Span) -> None:
        self.document = document
        self.pointer = pointer
        self.span = span

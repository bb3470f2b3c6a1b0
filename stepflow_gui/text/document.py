"""A file that was read: its path, its text and its tree."""

from pathlib import Path
from typing import NamedTuple, Protocol

from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonTree, Node
from stepflow_gui.text.source import Source, Span

YAML_ENDINGS = (".yaml", ".yml")


class ParsedFile:
    """A JSON or YAML file as read at one moment; a change makes a new Document."""

    __slots__ = ("path", "tree")

    def __init__(self, path: Path, tree: JsonTree) -> None:
        self.path = path
        self.tree = tree

    @classmethod
    def read(cls, path: Path, source: Source) -> "ParsedFile":
        """Read a text as the file at `path`; its extension decides whether it is YAML."""
        if path.suffix.lower() in YAML_ENDINGS:
            from stepflow_gui.text.yaml.tree import read_yaml_tree  # registries are JSON, and reading YAML loads much

            return cls(path, read_yaml_tree(source))
        return cls(path, read_json(source))

    @property
    def is_yaml(self) -> bool:
        """Whether its text is YAML."""
        return self.path.suffix.lower() in YAML_ENDINGS

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


AnyDocument = ParsedFile | TextFile


class Placed(Protocol):
    """What knows where it is, or finds it out when it is asked."""

    @property
    def pointer(self) -> str:
        """Its JSON Pointer."""

    @property
    def span(self) -> Span:
        """Where it stands."""


class Place:
    """Where an element stands: its document, JSON Pointer and span."""

    __slots__ = ("_element", "document")

    def __init__(self, document: ParsedFile, pointer: str, span: Span, element: Placed | None = None) -> None:
        """With an `element`, that one is asked once somebody wants to know, and the other two don't count."""
        self.document = document
        self._element: Placed = element or _Spot(pointer, span)

    @classmethod
    def of(cls, document: ParsedFile, element: Placed) -> "Place":
        """The place of an element, which is asked only once somebody wants to know."""
        return cls(document, "", _NOWHERE, element)

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the element."""
        return self._element.pointer

    @property
    def span(self) -> Span:
        """Its span in the document's text."""
        return self._element.span


class _Spot(NamedTuple):
    pointer: str
    span: Span


_NOWHERE = Span(0, 0)

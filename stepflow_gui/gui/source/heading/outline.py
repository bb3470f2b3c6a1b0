"""Keeps the line over the source text in step with the caret."""

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.gui.source.heading.crumbs import CrumbBar
from stepflow_gui.gui.source.heading.places import (
    Crumb,
    Heading,
    Siblings,
    Symbol,
    crumbs_of_headings,
    crumbs_of_tree,
    headings_of_markdown,
    headings_of_toml,
    places_in,
    symbols_of_headings,
    symbols_of_tree,
)
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.source import Source

_SOON = 80  # milliseconds after the caret moved
_HEADINGS = {".md": headings_of_markdown, ".markdown": headings_of_markdown, ".toml": headings_of_toml}


class OutlinedPanel(Protocol):
    """The panel whose caret is followed: what it shows, and the line over it."""

    @property
    def document(self) -> Document | None: ...
    @property
    def path(self) -> Path | None: ...
    @property
    def editor(self) -> SourceEditor: ...
    @property
    def crumbs(self) -> CrumbBar: ...


class SourceOutline(QObject):
    """Finds the path to the caret of one panel; for JSON and pieces once the document has read the text."""

    def __init__(self, panel: OutlinedPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._panel = panel
        self._read: tuple[Source, list[Heading]] = (Source(""), [])
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_SOON)
        self._later.timeout.connect(self.show_now)

    def show_soon(self) -> None:
        """Once the caret rests."""
        if not self._later.isActive():
            self._later.start()

    def show_now(self) -> None:
        """At once."""
        self._later.stop()
        found = self._path()
        if found is not None:
            self._panel.crumbs.show_path(*found)

    def symbols(self) -> list[Symbol]:
        """What there is in the file that is shown."""
        document, path, editor = self._panel.document, self._panel.path, self._panel.editor
        if document is None or path is None or editor.is_waiting:
            return []
        source = editor.mapping.source
        if _is_tree(document, path):
            root = _root(document, path) if document.parsed else ParsedFile.read(path, source).root
            return symbols_of_tree(root)
        return symbols_of_headings(self._headings(source, path.suffix))

    def _path(self) -> tuple[list[Crumb], Siblings] | None:
        panel = self._panel
        document, path = panel.document, panel.path
        if document is None or path is None:
            return [], []
        if panel.editor.is_waiting:
            return None  # it is shown with the text
        caret = panel.editor.caret
        if _is_tree(document, path):
            if not document.parsed:
                return None  # the flow is reported once it was read
            root = _root(document, path)
            crumbs = crumbs_of_tree(root, caret)
            return crumbs, [] if crumbs else places_in(root)
        headings = self._headings(panel.editor.mapping.source, path.suffix)
        crumbs = crumbs_of_headings(headings, caret)
        top = min((heading.level for heading in headings), default=0)
        return crumbs, [] if crumbs else [(each.label, each.span) for each in headings if each.level == top]

    def _headings(self, source: Source, suffix: str) -> list[Heading]:
        if suffix not in _HEADINGS:
            return []
        if self._read[0] is not source:
            self._read = (source, _HEADINGS[suffix](source))
        return self._read[1]


def _is_tree(document: Document, path: Path) -> bool:
    return path.suffix == ".json" or path == document.path


def _root(document: Document, path: Path) -> Node | None:
    parsed = document.folder.document(path)
    return parsed.root if isinstance(parsed, ParsedFile) else None

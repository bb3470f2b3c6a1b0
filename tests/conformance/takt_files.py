"""TAKT files read as the product reads them."""

import os
from functools import cache
from pathlib import Path

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.read import read_flow
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source


@cache
def document(path: Path) -> ParsedFile | None:
    """A file as read; None where there is none."""
    path = Path(os.path.normpath(path))
    return ParsedFile.read(path, Source.decode(path.read_bytes())) if path.is_file() else None


def piece_at(path: Path) -> Flow:
    """The flow of a piece or workflow, its fragments read from disk."""
    found = document(path)
    assert found is not None
    return read_flow(found, None, document)


def piece_of(text: str) -> Flow:
    """The flow of a text."""
    return read_flow(ParsedFile.read(Path("piece.yaml"), Source(text)))

"""Reads a document into a Flow by its format."""

from collections.abc import Callable
from pathlib import Path

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.detect import detect
from stepflow_gui.text.document import ParsedFile


def read_flow(
    document: ParsedFile, format_id: str | None = None, load: Callable[[Path], ParsedFile | None] | None = None
) -> Flow:
    """The flow of a document; an empty one of format "" where it is not a registry. `format_id` overrides detection.

    `load` gives other files, for what a format reads from those: the steps that TAKT workflows share.
    """
    found = format_id or detect(document)
    if found is None:
        return Flow(document, "")
    if found == "checks":
        from stepflow_gui.formats.checks.registry import read_checks  # rare, and a clean lint stays quick

        return read_checks(document)
    if found == "takt":
        from stepflow_gui.formats.takt.piece import read_piece

        return read_piece(document, load)
    return read_registry(document, found)

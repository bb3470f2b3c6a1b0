"""Where the person has put the steps: the layout file as one more text of the document, beside the registry."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from stepflow_gui.flow.layout.shapes import Direction
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.formats.layout_sidecar import (
    Position,
    direction,
    groups,
    positions,
    problem,
    with_direction,
    with_groups,
    with_positions,
)
from stepflow_gui.gui.document.document import Document
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem


class StepPlaces:
    """The places of one document's steps. Moves are text edits of the layout file, undone as all else is."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def path(self) -> Path:
        """The layout file."""
        return self._document.layout_path

    def known(self) -> dict[str, Position]:
        """The places by step id; {} where the file doesn't exist or can't be used."""
        found: dict[str, Position] = {}
        for parsed in (self._other(), self._parsed()):
            found |= {} if parsed is None or problem(parsed) else positions(parsed)
        return found

    def trouble(self) -> Refusal | None:
        """Why the file's places can't be used, though it is there."""
        parsed = self._parsed()
        return problem(parsed) if parsed is not None else None

    def direction(self) -> Direction:
        """The direction that was chosen for the flow."""
        found = (parsed for parsed in (self._parsed(), self._other()) if parsed is not None and not problem(parsed))
        return next((chosen for parsed in found if (chosen := direction(parsed)) != "auto"), "auto")

    def groups(self) -> dict[str, tuple[str, ...]]:
        """The groups that the person made, by name."""
        found = (parsed for parsed in (self._parsed(), self._other()) if parsed is not None and not problem(parsed))
        return next((made for parsed in found if (made := groups(parsed))), {})

    def with_groups(self, wanted: Mapping[str, Sequence[str]]) -> Edits | Refusal:
        """The edits by which these are the groups that the person made."""
        parsed = self._parsed()
        if parsed is None:
            return {}
        refused = problem(parsed)
        if refused:
            return refused
        edits = with_groups(parsed, wanted)
        return {self.path: edits} if edits else {}

    def moved(self, places: Mapping[str, Position | None], chosen: Direction | None = None) -> Edits | Refusal:
        """The edits that put steps there, and keep a chosen direction; None leaves a step to the layout."""
        parsed = self._parsed()
        if parsed is None:
            return {}
        refused = problem(parsed)
        if refused:
            return refused
        edits = with_positions(parsed, places) if chosen is None else with_direction(parsed, chosen, places)
        return {self.path: edits} if edits else {}

    def _other(self) -> ParsedFile | None:
        # Read only: what was kept while the project could, or couldn't, be written.
        other = next(file for file in self._document.last_valid.layout_files if file != self.path)
        read = self._document.last_valid.document(other)
        return read if isinstance(read, ParsedFile) else None

    def _parsed(self) -> ParsedFile | None:
        source = self._document.source(self.path)
        return None if isinstance(source, ReadProblem) else ParsedFile.read(self.path, source)


def merged(*several: Edits) -> Edits:
    """Edits of different files as one."""
    together: Edits = {}
    for edits in several:
        for path, listed in edits.items():
            together[path] = [*together.get(path, ()), *listed]
    return together

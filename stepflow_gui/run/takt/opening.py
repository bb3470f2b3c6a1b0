"""The piece of a file in a project, as it can be run."""

import os
from pathlib import Path

from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import TAKT_2026_08_23
from stepflow_gui.formats.takt.files import facet_path
from stepflow_gui.formats.takt.fragments import fragment_files, with_fragments
from stepflow_gui.formats.takt.runners import GUIDE, WORKFLOWS, TaktRunner, runner_named
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.takt.loading import PieceRefusal, load_piece
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.json.tree import JsonValue


def runner_of(agent: AgentFolder, named: str | None) -> TaktRunner:
    """The runner of a name; None: the guide's for a piece, the newer one for a workflow."""
    newer = era_of_file(agent.registry.root).notation == "workflow"
    found = runner_named(named) if named else None
    return found or (WORKFLOWS if newer else GUIDE)


def no_facet(_section: str, _word: str) -> str | None:
    """Where bare names are texts."""
    return None


def piece_in(agent: AgentFolder, runner: TaktRunner) -> Piece | PieceRefusal:
    """The piece of a file that is open; the texts and fragments it names are read inside the project alone."""

    def text_of(named: str) -> str | None:
        if not named or "\n" in named or "\0" in named:
            return None
        return text_at(Path(os.path.normpath(agent.registry.path.parent / named)))

    def text_at(path: Path) -> str | None:
        found = agent.text(path) if agent.exists(path) else None
        return found.source.text if isinstance(found, TextFile) else None

    def facet_of(section: str, word: str) -> str | None:
        return text_at(facet_path(word, section, agent.flow)) if "\0" not in word else None

    def fragment_of(used: str) -> JsonValue:
        if "\0" in used:
            return None
        for path in fragment_files(agent.registry.path, TAKT_2026_08_23.file_kind, used):
            found = agent.document(Path(os.path.normpath(path)))
            if isinstance(found, ParsedFile) and found.root is not None:
                return found.root.value
        return None

    root = agent.registry.root
    value, missing = with_fragments(root.value if root is not None else None, fragment_of)
    if missing:
        message = _("A step uses “{name}”, which isn't there or can't be read.").format(name=missing[0])
        return PieceRefusal("fragment", message, missing[0])
    return load_piece(value, text_of, runner.notation, facet_of if runner.facets else no_facet)

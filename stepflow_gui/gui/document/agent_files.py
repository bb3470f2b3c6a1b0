"""The files of an opened agent whose text can be shown. Knows no Qt."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.gui.document.document import Document
from stepflow_gui.lint.config.file import NAMES
from stepflow_gui.text.document import ParsedFile, TextFile

_SECTION = "[tool.stepflow"  # without it a pyproject.toml has no settings for agents


def agent_files(document: Document) -> list[Path]:
    """Registry, agent.json, configuration, schemas and prompts: those that are there, each once."""
    folder = document.folder
    paths: dict[Path, None] = {document.path: None}
    if folder.agent_document is not None:
        paths[folder.agent_document.path] = None
    paths |= dict.fromkeys(_configurations(document))
    for parsed in folder.schema_files():
        if isinstance(parsed, ParsedFile):
            paths[parsed.path] = None
    for place in folder.prompt_folders():
        paths |= dict.fromkeys(sorted(folder.files_below(place)))
    return list(paths)


def _configurations(document: Document) -> Iterator[Path]:
    folder = document.folder
    for place in (document.path.parent, *document.path.parent.parents):
        for path in (place / name for name in NAMES if folder.exists(place / name)):
            text = folder.text(path)
            if isinstance(text, TextFile) and (path.name != NAMES[-1] or _SECTION in text.source.text):
                yield path

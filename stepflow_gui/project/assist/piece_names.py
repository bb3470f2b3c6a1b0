"""The names that fit at a place of a TAKT file: movements and ends, entries of section maps, files, tools."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from stepflow_gui.formats.climpt.tools import tools
from stepflow_gui.formats.takt.eras import ENDS, INITIALS
from stepflow_gui.formats.takt.fields import REFERENCES, SECTIONS
from stepflow_gui.formats.takt.files import FACETS, NEWER_FACETS, WORKFLOW_ENDINGS, facet_homes, path_of
from stepflow_gui.formats.takt.sections import ENDING, is_path, sections_of
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.names import Name
from stepflow_gui.text.document import TextFile
from stepflow_gui.text.json.tree import Node

_LINE = 60  # characters of a file's first line
_STEPS = frozenset((*INITIALS, "cycle", "ignore_steps"))
_TOOLS = ("allowed_tools", "part_allowed_tools")
_ALIKE = frozenset(
    (*REFERENCES, *_TOOLS, "tags", "part_tags", "model", "persona_name", "session_key", "condition", "call")
)
"""Fields that often hold in one place what they hold in another."""


def piece_names(agent: AgentFolder, path: Sequence[str | int]) -> Iterator[Name]:
    """The names for the value at a path of the file, the likeliest first."""
    words = [key for key in path if isinstance(key, str)]
    word = words[-1] if words else ""
    if word == "next" or word in _STEPS:
        for step in agent.flow.steps.values():
            yield Name(step.id, _first_line(step.raw.get("description")))
        if word == "next":
            yield from (Name(end, _("Ends the run")) for end in ENDS)
    elif word in REFERENCES:
        yield from _entries(agent, REFERENCES[word])
        yield from _facets(agent, REFERENCES[word])
        yield from _files(agent, REFERENCES[word])
    elif len(words) == 2 and words[0] in SECTIONS:
        yield from _files(agent, words[0])
    elif word in _TOOLS:
        yield from (Name(tool) for tool in tools())
    elif word == "call":
        yield from _workflows(agent)
    if word in _ALIKE:
        yield from (Name(text) for text in _elsewhere(agent.registry.root, word, path))


def section_paths(agent: AgentFolder, section: str) -> Iterator[tuple[str, Path]]:
    """Text files, as paths from the piece's folder; those in a folder called as the section first."""
    beside = agent.registry.path.parent
    found = sorted(path for path in agent.files_below(beside.parent) if path.suffix == ENDING)
    folder = FACETS[section]
    for path in sorted(found, key=lambda path: folder not in path.parts):
        yield os.path.relpath(path, beside).replace(os.sep, "/"), path


def _files(agent: AgentFolder, section: str) -> Iterator[Name]:
    return (Name(written, _begins(agent, path)) for written, path in section_paths(agent, section))


def _entries(agent: AgentFolder, section: str) -> Iterator[Name]:
    for entry in sections_of(agent.registry.root).get(section, {}).values():
        value = entry.value.value if entry.value is not None else ""
        if is_path(value):
            yield Name(entry.key, " · ".join(filter(None, (value, _begins(agent, path_of(value, agent.flow))))))
        else:
            yield Name(entry.key, _first_line(value))


def _facets(agent: AgentFolder, section: str) -> Iterator[Name]:
    """The files that can be named by a word alone: since 0.22.0 in `facets`, before beside it where no map is kept."""
    home = facet_homes(agent.registry.path)[0]
    folders = [home / NEWER_FACETS / FACETS[section]]
    if not sections_of(agent.registry.root).get(section):
        folders.append(home / FACETS[section])
    for folder in folders:
        for path in sorted(agent.files_below(folder)):
            if path.suffix == ENDING and path.parent == folder:
                yield Name(path.stem, _begins(agent, path))


def _workflows(agent: AgentFolder) -> Iterator[Name]:
    folder = facet_homes(agent.registry.path)[0] / "workflows"
    for path in sorted(agent.files_below(folder)):
        if path.suffix in WORKFLOW_ENDINGS and path != agent.registry.path:
            yield Name(path.relative_to(folder).with_suffix("").as_posix())


def _begins(agent: AgentFolder, path: Path) -> str:
    file = agent.text(path) if agent.exists(path) else None
    return _first_line(file.source.text[:4000]) if isinstance(file, TextFile) else ""


def _first_line(text: object) -> str:
    lines = (line.strip("# \t") for line in text.splitlines()) if isinstance(text, str) else ()
    line = next(filter(None, lines), "")
    return line if len(line) <= _LINE else line[:_LINE] + "…"


def _elsewhere(root: Node | None, word: str, path: Sequence[str | int]) -> Iterator[str]:
    """The texts that the same field has in other places."""
    waiting: list[tuple[Node, str, tuple[str | int, ...]]] = [(root, "", ())] if root is not None else []
    while waiting:
        node, own, at = waiting.pop()
        if isinstance(node.value, str):
            if own == word and at != tuple(path):
                yield node.value
            continue
        below = [(each.value, each.key, (*at, each.key)) for each in node.members()]
        below += [(each, own, (*at, number)) for number, each in enumerate(node.items())]
        waiting += reversed(below)

"""Which one agent is meant: by a path, by its name below `.agent`, or as the only one of a folder."""

import os
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.find import find_registries
from stepflow_gui.project.finding.locate import REGISTRY
from stepflow_gui.project.problem_text import describe, printable
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import exists, is_folder
from stepflow_gui.text.files.store import ReadProblem

AGENTS = ".agent"
_MOST = 5  # agents that a message names


class NotChosen(NamedTuple):
    """Why no agent can be chosen, as a message."""

    message: str


def choose_agent(named: str | Path, folder: Path | None = None) -> AgentFolder | NotChosen:
    """The agent that a path or a name means; a name is looked for in `.agent` of `folder` (the current one)."""
    path = Path(named)
    below = (folder or Path.cwd()) / AGENTS / path
    if not exists(path) and is_folder(below):
        path = below
    if is_folder(path):
        found = find_registries(path)
        if len(found) > 1 and path not in {registry.parent for registry in found}:
            shown = ", ".join(str(registry.parent) for registry in found[:_MOST])
            more = ", …" if len(found) > _MOST else ""
            text = _("{path}: there are {count} agents here; name one: {agents}")
            return NotChosen(text.format(path=path, count=len(found), agents=shown + more))
    opened = open_agent(path)
    if isinstance(opened, ReadProblem) and os.path.lexists(path / REGISTRY):  # a broken link
        opened = open_agent(path / REGISTRY)
    if isinstance(opened, ReadProblem):
        return NotChosen(describe(opened))
    if opened.format is None:
        return NotChosen(_unfit(opened, path))
    return opened


def broken_agent_file(agent: AgentFolder) -> str:
    """What keeps agent.json from being read, or read in full, with its place; empty where nothing does."""
    if agent.agent_problem is not None:
        return describe(agent.agent_problem)
    document = agent.agent_document
    if document is None or document.tree.valid:
        return ""
    text = _("{place}: syntax error, so part of agent.json isn't read; “stepflow lint” shows it.")
    return text.format(place=_first_mistake(document))


def _first_mistake(document: ParsedFile, otherwise: int = 0) -> str:
    """The file and line of the first mistake in a text; of an offset where it has none."""
    problem = None if document.tree.valid else next(iter(document.tree.problems), None)
    line = document.source.position(problem.start if problem else otherwise).line
    return f"{printable(str(document.path))}:{line}"


def _unfit(opened: AgentFolder, named: Path) -> str:
    """Why a file that was read is not a registry, with the place."""
    document = opened.registry
    steps = document.root.member("steps") if document.root else None
    place = _first_mistake(document, steps.key_start if steps else 0)
    if not document.tree.valid:
        text = _("{place}: syntax error; “stepflow lint” shows it. Fix it first.")
    elif steps is not None or document.path.name == REGISTRY:
        text = _("{place}: a registry is an object with “steps”, which is an object of steps. Fix it first.")
    else:
        return describe(ReadProblem("no-registry", named))
    return text.format(place=place)

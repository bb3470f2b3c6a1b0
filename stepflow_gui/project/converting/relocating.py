"""A converted agent at another place: its paths through its own folder, and its name there."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import AGENTS, is_project
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.files.presence import exists
from stepflow_gui.text.json.edit import set_value
from stepflow_gui.text.source import Source

_OF_REGISTRY = ("/userPromptsBase", "/schemasBase")  # paths from the project's root
_OF_AGENT = (
    "/runner/flow/schemas/base",
    "/runner/verdict/config/registryPath",
    "/runner/verdict/config/handlerPath",
)
_NAME = re.compile(r"[a-z][a-z0-9-]*")


class Relocation(NamedTuple):
    """The files that differ in a copy, by their paths before, and what else is to be known.

    `name` is what the agent is called there.
    """

    texts: dict[Path, Source]
    notes: list[str]
    name: str


def relocated(agent: AgentFolder, to: Path) -> Relocation:
    """An agent as it would be in the folder `to`, which doesn't exist yet.

    Paths that go into the agent's folder go into the copy, and the agent of a folder in `.agent` is called so.
    """
    to = Path(os.path.normpath(to.absolute()))
    root = next((folder for folder in (to, *to.parents) if is_project(folder)), to)
    texts: dict[Path, Source] = {}
    notes: list[str] = []
    name = _name(agent, to)
    own = agent.agent.name.value if agent.agent and agent.agent.name else agent.folder.name
    for document, places, of_name in (
        (agent.registry, _OF_REGISTRY, "/agentId"),
        (agent.agent_document, _OF_AGENT, "/name"),
    ):
        if document is None or not document.tree.valid:
            continue
        edits = list(_moved(document, places, agent, to, root, notes))
        named = document.tree.at(of_name)
        if name != own and named is not None and named.value == own:
            edits += set_value(document.tree, of_name, name)
        if edits:
            source = document.source
            texts[document.path] = Source(apply(source.text, edits), source.bom)
    if name != own and texts:
        notes.append(_("The copy is named “{name}”, like its folder in {agents}").format(name=name, agents=AGENTS))
    return Relocation(texts, notes, name)


def _name(agent: AgentFolder, to: Path) -> str:
    """Climpt finds an agent of `.agent` by its folder."""
    own = agent.agent.name.value if agent.agent and agent.agent.name else agent.folder.name
    return to.name if to.parent.name == AGENTS and _NAME.fullmatch(to.name) else own


def _moved(
    document: ParsedFile, places: tuple[str, ...], agent: AgentFolder, to: Path, root: Path, notes: list[str]
) -> Iterator[TextEdit]:
    for pointer in places:
        node = document.tree.at(pointer)
        if node is None or not isinstance(node.value, str) or not node.value:
            continue
        led = Path(os.path.normpath(agent.root / node.value))
        if led.is_relative_to(agent.folder):
            now = Path(os.path.relpath(to / led.relative_to(agent.folder), root)).as_posix()
            if now != node.value:
                yield from set_value(document.tree, pointer, now)
        elif root != agent.root and exists(led):
            text = _("{path}, which {file} names, lies outside the agent's folder: not copied")
            notes.append(text.format(path=node.value, file=document.path.name))

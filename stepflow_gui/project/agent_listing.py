"""What an agent consists of: its files, and those that it asks for and that don't exist."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import AGENT
from stepflow_gui.project.step_files import files_by_step
from stepflow_gui.text.document import ParsedFile

Role = Literal["registry", "agent", "prompt", "schema", "facet"]
MOST = 3_000  # files of an agent that are listed: a prompts folder named by mistake can be a whole disk
_PIECES = ("takt",)  # formats that have neither an agent.json nor prompts and schemas a step


class ListedFile(NamedTuple):
    """A file of an agent. `asked_by` are the steps, failure patterns and keys that ask for one that doesn't exist."""

    path: Path
    role: Role
    there: bool = True
    asked_by: tuple[str, ...] = ()


class AgentListing(NamedTuple):
    """An agent by its files. `holders` are the folders of its prompts and schemas, as the agent names them."""

    registry: Path
    name: str
    folder: Path
    root: Path
    format: str | None
    files: tuple[ListedFile, ...]
    cut: bool = False  # there are more files than are listed


def listing_of(agent: AgentFolder) -> AgentListing:
    """List an agent's files. Nothing is read that the flow and its schemas don't need."""
    listed: dict[Path, ListedFile] = {}
    for file in _files(agent):
        listed.setdefault(file.path, file)
        if len(listed) >= MOST:
            break
    order = sorted(listed.values(), key=lambda file: file.path.as_posix())
    return AgentListing(
        agent.registry.path, name_of(agent), agent.folder, agent.root, agent.format, tuple(order), len(listed) >= MOST
    )


def name_of(agent: AgentFolder) -> str:
    """The agent's name: from its registry, else from its agent.json, else that of its folder."""
    named = (agent.flow.agent_id, agent.agent.name if agent.agent else None)
    return next((text.value for text in named if text and text.value.strip()), agent.folder.name)


def _files(agent: AgentFolder) -> Iterator[ListedFile]:
    """Those that matter most first."""
    yield ListedFile(agent.registry.path, "registry")
    if agent.format in _PIECES:
        yield from _facets(agent)
        return
    if agent.agent_document is not None:
        yield ListedFile(agent.agent_document.path, "agent")
    else:
        yield ListedFile(agent.folder / AGENT, "agent", there=False)
    yield from _missing(agent)
    schemas = [document.path for document in agent.schema_files() if isinstance(document, ParsedFile)]
    for path in schemas:
        yield ListedFile(path, "schema")
    beside = (each for folder in dict.fromkeys(path.parent for path in schemas) for each in agent.files_below(folder))
    yield from (ListedFile(path, "schema") for path in _shown(beside) if path.suffix == ".json")
    for folder in agent.prompt_folders():
        yield from (ListedFile(path, "prompt") for path in _shown(agent.files_below(folder)))
    system = agent.agent.system_prompt_path if agent.agent else None
    if system and system.value:
        path = agent.folder / system.value
        if agent.inside(path):
            yield ListedFile(path, "prompt", agent.exists(path))


def _facets(agent: AgentFolder) -> Iterator[ListedFile]:
    """What a piece is put together with."""
    from stepflow_gui.project.piece_files import files_of_piece  # registries have none of these

    asked: dict[Path, list[str]] = {}
    for path, who in files_of_piece(agent):
        asked.setdefault(path, []).append(who)
    for path, names in asked.items():
        there = agent.exists(path)
        yield ListedFile(path, "facet", there, () if there else tuple(dict.fromkeys(names)))


def _missing(agent: AgentFolder) -> Iterator[ListedFile]:
    asked: dict[Path, list[str]] = {}
    roles: dict[Path, Role] = {}
    for step, files in files_by_step(agent).items():
        for file in files:
            if file.found is None and file.tried:
                asked.setdefault(file.tried[0], []).append(file.name if file.kind == "failure-prompt" else step)
                roles[file.tried[0]] = "schema" if file.kind == "schema" else "prompt"
    for path, names in asked.items():
        yield ListedFile(path, roles[path], there=False, asked_by=tuple(dict.fromkeys(names)))


def _shown(paths: Iterable[Path]) -> list[Path]:
    return sorted(path for path in paths if not path.name.startswith("."))

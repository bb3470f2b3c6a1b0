"""Two agents compared: the flow, and the agent.json, schemas and prompts around it."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.flow.comparison.flows import FlowComparison, compare_flows
from stepflow_gui.flow.comparison.values import FieldChange, compare_values
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.locate import AGENT
from stepflow_gui.text.document import AnyDocument, Document
from stepflow_gui.text.json_tree import JsonTree
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import ReadProblem

Role = Literal["registry", "agent", "schema", "prompt", "file"]
Kind = Literal["added", "removed", "changed"]


class FileChange(NamedTuple):
    """A file that differs. JSON has its fields, other text how many lines have come and gone.

    `path` is from the agent's folder, with `/`; `../` leads out of it.
    """

    path: str
    role: Role
    kind: Kind
    fields: tuple[FieldChange, ...] = ()
    lines: tuple[int, int] | None = None


class AgentComparison(NamedTuple):
    """What differs. `flow` is None where neither side is a registry: then `files` has the one file compared.

    `formatting` says that texts differ which say the same; `unsound` names the files of either side that aren't
    sound JSON, so that only what could be read of them is compared.
    """

    flow: FlowComparison | None
    files: tuple[FileChange, ...]
    formatting: bool
    unsound: tuple[Path, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs but how files are written."""
        return (self.flow is None or self.flow.same) and not self.files


def compare_agents(old: AgentFolder | None, new: AgentFolder | None) -> AgentComparison:
    """Compare two readings of an agent with the files around the registry; None: there was, or is, no such agent."""
    flow = compare_flows(old.flow if old else _nothing(new), new.flow if new else _nothing(old))
    files = _files(old) if old else {}, _files(new) if new else {}
    registries = _registry(old), _registry(new)
    return AgentComparison(
        flow,
        tuple(_file_changes(*files)),
        _differ(*registries)
        or any(_differ(files[0][path][1], files[1][path][1]) for path in files[0].keys() & files[1].keys()),
        tuple(_unsound([*registries, *(content for side in files for _role, content in side.values())])),
    )


def compare_documents(old: Document | None, new: Document | None) -> AgentComparison:
    """Compare two readings of one JSON file, as flows where it is a registry; None: there was, or is, no such file."""
    found = next((detect(document) for document in (new, old) if document and detect(document)), None)
    formatting, unsound = _differ(old, new), tuple(_unsound([old, new]))
    if found is None:
        name = next((document.path.name for document in (new, old) if document), "")
        change = _file_change(name, "file", old, new)
        return AgentComparison(None, (change,) if change else (), formatting, unsound)
    flows = [read_flow(document, detect(document) or found) if document else None for document in (old, new)]
    flow = compare_flows(flows[0] or _empty(new), flows[1] or _empty(old))
    return AgentComparison(flow, (), formatting, unsound)


def _nothing(other: AgentFolder | None) -> Flow:
    return _empty(other.registry if other else None)


def _empty(other: Document | None) -> Flow:
    """The flow of a file that isn't there."""
    return Flow(Document(other.path if other else Path(), JsonTree(Source(""), None, (), False)), "")


def _registry(agent: AgentFolder | None) -> Document | None:
    return agent.registry if agent else None


_Found = dict[str, tuple[Role, AnyDocument]]


def _files(agent: AgentFolder) -> _Found:
    """The files around a registry by their path from the agent's folder."""
    found: _Found = {}
    if agent.agent_document is not None:
        found[AGENT] = "agent", agent.agent_document
    for schema in agent.schema_files():
        if isinstance(schema, Document):
            found.setdefault(_shown(schema.path, agent), ("schema", schema))
    for path in dict.fromkeys(_prompts(agent)):
        prompt = agent.text(path)
        if not isinstance(prompt, ReadProblem):
            found.setdefault(_shown(path, agent), ("prompt", prompt))
    return found


def _prompts(agent: AgentFolder) -> Iterator[Path]:
    """The prompts of the steps, and all others of the agent's folder: those of failures are named by no step."""
    for step in agent.flow.steps.values():
        there = (path for path in agent.prompt_candidates(step) if agent.exists(path))
        yield from (Path(os.path.normpath(path)) for path in list(there)[:1])
    for folder in agent.prompt_folders():
        if folder != agent.root and folder.is_relative_to(agent.folder):
            yield from sorted(path for path in agent.files_below(folder) if path.suffix == ".md")


def _shown(path: Path, agent: AgentFolder) -> str:
    return Path(os.path.relpath(path, agent.folder)).as_posix()


def _file_changes(old: _Found, new: _Found) -> Iterator[FileChange]:
    for path in sorted(old.keys() | new.keys(), key=lambda path: (path != AGENT, path)):
        before, after = old.get(path), new.get(path)
        role = (after or before or ("file", None))[0]
        change = _file_change(path, role, before[1] if before else None, after[1] if after else None)
        if change is not None:
            yield change


def _file_change(path: str, role: Role, old: AnyDocument | None, new: AnyDocument | None) -> FileChange | None:
    if old is None or new is None:
        kind: Kind = "added" if old is None else "removed"
        return FileChange(path, role, kind)
    if isinstance(old, Document) and isinstance(new, Document):
        fields = compare_values(*(side.root.value if side.root else None for side in (old, new)))
        return FileChange(path, role, "changed", tuple(fields)) if fields else None
    before, after = (Counter(side.source.text.splitlines()) for side in (old, new))
    if old.source.text == new.source.text:
        return None
    return FileChange(path, role, "changed", lines=((after - before).total(), (before - after).total()))


def _differ(old: AnyDocument | None, new: AnyDocument | None) -> bool:
    return old is not None and new is not None and old.source.text != new.source.text


def _unsound(documents: "list[AnyDocument | None]") -> Iterator[Path]:
    for document in documents:
        if isinstance(document, Document) and not document.tree.valid and document.source.text.strip():
            yield document.path

"""An agent folder as one thing at one moment: registry, agent.json, schemas and prompts, unsaved texts laid over."""

import os
from collections.abc import Mapping
from pathlib import Path

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt import lookup
from stepflow_gui.formats.climpt.agent import AgentDefinition, read_agent
from stepflow_gui.formats.climpt.schemas import StepSchema, resolve_step
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.project.find import find_registries
from stepflow_gui.project.locate import AGENT, REGISTRY, agent_file_of, inside, project_root, registry_in
from stepflow_gui.text.document import Document
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import ReadProblem, read


class AgentFolder:
    """An agent as its files and unsaved texts say it is. Never changes: `with_buffers` gives the next one.

    `flow` is empty and of format "" where the file is no registry; agent.json may be absent.
    """

    __slots__ = (
        "_buffers",
        "_documents",
        "_forced_format",
        "_schemas",
        "agent",
        "agent_document",
        "flow",
        "folder",
        "format",
        "registry",
        "root",
    )

    def __init__(self, registry: Document, root: Path, forced_format: str | None, files: "_Files") -> None:
        self.registry = registry
        self.root = root
        self._forced_format = forced_format
        self._documents = files.documents
        self._buffers = files.buffers
        self._schemas: dict[str, StepSchema] = {}
        self.flow: Flow = read_flow(registry, forced_format)
        self.format: str | None = self.flow.format or None
        self.agent_document: Document | None = None
        self.agent: AgentDefinition | None = None
        agent_file = agent_file_of(registry.path)
        found = self.document(agent_file) if agent_file else None
        self.folder = agent_file.parent if agent_file else registry.path.parent  # the agent folder
        if isinstance(found, Document):
            self.agent_document = found
            self.agent = read_agent(found)

    def document(self, path: Path) -> Document | ReadProblem:
        """A file of the project as JSON, an unsaved text before the one on disk. Read once.

        A path that, its links followed, lies outside the root is refused with kind `outside` and never looked at.
        """
        if not inside(path, self.root):
            return ReadProblem("outside", path)
        key = _key(path)
        if key not in self._documents:
            self._documents[key] = _read(path, self._buffers.get(key))
        return self._documents[key].content

    def schema(self, step: Step) -> StepSchema:
        """The output schema of a step."""
        found = self._schemas.get(step.id)
        if found is None:
            found = self._schemas[step.id] = resolve_step(step, self.registry, self._load_schema)
        return found

    def schema_candidates(self, file: str) -> list[Path]:
        """Where a schema file may lie, the best first."""
        return lookup.schema_candidates(self.flow, self.agent, self.root, file)

    def prompt_candidates(self, step: Step) -> list[Path]:
        """Where the prompt of a step may lie, the best first; [] where the step doesn't say which it is."""
        return lookup.prompt_candidates(self.flow, self.agent, self.root, step)

    def with_buffers(self, buffers: Mapping[Path, Source]) -> "AgentFolder":
        """The agent with these unsaved texts, all of them; only texts that are new or gone are read."""
        laid = _by_key(buffers)
        documents = {key: file for key, file in self._documents.items() if file.source is laid.get(key)}
        return self._next(_Files(documents, laid))

    def reread(self, paths: list[Path]) -> "AgentFolder":
        """The agent after files changed on disk; unsaved texts stay laid over them."""
        gone = {_key(path) for path in paths} - self._buffers.keys()
        documents = {key: file for key, file in self._documents.items() if key not in gone}
        return self._next(_Files(documents, self._buffers))

    def _next(self, files: "_Files") -> "AgentFolder":
        registry = _registry(self.registry.path, files)
        if isinstance(registry, ReadProblem):
            registry = self.registry  # deleted meanwhile: what was read last stays
        after = AgentFolder(registry, self.root, self._forced_format, files)
        if registry is self.registry:
            after.flow = self.flow
            if after.agent_document is self.agent_document:
                after.agent = self.agent
                after._schemas = {key: schema for key, schema in self._schemas.items() if after._holds(schema)}
        return after

    def _holds(self, schema: StepSchema) -> bool:
        return all(self._load_schema(*asked) is content for asked, content in schema.documents.items())

    def _load_schema(self, file: str, beside: Document | None) -> Document | ReadProblem:
        candidates = [beside.path.parent / file] if beside else self.schema_candidates(file)
        problem: ReadProblem | None = None
        for path in candidates:
            found = self.document(path)
            if isinstance(found, Document) or found.kind not in {"missing", "outside"}:
                return found
            if problem is None or found.kind == "outside":
                problem = found
        assert problem is not None
        return problem


def open_agent(
    path: Path, buffers: Mapping[Path, Source] | None = None, format_id: str | None = None
) -> AgentFolder | ReadProblem:
    """The agent at a path: a registry, a file that belongs to one, an agent folder, or a folder with agents below it.

    Of several agents below a folder the first by path is taken; `find.find_registries` tells of all. `buffers` are
    unsaved texts by path; `format_id` overrides the detection of the format.
    """
    path = Path(os.path.normpath(path.absolute()))
    files = _Files({}, _by_key(buffers or {}))
    found = _owner(path, files)
    if isinstance(found, ReadProblem):
        return found
    registry = _registry(found, files)
    if isinstance(registry, ReadProblem):
        return registry
    return AgentFolder(registry, project_root(found.parent), format_id, files)


class _Entry:
    """What was read of a file, and from which unsaved text (None: from disk)."""

    __slots__ = ("content", "source")

    def __init__(self, content: Document | ReadProblem, source: Source | None) -> None:
        self.content = content
        self.source = source


class _Files:
    """The files read so far and the unsaved texts, by their paths with links followed."""

    __slots__ = ("buffers", "documents")

    def __init__(self, documents: dict[str, _Entry], buffers: dict[str, Source]) -> None:
        self.documents = documents
        self.buffers = buffers


def _key(path: Path) -> str:
    return os.path.realpath(path)


def _by_key(buffers: Mapping[Path, Source]) -> dict[str, Source]:
    return {_key(path): source for path, source in buffers.items()}


def _read(path: Path, buffer: Source | None) -> _Entry:
    source = buffer or read(path)
    content = source if isinstance(source, ReadProblem) else Document.read(path, source)
    return _Entry(content, buffer)


def _registry(path: Path, files: _Files) -> Document | ReadProblem:
    key = _key(path)
    if key not in files.documents:
        files.documents[key] = _read(path, files.buffers.get(key))
    return files.documents[key].content


def _owner(path: Path, files: _Files) -> Path | ReadProblem:
    if path.is_dir():
        found = registry_in(path) or next(iter(find_registries(path)), None)
        return found or ReadProblem("no-registry", path)
    if not path.exists() and _key(path) not in files.buffers:
        return ReadProblem("missing", path)
    if path.name == REGISTRY:
        return path
    if path.name != AGENT:
        document = _registry(path, files) if path.suffix == ".json" else None
        if isinstance(document, Document) and detect(document) is not None:
            return path
    return _registry_above(path) or (path if path.suffix == ".json" else ReadProblem("no-registry", path))


def _registry_above(path: Path) -> Path | None:
    root = project_root(path.parent)
    for folder in (path.parent, *path.parent.parents):
        found = registry_in(folder)
        if found:
            return found
        if folder == root:
            break
    return None

"""An agent folder as one thing at one moment: registry, agent.json, schemas and prompts, unsaved texts laid over."""

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt import lookup
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition, read_agent
from stepflow_gui.formats.climpt.registry import carry_flow
from stepflow_gui.formats.climpt.schema_merge import Resolver
from stepflow_gui.formats.climpt.schemas import StepSchema, StepSchemas, asked_schema
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.locate import AGENT, agent_file_of, project_root
from stepflow_gui.project.finding.registry_of_path import owner
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source


class AgentFolder:
    """An agent as its files and unsaved texts define it. Never changes: `with_buffers` gives the next one.

    `flow` is empty and of format "" where the file is not a registry; agent.json may be absent.
    """

    __slots__ = (
        "_files",
        "_forced_format",
        "agent",
        "agent_document",
        "flow",
        "folder",
        "format",
        "registry",
        "root",
        "schemas",
    )

    def __init__(
        self, registry: ParsedFile, forced_format: str | None, files: Files, before: "AgentFolder | None"
    ) -> None:
        self._files = files
        self._forced_format = forced_format
        self.registry = registry
        self.root = files.root  # of the project: no file outside it is read
        same = before is not None and before.registry is registry
        # What a TAKT workflow takes from other files may have changed while it itself hasn't.
        same = same and not (registry.is_yaml and "uses:" in registry.source.text)
        self.flow: Flow = before.flow if before and same else read_flow(registry, forced_format, self._if_there)
        self.format: str | None = self.flow.format or None
        agent_file = agent_file_of(registry.path, files)
        found = self.document(agent_file) if agent_file else None
        self.folder = agent_file.parent if agent_file else registry.path.parent  # the agent folder
        self.agent_document: ParsedFile | None = found if isinstance(found, ParsedFile) else None
        self.agent: AgentDefinition | None = None
        if self.agent_document:
            kept = before is not None and before.agent_document is self.agent_document
            self.agent = before.agent if before and kept else read_agent(self.agent_document)
        load = partial(_load_schema, files, self.flow, self.agent)
        self.schemas: StepSchemas = (
            before.schemas.onto(registry, load) if before else StepSchemas(registry, Resolver(load))
        )

    def document(self, path: Path) -> ParsedFile | ReadProblem:
        """A file of the project as JSON, an unsaved text before the one on disk. Read once.

        A path that, its links followed, lies outside the root is refused with kind `outside` and never read.
        """
        found = self._files.document(path)
        if isinstance(found, ReadProblem) and found.kind == "outside" and path in self.layout_files:
            return self._files.read(path)  # the program's own
        return found

    def beside(self, path: Path) -> "AgentFolder | ReadProblem":
        """Another registry of the project with the same unsaved texts; why it can't be read where it can't."""
        found = self.document(path)
        return AgentFolder(found, None, self._files, None) if isinstance(found, ParsedFile) else found

    def _if_there(self, path: Path) -> ParsedFile | None:
        found = self._files.document(path)
        return found if isinstance(found, ParsedFile) else None

    def documents_read(self) -> list[ParsedFile | ReadProblem]:
        """The JSON files asked for so far, the registry among them."""
        return self._files.documents_read()

    def texts_read(self) -> list[TextFile | ReadProblem]:
        """The other files asked for so far, likewise."""
        return self._files.texts_read()

    def text(self, path: Path) -> TextFile | ReadProblem:
        """A file of the project that isn't JSON, such as a prompt; else as `document`."""
        return self._files.text(path)

    def content(self, path: Path) -> ParsedFile | TextFile | ReadProblem:
        """A file of the project: as JSON where its name says so, else as text."""
        return self.document(path) if path.suffix == ".json" else self.text(path)

    def files_below(self, folder: Path) -> frozenset[Path]:
        """Every file in and below a folder of the project, on disk or unsaved."""
        return self._files.below(folder)

    def inside(self, path: Path) -> bool:
        """Whether a path, its links followed, lies in the project."""
        return self._files.inside(path)

    def schema(self, step: Step) -> StepSchema:
        """The output schema of a step."""
        return self.schemas.of(step)

    def schema_files(self) -> list[ParsedFile | ReadProblem]:
        """The schema files that the steps use, or why they couldn't be read, each once."""
        if not self.schemas.resolved >= self.flow.steps.keys():
            for step in self.flow.steps.values():
                checkpoint()
                self.schemas.of(step)
        return self.schemas.files()

    def schema_neighbours(self) -> list[ParsedFile]:
        """The other JSON files in the folders of those: what may refer to their schemas without a step's knowing."""
        used = [document.path for document in self.schema_files() if isinstance(document, ParsedFile)]
        beside = [path for folder in dict.fromkeys(path.parent for path in used) for path in _json_files(folder)]
        found = [self.document(path) for path in beside if path not in used and path != self.registry.path]
        return [document for document in found if isinstance(document, ParsedFile)]

    def exists(self, path: Path) -> bool:
        """Whether there is such a file in the project, on disk or unsaved."""
        return self._files.inside(path) and self._files.exists(path)

    def obstacle(self, path: Path) -> str:
        """Why what is at a path of the project can't be read as a file; "" for a file, and where nothing is."""
        return self._files.obstacle(path) if self._files.inside(path) else ""

    @property
    def agent_problem(self) -> ReadProblem | None:
        """Why agent.json, which is there, can't be read or isn't; None where it is read, and where there is none."""
        found = self.document(self.folder / AGENT)
        return found if isinstance(found, ReadProblem) and found.kind != "missing" else None

    @property
    def verdict(self) -> str | None:
        """The verdict type that agent.json names; None where it names none."""
        return self.agent.verdict_type.value if self.agent and self.agent.verdict_type else None

    @property
    def layout_file(self) -> Path:
        """Where the positions of the registry's steps are kept, whether there is such a file or not."""
        return self.layout_files[0]

    @property
    def layout_files(self) -> tuple[Path, Path]:
        """That file, and one which counts for steps that the first doesn't list."""
        from stepflow_gui.project.layout_place import layout_places  # which knows how to write the file, too

        return layout_places(self.registry.path)

    def schema_candidates(self, file: str) -> list[Path]:
        """Where a schema file may lie, the best first."""
        return lookup.schema_candidates(self.flow, self.agent, self.root, file)

    def prompt_candidates(self, step: Step) -> list[Path]:
        """Where the prompt of a step may be, the best first; [] if the step doesn't specify it."""
        return lookup.prompt_candidates(self.flow, self.agent, self.root, step)

    def prompt_folders(self) -> list[Path]:
        """The folders in which prompts may lie, the best first."""
        return lookup.prompt_folders(self.flow, self.agent, self.root)

    def with_buffers(self, buffers: Mapping[Path, Source]) -> "AgentFolder":
        """The agent with these unsaved texts, all of them; only texts that are new or gone are read."""
        return self._next(self._files.with_buffers(buffers))

    def with_texts(self, texts: Mapping[Path, Source]) -> "AgentFolder":
        """The agent with these texts beside its unsaved ones, in place of older ones."""
        return self._next(self._files.with_texts(texts))

    def reread(self, paths: Iterable[Path]) -> "AgentFolder":
        """The agent after files changed on disk; unsaved texts stay laid over them."""
        return self._next(self._files.without(paths))

    def read_as(self, format_id: str | None) -> "AgentFolder":
        """The agent with its registry read as another format; None: the format detected in the registry itself."""
        if format_id == self._forced_format:
            return self
        return AgentFolder(self.registry, format_id, self._files, None)

    def carry_on(self, buffers: Mapping[Path, Source], format_id: str | None) -> bool:
        """Become what `open_agent` gives now for this registry, if no more than the inside of a step has changed.

        For who alone holds this folder: what was had from it moves along or is outdated. Where it is False,
        the whole folder is.
        """
        from stepflow_gui.text.json.incremental import carry_on, stretch_between  # only where a lint follows another

        files, before = self._files.looked_at_again(buffers), self.registry.source
        agent_file = agent_file_of(self.registry.path, files)
        found = files.document(agent_file) if agent_file else None
        source = files.source(self.registry.path)
        same = (
            format_id == self._forced_format
            and self.root == project_root(self.registry.path.parent)
            and self.folder == (agent_file or self.registry.path).parent
            and self.agent_document is (found if isinstance(found, ParsedFile) else None)
        )
        same = same and files.inside(self.registry.path)
        if not same or isinstance(source, ReadProblem) or source.bom != before.bom:
            return False
        changed_keys: set[str] = set()
        asked: list[object] = []
        if source.text != before.text:
            changed = stretch_between(before.text, source.text)
            source = before.with_stretch(changed.start, changed.end, source.text[changed.start :][: changed.length])
            carried = carry_on(self.registry.tree, source, changed, "steps")
            if carried is None or self.flow.format != (format_id or detect(self.registry)):
                return False
            changed_keys = carried
            asked = [asked_schema(self.flow.steps.get(key)) for key in sorted(changed_keys)]
            if not carry_flow(self.flow, changed_keys):
                return False
        files.hold(self.registry)
        self._files = files
        load = partial(_load_schema, files, self.flow, self.agent)
        same = asked == [asked_schema(self.flow.steps.get(key)) for key in sorted(changed_keys)]
        if not same or not self.schemas.carry_on(load, changed_keys):
            self.schemas = StepSchemas(self.registry, Resolver(load))
        return True

    def _next(self, files: Files) -> "AgentFolder":
        registry = files.document(self.registry.path)
        if isinstance(registry, ReadProblem):
            registry = self.registry  # gone meanwhile, or a link by now: what was read last stays
        return AgentFolder(registry, self._forced_format, files, self)


def open_agent(
    path: Path, buffers: Mapping[Path, Source] | None = None, format_id: str | None = None
) -> AgentFolder | ReadProblem:
    """The agent at a path: a registry, a file that belongs to one, an agent folder, or a folder with agents below it.

    Of several agents below a folder the first by path is used; `find.find_registries` lists all. `buffers` are
    unsaved texts by path; `format_id` overrides the detection of the format. A registry that leaves its project
    through a link isn't read.
    """
    path = Path(os.path.normpath(path.absolute()))
    files = Files(project_root(path), buffers or {})
    found = owner(path, files)
    if isinstance(found, ReadProblem):
        return found
    files = files.under(project_root(found.parent))
    # “git difftool -d” gives a folder of links into the work tree, and writes links of the repository as plain files.
    registry = files.read(found) if "GIT_DIFFTOOL_DIRDIFF" in os.environ else files.document(found)
    return registry if isinstance(registry, ReadProblem) else AgentFolder(registry, format_id, files, None)


def _json_files(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.json"))
    except OSError:
        return []


def _load_schema(
    files: Files, flow: Flow, agent: AgentDefinition | None, file: str, beside: ParsedFile | None
) -> ParsedFile | ReadProblem:
    candidates = [beside.path.parent / file] if beside else lookup.schema_candidates(flow, agent, files.root, file)
    problem: ReadProblem | None = None
    for path in candidates:
        found = files.document(path)
        if isinstance(found, ParsedFile) or found.kind not in {"missing", "outside"}:
            return found
        if problem is None or (found.kind == "outside" and problem.kind == "missing"):
            problem = found
    assert problem is not None
    return problem

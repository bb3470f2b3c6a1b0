"""What a lint remembers for the next one of the same registry: the steps without findings of a rule.

Only silence is remembered. A rule that was silent about a step, and checked nothing but that step, its schema and the
settings, is silent again while those are as they were; everything else is checked again. So findings are always made
from the texts as they are now, and an incremental lint gives the same as a full one.
"""

from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path

from stepflow_gui.formats.climpt.lookup import schema_candidates
from stepflow_gui.formats.climpt.schemas import StepSchemas
from stepflow_gui.lint.contract import Contract
from stepflow_gui.lint.run_paths import KnownPaths
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Source


class LintMemory:
    """Belongs to one registry, and to one thread at a time. A text that is broken is linted without it.

    The folder that was linted is kept as well, and taken on to the next texts where they differ inside one step only.
    """

    __slots__ = (
        "_around",
        "_begun",
        "_files",
        "_folder",
        "_silent",
        "_texts",
        "_unchanged",
        "contracts",
        "documents",
        "run_paths",
    )

    def __init__(self) -> None:
        self._around: Hashable = None  # what the silence of every step depends on
        self._files: dict[Path, str] = {}  # the JSON files that were read, with their texts or what is wrong with them
        self._texts: dict[str, str] = {}  # by step
        self._unchanged: set[str] = set()
        self._silent: dict[str, set[str]] = {}  # steps by rule
        self._folder: AgentFolder | None = None
        self._begun: tuple[AgentFolder, StepSchemas] | None = None  # what `contracts` and `documents` are of
        self.contracts: dict[str, Contract] = {}  # by step
        self.run_paths: dict[str, KnownPaths] = {}  # by step, as long as `contracts` are kept
        self.documents: list[ParsedFile] | None = None  # that were read of the agent, before rules asked for more

    def open(
        self, path: Path, unsaved: Mapping[Path, Source] | None, format_id: str | None
    ) -> AgentFolder | ReadProblem:
        """What `open_agent` gives. What it gave before is outdated."""
        folder, self._folder = self._folder, None
        if folder is None or folder.registry.path != path or not folder.carry_on(unsaved or {}, format_id):
            found = open_agent(path, unsaved, format_id)
            if isinstance(found, ReadProblem):
                return found
            folder = found
        self._folder = folder
        return folder

    def begin(self, folder: AgentFolder, basis: Hashable) -> None:
        """A lint begins: forget what doesn't hold any more. `basis` is what all findings depend on besides files."""
        around = _around(folder, basis)
        if around != self._around or any(_content(folder.document(path)) != old for path, old in self._files.items()):
            self._around, self._texts, self._silent, self._begun = around, {}, {}, None
        whole, steps = folder.registry.source.text, folder.flow.steps
        before = self._texts
        self._texts = {step.id: whole[step.node.start : step.node.end] for step in steps.values()}
        self._unchanged = {step_id for step_id, text in self._texts.items() if before.get(step_id) == text}
        if self._begun is None or self._begun[0] is not folder or self._begun[1] is not folder.schemas:
            self._begun = folder, folder.schemas
            self.contracts, self.documents, self.run_paths = {}, None, {}
        else:
            self.contracts = {key: known for key, known in self.contracts.items() if known.step is steps.get(key)}

    def end(self, folder: AgentFolder) -> None:
        """The lint has ended: what was read during it counts as well."""
        read = folder.documents_read()
        self._files = {file.path: _content(file) for file in read if file.path != folder.registry.path}

    def silent(self, code: str) -> set[str]:
        """The steps already known to have no findings of the rule. The set is the rule's: add to it."""
        known = self._silent.get(code, set()) & self._unchanged
        self._silent[code] = known
        return known

    def record(self, code: str, pointers: Iterable[str | None]) -> None:
        """A rule that looks at each step by itself has checked all that weren't silent: its findings' places."""
        paths = [split(pointer or "") for pointer in pointers]
        self._silent[code] = set(self._texts) - {keys[1] for keys in paths if len(keys) > 1 and keys[0] == "steps"}


def _around(folder: AgentFolder, basis: Hashable) -> Hashable:
    schemas = schema_candidates(folder.flow, folder.agent, folder.root, "schema.json")  # where those of all steps lie
    here = folder.root, folder.registry.path, folder.folder, folder.agent_document is None, folder.format
    return *here, tuple(schemas), basis


def _content(file: ParsedFile | ReadProblem) -> str:
    return file.source.text if isinstance(file, ParsedFile) else f"\0{file.kind}"

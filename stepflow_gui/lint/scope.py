"""What a rule may look at besides its own element: the folder, the flow, the settings."""

from collections.abc import Iterable

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.climpt.eras import Era, era_for
from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.climpt.validation import Validation
from stepflow_gui.lint.agent_file import AgentFile, agent_file
from stepflow_gui.lint.contract import Contract
from stepflow_gui.lint.nearest import nearest
from stepflow_gui.lint.prompt_files import PromptFiles
from stepflow_gui.lint.settings import Settings
from stepflow_gui.lint.ways import Ways, may_emit
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import Document

SUGGESTIONS = 50  # names that are looked for, a rule and run: looking for one in 10,000 takes a while


class Scope:
    """One run over one folder."""

    __slots__ = (
        "_agent_file",
        "_contracts",
        "_emitted",
        "_enums",
        "_prompts",
        "_suggestions",
        "_validation",
        "_ways",
        "era",
        "flow",
        "folder",
        "has_gates",
        "settings",
    )

    def __init__(self, folder: AgentFolder, settings: Settings) -> None:
        self.folder = folder
        self.flow: Flow = folder.flow
        self.settings = settings
        # What upstream would do with the file, or the guide: `era.name` is what messages call it.
        self.era: Era = era_for(self.flow.format, settings.runtime)
        self.has_gates = any(step.gate for step in self.flow.steps.values())
        self._contracts: dict[str, Contract] = {}
        self._emitted: dict[str, list[Transition]] = {}
        self._enums: dict[tuple[int, str], list[Contract]] | None = None
        self._suggestions: dict[str, int] = {}
        self._validation: Validation | None = None
        self._ways: Ways | None = None
        self._prompts: PromptFiles | None = None
        self._agent_file: AgentFile | None = None

    @property
    def registry(self) -> Document:
        """The registry's document."""
        return self.folder.registry

    @property
    def agent_file(self) -> AgentFile | None:
        """The agent.json; None where it isn't there or its text has mistakes."""
        if self._agent_file is None:
            self._agent_file = agent_file(self.folder.agent_document)
        return self._agent_file

    @property
    def prompts(self) -> PromptFiles:
        """The prompt files."""
        if self._prompts is None:
            self._prompts = PromptFiles(self.folder)
        return self._prompts

    @property
    def validation(self) -> Validation:
        """What the registry checks before it closes."""
        if self._validation is None:
            self._validation = Validation(self.registry.root)
        return self._validation

    @property
    def fallback_keys(self) -> frozenset[str]:
        """The fallback keys that are known: the built-in ones, and those of the configuration."""
        return FALLBACK_KEYS | self.settings.fallback_keys

    def documents(self) -> list[Document]:
        """Every JSON file that was read of the agent: the registry, agent.json, the schema files that steps use."""
        found = {self.registry.path: self.registry}
        if self.folder.agent_document:
            found[self.folder.agent_document.path] = self.folder.agent_document
        for document in self.folder.schema_files():
            if isinstance(document, Document):
                found.setdefault(document.path, document)
        return list(found.values())

    def schema(self, step: Step) -> StepSchema:
        """The step's output schema, resolved."""
        return self.folder.schema(step)

    def contract(self, step: Step) -> Contract:
        """Where the step names intents."""
        known = self._contracts.get(step.id)
        if known is None:
            known = self._contracts[step.id] = Contract(step, self.registry, self.schema(step), self.flow.format)
        return known

    def sharing_enum(self, contract: Contract) -> list[Contract]:
        """The contracts of the other steps whose schema offers intents by the very same enum."""
        if self._enums is None:
            self._enums = {}
            for each in map(self.contract, self.flow.steps.values()):
                if each.enum_place is not None:
                    self._enums.setdefault((id(each.enum_place.document), each.enum_place.pointer), []).append(each)
        place = contract.enum_place
        if place is None:
            return []
        return [each for each in self._enums[id(place.document), place.pointer] if each is not contract]

    def emitted(self, step: Step) -> list[Transition]:
        """The transitions of a step whose intent its gate and kind let through; others are SF204's and SF206's."""
        known = self._emitted.get(step.id)
        if known is None:
            contract = self.contract(step)
            known = [rule for rule in step.transitions if may_emit(step, rule.intent, contract)]
            self._emitted[step.id] = known
        return known

    @property
    def ways(self) -> Ways:
        """Where a run can go, and where it may end."""
        if self._ways is None:
            self._ways = Ways(self.flow, self.era, self.contract, self.schema)
        return self._ways

    def nearest(self, code: str, word: str, candidates: Iterable[str]) -> str | None:
        """The candidate most like the word, for the first findings of a rule; later ones get None."""
        asked = self._suggestions.get(code, 0)
        self._suggestions[code] = asked + 1
        return nearest(word, candidates) if asked < SUGGESTIONS else None

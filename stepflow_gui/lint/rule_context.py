"""What a rule may look at besides its own element: the folder, the flow, the settings."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from stepflow_gui.flow.model import Flow, Step, Transition
from stepflow_gui.formats.climpt.eras import Era, era_for
from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.climpt.validation import Validation
from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint import closest_name
from stepflow_gui.lint.agent_file import AgentFile, agent_file
from stepflow_gui.lint.closest_name import is_slip, nearest, slip_of
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.contract import Contract
from stepflow_gui.lint.prompt_files import PromptFiles
from stepflow_gui.lint.rule import Finding, judged_as
from stepflow_gui.lint.run_paths import RunPaths, may_emit
from stepflow_gui.lint.step_identity import DistinctValues, Misnamed, misnamed_steps, unused_copies
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue

if TYPE_CHECKING:
    from stepflow_gui.formats.takt.eras import TaktEra
    from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases
    from stepflow_gui.formats.takt.releases.sets import Releases
    from stepflow_gui.lint.engine.memory import LintMemory
    from stepflow_gui.lint.name_evidence import NameEvidence
    from stepflow_gui.project.finding.takt_releases import PieceReleases
from stepflow_gui.formats.plain_values import is_plain, plain

_FEW = 6  # steps that share an enum; more are distinguished by their words


class TableViolations:
    """Belongs to one table, one format and one run over a registry."""

    __slots__ = ("_plain", "_step", "table")

    def __init__(self, table: Shape, format_id: str) -> None:
        self.table = table
        self._step = plain(table, format_id).fields["steps"].others
        self._plain: set[str] = set()

    def left(self, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The registry's value without the steps in which there is nothing to find, or as much of it as is given."""
        steps = value.get("steps")
        if self._step is None or not isinstance(steps, dict):
            return value
        known = self._plain
        known.update(key for key, step in steps.items() if key not in known and is_plain(step, self._step))
        return {**value, "steps": {key: step for key, step in steps.items() if key not in known}}


T = TypeVar("T")
SUGGESTIONS = 50  # names that are looked for, a rule and run: looking for one in 10,000 takes a while


class RuleContext:
    """One run over one folder."""

    __slots__ = (
        "_agent_file",
        "_contracts",
        "_copies",
        "_distinct",
        "_documents",
        "_emitted",
        "_enums",
        "_evidence",
        "_flow",
        "_folder",
        "_held",
        "_misnamed",
        "_prompts",
        "_releases",
        "_run_paths",
        "_suggestions",
        "_takt",
        "_unlike",
        "_validation",
        "_violations",
        "climpt",
        "era",
        "format",
        "has_gates",
        "judged_as",
        "memory",
        "settings",
        "wide",
    )

    def __init__(self, folder: AgentFolder, settings: LintSettings, memory: "LintMemory | None" = None) -> None:
        """With a `memory`, rules that look at each step by itself ask it which steps they needn't look at."""
        self._folder = folder
        self._flow = folder.flow
        self.settings = settings
        self.memory = memory
        self.wide = False  # whether more was looked at than a step, its schema, its contract and the settings
        self.format = folder.flow.format
        self.judged_as = judged_as(self.format)  # the same, or for a shape without a guide the format that it is like
        # What upstream would do with the file, or the guide: `era.name` is what messages call it.
        self.era: Era = era_for(self.format, settings.runtime)
        # The version of climpt that messages name: the chosen one; under the guide the last that reads the format.
        self.climpt: Era = era_for(self.format, None if settings.guide else settings.runtime)
        self.has_gates = any(step.gate for step in folder.flow.steps.values())
        self._contracts: dict[str, Contract] = {}
        self._documents: list[ParsedFile] | None = None
        self._emitted: dict[str, list[Transition]] = {}
        self._enums: dict[tuple[int, str], list[Contract]] | None = None
        self._unlike: dict[tuple[int, str], list[Contract]] = {}
        self._suggestions: dict[str, int] = {}
        self._validation: Validation | None = None
        self._run_paths: RunPaths | None = None
        self._misnamed: Misnamed | None = None
        self._copies: dict[str, str] | None = None
        self._evidence: NameEvidence | None = None
        self._distinct: DistinctValues | None = None
        self._prompts: PromptFiles | None = None
        self._held: HeldAgainstReleases | None = None
        self._releases: PieceReleases | None = None
        self._takt: TaktEra | None = None
        self._agent_file: AgentFile | None = None
        self._violations: dict[int, TableViolations] = {}

    @property
    def basis(self) -> Hashable:
        """What the findings of every rule depend on besides the files."""
        return self.era, self.settings.runtime, self.settings.fallback_keys, self.has_gates

    def know_contracts(self, contracts: dict[str, Contract]) -> None:
        """Take these contracts for known, and add to them."""
        self._contracts = contracts

    @property
    def folder(self) -> AgentFolder:
        """The agent's files."""
        self.wide = True
        return self._folder

    @property
    def flow(self) -> Flow:
        """The registry as read. Its `format` is in the context as well, without looking at the flow."""
        self.wide = True
        return self._flow

    @property
    def takt(self) -> "TaktEra":
        """The era of a TAKT file: the one whose words it is written in."""
        self.wide = True
        if self._takt is None:
            from stepflow_gui.formats.takt.detect import era_of_file  # registries are of other formats

            self._takt = era_of_file(self._folder.registry.root, self._folder.registry.path)
        return self._takt

    @property
    def held(self) -> "HeldAgainstReleases":
        """What every release of TAKT does with a TAKT file."""
        self.wide = True
        if self._held is None:
            from stepflow_gui.formats.takt.releases.loading import held_against_releases

            self._held = held_against_releases(self._folder.registry.tree)
        return self._held

    @property
    def piece_releases(self) -> "PieceReleases":
        """The releases of TAKT that a TAKT file is for, with what narrowed them and what doesn't agree."""
        self.wide = True
        if self._releases is None:
            from stepflow_gui.project.finding.takt_releases import releases_of_piece

            registry = self._folder.registry
            self._releases = releases_of_piece(registry.path, registry.tree, self.settings.runtime)
        return self._releases

    @property
    def releases(self) -> "Releases":
        """The releases of TAKT that a TAKT file is for, as far as the settings, or what lies around it, want them."""
        return self.piece_releases.releases

    @property
    def registry(self) -> ParsedFile:
        """The registry's document."""
        return self.folder.registry

    @property
    def agent_file(self) -> AgentFile | None:
        """The agent.json; None where it doesn't exist or its text has mistakes."""
        self.wide = True
        if self._agent_file is None:
            self._agent_file = agent_file(self.folder.agent_document)
        return self._agent_file

    @property
    def prompts(self) -> PromptFiles:
        """The prompt files."""
        self.wide = True
        if self._prompts is None:
            self._prompts = PromptFiles(self.folder, self.era)
        return self._prompts

    @property
    def validation(self) -> Validation:
        """What the registry checks before it closes."""
        self.wide = True
        if self._validation is None:
            self._validation = Validation(self.registry.root)
        return self._validation

    @property
    def fallback_keys(self) -> frozenset[str]:
        """The fallback keys that are known: the built-in ones, and those of the configuration."""
        return FALLBACK_KEYS | self.settings.fallback_keys

    def documents(self) -> list[ParsedFile]:
        """Every JSON file that was read of the agent: the registry, agent.json, the schema files that steps use."""
        if self._documents is not None:
            return self._documents
        if self.memory is not None and self.memory.documents is not None:
            self._documents = self.memory.documents
            return self._documents
        found = {self.registry.path: self.registry}
        if self.folder.agent_document:
            found[self.folder.agent_document.path] = self.folder.agent_document
        for document in self.folder.schema_files():
            if isinstance(document, ParsedFile):
                found.setdefault(document.path, document)
        self._documents = list(found.values())
        if self.memory is not None:
            self.memory.documents = self._documents
        return self._documents

    def by_step(self, code: str, value: JsonValue, look: Callable[[JsonValue], Iterable[Finding]]) -> Iterator[Finding]:
        """What a rule finds in the registry's value that looks at each step by itself.

        Steps in which it found nothing last time are left out of the value.
        """
        steps = value.get("steps") if isinstance(value, dict) else None
        if self.memory is None or not isinstance(steps, dict):
            yield from look(value)
            return
        silent = self.memory.silent(code)
        places: set[str | None] = set()
        for finding in look({**value, "steps": {key: step for key, step in steps.items() if key not in silent}}):
            places.add(finding.pointer)
            yield finding
        self.memory.record(code, places)

    def without_valid_steps(self, table: Shape, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The registry's value without the steps that conform to a field table, today's names used."""
        violations = self._violations.get(id(table))
        if violations is None:
            violations = self._violations[id(table)] = TableViolations(table, self.format)
        return violations.left(value)

    def each(self, code: str, look: Callable[[Step], Iterable[T]]) -> Iterator[T]:
        """What `look` gives of each step, in file order, for a rule that looks at the flow step by step.

        A step of which nothing came, and for which no more was checked, are skipped next time.
        """
        silent = self.memory.silent(code) if self.memory is not None else set()
        for step in self._flow.steps.values():
            if step.id in silent:
                continue
            self.wide = False
            found_any = False
            for each in look(step):
                found_any = True
                yield each
            if self.memory is not None and not found_any and not self.wide:
                silent.add(step.id)

    @property
    def schema_folder(self) -> AgentFolder:
        """The agent's files, to follow references of schemas in: the memory knows of every JSON file that was read."""
        return self._folder

    def schema(self, step: Step) -> StepSchema:
        """The step's output schema, resolved."""
        return self._folder.schema(step)

    def contract(self, step: Step) -> Contract:
        """Where the step names intents."""
        known = self._contracts.get(step.id)
        if known is None:
            known = self._contracts[step.id] = Contract(step, self._folder.registry, self.schema(step), self.format)
        return known

    def sharing_enum(self, contract: Contract) -> list[Contract]:
        """The contracts of the other steps whose schema offers intents by the very same enum."""
        self.wide = True
        if self._enums is None:
            self._enums = {}
            for each in map(self.contract, self.flow.steps.values()):
                if each.enum_place is not None:
                    self._enums.setdefault((id(each.enum_place.document), each.enum_place.pointer), []).append(each)
        place = contract.enum_place
        if place is None:
            return []
        return [each for each in self._enums[id(place.document), place.pointer] if each is not contract]

    def unlike_sharing(self, contract: Contract) -> list[Contract]:
        """Of these, two of each kind that allows and goes on by the same words: what holds for them holds for all."""
        place = contract.enum_place
        sharing = self.sharing_enum(contract)
        if place is None or len(sharing) < _FEW:
            return sharing
        key = id(place.document), place.pointer
        if key not in self._unlike:
            found: dict[Hashable, list[Contract]] = {}
            for each in (contract, *sharing):
                found.setdefault(each.besides_enum, []).append(each)
            self._unlike[key] = [each for alike in found.values() for each in alike[:2]]
        return [each for each in self._unlike[key] if each is not contract]

    def emitted(self, step: Step) -> list[Transition]:
        """The transitions of a step whose intent its gate and kind let through; others are SF204's and SF206's."""
        known = self._emitted.get(step.id)
        if known is None:
            contract = self.contract(step)
            known = [rule for rule in step.transitions if may_emit(step, rule.intent, contract)]
            self._emitted[step.id] = known
        return known

    @property
    def run_paths(self) -> RunPaths:
        """Where a run can go, and where it may end."""
        self.wide = True
        if self._run_paths is None:
            self._run_paths = RunPaths(
                self.flow, self.era, self.contract, self.schema, self.memory.run_paths if self.memory else None
            )
        return self._run_paths

    @property
    def distinct(self) -> DistinctValues:
        """What distinguishes the steps."""
        self.wide = True
        if self._distinct is None:
            self._distinct = DistinctValues(self.flow)
        return self._distinct

    @property
    def misnamed(self) -> Misnamed:
        """Steps whose own name is misspelt, by the name that is meant."""
        if self._misnamed is None:
            self._misnamed = misnamed_steps(self.flow, lambda: self.evidence)
        return self._misnamed

    @property
    def copies(self) -> dict[str, str]:
        """The steps that are copies of others, as long as nothing goes to them."""
        if self._copies is None:
            self._copies = unused_copies(self.flow)
        return self._copies

    def copy_cause(self, step: Step) -> Hashable | None:
        """The cause that the findings of a step have in common where it is a copy to which nothing leads yet."""
        return ("copy", step.id) if step.id in self.copies else None

    @property
    def evidence(self) -> "NameEvidence":
        """What the agent's files tell of names of which one is misspelt."""
        if self._evidence is None:
            from stepflow_gui.lint.name_evidence import NameEvidence  # only an unknown name needs it

            self._evidence = NameEvidence(self.folder)
        return self._evidence

    def nearest(self, code: str, word: str, candidates: Iterable[str], rarer: Iterable[str] = ()) -> str | None:
        """The candidate most like the word, for the first findings of a rule; later ones get None.

        One of the `rarer` names is meant only where a slip or the form of its letters parts it from the word, and no
        candidate.
        """
        asked = self._suggestions.get(code, 0)
        self._suggestions[code] = asked + 1
        if asked >= SUGGESTIONS:
            return None
        found = nearest(word, candidates)
        if found is not None and is_slip(word, found):
            return found
        rarer = list(rarer)
        same = [each for each in rarer if closest_name.plain(each) == closest_name.plain(word)]
        return slip_of(word, rarer) or (same[0] if len(same) == 1 else found)

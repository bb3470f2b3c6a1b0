"""The status of a project's agents: each checked by itself, and again only when something about it changed."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.agent_file import read_agent
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.config.file import NAMES
from stepflow_gui.lint.diagnostic import ERROR, INFO, RANK, WARNING, Diagnostic, Severity
from stepflow_gui.lint.engine.opening import open_as_configured
from stepflow_gui.lint.engine.outcome import judge_one
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.lint.suppressions.baseline import Baseline, read_baseline
from stepflow_gui.lint.suppressions.fingerprint import Fingerprint
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.agent_listing import AgentListing, ListedFile, Role, listing_of
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.files_of_registry import files_of
from stepflow_gui.project.finding.find import is_bare_agent, walk
from stepflow_gui.project.finding.locate import AGENT, REGISTRY, named_registry
from stepflow_gui.text.files.presence import exists
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Source

_SAYS_MISSING: dict[Role, frozenset[str]] = {
    "agent": frozenset({"SF801"}),
    "prompt": frozenset({"SF506", "SF608", "SF807"}),
    "schema": frozenset({"SF701"}),
    "facet": frozenset({"T014"}),
    "registry": frozenset(),
}
_JUST = 2_000_000_000  # nanoseconds: a file changed so shortly before may change again within one tick of its clock


class Health(NamedTuple):
    """How many findings of each severity there are."""

    errors: int = 0
    warnings: int = 0
    infos: int = 0

    @property
    def worst(self) -> Severity | None:
        """The worst severity that there is."""
        counted = ((ERROR, self.errors), (WARNING, self.warnings), (INFO, self.infos))
        return next((severity for severity, count in counted if count), None)


class CheckedAgent(NamedTuple):
    """The status of an agent.

    `key` is its registry; the agent.json where there is no registry. `files` is the health of those that have findings,
    `missing` is the severity of missing files; `problem` the reason why nothing could be read.
    """

    key: Path
    listing: AgentListing | None
    health: Health
    files: dict[Path, Health]
    missing: dict[Path, Severity]
    problem: ReadProblem | None = None


class ProjectChecker:
    """Finds the agents below a folder and looks at them. `begin` before each round: files may have changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._stamps: dict[Path, dict[Path, int | None]] = {}
        self.begin()

    def begin(self) -> None:
        """Forget what was read of configurations and baselines."""
        self._configs = Configs()
        self._baselines: dict[Path, _Known | None] = {}
        self._seen: dict[Path, int | None] = {}

    def find(self) -> Iterator[tuple[list[Path], list[ReadProblem]]]:
        """The keys of agents, and what couldn't be looked into, as they are found."""
        for place in walk(self.root):
            keys = place.registries or ([place.folder / AGENT] if is_bare_agent(place) else [])
            if keys or place.problems:
                yield keys, place.problems

    def changed(self, key: Path) -> bool:
        """Whether an agent was never read, or something about it changed since."""
        stamps = self._stamps.get(key)
        return stamps is None or any(self._stamp(path) != stamp for path, stamp in stamps.items())

    def examine(self, key: Path) -> CheckedAgent:
        """Look at an agent."""
        began = time.time_ns()
        if key.name == AGENT:
            self._note(key, [key, *_named(key)], began)
            return _without_registry(key, self.root)
        folder = open_as_configured(key, None, self._configs)
        if isinstance(folder, ReadProblem):
            self._note(key, [key], began)
            return CheckedAgent(key, None, Health(), {}, {}, folder)
        found = self._findings(folder)
        listing = listing_of(folder)
        self._note(key, self._around(folder, listing), began)
        return examined(folder, listing, found)

    def _findings(self, folder: AgentFolder) -> list[Diagnostic]:
        judged = judge_one(folder, self._configs, lambda _failure: None)
        file = self._configs.of(folder.registry.path).baseline
        if file is None or not judged.diagnostics:
            return judged.diagnostics
        if file not in self._baselines:
            baseline = read_baseline(file)
            self._baselines[file] = _Known(baseline) if isinstance(baseline, Baseline) else None
        known = self._baselines[file]
        return known.without(judged.diagnostics, judged.sources) if known else judged.diagnostics

    def _around(self, folder: AgentFolder, listing: AgentListing) -> Iterator[Path]:
        """What the findings depend on: files, whether they are there or not, and the folders that they lie in."""
        files = {*files_of(folder), *(file.path for file in listing.files)}
        files.update(read.path for read in (*folder.documents_read(), *folder.texts_read()))
        yield from files
        yield from _folders_of(files, folder.root)
        for above in (folder.registry.path.parent, *folder.registry.path.parent.parents):
            yield from (above / name for name in NAMES)

    def _note(self, key: Path, paths: Iterable[Path], began: int) -> None:
        stamps = {path: self._stamp(path) for path in paths}
        now = time.time_ns()
        self._stamps[key] = {
            path: -1 if stamp is not None and began - _JUST <= stamp <= now else stamp for path, stamp in stamps.items()
        }

    def _stamp(self, path: Path) -> int | None:
        """When a file was changed last, in nanoseconds; None where there is none. Looked at once a round."""
        if path not in self._seen:
            try:
                self._seen[path] = path.stat().st_mtime_ns
            except (OSError, ValueError):
                self._seen[path] = None
        return self._seen[path]


def examined(folder: AgentFolder, listing: AgentListing, found: Iterable[Diagnostic]) -> CheckedAgent:
    """The status of an agent with these findings."""
    found = list(found)
    files: dict[Path, Counter[Severity]] = {}
    for each in found:
        files.setdefault(each.file, Counter())[each.severity] += 1
    missing = {file.path: _how_bad(file, found) for file in listing.files if not file.there}
    return CheckedAgent(
        folder.registry.path,
        listing,
        _health(Counter(each.severity for each in found)),
        {path: _health(counted) for path, counted in files.items()},
        missing,
    )


def _health(counted: Counter[Severity]) -> Health:
    return Health(counted[ERROR], counted[WARNING], counted[INFO])


def _how_bad(file: ListedFile, found: Iterable[Diagnostic]) -> Severity:
    """The severity of the finding about it; info if the linter has none about it."""
    codes, asking = _SAYS_MISSING[file.role], set(file.asked_by)
    severities = [each.severity for each in found if each.code in codes and (not asking or asking & _named_in(each))]
    return min(severities, key=RANK.__getitem__, default=INFO)


def _named_in(found: Diagnostic) -> set[str]:
    """The steps and failure patterns that a finding is about."""
    places = [found.pointer, *(related.pointer for related in found.related)]
    names = {keys[1] for pointer in places if pointer and len(keys := split(pointer)) > 1}
    return names | ({found.step} if found.step else set())


def _folders_of(files: Iterable[Path], root: Path) -> set[Path]:
    """The folders of files, and those above them in the project: a change of one shows that a file came or went."""
    found: set[Path] = set()
    for file in files:
        for folder in file.parents:
            if folder in found:
                break
            found.add(folder)
            if folder == root:
                break
    return found


def _named(agent_file: Path) -> list[Path]:
    named = named_registry(agent_file, Files(agent_file.parent, {}))
    return [named or agent_file.with_name(REGISTRY)]


def _without_registry(key: Path, root: Path) -> CheckedAgent:
    document = Files(key.parent, {}).read(key)
    if isinstance(document, ReadProblem):
        return CheckedAgent(key, None, Health(), {}, {}, document)
    name = read_agent(document).name
    registry = _named(key)[0]
    files = (ListedFile(key, "agent"), ListedFile(registry, "registry", there=False))
    named = name.value if name and name.value.strip() else key.parent.name
    listing = AgentListing(registry, named, key.parent, root, None, files)
    return CheckedAgent(key, listing, Health(errors=1), {}, {registry: ERROR}, ReadProblem("no-registry", key.parent))


class _Known:
    """A baseline, split by file: each agent is compared with its own part of it."""

    def __init__(self, baseline: Baseline) -> None:
        self._folder = baseline.folder
        self._of: dict[str, Counter[Fingerprint]] = {}
        for mark, count in baseline.entries.items():
            self._of.setdefault(mark[0], Counter())[mark] = count
        self._gone = [file for file in self._of if not exists(self._folder / file)]

    def without(self, found: list[Diagnostic], sources: dict[Path, Source]) -> list[Diagnostic]:
        """The findings that it doesn't hold."""
        files = {shown_path(each.file, self._folder) for each in found}
        entries: Counter[Fingerprint] = Counter()
        for file in files.union(self._gone):
            entries.update(self._of.get(file, {}))
        return Baseline(self._folder, entries).split(found, sources).new

"""The outcome of a lint run over several agents: the files, the findings about them, and their texts."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import ERROR, INFO, WARNING, Diagnostic, Severity, order
from stepflow_gui.lint.engine.engine import OnFailure, Timings, judged, lint
from stepflow_gui.lint.engine.unreadable_files import unread_files
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source


class ReportedReleases(NamedTuple):
    """The releases of TAKT that a piece is for, as `0.12.0-0.29.0`; "" for none. What around it agrees, and not."""

    text: str
    narrowed_by: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


class LintOutcome:
    """What was found.

    `files` are the registries that were checked, `sources` the texts that diagnostics point into, `unread` the files
    around the registries that are there and can't be read. `known` findings were left out: a baseline holds them, and
    those of `suppressed` because someone suppressed them. `releases` are those that each TAKT file is for.
    """

    __slots__ = ("diagnostics", "files", "known", "releases", "sources", "suppressed", "unread")

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.diagnostics: list[Diagnostic] = []
        self.sources: dict[Path, Source] = {}
        self.unread: list[ReadProblem] = []
        self.known = 0
        self.suppressed: list[Suppressed] = []
        self.releases: dict[Path, ReportedReleases] = {}

    def count(self, severity: Severity) -> int:
        """How many diagnostics are that bad."""
        return sum(diagnostic.severity == severity for diagnostic in self.diagnostics)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Errors, warnings and infos."""
        return self.count(ERROR), self.count(WARNING), self.count(INFO)


class AgentLint(NamedTuple):
    """What a lint of one agent gave: findings, the files that couldn't be read, the texts that findings point into.

    `releases` are those of TAKT that a piece is for; None for other files.
    """

    diagnostics: list[Diagnostic]
    unread: list[ReadProblem]
    sources: dict[Path, Source]
    suppressed: list[Suppressed]
    releases: ReportedReleases | None


def judge_one(
    agent: AgentFolder, configs: Configs | None, on_failure: OnFailure | None = None, timings: Timings | None = None
) -> AgentLint:
    """Lint one agent."""
    suppressed: list[Suppressed] = []
    settings = settings_for(agent.registry.path, agent.format, configs)
    found = lint(agent, settings, on_failure, timings, suppressed=suppressed)
    if agent.registry.is_yaml:
        from stepflow_gui.lint.release_guard import without_harmful_fixes  # registries are of other formats

        found = without_harmful_fixes(found, agent.registry, settings.runtime)
    unread = [each for each in unread_files(agent) if each.kind != "not-utf8"]
    return AgentLint(found, unread, sources_of(agent, found), suppressed, releases_of(agent, settings.runtime))


def judge(
    agents: Iterable[AgentFolder],
    unreadable: Iterable[Diagnostic] = (),
    configs: Configs | None = None,
    on_failure: OnFailure | None = None,
    timings: Timings | None = None,
    judging: Callable[[AgentFolder], AgentLint] | None = None,
) -> LintOutcome:
    """Lint agents; `unreadable` are the diagnostics of files that couldn't become one. `judging` may do it elsewhere.

    What two agents share, such as a schema file, is reported once, whichever steps use it. `configs` defines by
    which settings each is judged, and gets a word on what in it had no effect.
    """
    outcome = LintOutcome()
    found: dict[Diagnostic, Diagnostic] = {}  # by what makes them one
    suppressed: dict[Suppressed, None] = {}
    for diagnostic in unreadable:
        outcome.files.append(diagnostic.file)
        wanted = judged(diagnostic, settings_for(diagnostic.file, diagnostic.format, configs))
        if wanted:
            found[wanted] = wanted
    for agent in agents:
        outcome.files.append(agent.registry.path)
        linted = judging(agent) if judging else judge_one(agent, configs, on_failure, timings)
        for diagnostic in linted.diagnostics:
            found.setdefault(_as_shared(diagnostic, agent.registry.path), diagnostic)
        suppressed.update(dict.fromkeys(linted.suppressed))
        outcome.unread += linted.unread
        outcome.sources |= linted.sources
        if linted.releases is not None:
            outcome.releases[agent.registry.path] = linted.releases
    if configs is not None and any(config.patterns or config.suppressions for config in configs.all()):
        from stepflow_gui.lint.config.usage import config_diagnostics

        for diagnostic, source in config_diagnostics(configs, outcome.files):
            found[diagnostic] = diagnostic
            outcome.sources[diagnostic.file] = source
    outcome.files.sort(key=Path.as_posix)
    outcome.diagnostics = sorted(found.values(), key=order)
    outcome.suppressed = sorted(suppressed, key=lambda each: order(each.found))
    return outcome


def releases_of(agent: AgentFolder, runtime: str | None) -> ReportedReleases | None:
    """The releases of TAKT that a piece is for; None for files of other formats."""
    if agent.format != "takt":
        return None
    from stepflow_gui.formats.takt.releases.sets import written
    from stepflow_gui.project.finding.takt_releases import releases_of_piece

    found = releases_of_piece(agent.registry.path, agent.registry.tree, runtime)
    by, against = (tuple(each.source for each in some) for some in (found.narrowed_by, found.against))
    return ReportedReleases(written(found.releases).replace("–", "-"), by, against)


def _as_shared(diagnostic: Diagnostic, registry: Path) -> Diagnostic:
    """A finding as for any agent with the file: one that concerns only the file has no step."""
    is_own = diagnostic.file == registry or diagnostic.related
    return diagnostic if is_own else diagnostic._replace(step=None)


def settings_for(registry: Path, format_id: str | None, configs: Configs | None) -> LintSettings:
    """The settings by which a registry is judged."""
    return configs.of(registry).settings(registry, format_id) if configs else LintSettings()


def sources_of(agent: AgentFolder, diagnostics: Iterable[Diagnostic]) -> dict[Path, Source]:
    """The texts of an agent that diagnostics point into."""
    found = {path: agent.content(path) for path in _pointed_at(diagnostics)}
    return {path: document.source for path, document in found.items() if not isinstance(document, ReadProblem)}


def _pointed_at(diagnostics: Iterable[Diagnostic]) -> set[Path]:
    paths: set[Path] = set()
    for diagnostic in diagnostics:
        paths.add(diagnostic.file)
        paths.update(related.file for related in diagnostic.related)
    return paths

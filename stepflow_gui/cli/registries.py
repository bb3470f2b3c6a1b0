"""Which agents the paths of a command line mean, and what could not be read."""

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from stepflow_gui.cli.progress import with_progress
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.opening import open_as_configured
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.project.finding.find import is_bare_agent, walk
from stepflow_gui.project.finding.locate import AGENT, REGISTRY
from stepflow_gui.text.files.presence import link_of
from stepflow_gui.text.files.store import ReadProblem, reason_of
from stepflow_gui.text.source import Source


class CollectedRegistries:
    """The agents, each once; the files that are not UTF-8, as diagnostics; one line for what couldn't be read."""

    __slots__ = ("_configs", "_seen", "_unsaved", "_wanted", "agents", "complaints", "undecodable")

    def __init__(
        self,
        configs: Configs | None = None,
        unsaved: Mapping[Path, Source] | None = None,
        wanted: Callable[[Path], bool] | None = None,
    ) -> None:
        self._configs = configs
        self._wanted = wanted
        self._unsaved = unsaved or {}
        self.agents: list[AgentFolder] = []
        self.undecodable: list[Diagnostic] = []
        self.complaints: list[str] = []
        self._seen: set[str] = set()

    def add(self, path: Path) -> None:
        """Open what a path means, unless it is a registry that isn't wanted."""
        if self._wanted and path.name == REGISTRY and not self._wanted(path):
            return
        opened = self._opened(path)
        if isinstance(opened, ReadProblem):
            self._refuse(opened)
        elif opened.registry.path.name == AGENT:  # on its own where it has no registry
            self.complain(ReadProblem("no-registry", path))
        elif (not self._wanted or self._wanted(opened.registry.path)) and self._is_new(opened.registry.path):
            self.agents.append(opened)

    def _opened(self, path: Path) -> AgentFolder | ReadProblem:
        if self._configs is None:
            return open_agent(path, self._unsaved)
        return open_as_configured(path, self._unsaved, self._configs)

    def complain(self, problem: ReadProblem) -> None:
        """Note what couldn't be read."""
        line = read_problem_text(problem)
        if line not in self.complaints:
            self.complaints.append(line)

    def _refuse(self, problem: ReadProblem) -> None:
        if problem.kind != "not-utf8":
            self.complain(problem)
        elif self._is_new(problem.path):
            from stepflow_gui.lint.rules.document.sf003_encoding import not_utf8

            self.undecodable.append(not_utf8(problem))

    def _is_new(self, path: Path) -> bool:
        key = os.path.realpath(path)
        known = key in self._seen
        self._seen.add(key)
        return not known


def collect_registries(
    paths: Iterable[Path],
    configs: Configs | None = None,
    unsaved: Mapping[Path, Source] | None = None,
    *,
    wanted: Callable[[Path], bool] | None = None,
    lenient: bool = False,
) -> CollectedRegistries:
    """Open the agents that paths mean: folders by what is found in them, registries, and files by their owners.

    `configs` may set the format that a registry is read as; `unsaved` are texts laid over files, by absolute path.
    Registries that aren't `wanted` are left out. With `lenient` so are files that belong to no registry.
    """
    gathered = CollectedRegistries(configs, unsaved, wanted)
    parts: list[Path] = []
    for path in paths:
        laid = path.absolute() in (unsaved or {})
        problem = None if laid else path_problem(path)
        if problem:
            gathered.complain(problem)
        elif path.is_dir():
            _add_below(gathered, path, lenient=lenient)
        elif laid or path.name == REGISTRY:
            gathered.add(path)
        else:
            parts.append(path)
    if parts:
        _add_owners(gathered, parts, lenient=lenient)
    return gathered


def _add_below(gathered: CollectedRegistries, folder: Path, *, lenient: bool) -> None:
    """Add every registry below a folder, and report which agents have none."""
    places = list(walk(folder))
    missed = [problem for place in places for problem in place.problems]
    missed += [ReadProblem("no-registry", place.folder / AGENT) for place in places if is_bare_agent(place)]
    registries = sorted({registry for place in places for registry in place.registries})
    if not registries and not missed and not lenient:
        missed = [ReadProblem("no-registry", folder)]
    for problem in missed:
        gathered.complain(problem)
    for registry in with_progress(registries, len(registries), reading=True):
        gathered.add(registry)


def _add_owners(gathered: CollectedRegistries, parts: Iterable[Path], *, lenient: bool) -> None:
    """Add every registry that the files are part of; those that are part of none are added on their own."""
    from stepflow_gui.project.finding.files_of_registry import RegistryOwners

    owners = RegistryOwners()
    for path in parts:
        registries = owners.of(path)
        for registry in registries:
            gathered.add(registry)
        if not registries and not lenient:
            gathered.add(path)


def path_problem(path: Path) -> ReadProblem | None:
    """Why a path can't even be opened: it doesn't exist, or reading it might never end."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ReadProblem("missing", path)
    except (OSError, ValueError) as error:
        return ReadProblem("unreadable", path, reason_of(error))
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        return ReadProblem("unreadable", path, _("neither a file nor a folder"))
    return None


def read_problem_text(problem: ReadProblem) -> str:
    """A read problem in one line."""
    linked = _(
        "{path}: not read, because the link “{link}” points outside the project. To open it, use its target: {reason}"
    )
    text = {
        "missing": _("{path}: no such file or folder"),
        "folder": _("{path}: this is a folder"),
        "not-utf8": _("{path}: not UTF-8 text (byte {reason})"),
        "outside": linked if problem.detail else _("{path}: lies outside the project"),
        "no-registry": _(
            "{path}: no registry found; looked for steps_registry.json, a registry.json beside an "
            "agent.json, and the registry that an agent.json names"
        ),
        "no-piece": _(
            "{path}: not a TAKT piece (found {reason}); a piece has a “name” and a list “movements”, which newer"
            " workflows call “steps”, each with a “name” and an instruction"
        ),
    }.get(problem.kind, _("{path}: can't be read ({reason})"))
    path = problem.path
    here = Path.cwd()
    link = shown_path(link_of(path), here) if problem.kind == "outside" else ""
    shown = shown_path(path, here) if path.is_absolute() else path
    return text.format(path=shown, link=link, reason=problem.detail)

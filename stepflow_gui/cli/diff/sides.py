"""What `stepflow diff` compares: the agents or the file that a path means, on disk or at a git revision."""

import os
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.cli.registries import path_problem, read_problem_text
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.engine.opening import open_as_configured
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.choosing import AGENTS
from stepflow_gui.project.finding.find import scan
from stepflow_gui.project.finding.locate import project_root
from stepflow_gui.project.git.revision import Revision, RevisionProblem, revision_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import exists, is_folder
from stepflow_gui.text.files.store import ReadProblem

NOTHING = (Path(os.devnull), Path("/dev/null"))  # git passes the latter on every system


class DiffArgument(NamedTuple):
    """A path of the command line; `revision` None: as it is on disk. `name` is how it was given."""

    path: Path
    revision: Revision | None
    name: str

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder there."""
        return self.revision.is_folder(self.path) if self.revision else is_folder(self.path)

    def shown(self, path: Path) -> str:
        """A path of this side as shown to the user."""
        shown = shown_path(path, Path.cwd())
        return f"{self.revision.name}:{shown}" if self.revision else shown


class DiffSide:
    """What was found: agents by the path of their registry from the folder, or one file. Neither: nothing is there."""

    __slots__ = ("agents", "argument", "document", "problems")

    def __init__(self, argument: DiffArgument) -> None:
        self.argument = argument
        self.agents: dict[str, AgentFolder] = {}
        self.document: ParsedFile | None = None
        self.problems: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compare."""
        return not self.agents and self.document is None

    def refuse(self, problem: ReadProblem | RevisionProblem) -> None:
        """Note what can't be compared."""
        self.problems.append(problem.message if isinstance(problem, RevisionProblem) else read_problem_text(problem))


def parse_argument(word: str) -> DiffArgument | RevisionProblem:
    """A path, the name of an agent below `.agent`, or `REVISION:path` as git has it (`REVISION:./path`: from here)."""
    path = Path(word)
    if not os.path.lexists(path) and ":" in word:
        name, _colon, below = word.partition(":")
        found = revision_of(Path.cwd(), name)
        if isinstance(found, RevisionProblem):
            return found
        start = Path.cwd() if below.startswith(("./", "../")) or below in {".", ".."} else found.top
        return DiffArgument(_normal(start / below), found, word)
    named = Path(AGENTS) / path
    if not exists(path) and is_folder(named):
        path = named
    return DiffArgument(path if path in NOTHING else _normal(path), None, word)


def at_revision(now: DiffArgument, name: str) -> DiffArgument | RevisionProblem:
    """The same path at a revision."""
    folder = next(folder for folder in (now.path, *now.path.parents) if is_folder(folder))
    found = revision_of(folder, name)
    return found if isinstance(found, RevisionProblem) else DiffArgument(now.path, found, f"{name}:{now.name}")


def open_side(argument: DiffArgument, *, folder: bool, beside: Revision | None) -> DiffSide:
    """What a path holds; `folder`: whether to look for a folder, as the other side may have nothing there.

    `beside` is the revision that the other side is of: what that has no files of is left out.
    """
    side = DiffSide(argument)
    if argument.path in NOTHING:
        return side
    if argument.revision is None:
        _from_disk(side, argument.path, beside)
    elif folder:
        _from_revision(side, argument.revision, argument.path)
    else:
        document = argument.revision.document(argument.path)
        if isinstance(document, ParsedFile):
            side.document = document
        elif isinstance(document, RevisionProblem) or document.kind != "missing":
            side.refuse(document)
    return side


def _from_disk(side: DiffSide, path: Path, beside: Revision | None) -> None:
    problem = path_problem(path)
    if problem is not None:
        if problem.kind != "missing":
            side.refuse(problem)
    elif is_folder(path):
        found = scan(path)
        for each in found.problems:
            side.refuse(each)
        for registry in found.registries:
            if beside is not None and beside.passes_over(registry):
                continue
            agent = open_as_configured(registry)
            if isinstance(agent, ReadProblem):
                side.refuse(agent)
            else:
                side.agents[registry.relative_to(path).as_posix()] = agent
    else:
        document = Files(project_root(path), {}).document(path)
        if isinstance(document, ReadProblem):
            side.refuse(document)
        else:
            side.document = document


def _from_revision(side: DiffSide, revision: Revision, path: Path) -> None:
    registries = revision.registries(path)
    if isinstance(registries, RevisionProblem):
        side.refuse(registries)
        return
    for registry in registries:
        agent = revision.agent(registry, Configs().of(registry).format(registry))
        if isinstance(agent, AgentFolder):
            side.agents[registry.relative_to(path).as_posix()] = agent
        else:
            side.refuse(agent)


def pair_agents(old: DiffSide, new: DiffSide) -> list[tuple[AgentFolder | None, AgentFolder | None]]:
    """The agents of both sides that belong together: of the same path, and two that are alone whatever their names."""
    if len(old.agents) == len(new.agents) == 1:
        return list(zip(old.agents.values(), new.agents.values(), strict=True))
    paths = sorted(old.agents.keys() | new.agents.keys())
    return [(old.agents.get(path), new.agents.get(path)) for path in paths]


def problems_of(old: DiffSide, new: DiffSide) -> list[str]:
    """What keeps the sides from being compared, in words."""
    found = [*old.problems, *new.problems]
    if found:
        return list(dict.fromkeys(found))  # both sides may be the same file
    sides = [side for side in (old, new) if not side.is_empty]
    if len({side.argument.is_folder for side in sides}) > 1:
        return [
            _("can't compare {old} and {new}: one is a folder, the other a file").format(
                old=old.argument.name, new=new.argument.name
            )
        ]
    may_be_absent = old.argument.path == new.argument.path and len(sides) == 1  # come, or gone, since a revision
    alone = [
        side.argument
        for side in (old, new)
        if side.is_empty and side.argument.path not in NOTHING and not may_be_absent
    ]
    return list(dict.fromkeys(read_problem_text(_absent(argument)) for argument in alone))


def _absent(argument: DiffArgument) -> ReadProblem:
    return ReadProblem("no-registry" if argument.is_folder else "missing", Path(argument.name))


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))

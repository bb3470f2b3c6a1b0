"""What `stepflow diff` compares: the agents or the file that a path means, on disk or at a git revision."""

import os
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.cli.registries import explain, unfit
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.engine.opening import open_as_configured
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import AGENTS
from stepflow_gui.project.finding.find import scan
from stepflow_gui.project.git.revision import Revision, RevisionProblem, revision_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem, read

NOTHING = (Path(os.devnull), Path("/dev/null"))  # git says the latter on every system


class Meant(NamedTuple):
    """A path of the command line; `revision` None: as it is on disk. `name` is how it was given."""

    path: Path
    revision: Revision | None
    name: str

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder there."""
        return self.revision.is_folder(self.path) if self.revision else self.path.is_dir()

    def shown(self, path: Path) -> str:
        """A path of this side as it is told to a person."""
        shown = shown_path(path, Path.cwd())
        return f"{self.revision.name}:{shown}" if self.revision else shown


class DiffSide:
    """What was found: agents by the path of their registry from the folder, or one file. Neither: nothing is there."""

    __slots__ = ("agents", "document", "meant", "problems")

    def __init__(self, meant: Meant) -> None:
        self.meant = meant
        self.agents: dict[str, AgentFolder] = {}
        self.document: ParsedFile | None = None
        self.problems: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compare."""
        return not self.agents and self.document is None

    def refuse(self, problem: ReadProblem | RevisionProblem) -> None:
        """Note what can't be compared."""
        self.problems.append(problem.message if isinstance(problem, RevisionProblem) else explain(problem))


def meant_by(word: str) -> Meant | RevisionProblem:
    """A path, the name of an agent below `.agent`, or `REVISION:path` as git has it (`REVISION:./path`: from here)."""
    path = Path(word)
    if not os.path.lexists(path) and ":" in word:
        name, _colon, below = word.partition(":")
        found = revision_of(Path.cwd(), name)
        if isinstance(found, RevisionProblem):
            return found
        start = Path.cwd() if below.startswith(("./", "../")) or below in {".", ".."} else found.top
        return Meant(_normal(start / below), found, word)
    named = Path(AGENTS) / path
    if not path.exists() and named.is_dir():
        path = named
    return Meant(path if path in NOTHING else _normal(path), None, word)


def at_revision(now: Meant, name: str) -> Meant | RevisionProblem:
    """The same path at a revision."""
    folder = next(folder for folder in (now.path, *now.path.parents) if folder.is_dir())
    found = revision_of(folder, name)
    return found if isinstance(found, RevisionProblem) else Meant(now.path, found, f"{name}:{now.name}")


def gathered(meant: Meant, *, folder: bool, beside: Revision | None) -> DiffSide:
    """What a path holds; `folder` says whether a folder is looked for, as the other side may have nothing there.

    `beside` is the revision that the other side is of: what that has no files of is left out.
    """
    side = DiffSide(meant)
    if meant.path in NOTHING:
        return side
    if meant.revision is None:
        _from_disk(side, meant.path, beside)
    elif folder:
        _from_revision(side, meant.revision, meant.path)
    else:
        document = meant.revision.document(meant.path)
        if isinstance(document, ParsedFile):
            side.document = document
        elif isinstance(document, RevisionProblem) or document.kind != "missing":
            side.refuse(document)
    return side


def _from_disk(side: DiffSide, path: Path, beside: Revision | None) -> None:
    problem = unfit(path)
    if problem is not None:
        if problem.kind != "missing":
            side.refuse(problem)
    elif path.is_dir():
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
        source = read(path)
        if isinstance(source, ReadProblem):
            side.refuse(source)
        else:
            side.document = ParsedFile.read(path, source)


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


def paired(old: DiffSide, new: DiffSide) -> list[tuple[AgentFolder | None, AgentFolder | None]]:
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
    if len({side.meant.is_folder for side in sides}) > 1:
        return [_("{old} and {new}: one is a folder, the other a file").format(old=old.meant.name, new=new.meant.name)]
    may_be_absent = old.meant.path == new.meant.path and len(sides) == 1  # come, or gone, since a revision
    alone = [
        side.meant for side in (old, new) if side.is_empty and side.meant.path not in NOTHING and not may_be_absent
    ]
    return list(dict.fromkeys(explain(_absent(meant)) for meant in alone))


def _absent(meant: Meant) -> ReadProblem:
    return ReadProblem("no-registry" if meant.is_folder else "missing", Path(meant.name))


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))

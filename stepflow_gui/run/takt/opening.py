"""The piece of a file in a project, as it can be run."""

import json
import os
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path

from stepflow_gui.formats.takt.conditions_model import Label
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.eras import ENDS, TAKT_2026_08_23
from stepflow_gui.formats.takt.files import MOST_OPEN, called_workflows, facet_path, is_workflow_path
from stepflow_gui.formats.takt.fragments import Object, fragment_files, parameters_of, with_fragments
from stepflow_gui.formats.takt.homes import HOME
from stepflow_gui.formats.takt.releases.as_read import value_as_read
from stepflow_gui.formats.takt.releases.faults import refused_places
from stepflow_gui.formats.takt.releases.loading import held_against_releases
from stepflow_gui.formats.takt.releases.notes import Path as NotePath
from stepflow_gui.formats.takt.releases.results import RETURNING, RETURNING_TO_SUBS
from stepflow_gui.formats.takt.releases.sets import NONE, Releases, between, named
from stepflow_gui.formats.takt.renames import as_workflow
from stepflow_gui.formats.takt.runners import GUIDE, WORKFLOWS, TaktRunner, runner_named, runner_of_releases
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.called_workflow import results_of_called
from stepflow_gui.project.finding.takt_releases import releases_of_piece
from stepflow_gui.project.problem_text import describe
from stepflow_gui.run.takt.loading import PieceRefusal, load_piece
from stepflow_gui.run.takt.machine.piece import Movement, Piece
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import join


def runner_of(agent: AgentFolder, named: str | None) -> TaktRunner:
    """The runner of a name; None: that of the newest release that the file is for.

    A piece that is for the guide's release, too, has the guide's.
    """
    found = runner_named(named) if named else None
    if found is not None:
        return found
    releases = releases_of_piece(agent.registry.path, agent.registry.tree).releases
    piece = era_of_file(agent.registry.root).notation == "piece"
    if piece and (not releases or releases & _GUIDES):
        return GUIDE
    newest = runner_of_releases(releases) if releases else WORKFLOWS
    return WORKFLOWS if newest.release == WORKFLOWS.release else newest


_GUIDES = between("0.8.0-alpha.1", "0.8.0-alpha.1")


def no_facet(_section: str, _word: str) -> str | None:
    """Where bare names are texts."""
    return None


def piece_in(agent: AgentFolder, runner: TaktRunner) -> Piece | PieceRefusal:
    """The piece of a file that is open, with the workflows that it calls; all is read inside the project alone."""
    piece = _alone(agent, runner)
    return piece if isinstance(piece, PieceRefusal) else _Calls(agent, runner).linked(piece)


class _Calls:
    """Opens the workflows that a piece, and those, call, as deep as a run can come.

    A step has the reason where its workflow can't be opened.
    """

    def __init__(self, agent: AgentFolder, runner: TaktRunner) -> None:
        self._agent = agent
        self._runner = runner
        self._read: dict[Path, AgentFolder | str] = {}  # a called file, or why it can't be read
        self._opened: dict[str, str] = {}  # why a workflow can't be opened; "" where it can
        self._next: list[tuple[str, Piece, AgentFolder]] = []  # what those being read call

    def linked(self, piece: Piece) -> Piece:
        root = self._with_links(piece, self._agent)
        workflows: dict[str, Piece] = {}
        for _depth in range(1, MOST_OPEN):
            found, self._next = self._next, []
            workflows |= {name: self._with_links(called, agent) for name, called, agent in found}
        workflows |= {name: called for name, called, _agent in self._next}  # they are too deep to be run
        return root._replace(workflows=workflows)

    def _with_links(self, piece: Piece, agent: AgentFolder) -> Piece:
        return piece._replace(movements={name: self._linked(each, agent) for name, each in piece.movements.items()})

    def _linked(self, movement: Movement, agent: AgentFolder) -> Movement:
        if movement.subs:
            return movement._replace(subs=tuple(self._linked(sub, agent) for sub in movement.subs))
        return self._with_link(movement, agent) if movement.unrun == "call" else movement

    def _with_link(self, movement: Movement, agent: AgentFolder) -> Movement:
        places = called_workflows(movement.called, agent.registry.path)
        path = next(filter(agent.exists, places), None)
        if path is None:
            outside = is_workflow_path(movement.called) and not all(map(agent.inside, places))
            closed = _("the file is outside the project") if outside else _("there is no such file in the project")
            return movement._replace(closed=closed)
        path = path.resolve()
        if path == self._agent.registry.path.resolve():
            return movement._replace(closed=_("it would call itself"))
        file = Path(os.path.relpath(path, agent.root.resolve())).as_posix()
        name = file + _signature(movement)
        if name not in self._opened:
            self._opened[name] = self._open(name, file, path, movement)
        closed = self._opened[name]
        return movement._replace(closed=closed) if closed else movement._replace(opens=name)

    def _open(self, name: str, file: str, path: Path, movement: Movement) -> str:
        """Why a workflow can't be opened; "" where it can, and its own calls are due."""
        if path not in self._read:
            self._read[path] = self._file(path)
        found = self._read[path]
        if isinstance(found, str):
            return found
        piece = _alone(found, self._runner, movement.args)
        if isinstance(piece, PieceRefusal):
            return piece.message
        if not piece.callable:
            return _("its “subworkflow.callable” isn't true")
        inherited = {each.name: _with_variables(each, movement.variables) for each in piece.movements.values()}
        self._next.append((name, piece._replace(movements=inherited, file=file), found))
        return ""

    def _file(self, path: Path) -> AgentFolder | str:
        found = self._agent.beside(path)
        if isinstance(found, ReadProblem):
            return describe(found)
        if found.format != "takt":
            return _("the file isn't a workflow")
        mistake = None if found.registry.tree.valid else next(iter(found.registry.tree.problems), None)
        if mistake is None:
            return found
        line = found.registry.source.position(mistake.start).line
        return _("line {line} of the file has a syntax error").format(line=line)


def _with_variables(movement: Movement, given: Mapping[str, str]) -> Movement:
    """A movement of a called workflow, with the variables of the step that calls it; its own win."""
    subs = tuple(_with_variables(sub, given) for sub in movement.subs)
    return movement._replace(variables={**given, **movement.variables}, subs=subs)


def _signature(movement: Movement) -> str:
    """What tells a workflow that is given something from the same one that is given something else."""
    given = [{**movement.args}, {**movement.variables}]
    if not any(given):
        return ""
    return "#" + blake2b(json.dumps(given, sort_keys=True).encode(), digest_size=4).hexdigest()


def _alone(agent: AgentFolder, runner: TaktRunner, args: Object | None = None) -> Piece | PieceRefusal:
    """The piece of one file, without the workflows that it calls; why it can't be run is given in the file's words.

    `args`: what the step gives that calls it; None: none does.
    """
    piece = _loaded(agent, runner, args)
    if not isinstance(piece, PieceRefusal):
        piece = _impossible_result(piece, agent, runner) or piece
    if era_of_file(agent.registry.root).steps != "steps":
        return piece
    if isinstance(piece, PieceRefusal):
        return piece._replace(message=as_workflow(piece.message))
    return piece._replace(is_workflow=True)


def _loaded(agent: AgentFolder, runner: TaktRunner, args: Object | None) -> Piece | PieceRefusal:
    def text_of(named: str) -> str | None:
        if not named or "\n" in named or "\0" in named:
            return None
        return text_at(Path(os.path.normpath(agent.registry.path.parent / named)))

    def text_at(path: Path) -> str | None:
        found = agent.text(path) if agent.exists(path) else None
        return found.source.text if isinstance(found, TextFile) else None

    def facet_of(section: str, word: str) -> str | None:
        if "\0" in word:
            return None
        path = facet_path(word, section, agent.flow, *runner.facets or ())
        return text_at(path) if runner.facets or path.parents[1].name == HOME else None

    def fragment_of(used: str) -> JsonValue:
        if "\0" in used:
            return None
        for path in fragment_files(agent.registry.path, TAKT_2026_08_23.file_kind, used):
            found = agent.document(Path(os.path.normpath(path)))
            if isinstance(found, ParsedFile) and found.root is not None:
                return found.root.value
        return None

    read = _as_read(agent.registry.tree, runner)
    if isinstance(read, PieceRefusal):
        return read
    value, missing, unset = with_fragments(read, fragment_of, args)
    if missing:
        message = _("A step uses “{name}”, which doesn't exist or can't be read.").format(name=missing[0])
        return PieceRefusal("fragment", message, missing[0])
    unfit = None if args is None else _unfit(args, parameters_of(read), unset)
    loaded = unfit or load_piece(value, text_of, runner, facet_of if runner.facets is not None else no_facet)
    return loaded if isinstance(loaded, PieceRefusal) else _mistake(agent.registry.tree, runner) or loaded


def _unfit(args: Object, declared: Object, unset: Sequence[str]) -> PieceRefusal | None:
    """Why a workflow can't be called with certain arguments."""
    unknown = next((name for name in args if name not in declared), None)
    if unknown is not None:
        return PieceRefusal("argument", _("“{name}” isn't one of its parameters").format(name=unknown), unknown)
    text = _("its parameter “{name}” has no value")
    return PieceRefusal("argument", text.format(name=unset[0]), unset[0]) if unset else None


def _mistake(tree: JsonTree, runner: TaktRunner) -> PieceRefusal | None:
    """Why the runner refuses a file by a mistake that the reading of it passes over, as a number in quotes."""
    from stepflow_gui.text.yaml.tree import YamlTree

    if not runner.release or not isinstance(tree, YamlTree):
        return None
    held, release = held_against_releases(tree), between(runner.release, runner.release)
    noted = (note.path for note in held.refusals_by(release))
    place = next(chain(noted, refused_places(tree, era_of_file(tree.root), held, release)), None)
    return None if place is None else _refusal(tree, place, held.range, release)


def _impossible_result(piece: Piece, agent: AgentFolder, runner: TaktRunner) -> PieceRefusal | None:
    """Why the runner refuses a file of which a rule is for what the called workflow doesn't return."""
    release = between(runner.release, runner.release) if runner.release else NONE
    calls = [(each, RETURNING) for each in piece.movements.values()]
    calls += [(sub, RETURNING_TO_SUBS) for each in piece.movements.values() for sub in each.subs]
    for step, reading in calls:
        known = None
        if step.unrun == "call" and release & reading:
            known = results_of_called(step.called, agent.registry.path, agent)
        for rule in step.rules if known is not None else ():
            if isinstance(rule.condition, Label) and rule.text not in (*(known or ()), *ENDS):
                text = _("{release} refuses to load the file: “{step}” calls “{name}”, which can't end with “{result}”")
                text = text.format(release=named(release), step=step.name, name=step.called, result=rule.text)
                return PieceRefusal("release", text, rule.text)
    return None


def _as_read(tree: JsonTree, runner: TaktRunner) -> JsonValue | PieceRefusal:
    """The value of a file as the runner reads it, or why it doesn't."""
    value = tree.root.value if tree.root is not None else None
    from stepflow_gui.text.yaml.tree import YamlTree  # it loads the library

    if not runner.release or not isinstance(tree, YamlTree):
        return value
    held, release = held_against_releases(tree), between(runner.release, runner.release)
    refused = [note for note in held.refusals_by(release) if not note.mistake]
    if refused:
        return _refusal(tree, refused[0].path, held.range, release)
    return value_as_read(value, held, release)


def _refusal(tree: JsonTree, path: NotePath, own: Releases, release: Releases) -> PieceRefusal:
    """Why a release doesn't run a file that is for others."""
    pointer = join("", *path)
    text = (
        _("{release} refuses to load the file because of {place}")
        if tree.at(pointer)
        else _("{release} refuses to load the file: it needs {place}")
    )
    message = text.format(release=named(release), place=".".join(map(str, path)))
    if own:
        message = _("{message} (it is for {releases})").format(message=message, releases=named(own))
    return PieceRefusal("release", message, pointer)

"""The files that a TAKT piece works with, movement by movement: facets, shared steps, workflows that it calls."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.files import (
    Facet,
    all_steps,
    called_workflows,
    facets_of,
    named_files,
    new_facet_text,
    path_of,
)
from stepflow_gui.formats.takt.fragments import fragment_files
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.step_file import StepFile, StepFileKind

_KINDS: dict[str, StepFileKind] = {
    "personas": "persona",
    "policies": "policy",
    "knowledge": "knowledge",
    "instructions": "instruction",
    "report_formats": "report-format",
}


def files_of_movement(agent: AgentFolder, step: Step) -> list[StepFile]:
    """The files of a movement, of its sub-steps, and of the judges of loops that begin with it, each once.

    A file that is called by a word alone and isn't in the project is left out: it may be the user's, or TAKT's own.
    """
    own = (file for each in (step, *step.subs) for file in _of(agent, each))
    judges = (monitor.judge for monitor in step.watched if monitor.judge is not None)
    asked = (file._replace(for_judge=True) for judge in judges for file in _of(agent, judge))
    found: dict[tuple[StepFileKind, tuple[Path, ...]], StepFile] = {}
    for file in (*own, *asked):
        found.setdefault((file.kind, file.tried), file)
    return list(found.values())


def files_of_piece(agent: AgentFolder) -> Iterator[tuple[Path, str]]:
    """Every file that the piece names, in the project, there or not, and who names it: a movement, or a map's key."""
    for named in named_files(agent.flow):
        path = path_of(named.text.value, agent.flow)
        if agent.inside(path):
            yield path, named.step or named.text.pointer.rpartition("/")[2]
    for step in all_steps(agent.flow):
        for file in _of(agent, step):
            if file.tried and file.kind != "called-workflow":  # that is a file of its own
                yield file.found or file.tried[0], step.id


def new_facet(file: StepFile) -> str:
    """What a facet that doesn't exist would begin with."""
    return new_facet_text(file.tried[0]) if file.tried else ""


def _of(agent: AgentFolder, step: Step) -> Iterator[StepFile]:
    used = step.node.get("uses")
    if used is not None and isinstance(used.value, str):
        folder = era_of_file(agent.registry.root).file_kind
        tried = fragment_files(agent.registry.path, folder, used.value)
        inside = tuple(path for path in tried if agent.inside(path))
        there = next((path for path in inside if agent.exists(path)), None)
        if there is not None:
            yield StepFile("shared-step", used.value, inside, there)
    called = step.node.get("call")
    if called is not None and isinstance(called.value, str):
        places = tuple(path for path in called_workflows(called.value, agent.registry.path) if agent.inside(path))
        there = next(filter(agent.exists, places), None)
        if there is not None:
            yield StepFile("called-workflow", called.value, places, there)
    for facet in facets_of(step, agent.flow):
        if agent.inside(facet.path) and (facet.by_path or agent.exists(facet.path)):
            yield _file(agent, facet)


def _file(agent: AgentFolder, facet: Facet) -> StepFile:
    there = agent.exists(facet.path)
    return StepFile(_KINDS[facet.section], facet.name, (facet.path,), facet.path if there else None)

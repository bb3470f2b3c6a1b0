"""Which registry a path means."""

import os
from pathlib import Path

from stepflow_gui.formats.climpt import lookup
from stepflow_gui.formats.climpt.agent.agent_file import read_agent
from stepflow_gui.formats.detect import detect
from stepflow_gui.formats.read import read_flow
from stepflow_gui.formats.takt.homes import is_home
from stepflow_gui.project.files import Files
from stepflow_gui.project.finding.find import find_registries
from stepflow_gui.project.finding.locate import AGENT, REGISTRY, agent_file_of, is_project, registry_in, upward
from stepflow_gui.project.finding.piece_places import is_piece_text, is_yaml
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.files.store import ReadProblem


def owner(path: Path, files: Files) -> Path | ReadProblem:
    """The registry that a path means: itself, the one of its folder or of one below, or the one it belongs to.

    A JSON file that belongs to no registry is returned itself.
    """
    if is_folder(path):
        found = registry_in(path, files) or next(iter(find_registries(path)), None)
        return found or ReadProblem("no-registry", path)
    if not files.exists(path):
        problem = files.read(path)
        return problem if isinstance(problem, ReadProblem) else ReadProblem("missing", path)
    if path.name == REGISTRY:
        return path
    # A link out of the project isn't followed: opening it reports why.
    if is_yaml(path) and (not files.inside(path) or is_piece(path, files)):
        return path
    is_json = path.suffix == ".json"
    if is_json and path.name != AGENT and is_registry(files.document(path)):
        return path
    for folder in upward(path.parent, files.root):
        found = registry_in(folder, files)
        if found:
            return found
    found = _user_of(path, files) or _user_above(path, files)
    if found or is_json:
        return found or path
    if not is_yaml(path):
        return ReadProblem("no-registry", path)
    source = files.source(path)
    if isinstance(source, ReadProblem):
        return source
    from stepflow_gui.project.finding.other_yaml import what_it_holds  # what is a piece needn't know

    return ReadProblem("no-piece", path, what_it_holds(source))


def is_piece(path: Path, files: Files) -> bool:
    """Whether a YAML file is, or looks as if it were meant as, a TAKT piece or workflow; all are where those lie."""
    source = files.source(path)
    return is_home(path) if isinstance(source, ReadProblem) else is_piece_text(path, source.text)


def is_registry(document: ParsedFile | ReadProblem) -> bool:
    """Whether a file reads as a registry, whatever its name is."""
    return isinstance(document, ParsedFile) and detect(document) is not None


def _user_of(path: Path, files: Files) -> Path | None:
    """The registry whose steps name a schema or prompt that lies away from its folder."""
    for registry in find_registries(files.root):
        document = files.document(registry)
        if isinstance(document, ParsedFile) and path in _files_of(document, files):
            return registry
    return None


def _user_above(path: Path, files: Files) -> Path | None:
    """The nearest registry above a schema or prompt that names it, if no mark of a project shows where to stop."""
    if is_project(files.root):
        return None
    for folder in path.parent.parents:
        registry = folder / REGISTRY
        here = files.under(folder)
        document = here.document(registry) if here.exists(registry) else None
        if isinstance(document, ParsedFile) and path in _files_of(document, here):
            return registry
    return None


def _files_of(registry: ParsedFile, files: Files) -> set[Path]:
    flow = read_flow(registry)
    agent_file = agent_file_of(registry.path, files)
    found = files.document(agent_file) if agent_file else None
    agent = read_agent(found) if isinstance(found, ParsedFile) else None
    paths: list[Path] = []
    for step in flow.steps.values():
        paths += lookup.prompt_candidates(flow, agent, files.root, step)
        if step.schema_ref and step.schema_ref.file:
            paths += lookup.schema_candidates(flow, agent, files.root, step.schema_ref.file.value)
    return {Path(os.path.normpath(path)) for path in paths}

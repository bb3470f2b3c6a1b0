"""The names that a string of a registry may hold: steps, intents, validators, schemas, and where each is defined."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.boundaries import why_not
from stepflow_gui.formats.climpt.schemas import schema_names
from stepflow_gui.formats.climpt.vocabulary import (
    INTENTS_OF_KIND,
    VERDICT_TYPES,
    intents_of,
)
from stepflow_gui.formats.fields import Names
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.variables import variables_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join, split


class Name(NamedTuple):
    """A name with a word about what it is."""

    text: str
    detail: str = ""


def names_of(agent: AgentFolder, names: Names, pointer: str) -> list[Name]:
    """The names of a kind that fit at a pointer of the registry, in the order in which the files have them."""
    given = _GIVEN.get(names)
    return list(dict.fromkeys(given(agent, pointer))) if given else []


def step_of(agent: AgentFolder, pointer: str) -> Step | None:
    """The step in which a pointer of the registry lies."""
    keys = split(pointer)
    return agent.flow.steps.get(keys[1]) if len(keys) > 1 and keys[0] == "steps" else None


def _steps(agent: AgentFolder, pointer: str) -> Iterator[Name]:
    transition_at = _transition_at(pointer)
    fitting = [step for step in agent.flow.steps.values() if not step.is_section]
    if transition_at is not None:
        flow = agent.flow
        reached = [step for step in fitting if why_not(flow, *transition_at, step.id, allowed=True) is None]
        fitting = reached or fitting
    for step in fitting:
        parts = [step.kind or "", step.title if step.title != step.id else ""]
        yield Name(step.id, " · ".join(filter(None, parts)))


def may_end(agent: AgentFolder, pointer: str) -> bool:
    """Whether null is a valid target for a transition of the registry."""
    transition_at = _transition_at(pointer)
    return transition_at is None or why_not(agent.flow, *transition_at, None, allowed=True) is None


def _transition_at(pointer: str) -> tuple[str, str] | None:
    """The step and the intent of the transition whose target is at a pointer."""
    keys = split(pointer)
    is_target = len(keys) == 5 and keys[4] == "target"
    is_case = len(keys) == 6 and keys[4] == "targets"
    is_way = (is_target or is_case) and keys[0] == "steps" and keys[2] == "transitions"
    return (keys[1], keys[3]) if is_way else None


def _intents(agent: AgentFolder, pointer: str) -> Iterator[Name]:
    step = step_of(agent, pointer)
    fitting = INTENTS_OF_KIND.get(step.kind or "") if step else None
    if step is not None and step.gate is not None and split(pointer)[2:3] == ["transitions"]:
        for text in step.gate.intents:  # what the gate lets through comes first
            yield Name(text.value)
    for intent in fitting or intents_of(agent.flow.format):
        yield Name(intent)


def _verdicts(_agent: AgentFolder, _pointer: str) -> Iterator[Name]:
    return (Name(verdict) for verdict in VERDICT_TYPES)


def _keys_of(*holders: str) -> Callable[[AgentFolder, str], Iterator[Name]]:
    def keys(agent: AgentFolder, _pointer: str) -> Iterator[Name]:
        for holder in holders:
            node = agent.registry.tree.at(holder)
            for member in node.members() if node is not None else ():
                yield Name(member.key, _description(member.value))

    return keys


def _description(node: Node) -> str:
    for key in ("description", "command"):
        text_node = node.get(key)
        if text_node is not None and isinstance(text_node.value, str):
            return text_node.value
    return ""


def _schema_file_names(agent: AgentFolder, _pointer: str) -> Iterator[Name]:
    for folder in dict.fromkeys(path.parent for path in agent.schema_candidates("any.json")):
        for path in sorted(agent.files_below(folder)):
            if path.suffix == ".json":
                yield Name(path.relative_to(folder).as_posix())


def _schema_names(agent: AgentFolder, pointer: str) -> Iterator[Name]:
    for document in own_schema_files(agent, pointer):
        for name in schema_names(document):
            yield Name(name, document.path.name)


def _variables(agent: AgentFolder, pointer: str) -> Iterator[Name]:
    step = step_of(agent, pointer)
    for variable in variables_of(agent, [step] if step else []):
        yield Name(variable.name, variable.detail)


def own_schema_files(agent: AgentFolder, pointer: str) -> list[ParsedFile]:
    """The schema file that the same `outputSchemaRef` names."""
    holder = agent.registry.tree.at(join("", *split(pointer)[:-1]))
    file = holder.get("file") if holder is not None else None
    return schema_files(agent, file.value) if file is not None and isinstance(file.value, str) else []


def schema_files(agent: AgentFolder, name: str) -> list[ParsedFile]:
    """The schema files of a name, the one that is taken first."""
    found = (agent.document(path) for path in agent.schema_candidates(name) if agent.exists(path))
    return [document for document in found if isinstance(document, ParsedFile)]


_GIVEN: dict[str, Callable[[AgentFolder, str], Iterator[Name]]] = {
    "step": _steps,
    "intent": _intents,
    "verdict": _verdicts,
    "validator": _keys_of("/validators"),
    "failure pattern": _keys_of("/failurePatterns", "/completionPatterns"),
    "schema file": _schema_file_names,
    "schema": _schema_names,
    "variable": _variables,
}

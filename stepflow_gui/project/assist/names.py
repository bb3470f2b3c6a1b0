"""The names that a string of a registry may hold: steps, intents, validators, schemas, and where each is defined."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.schemas import find_schema, schema_names
from stepflow_gui.formats.climpt.vocabulary import (
    INTENTS_OF_KIND,
    RUNTIME_VARIABLES,
    VERDICT_TYPES,
    intents_of,
)
from stepflow_gui.formats.fields import Names
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import Document, Place
from stepflow_gui.text.json_tree import Node
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span

_DEFINED_IN: dict[str, tuple[str, ...]] = {
    "validator": ("/validators",),
    "failure pattern": ("/failurePatterns", "/completionPatterns"),
}


class Name(NamedTuple):
    """A name with a word about what it is."""

    text: str
    detail: str = ""


def names_of(agent: AgentFolder, names: Names, pointer: str) -> list[Name]:
    """The names of a kind that fit at a pointer of the registry, in the order in which the files have them."""
    given = _GIVEN.get(names)
    return list(dict.fromkeys(given(agent, pointer))) if given else []


def defined_at(agent: AgentFolder, names: Names, name: str, pointer: str) -> list[Place]:
    """Where a name is defined that stands at a pointer of the registry."""
    if names == "step":
        step = agent.flow.steps.get(name)
        return [Place(agent.registry, step.pointer, step.key_span)] if step else []
    if names == "schema file":
        return [Place(document, "", Span(0, 0)) for document in _schema_files(agent, name)][:1]
    if names == "schema":
        return _schema_at(agent, name, pointer)
    if names == "intent":
        return _intent_at(agent, name, pointer)
    return [
        Place(agent.registry, join(holder, name), member.key_span)
        for holder in _DEFINED_IN.get(names, ())
        if (node := agent.registry.tree.at(holder)) is not None and (member := node.member(name)) is not None
    ]


def step_of(agent: AgentFolder, pointer: str) -> Step | None:
    """The step in which a pointer of the registry lies."""
    keys = split(pointer)
    return agent.flow.steps.get(keys[1]) if len(keys) > 1 and keys[0] == "steps" else None


def _steps(agent: AgentFolder, _pointer: str) -> Iterator[Name]:
    for step in agent.flow.steps.values():
        yield Name(step.id, step.title if step.title != step.id else step.kind or "")


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
                yield Name(member.key, _said(member.value))

    return keys


def _said(node: Node) -> str:
    for key in ("description", "command"):
        told = node.get(key)
        if told is not None and isinstance(told.value, str):
            return told.value
    return ""


def _schema_file_names(agent: AgentFolder, _pointer: str) -> Iterator[Name]:
    for folder in dict.fromkeys(path.parent for path in agent.schema_candidates("any.json")):
        for path in sorted(agent.files_below(folder)):
            if path.suffix == ".json":
                yield Name(path.relative_to(folder).as_posix())


def _schema_names(agent: AgentFolder, pointer: str) -> Iterator[Name]:
    for document in _own_schema_files(agent, pointer):
        for name in schema_names(document):
            yield Name(name, document.path.name)


def _variables(agent: AgentFolder, _pointer: str) -> Iterator[Name]:
    for variable in RUNTIME_VARIABLES:
        yield Name(variable, _("given by the runner"))
    if agent.agent is not None:
        for parameter in agent.agent.parameters:
            yield Name(parameter.name, _("parameter"))


def _own_schema_files(agent: AgentFolder, pointer: str) -> list[Document]:
    """The schema file that the same `outputSchemaRef` names."""
    holder = agent.registry.tree.at(join("", *split(pointer)[:-1]))
    file = holder.get("file") if holder is not None else None
    return _schema_files(agent, file.value) if file is not None and isinstance(file.value, str) else []


def _schema_files(agent: AgentFolder, name: str) -> list[Document]:
    found = (agent.document(path) for path in agent.schema_candidates(name) if agent.exists(path))
    return [document for document in found if isinstance(document, Document)]


def _schema_at(agent: AgentFolder, name: str, pointer: str) -> list[Place]:
    for document in _own_schema_files(agent, pointer):
        found = find_schema(document, name)
        if found is not None:
            return [found.place]
    return []


def _intent_at(agent: AgentFolder, name: str, pointer: str) -> list[Place]:
    """The other places of a step's contract: the enum, allowedIntents, the transition."""
    step = step_of(agent, pointer)
    if step is None:
        return []
    places = [Place(agent.registry, rule.pointer, rule.key_span) for rule in step.transitions if rule.intent == name]
    if step.gate is not None:
        places += [Place(agent.registry, text.pointer, text.span) for text in step.gate.intents if text.value == name]
    places += [each.place for each in agent.schema(step).intents if each.value == name]
    return [place for place in places if place.document is not agent.registry or place.pointer != pointer]


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

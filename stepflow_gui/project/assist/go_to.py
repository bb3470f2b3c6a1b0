"""Going from a name to where it is defined, and to every place that means it."""

from collections.abc import Callable, Iterator

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.changes.steps.references import references
from stepflow_gui.formats.climpt.changes.steps.schema_references import (
    NamedSchema,
    name_references,
    schemas_named,
    step_id_references,
)
from stepflow_gui.formats.climpt.prompts import variable_name
from stepflow_gui.formats.fields import Names, Shape
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_place import table_of
from stepflow_gui.project.assist.cursor_target import CursorTarget, TargetKind
from stepflow_gui.project.assist.definitions import defined_at
from stepflow_gui.project.assist.piece_targets import entry_uses, movement_uses
from stepflow_gui.project.assist.target_lookup import target_at
from stepflow_gui.project.assist.variables import VariablePlace, uses_of
from stepflow_gui.text.document import AnyDocument, ParsedFile, Place
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span


def definitions_at(agent: AgentFolder, file: AnyDocument, offset: int) -> list[VariablePlace]:
    """Where the name at an offset is defined; [] if there is no name, or nothing defines it."""
    subject = target_at(agent, file, offset)
    return defined_at(agent, subject) if subject is not None else []


def why_no_definition(agent: AgentFolder, file: AnyDocument, offset: int) -> str:
    """Why there is nowhere to go from an offset, in the language in use; empty where there is."""
    subject = target_at(agent, file, offset)
    if subject is None:
        return _("No name here")
    if defined_at(agent, subject):
        return ""
    if subject.kind == "prompt":
        return _("The prompt of “{step}” doesn’t exist").format(step=subject.step or split(subject.pointer)[1])
    return _("Nothing defines “{name}”").format(name=subject.name)


def references_at(agent: AgentFolder, file: AnyDocument, offset: int) -> list[VariablePlace]:
    """Every place that means the same as the one at an offset, its definition first, each once."""
    subject = target_at(agent, file, offset)
    if subject is None:
        return []
    found = defined_at(agent, subject)
    if subject.kind in _WITHOUT:
        return found
    given = _REFERENCES.get(subject.kind)
    found += given(agent, subject) if given else [VariablePlace(subject.file, subject.span, subject.pointer)]
    seen = {(str(place.document.path), place.span): place for place in reversed(found)}
    return list(seen.values())[::-1]


_WITHOUT: frozenset[TargetKind] = frozenset({"prompt", "file", "enum", "schema-reference", "case"})


def _of_step(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    if agent.flow.format == "takt":
        yield from movement_uses(agent, subject.name)
        return
    for each in (*references(agent, subject.name), *step_id_references(agent, subject.name)):
        yield VariablePlace(each.document, each.span, each.pointer)
    for schema in schemas_named(agent, subject.name):
        for each in name_references(agent, schema):
            yield VariablePlace(each.document, each.span, each.pointer)


def _of_schema(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    for place in defined_at(agent, subject):
        if isinstance(place.document, ParsedFile) and place.pointer:
            schema = NamedSchema(place.document, place.pointer, split(place.pointer)[-1])
            for each in name_references(agent, schema):
                yield VariablePlace(each.document, each.span, each.pointer)


def _of_variable(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    return uses_of(agent, variable_name(subject.name))


def _of_table(names: Names) -> Callable[[AgentFolder, CursorTarget], Iterator[VariablePlace]]:
    """For names that the field tables describe."""

    def found(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
        for each in (agent.registry, agent.agent_document):
            if each is not None:
                for place in _meaning(agent, each, names, subject.name):
                    yield VariablePlace(each, place.span, place.pointer)

    return found


_REFERENCES: dict[TargetKind, Callable[[AgentFolder, CursorTarget], Iterator[VariablePlace]]] = {
    "step": _of_step,
    "schema": _of_schema,
    "variable": _of_variable,
    "validator": _of_table("validator"),
    "failure-pattern": _of_table("failure pattern"),
    "schema-file": _of_table("schema file"),
    "verdict": _of_table("verdict"),
    "section-entry": entry_uses,
}


def _meaning(agent: AgentFolder, document: ParsedFile, names: Names, name: str) -> Iterator[Place]:
    table = table_of(agent, document)
    if table is None or document.root is None:
        return
    shape, known_as = table
    waiting: list[tuple[Node, Shape, str]] = [(document.root, shape, "")]
    while waiting:
        node, own, pointer = waiting.pop()
        shapes = (own, *own.either)
        if isinstance(node.value, str):
            if node.value == name and any(each.names == names for each in shapes):
                yield Place(document, pointer, Span(node.start, node.end))
            continue
        keyed = any(each.kind == "map" and each.names == names for each in shapes)
        for member in node.members():
            if keyed and member.key == name:
                yield Place(document, join(pointer, member.key), member.key_span)
            below = _below(shapes, member.key, known_as)
            if below is not None:
                waiting.append((member.value, below, join(pointer, member.key)))
        element = next((each.of for each in shapes if each.kind == "list" and each.of is not None), None)
        if element is not None:
            waiting += [(item, element, join(pointer, index)) for index, item in enumerate(node.items())]


def _below(shapes: tuple[Shape, ...], key: str, known_as: str) -> Shape | None:
    for shape in shapes:
        for field in shape.fields:
            if field.name == key and field.known_in(known_as):
                return field.shape
    return next((shape.of for shape in shapes if shape.of is not None and shape.kind in {"map", "object"}), None)


def transitions_to(agent: AgentFolder, step_id: str) -> list[tuple[Step, str]]:
    """The steps with transitions to a step, each with their intents."""
    found: list[tuple[Step, str]] = []
    for step in agent.flow.steps.values():
        intents = [
            rule.intent
            for rule in step.transitions
            if (rule.stays and step.id == step_id)
            or (rule.target is not None and rule.target.value == step_id)
            or any(case.target is not None and case.target.value == step_id for case in rule.cases)
        ]
        if intents:
            found.append((step, ", ".join(dict.fromkeys(intents))))
    return found

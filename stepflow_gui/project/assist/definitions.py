"""Where a name is defined: the other end of everything in an agent's files that refers to something."""

from collections.abc import Callable, Iterator
from pathlib import Path

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.lookup import path_of_fields
from stepflow_gui.formats.climpt.prompts import variable_name
from stepflow_gui.formats.climpt.schemas import find_schema
from stepflow_gui.formats.climpt.validation import PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_target import CursorTarget
from stepflow_gui.project.assist.names import own_schema_files, schema_files
from stepflow_gui.project.assist.piece_targets import entry_defined
from stepflow_gui.project.assist.variables import VariablePlace, steps_showing, variables_of
from stepflow_gui.project.graph_registry import graph_registry
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Span

_START = Span(0, 0)


def defined_at(agent: AgentFolder, subject: CursorTarget) -> list[VariablePlace]:
    """Where a name is defined; [] where nothing has it, or it is its own definition in several places."""
    given = _DEFINED.get(subject.kind)
    return list(given(agent, subject)) if given else []


def _step(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    step = agent.flow.steps.get(subject.name)
    if step:
        yield VariablePlace(agent.registry, step.key_span, step.pointer)


def _member(*holders: str) -> Callable[[AgentFolder, CursorTarget], Iterator[VariablePlace]]:
    def found(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
        for holder in holders:
            node = agent.registry.tree.at(join("", holder))
            member = node.member(subject.name) if node is not None else None
            if member is not None:
                yield VariablePlace(agent.registry, member.key_span, join("", holder, subject.name))

    return found


def _intent(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    """The other places of a step's contract: the transition, allowedIntents, the enum."""
    step = agent.flow.steps.get(subject.step or "")
    if step is None:
        return
    name = subject.name
    places = [
        VariablePlace(agent.registry, rule.key_span, rule.pointer) for rule in step.transitions if rule.intent == name
    ]
    if step.gate is not None:
        places += [
            VariablePlace(agent.registry, text.span, text.pointer) for text in step.gate.intents if text.value == name
        ]
    for each in agent.schema(step).intents:
        if each.value == name:
            places.append(VariablePlace(each.place.document, each.place.span, each.place.pointer))
    for place in places:
        if place.document is not subject.file or place.span != subject.span:
            yield place


def _schema(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    if subject.file is not agent.registry:  # its own key
        yield VariablePlace(subject.file, subject.span, subject.pointer)
        return
    for document in own_schema_files(agent, subject.pointer):
        found = find_schema(document, subject.name)
        if found is not None:
            span = document.tree.key_span(found.pointer) or found.span
            yield VariablePlace(document, span, found.pointer)
            return


def _schema_file(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    for document in schema_files(agent, subject.name)[:1]:
        yield VariablePlace(document, _START)


def _reference(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    file, mark, path = subject.name.partition("#")
    document = agent.document(subject.file.path.parent / file) if file else subject.file
    if not isinstance(document, ParsedFile):
        return
    if not mark or path in {"", "/"}:
        yield VariablePlace(document, _START)
        return
    node = document.tree.at(path)
    if node is not None:
        yield VariablePlace(document, document.tree.key_span(path) or node.span, path)


def _enum(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    step = agent.flow.steps.get(subject.step or "")
    place = agent.schema(step).enum_place if step else None
    if place is not None:
        yield VariablePlace(place.document, place.document.tree.key_span(place.pointer) or place.span, place.pointer)


def _prompt(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    step = agent.flow.steps.get(subject.step or "")
    if step is None:
        yield from _retry_prompts(agent, subject)
        return
    for path in _prompts_at(agent, step, subject.pointer):
        file = agent.text(path) if agent.exists(path) else None
        if isinstance(file, TextFile):
            yield VariablePlace(file, _START)
            return


def _prompts_at(agent: AgentFolder, step: Step, pointer: str) -> list[Path]:
    """Where the prompt may lie that an address at a pointer names: a step's, or that of its check."""
    check = step.raw.get("check")
    if not pointer.startswith(join(step.pointer, "check") + "/") or not isinstance(check, dict):
        return agent.prompt_candidates(step)
    tail = path_of_fields(agent.flow, check)
    return [folder / tail for folder in agent.prompt_folders()] if tail else []


def _retry_prompts(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    """The prompts of failure patterns at validation steps: those that the address is a part of."""
    holder, name, _field = split(subject.pointer)
    tails = [
        path_of_fields(agent.flow, {**_address(step), **_address(pattern)})
        for step_key, step in _members(agent, STEP_HOLDERS)
        for pattern_key, pattern in _members(agent, PATTERN_HOLDERS)
        if name == (step_key if holder in STEP_HOLDERS else pattern_key)
    ]
    for tail in dict.fromkeys(tail for tail in tails if tail):
        paths = (folder / tail for folder in agent.prompt_folders())
        path = next((path for path in paths if agent.exists(path)), None)
        file = agent.text(path) if path else None
        if isinstance(file, TextFile):
            yield VariablePlace(file, _START)


def _members(agent: AgentFolder, holders: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
    for holder in holders:
        node = agent.registry.tree.at(join("", holder))
        for member in node.members() if node is not None else ():
            yield member.key, member.value


def _address(node: Node) -> dict[str, str]:
    value = node.value if isinstance(node.value, dict) else {}
    parts = ((key, value.get(key)) for key in ("c2", "c3", "edition", "adaptation"))
    return {key: part for key, part in parts if isinstance(part, str)}


def _file(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    path: Path | None = agent.folder / subject.name
    if subject.pointer.endswith("/registryPath"):
        path = graph_registry(agent, subject.name)
    file = agent.text(path) if path is not None and agent.exists(path) else None
    if isinstance(file, TextFile):
        yield VariablePlace(file, _START)


def _variable(agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    own = agent.flow.steps.get(subject.step or "")
    steps = [own] if own else steps_showing(agent, subject.file.path)
    name = variable_name(subject.name)
    place = next((each.place for each in variables_of(agent, steps) if each.name == name), None)
    if place is not None:
        yield place


def _case(_agent: AgentFolder, subject: CursorTarget) -> Iterator[VariablePlace]:
    yield VariablePlace(subject.file, subject.span, subject.pointer)


_DEFINED: dict[str, Callable[[AgentFolder, CursorTarget], Iterator[VariablePlace]]] = {
    "step": _step,
    "validation-step": _member(*STEP_HOLDERS),
    "intent": _intent,
    "case": _case,
    "validator": _member("validators"),
    "failure-pattern": _member(*PATTERN_HOLDERS),
    "schema": _schema,
    "schema-file": _schema_file,
    "schema-reference": _reference,
    "enum": _enum,
    "prompt": _prompt,
    "file": _file,
    "variable": _variable,
    "section-entry": entry_defined,
}

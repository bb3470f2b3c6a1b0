"""The places of a step's id in the registry and in agent.json: a rename updates, a removal leaves them dangling."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.style import style_of
from stepflow_gui.text.json.tree import Member, Node
from stepflow_gui.text.json.write import Writer
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

Role = Literal["key", "declared", "target", "entry", "sequence", "input", "validation", "schema"]
"""The step's key; a declared `stepId`; a transition's target; an entry; a place in a `flow` list; the source of an
input; the key or id of a validation step; a schema's name, or the const of its `stepId`.
"""
INCOMING: frozenset[Role] = frozenset({"target", "entry", "sequence", "input"})
"""Those that dangle where there is no such step."""
VALIDATION_KEYS = ("validationSteps", "completionSteps")


class StepReference(NamedTuple):
    """A place where an id stands, between `head` and `tail` in a key or a string. `step` is the step it belongs to."""

    role: Role
    document: ParsedFile
    pointer: str
    span: Span
    step: str | None = None
    head: str = ""
    tail: str = ""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.document, self.pointer, self.span)


ById = Mapping[str, Sequence[StepReference]]


def references(files: AgentFiles, step_id: str, known: ById | None = None) -> list[StepReference]:
    """Every place outside the schema files that means the step, its key first.

    `known` are the places in the registry, for who asks for many steps.
    """
    flow = files.flow
    found = [*(references_by_id(flow) if known is None else known).get(step_id, ())]
    agent = files.agent
    if agent is not None and agent.document.tree.valid:
        found += _in_agent(agent.document, flow.document.path, step_id)
    return found


def rewrite(found: list[StepReference], new: str) -> dict[Path, tuple[ParsedFile, list[TextEdit]]]:
    """The edits that put another id in all those places, by file."""
    edits: dict[Path, tuple[ParsedFile, list[TextEdit]]] = {}
    writers: dict[Path, Writer] = {}
    for each in found:
        path, tree = each.document.path, each.document.tree
        if path not in writers:
            writers[path] = Writer(tree.source.text, style_of(tree))
        written = writers[path].string(f"{each.head}{new}{each.tail}")
        edits.setdefault(path, (each.document, []))[1].append(TextEdit(*each.span, written))
    return edits


def references_by_id(flow: Flow) -> ById:
    """Every place in the registry that means a step, by the id that is there, the step's key first."""
    found: dict[str, list[StepReference]] = {}
    for step_id, reference in _in_registry(flow):
        found.setdefault(step_id, []).append(reference)
    return found


_Named = tuple[str, StepReference]


def _in_registry(flow: Flow) -> Iterator[_Named]:
    document = flow.document
    for step in flow.steps.values():
        yield step.id, StepReference("key", document, step.pointer, step.key_span, step.id)
    for step in flow.steps.values():
        if step.step_id:
            where = step.step_id.pointer
            yield step.step_id.value, StepReference("declared", document, where, step.step_id.span, step.id)
        yield from _targets(document, step)
        yield from _of_step(document, step)
    root = document.root
    if root is None:
        return
    for key in ("entryStep", "entryStepMapping"):
        entry = root.get(key)
        yield from _strings("entry", document, join("", key), entry) if entry else ()
    sequences = root.get("flow")
    if flow.format == "flow-array" and sequences:
        yield from _strings("sequence", document, "/flow", sequences)
    for key in VALIDATION_KEYS:
        holder = root.member(key)
        for member in holder.value.members() if holder else []:
            yield from _validation(document, join("", key), member)


def _targets(document: ParsedFile, step: Step) -> Iterator[_Named]:
    for rule in step.transitions:
        target = rule.target
        if target and target.pointer == rule.pointer and not rule.implied:  # of a check: no object around
            yield target.value, StepReference("target", document, rule.pointer, target.span, step.id)
        for member in rule.node.members():
            if member.key in {"target", "fallback", "targets"}:
                where = join(rule.pointer, member.key)
                yield from _strings("target", document, where, member.value, step.id)


def _of_step(document: ParsedFile, step: Step) -> Iterator[_Named]:
    raw = step.raw
    if "inputs" in raw:
        inputs = step.node.get("inputs")
        for member in inputs.members() if inputs else []:
            source = member.value.get("from")
            value = source.value if source else None
            if source and isinstance(value, str):
                step_id = value.rpartition(".")[0]
                where = join(step.pointer, "inputs", member.key, "from")
                tail = value[len(step_id) :]
                yield step_id, StepReference("input", document, where, source.span, step.id, tail=tail)
    if "validationSteps" in raw:
        listed = step.node.get("validationSteps")
        where = join(step.pointer, "validationSteps")
        yield from _strings("validation", document, where, listed, step.id) if listed else ()


def _validation(document: ParsedFile, pointer: str, member: Member) -> Iterator[_Named]:
    where = join(pointer, member.key)
    yield member.key, StepReference("validation", document, where, member.key_span)
    declared = member.value.get("stepId")
    if declared and isinstance(declared.value, str):
        yield declared.value, StepReference("validation", document, join(where, "stepId"), declared.span)


def _strings(role: Role, document: ParsedFile, pointer: str, node: Node, step: str | None = None) -> Iterator[_Named]:
    """The strings at or below a node."""
    if isinstance(node.value, str):
        yield node.value, StepReference(role, document, pointer, node.span, step)
    elif node.kind in {"object", "array"}:
        for where, inner in node.walk(pointer):
            if isinstance(inner.value, str):
                yield inner.value, StepReference(role, document, where, inner.span, step)


def _in_agent(agent: ParsedFile, registry: Path, step_id: str) -> Iterator[StepReference]:
    """`entryStep` of a verdict's settings, unless they name another registry."""
    if agent.root is None or step_id not in agent.source.text:
        return
    for where, node in agent.root.walk():
        entry = node.get("entryStep")
        if entry is None or entry.value != step_id:
            continue
        named = node.get("registryPath")
        if named is None or not isinstance(named.value, str) or _is(agent.path.parent, named.value, registry):
            yield StepReference("entry", agent, join(where, "entryStep"), entry.span)


def _is(folder: Path, named: str, registry: Path) -> bool:
    return posixpath.normpath((folder / named).as_posix()) == registry.as_posix() or Path(named).name == registry.name

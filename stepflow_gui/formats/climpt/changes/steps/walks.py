"""What a rename may follow, found once for however many renames: in the documents of an agent, and of its steps."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.lookup import prompt_path
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_PROSE = frozenset({"description", "title", "$comment", "name", "displayName"})


class Bound(NamedTuple):
    """A place that binds `stepId` to a step, by `const` or in an `enum`."""

    step_id: str
    pointer: str
    span: Span


class _Walk(NamedTuple):
    bound: dict[str, list[Bound]]  # by step
    refs: list[tuple[str, Node]]  # each `$ref` that is a string, with its pointer
    prose: list[Node]  # texts for people


class Walks:
    """Documents and steps walked through. They are what they were for as long as this is used."""

    __slots__ = ("_done", "_prompts")

    def __init__(self) -> None:
        self._done: dict[ParsedFile, _Walk] = {}
        self._prompts: dict[ParsedFile, dict[str, str]] = {}

    def bound(self, document: ParsedFile, step_id: str) -> list[Bound]:
        """Where `stepId` is bound to the step."""
        return self._of(document).bound.get(step_id, []) if step_id in document.source.text else []

    def refs(self, document: ParsedFile, word: str) -> Iterator[tuple[str, Node]]:
        """The `$ref`s in which the word stands, each with its pointer."""
        if word in document.source.text:
            yield from (ref for ref in self._of(document).refs if word in ref[1].value)

    def prose(self, document: ParsedFile, word: str) -> Iterator[Node]:
        """The texts for people in which the word stands."""
        if word in document.source.text:
            yield from (node for node in self._of(document).prose if word in node.value)

    def prompts(self, flow: Flow) -> dict[str, str]:
        """The prompts of the steps, by their paths below a prompts folder; empty where a step doesn't name it."""
        if flow.document not in self._prompts:
            self._prompts[flow.document] = {step.id: prompt_path(flow, step) or "" for step in flow.steps.values()}
        return self._prompts[flow.document]

    def _of(self, document: ParsedFile) -> _Walk:
        if document not in self._done:
            self._done[document] = _walk(document)
        return self._done[document]


def _walk(document: ParsedFile) -> _Walk:
    found = _Walk({}, [], [])
    if document.root is None:
        return found
    for where, node in document.root.walk():
        for member in node.members():
            if not isinstance(member.value.value, str):
                continue
            if member.key in _PROSE:
                found.prose.append(member.value)
            elif member.key == "$ref":
                found.refs.append((join(where, "$ref"), member.value))
        for each in bound_at(where, node):
            found.bound.setdefault(each.step_id, []).append(each)
    return found


def bound_at(where: str, node: Node) -> Iterator[Bound]:
    """The steps to which a node binds `stepId`, if it is the schema of that."""
    if not where.endswith("/properties/stepId"):
        return
    const, enum = node.get("const"), node.get("enum")
    if const and isinstance(const.value, str):
        yield Bound(const.value, join(where, "const"), const.span)
    for index, item in enumerate(enum.items() if enum else []):
        if isinstance(item.value, str):
            yield Bound(item.value, join(where, "enum", index), item.span)

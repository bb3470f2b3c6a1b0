"""What a rename may follow, found once for however many renames: in the documents of an agent, and of its steps."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.changes.steps.references import ById, references_by_id
from stepflow_gui.formats.climpt.lookup import prompt_path
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_WORD = re.compile(r"[\w.-]+")
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
    named: dict[str, list[int]]  # which of those hold a word, by each word that may be an id with a dot


class PromptUsers(NamedTuple):
    """The steps that use a prompt, by its path below a prompts folder; and how many use one in a folder."""

    users: Mapping[str, Sequence[str]]
    in_folder: Mapping[str, int]


class Walks:
    """Documents and steps walked through. They are what they were for as long as this is used."""

    __slots__ = ("_done", "_prompts", "_references")

    def __init__(self) -> None:
        self._done: dict[ParsedFile, _Walk] = {}
        self._prompts: dict[ParsedFile, PromptUsers] = {}
        self._references: dict[ParsedFile, ById] = {}

    def references(self, flow: Flow) -> ById:
        """Where the registry means steps."""
        if flow.document not in self._references:
            self._references[flow.document] = references_by_id(flow)
        return self._references[flow.document]

    def bound(self, document: ParsedFile, step_id: str) -> list[Bound]:
        """Where `stepId` is bound to the step."""
        return self._of(document).bound.get(step_id, []) if self._may_hold(document, step_id) else []

    def refs(self, document: ParsedFile, word: str) -> Iterator[tuple[str, Node]]:
        """The `$ref`s in which the word stands, each with its pointer."""
        if self._may_hold(document, word):
            yield from (ref for ref in self._of(document).refs if word in ref[1].value)

    def prose(self, document: ParsedFile, step_id: str) -> Iterator[Node]:
        """The descriptions that mention the id, which has a dot."""
        if not self._may_hold(document, step_id):
            return
        walk = self._of(document)
        if _WORD.fullmatch(step_id):
            yield from (walk.prose[at] for at in walk.named.get(step_id, ()))
        else:
            yield from (node for node in walk.prose if step_id in node.value)

    def prompts(self, flow: Flow) -> PromptUsers:
        """The prompts of the steps that name one."""
        if flow.document not in self._prompts:
            users = defaultdict[str, list[str]](list)
            for step in flow.steps.values():
                users[prompt_path(flow, step) or ""].append(step.id)
            folders = Counter[str]()
            for path, steps in users.items():
                folders[path.rpartition("/")[0]] += len(steps)
            self._prompts[flow.document] = PromptUsers(users, folders)
        return self._prompts[flow.document]

    def _may_hold(self, document: ParsedFile, word: str) -> bool:
        """Whether to look at a document's walk: one that was never needed is spared."""
        return document in self._done or word in document.source.text

    def _of(self, document: ParsedFile) -> _Walk:
        if document not in self._done:
            self._done[document] = _walk(document)
        return self._done[document]


def _walk(document: ParsedFile) -> _Walk:
    found = _Walk({}, [], [], {})
    if document.root is None:
        return found
    for where, node in document.root.walk():
        for member in node.members():
            if not isinstance(member.value.value, str):
                continue
            if member.key in _PROSE:
                for word in _words(member.value.value):
                    found.named.setdefault(word, []).append(len(found.prose))
                found.prose.append(member.value)
            elif member.key == "$ref":
                found.refs.append((join(where, "$ref"), member.value))
        for each in bound_at(where, node):
            found.bound.setdefault(each.step_id, []).append(each)
    return found


def _words(text: str) -> dict[str, None]:
    """Each word of a text that may be an id with a dot, and what it begins with up to a dot."""
    found: dict[str, None] = {}
    for word in _WORD.findall(text):
        dots = [at for at, letter in enumerate(word) if letter == "."]
        found.update(dict.fromkeys(word[:at] for at in [*dots[1:], len(word)]) if dots else {})
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

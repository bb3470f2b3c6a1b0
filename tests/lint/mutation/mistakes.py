"""Mistakes: what is written at a place of a file instead of what is there."""

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from stepflow_gui.formats.schema_keywords import KEYWORDS
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Span

REGISTRY, AGENT, SCHEMA = "registry", "agent", "schema"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Word = Callable[[str, random.Random], str]
Change = Callable[[ParsedFile, str, Node, random.Random], list[TextEdit]]


class Kind(NamedTuple):
    """A kind of mistake: in which formats and file, and at which places; `change` makes it there.

    Places are JSON Pointers in which `*` matches one name. `spelling` kinds are those that fixes have to undo.
    """

    name: str
    formats: tuple[str, ...]
    file: str
    places: tuple[str, ...]
    change: Change
    spelling: bool = True


class Mistake(NamedTuple):
    """A mistake in one file."""

    kind: Kind
    document: ParsedFile
    pointer: str
    edits: list[TextEdit]


def misspelt(word: str, by: random.Random) -> str:
    """The word with a slip of the keyboard: two letters swapped, one left out, doubled, or another one."""
    at = [index for index, letter in enumerate(word) if letter.isascii() and letter.isalpha()]
    inner = at[1:] or at
    for _attempt in range(20):
        index = by.choice(inner)
        slip = by.choice(("swap", "drop", "double", "other"))
        if slip == "swap" and index + 1 < len(word):
            made = word[:index] + word[index + 1] + word[index] + word[index + 2 :]
        elif slip == "drop":
            made = word[:index] + word[index + 1 :]
        elif slip == "double":
            made = word[: index + 1] + word[index:]
        else:
            made = word[:index] + by.choice(LETTERS) + word[index + 1 :]
        if made != word and made:
            return made
    return word + word[-1]


def key(document: ParsedFile, pointer: str, _node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell the key."""
    span = document.tree.key_span(pointer)
    word = split(pointer)[-1]
    return [_written(document, span, misspelt(word, by))] if span and word.isascii() else []


def value(document: ParsedFile, _pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell the value."""
    found = node.value
    is_word = isinstance(found, str) and len(found) > 3 and found.isascii() and "{{" not in found and "\n" not in found
    return [_written(document, node.span, misspelt(found, by))] if is_word else []


def step_everywhere_but_references(document: ParsedFile, pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell a step's key and its stepId alike."""
    declared = node.get("stepId")
    span = document.tree.key_span(pointer)
    word = split(pointer)[-1]
    if declared is None or declared.value != word or span is None:
        return []
    made = misspelt(word, by)
    return [_written(document, span, made), _written(document, declared.span, made)]


def alike(*places: str, least: int = 2) -> Change:
    """Misspell a word alike wherever it is the value at one of the places, at least so many: a key's, or the value."""

    def change(document: ParsedFile, pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
        word = node.value if node.kind == "string" else split(pointer)[-1]
        found = (each for place in places for _at, each in _matching(document, place))
        return _all_misspelt(document, word, found, least, by)

    return change


def refs_alike(document: ParsedFile, pointer: str, _node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell a definition's name alike in all references to it in its file."""
    tail = pointer.rpartition("/")[2]
    made = misspelt(tail, by)
    refs = [each for each in _refs(document.root) if str(each.value).endswith(f"#{pointer}")]
    return [_written(document, each.span, str(each.value)[: -len(tail)] + made) for each in refs if len(refs) > 1]


def defined(document: ParsedFile, pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell the name of a definition to which its file refers."""
    named = any(str(each.value).endswith(f"#{pointer}") for each in _refs(document.root))
    return key(document, pointer, node, by) if named else []


def own_name(document: ParsedFile, pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell the name of a schema, which isn't a keyword."""
    is_schema = node.kind == "object" and pointer.rpartition("/")[2] not in KEYWORDS
    return key(document, pointer, node, by) if is_schema else []


def _refs(node: Node | None) -> Iterator[Node]:
    for name, child in _children(node) if node else ():
        if name == "$ref" and isinstance(child.value, str):
            yield child
        yield from _refs(child)


def _all_misspelt(
    document: ParsedFile, word: object, nodes: Iterator[Node], least: int, by: random.Random
) -> list[TextEdit]:
    if not isinstance(word, str) or len(word) <= 3 or not word.isascii() or "{{" in word:
        return []
    found = [each for each in nodes if each.value == word]
    made = misspelt(word, by)
    return [_written(document, each.span, made) for each in found] if len(found) >= least else []


def last_part(document: ParsedFile, _pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell what stands after the last dot or slash."""
    found = node.value
    if not isinstance(found, str):
        return []
    at = max(found.rfind("."), found.rfind("/")) + 1
    return [_written(document, node.span, found[:at] + misspelt(found[at:], by))] if len(found) - at > 3 else []


def removed(document: ParsedFile, pointer: str, _node: Node, _by: random.Random) -> list[TextEdit]:
    """Leave the member or element out."""
    if document.is_yaml:
        from stepflow_gui.text.yaml.edit import remove as remove_yaml

        return remove_yaml(document.tree, pointer)
    from stepflow_gui.text.json.edit import remove

    return list(remove(document.tree, pointer))


def copied(*ids: str) -> Change:
    """Copy the step behind itself under a new id, which it has in its key and in these fields."""

    def change(document: ParsedFile, pointer: str, node: Node, _by: random.Random) -> list[TextEdit]:
        text = document.source.text
        declared = [each for each in map(node.get, ids) if each is not None and isinstance(each.value, str)]
        if document.is_yaml:
            return _copied_item(text, node, declared[0]) if declared else []
        made = _new_name(split(pointer)[-1])
        body = text[node.start : node.end]
        for each in sorted(declared, key=lambda one: -one.start):
            at = each.start - node.start
            body = body[:at] + json.dumps(made, ensure_ascii=False) + body[each.end - node.start :]
        return [TextEdit(node.end, node.end, f",\n{json.dumps(made, ensure_ascii=False)}: {body}")]

    return change


def _new_name(name: str) -> str:
    """A name of the same form: steps with checks have hexadecimal ids."""
    return f"{name}-copy" if re.fullmatch("s_[0-9a-f]{4,7}", name) is None else f"{name}0"


def _copied_item(text: str, node: Node, name: Node) -> list[TextEdit]:
    begin = text.rfind("\n", 0, node.start) + 1
    if text[begin : node.start].strip() != "-":
        return []
    end = text.find("\n", node.end - 1) + 1 or len(text)
    whole = text[begin : name.start] + _new_name(name.value) + text[name.end : end]
    return [TextEdit(end, end, whole if text[:end].endswith("\n") else f"\n{whole}")]


def another(of: Callable[[ParsedFile], Sequence[str]]) -> Change:
    """Write another of the words that are allowed there."""

    def change(document: ParsedFile, _pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
        others = [word for word in of(document) if word != node.value]
        return [_written(document, node.span, by.choice(others))] if others and isinstance(node.value, str) else []

    return change


def written(word: str) -> Change:
    """Write a certain value."""

    def change(document: ParsedFile, _pointer: str, node: Node, _by: random.Random) -> list[TextEdit]:
        there = document.source.text[node.start : node.end]
        return [TextEdit(*node.span, word)] if there != word else []

    return change


def _written(document: ParsedFile, span: Span, word: str) -> TextEdit:
    if document.is_yaml:
        from stepflow_gui.text.yaml.write import rewritten

        return TextEdit(*span, rewritten(document.source.text, span, word))
    return TextEdit(*span, json.dumps(word, ensure_ascii=False))


def mistakes(kind: Kind, agent: AgentFolder, most: int) -> Iterator[Mistake]:
    """Mistakes of a kind in an agent, at most so many; the same ones each time."""
    by = random.Random(f"{kind.name} {agent.registry.source.text}")
    for document in _files(kind, agent):
        found = [each for place in kind.places for each in _matching(document, place)]
        by.shuffle(found)
        for pointer, node in found:
            edits = kind.change(document, pointer, node, by)
            if edits:
                yield Mistake(kind, document, pointer, edits)
                most -= 1
            if most <= 0:
                return


def _files(kind: Kind, agent: AgentFolder) -> list[ParsedFile]:
    if agent.format not in kind.formats:
        return []
    if kind.file == REGISTRY:
        return [agent.registry]
    if kind.file == AGENT:
        return [agent.agent_document] if agent.agent_document else []
    return [file for file in agent.schema_files() if isinstance(file, ParsedFile)]


def _matching(document: ParsedFile, place: str) -> list[tuple[str, Node]]:
    root = document.root
    found: list[tuple[str, Node]] = [("", root)] if root else []
    for part in place.split("/")[1:]:
        found = [
            (f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}", child)
            for pointer, node in found
            for name, child in _children(node)
            if part in ("*", name)
        ]
    return found


def _children(node: Node) -> list[tuple[str, Node]]:
    if node.kind == "object":
        return [(member.key, member.value) for member in node.members()]
    return [(str(index), item) for index, item in enumerate(node.items())] if node.kind == "array" else []

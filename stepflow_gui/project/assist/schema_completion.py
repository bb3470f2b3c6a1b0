"""Completion in a JSON Schema: its keywords, types, references, and what the step that answers by it can emit."""

import json
from collections.abc import Callable, Iterator

from stepflow_gui.formats.climpt.schemas import schema_names
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.completion import (
    Completion,
    Completions,
    around,
    colon_follows,
    comma_after,
    fitting,
    string,
)
from stepflow_gui.project.assist.names import names_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.context import Context, context_at
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

_KEYWORDS: dict[str, tuple[str, Callable[[], str]]] = {
    "type": ('""', lambda: _("Type of the value")),
    "properties": ("{}", lambda: _("The members of an object, each with its schema")),
    "required": ("[]", lambda: _("The members that an object must have")),
    "enum": ("[]", lambda: _("The values allowed")),
    "const": ('""', lambda: _("The only value allowed")),
    "description": ('""', lambda: _("What the value is for; the model reads it")),
    "items": ("{}", lambda: _("The schema of a list’s elements")),
    "additionalProperties": ("false", lambda: _("Allow other members, or their schema")),
    "$ref": ('""', lambda: _("A schema elsewhere: a pointer, or a file with a pointer")),
    "allOf": ("[]", lambda: _("Schemas that hold all together")),
    "anyOf": ("[]", lambda: _("Schemas of which at least one holds")),
    "oneOf": ("[]", lambda: _("Schemas of which exactly one holds")),
    "default": ("", lambda: _("The value where none is given")),
    "title": ('""', lambda: _("Display name")),
    "minimum": ("", lambda: _("The smallest number allowed")),
    "maximum": ("", lambda: _("The largest number allowed")),
    "minLength": ("", lambda: _("The fewest characters of a text")),
    "maxLength": ("", lambda: _("The most characters of a text")),
    "pattern": ('""', lambda: _("Regular expression that the text has to match")),
    "format": ('""', lambda: _("How a text is written, such as date-time")),
    "minItems": ("", lambda: _("The fewest elements of a list")),
    "maxItems": ("", lambda: _("The most elements of a list")),
    "uniqueItems": ("true", lambda: _("Forbid duplicate elements in a list")),
    "definitions": ("{}", lambda: _("Schemas for others to refer to")),
    "$defs": ("{}", lambda: _("Schemas for others to refer to")),
    "examples": ("[]", lambda: _("Examples of values")),
}
_TYPES = ("string", "object", "array", "boolean", "integer", "number", "null")
_FREE = frozenset(("properties", "definitions", "$defs", "patternProperties"))  # whose keys are names


def schema_completions(agent: AgentFolder, document: ParsedFile, offset: int) -> Completions:
    """What fits at a caret of a schema file."""
    text = document.source.text
    context = context_at(text, offset, *around(document, offset))
    items: list[Completion] = []
    if context.expects == "key":
        items = list(_keys(document, text, context))
    elif context.expects == "value":
        after = comma_after(text, context.end)
        items = [string(name, detail, after) for name, detail in _values(agent, document, context.path)]
        if context.path and context.path[-1] in {"additionalProperties", "uniqueItems"}:
            items += [Completion(word, "", word + after, len(word)) for word in ("false", "true")]
    return Completions(Span(context.start, context.end), context.typed, fitting(items, context.typed))


def schema_about(document: ParsedFile, offset: int) -> tuple[Span, str, str] | None:
    """The keyword at an offset: where it is, its name, what it is for."""
    pointer = document.tree.pointer_at(offset)
    span = document.tree.key_span(pointer) if pointer else None
    if span is None or not span.start <= offset <= span.end:
        return None
    *above, key = pointer.split("/")
    known = _KEYWORDS.get(key)
    return None if known is None or _is_free(tuple(above[1:])) else (span, key, known[1]())


def _keys(document: ParsedFile, text: str, context: Context) -> Iterator[Completion]:
    if _is_free(context.path):
        return
    holder = document.tree.at(join("", *context.path))
    there = {member.key for member in holder.members()} - {context.whole} if holder is not None else set()
    has_value, after = colon_follows(text, context), comma_after(text, context.end)
    for name, (value, meaning) in _KEYWORDS.items():
        if name not in there:
            key = json.dumps(name)
            if has_value:
                yield Completion(name, meaning(), key, len(key))
            else:
                inside = 1 if value in {'""', "[]", "{}"} else len(value)
                yield Completion(name, meaning(), f"{key}: {value}{after}", len(key) + 2 + inside)


def _is_free(path: tuple[str | int, ...]) -> bool:
    """Whether the keys below a path are names; of such holders in a row every other one is only named so."""
    count = 0
    for key in reversed(path):
        if key not in _FREE:
            break
        count += 1
    return count % 2 == 1


def _values(agent: AgentFolder, document: ParsedFile, path: tuple[str | int, ...]) -> Iterator[tuple[str, str]]:
    keys = [key for key in path if isinstance(key, str)]
    last = keys[-1] if keys else ""
    holder_path = path[:-1] if path and isinstance(path[-1], str) else path[:-2]
    holder = document.tree.at(join("", *holder_path))
    if last == "type":
        yield from ((name, "") for name in _TYPES)
    elif last == "required":
        properties = holder.get("properties") if holder is not None else None
        there = _strings(holder.get("required")) if holder is not None else set()
        for member in properties.members() if properties is not None else ():
            if member.key not in there:
                yield member.key, _description(member.value)
    elif last == "$ref":
        yield from _references(document)
    elif last in {"const", "enum"} and "stepId" in keys[-2:-1]:
        yield from ((step.id, step.title) for step in agent.flow.steps.values())
    elif last == "enum":
        there = _strings(holder.get("enum")) if holder is not None else set()
        yield from (each for each in _intents(agent, document, join("", *holder_path, "enum")) if each[0] not in there)


def _intents(agent: AgentFolder, document: ParsedFile, pointer: str) -> Iterator[tuple[str, str]]:
    for step in agent.flow.steps.values():
        place = agent.schema(step).enum_place
        if place is not None and place.document.path == document.path and place.pointer == pointer:
            for name in names_of(agent, "intent", join(step.pointer, "transitions")):
                yield name.text, step.id


def _references(document: ParsedFile) -> Iterator[tuple[str, str]]:
    for name in schema_names(document):
        for holder in ("definitions", "$defs", ""):
            pointer = join("", *([holder] if holder else []), name)
            node = document.tree.at(pointer)
            if node is not None and node.kind == "object":
                yield f"#{pointer}", _description(node)
                break


def _description(node: Node) -> str:
    for key in ("description", "title", "type"):
        text_node = node.get(key)
        if text_node is not None and isinstance(text_node.value, str):
            return text_node.value
    return ""


def _strings(node: Node | None) -> set[str]:
    return {item.value for item in node.items() if isinstance(item.value, str)} if node is not None else set()

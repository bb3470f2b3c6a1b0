"""Completion: the keys and values that fit where a caret stands, also while the text is broken."""

import json
from typing import NamedTuple

from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.names import names_of
from stepflow_gui.project.assist.spot import table_of
from stepflow_gui.text.document import Document
from stepflow_gui.text.json_context import Context, context_at
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span


class Completion(NamedTuple):
    """What can stand there: `label` is listed, `detail` says what it is, `text` is written in place of the span.

    `caret` counts from the start of `text`.
    """

    label: str
    detail: str
    text: str
    caret: int


class Completions(NamedTuple):
    """All that fit, the likeliest first, and the stretch whose place they take. `typed` is what is there already."""

    span: Span
    typed: str
    items: tuple[Completion, ...]


def completions_at(agent: AgentFolder, document: Document, offset: int) -> Completions:
    """What fits at a caret. Those that begin as what is typed come first; those that don't contain it are left out."""
    text = document.source.text
    context = context_at(text, offset, *_around(document, offset))
    span = Span(context.start, context.end)
    table = table_of(agent, document)
    if table is None or context.expects == "nothing":
        return Completions(span, context.typed, ())
    shape, known_as = table
    pointer = join("", *context.path)
    found = field_at(shape, pointer, known_as)
    own = found.shape if isinstance(found, Field) else found
    if own is None:
        return Completions(span, context.typed, ())
    if context.expects == "key":
        items = _keys(agent, document, own, pointer, known_as, _colon_follows(text, context))
    else:
        items = _values(agent, found, own, pointer)
    return Completions(span, context.typed, _fitting(items, context.typed))


def _around(document: Document, offset: int) -> tuple[int, tuple[str | int, ...]]:
    """Where the innermost object or array around an offset begins, and its path; in broken text nothing is certain."""
    if not document.tree.valid:
        return 0, ()
    keys: list[str | int] = []
    node = document.tree.root
    start = 0
    while node is not None and node.kind in {"object", "array"}:
        start = node.start
        inside = next((each for each in node.members() if each.value.start < offset < each.value.end), None)
        item = next(((at, each) for at, each in enumerate(node.items()) if each.start < offset < each.end), None)
        below = inside.value if inside is not None else item[1] if item is not None else None
        if below is None or below.kind not in {"object", "array"}:
            break
        keys.append(inside.key if inside is not None else item[0] if item is not None else 0)
        node = below
    return start, tuple(keys)


def _keys(
    agent: AgentFolder, document: Document, shape: Shape, pointer: str, known_as: str, colon_follows: bool
) -> list[Completion]:
    holder = document.tree.at(pointer)
    there = {member.key for member in holder.members()} if holder is not None else set()
    items: list[Completion] = []
    for each in (shape, *shape.either):
        items += [
            _key(field.name, field.meaning(), field.shape, colon_follows)
            for field in each.fields
            if field.known_in(known_as) and not field.newer and field.name not in there
        ]
        if each.kind == "map" and each.names and each.of is not None:
            value = each.of
            items += [
                _key(name.text, name.detail, value, colon_follows)
                for name in names_of(agent, each.names, pointer)
                if name.text not in there
            ]
    needed = {field.name for field in shape.fields if field.need != "no"}
    return sorted(items, key=lambda item: item.label not in needed)


def _key(name: str, detail: str, shape: Shape, colon_follows: bool) -> Completion:
    key = json.dumps(name, ensure_ascii=False)
    if colon_follows:
        return Completion(name, detail, key, len(key))
    empty, caret = _EMPTY.get(shape.kind, ("", 0))
    return Completion(name, detail, f"{key}: {empty}", len(key) + 2 + caret)


_EMPTY = {"string": ('""', 1), "list": ("[]", 1), "map": ("{}", 1), "object": ("{}", 1)}


def _values(agent: AgentFolder, found: Field | Shape | None, shape: Shape, pointer: str) -> list[Completion]:
    items: list[Completion] = []
    default = found.default if isinstance(found, Field) else None
    for each in (shape, *shape.either):
        if each.kind == "string":
            items += [_string(choice) for choice in each.choices]
            if each.names:
                items += [_string(name.text, name.detail) for name in names_of(agent, each.names, pointer)]
        elif each.kind == "boolean":
            items += [_literal("true"), _literal("false")]
        elif each.kind in _EMPTY:
            text, caret = _EMPTY[each.kind]
            items.append(Completion(text, "", text, caret))
        if each.nullable:
            items.append(_literal("null"))
    if default is not None and not isinstance(default, dict | list):
        written = json.dumps(default, ensure_ascii=False)
        items.sort(key=lambda item: item.text != written)
        if not any(item.text == written for item in items):
            items.insert(0, _literal(written))
    return list({item.text: item for item in reversed(items)}.values())[::-1]


def _string(value: str, detail: str = "") -> Completion:
    text = json.dumps(value, ensure_ascii=False)
    return Completion(value, detail, text, len(text))


def _literal(text: str) -> Completion:
    return Completion(text, "", text, len(text))


def _colon_follows(text: str, context: Context) -> bool:
    return text[context.end : context.end + 40].lstrip().startswith(":")


def _fitting(items: list[Completion], typed: str) -> tuple[Completion, ...]:
    wanted = typed.casefold()
    fitting = [item for item in items if wanted in item.label.casefold()]
    return tuple(sorted(fitting, key=lambda item: not item.label.casefold().startswith(wanted)))

"""Completion and help in a TOML text of which a field table knows the keys."""

import json
from collections.abc import Callable, Iterable
from typing import NamedTuple

from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.messages import _
from stepflow_gui.project.assist.completion import Completion, Completions, fitting
from stepflow_gui.project.assist.hover import Hover
from stepflow_gui.project.assist.names import Name
from stepflow_gui.project.assist.toml_context import TomlContext, toml_context_at
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span
from stepflow_gui.text.toml_places import TomlPlaces

_EMPTY = {"string": ('""', 1), "list": ("[]", 1), "map": ("{}", 1), "object": ("{}", 1)}


class TomlTable(NamedTuple):
    """The words allowed in a file: below which keys the table begins, and the words that fit at a path below that."""

    shape: Shape
    prefix: tuple[str, ...]
    words: Callable[[tuple[str | int, ...]], Iterable[Name]]


def toml_completions(table: TomlTable, text: str, offset: int) -> Completions:
    """The keys, table names and values that fit at a caret."""
    context = toml_context_at(text, offset)
    span = Span(context.start, context.end)
    below = _below(table, context.path)
    items: list[Completion] = []
    if context.expects == "header":
        items = _headers(table, text, context)
    elif below is not None:
        found = field_at(table.shape, join("", *below), "")
        own = found.shape if isinstance(found, Field) else found
        if own is not None and context.expects == "key":
            items = _keys(table, own, below, text, context)
        elif own is not None and context.expects == "value":
            items = _values(table, own, below, text, context)
    return Completions(span, context.typed, fitting(items, context.typed))


def toml_about(table: TomlTable, text: str, offset: int) -> Hover | None:
    """What the key at an offset is for."""
    for path, span in TomlPlaces(text).keys.items():
        below = _below(table, path)
        if below and span.start <= offset <= span.end:
            found = field_at(table.shape, join("", *below), "")
            return Hover(span, text[span.start : span.end], (found.meaning(),)) if isinstance(found, Field) else None
    return None


def _below(table: TomlTable, path: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    size = len(table.prefix)
    return path[size:] if path[:size] == table.prefix else None


def _headers(table: TomlTable, text: str, context: TomlContext) -> list[Completion]:
    """Tables, and arrays of tables, by their whole names; what of the name is written already isn't again."""
    doubled = text[max(0, context.start - 2) : context.start].endswith("[[") or "[[" in _line(text, context.start)
    items = []
    for field in table.shape.fields:
        of = field.shape.of
        is_array = field.shape.kind == "list" and of is not None and of.kind == "object"
        is_table = field.shape.kind == "map" or any(each.kind == "map" for each in field.shape.either)
        if (is_array and doubled) or (is_table and not doubled):
            names = (*table.prefix, field.name)
            done = tuple(context.path)
            if names[: len(done)] == done and len(names) > len(done):
                name = ".".join(names[len(done) :])
                closing = "]]" if doubled else "]"
                written = name if _closed(text, context.end) else name + closing
                items.append(Completion(name, field.meaning(), written, len(written)))
    return items


def _keys(
    table: TomlTable, shape: Shape, below: tuple[str | int, ...], text: str, context: TomlContext
) -> list[Completion]:
    has_value = text[context.end : context.end + 40].lstrip(" \t").startswith("=")
    there = _there(text, (*table.prefix, *below))
    items: list[Completion] = []
    for each in (shape, *shape.either):
        for field in each.fields:
            if field.name in there and field.name != context.typed:
                continue
            value, caret = _begun(field)
            written = field.name if has_value else f"{field.name} = {value}"
            at = len(field.name) if has_value else len(field.name) + 3 + caret
            items.append(Completion(field.name, field.meaning(), written, at))
        if each.kind == "map":
            for name in table.words((*below, "")):
                written = name.text if has_value else f'{name.text} = ""'
                items.append(Completion(name.text, name.detail, written, len(written) - (not has_value)))
    needed = {field.name for field in shape.fields if field.need == "load"}
    return sorted(items, key=lambda item: item.label not in needed)


def _begun(field: Field) -> tuple[str, int]:
    if field.shape.kind == "boolean":
        return ("true", 4) if field.default is False else ("false", 5)
    if field.shape.kind == "either":
        return '""', 1
    return _EMPTY.get(field.shape.kind, ('""', 1))


def _values(
    table: TomlTable, shape: Shape, below: tuple[str | int, ...], text: str, context: TomlContext
) -> list[Completion]:
    items: list[Completion] = []
    for each in (shape, *shape.either):
        if each.kind == "string":
            names = [*(Name(choice) for choice in each.choices), *table.words(below)]
            items += [_string(name, text, context) for name in names]
        elif each.kind == "boolean":
            items += [Completion(word, "", word, len(word)) for word in ("true", "false")]
        elif each.kind in {"list", "map", "object"} and not context.typed:
            written, caret = _EMPTY[each.kind]
            label = _("a list") if each.kind == "list" else _("a table")
            items.append(Completion(written, label, written, caret))
    return items


def _string(name: Name, text: str, context: TomlContext) -> Completion:
    """In the quotes that are there already, if there are any."""
    literal = context.quoted and text[context.start] == "'" and "'" not in name.text
    written = f"'{name.text}'" if literal else json.dumps(name.text, ensure_ascii=False)
    return Completion(name.text, name.detail, written, len(written))


def _there(text: str, table: tuple[str | int, ...]) -> set[str]:
    """The keys that a table has already; in arrays of tables any key may be repeated."""
    if 0 in table:
        return set()
    size = len(table)
    return {str(path[size]) for path in TomlPlaces(text).keys if len(path) == size + 1 and path[:size] == table}


def _line(text: str, offset: int) -> str:
    return text[text.rfind("\n", 0, offset) + 1 : offset]


def _closed(text: str, end: int) -> bool:
    return text[end : end + 1] == "]"

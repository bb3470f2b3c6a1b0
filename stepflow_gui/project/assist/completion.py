"""Completion: the keys and values that fit where a caret stands, also while the text is broken."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.formats.fields import Field, Shape, field_at
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.address_names import address_names, path_names
from stepflow_gui.project.assist.cursor_place import table_of
from stepflow_gui.project.assist.names import Name, may_end, names_of
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.context import Context, context_at
from stepflow_gui.text.json.style import Style, style_of
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span


class Completion(NamedTuple):
    """A possible completion: `label` is listed, `detail` describes it, `text` replaces the span.

    `caret` counts from the start of `text`.
    """

    label: str
    detail: str
    text: str
    caret: int


class Completions(NamedTuple):
    """All that fit, the likeliest first, and the stretch whose place they take. `typed` is what already exists."""

    span: Span
    typed: str
    items: tuple[Completion, ...]


def completions_at(agent: AgentFolder, document: ParsedFile, offset: int) -> Completions:
    """What fits at a caret. Those that begin as what is typed come first; those that don't contain it are left out."""
    text = document.source.text
    context = context_at(text, offset, *around(document, offset))
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
        items = _keys(agent, document, own, pointer, known_as, context)
    else:
        comma = comma_after(text, context.end)
        items = _values(agent, document, found, own, pointer, comma)
    return Completions(span, context.typed, fitting(items, context.typed))


def fitting(items: Iterable[Completion], typed: str) -> tuple[Completion, ...]:
    """Those that contain what is typed, each label once; those that begin so first, then words."""
    wanted = typed.casefold()
    listed: dict[str, Completion] = {}
    for item in items:
        if wanted in item.label.casefold():
            listed.setdefault(item.label, item)
    return tuple(sorted(listed.values(), key=lambda item: _fit(item.label.casefold(), wanted)))


def _fit(label: str, wanted: str) -> int:
    """How well a label that contains what is wanted fits: least where it, or else one of its words, begins so."""
    at = label.find(wanted)
    return 0 if at == 0 else 1 if any(sign + wanted in label for sign in ".-_/:") else 2


def string(value: str, detail: str = "", after: str = "") -> Completion:
    """A string of JSON, and what is written behind it."""
    text = json.dumps(value, ensure_ascii=False)
    return Completion(value, detail, text + after, len(text))


def comma_after(text: str, end: int) -> str:
    """The comma that is missing behind what is completed: another member or element follows."""
    following = text[end : end + 400].lstrip()[:1]
    return "," if following and following in '"{[' else ""


def colon_follows(text: str, context: Context) -> bool:
    """Whether a key has its value already."""
    return text[context.end : context.end + 40].lstrip().startswith(":")


def around(document: ParsedFile, offset: int) -> tuple[int, tuple[str | int, ...]]:
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


class _Writing:
    """Writes a key at a caret, with what it brings along."""

    def __init__(self, document: ParsedFile, context: Context, known_as: str, *, flat: bool) -> None:
        style = style_of(document.tree)
        text = document.source.text
        self._layout = _layout_at(text, context.start, style, flat=flat)
        self._colon = style.colon
        self._known_as = known_as
        self._has_value = colon_follows(text, context)
        self._comma = comma_after(text, context.end)

    def key(self, name: str, detail: str, shape: Shape, default: object = None) -> Completion:
        key = json.dumps(name, ensure_ascii=False)
        if self._has_value:
            return Completion(name, detail, key, len(key))
        plain = default if isinstance(default, bool | int | str) else None
        value, caret = _begun(shape, self._known_as, plain, self._layout)
        written = key + self._colon
        return Completion(name, detail, written + value + self._comma, len(written) + caret)


def _keys(
    agent: AgentFolder, document: ParsedFile, shape: Shape, pointer: str, known_as: str, context: Context
) -> list[Completion]:
    holder = document.tree.at(pointer)
    there = {member.key for member in holder.members()} if holder is not None else set()
    there.discard(context.whole)  # the one that is completed
    flat = holder is not None and "\n" not in document.source.text[holder.start : context.start]
    writing = _Writing(document, context, known_as, flat=flat)
    items: list[Completion] = []
    for each in (shape, *shape.either):
        items += [
            writing.key(field.name, field.worded_for(known_as).meaning(), field.shape, field.default)
            for field in each.fields
            if field.known_in(known_as) and not field.newer and field.name not in there
        ]
        if each.kind == "map" and each.names and each.of is not None:
            value = each.of
            items += [
                writing.key(name.text, name.detail, value)
                for name in names_of(agent, each.names, pointer)
                if name.text not in there
            ]
    needed = {field.name for field in shape.fields if field.need != "no"}
    return sorted(items, key=lambda item: item.label not in needed)


_EMPTY = {"string": ('""', 1), "list": ("[]", 1), "map": ("{}", 1), "object": ("{}", 1)}


def _values(
    agent: AgentFolder, document: ParsedFile, found: Field | Shape | None, shape: Shape, pointer: str, comma: str
) -> list[Completion]:
    items: list[Completion] = []
    default = found.default if isinstance(found, Field) else None
    for each in (shape, *shape.either):
        if each.kind == "string":
            names: list[Name] = [Name(choice) for choice in each.choices]
            names += names_of(agent, each.names, pointer) if each.names else []
            if not names:
                names = (address_names if document.path == agent.registry.path else path_names)(agent, pointer)
            items += [string(name.text, name.detail, comma) for name in names]
        elif each.kind == "boolean":
            items += [_literal("true", comma), _literal("false", comma)]
        elif each.kind in _EMPTY:
            text, caret = _EMPTY[each.kind]
            items.append(Completion(text, "", text + comma, caret))
        if each.nullable and may_end(agent, pointer):
            items.append(_literal("null", comma))
    if default is not None and not isinstance(default, dict | list):
        written = json.dumps(default, ensure_ascii=False)
        items.sort(key=lambda item: item.text != written + comma)
        if not any(item.text == written + comma for item in items):
            items.insert(0, _literal(written, comma))
    return list({item.text: item for item in reversed(items)}.values())[::-1]


def _literal(text: str, comma: str = "") -> Completion:
    return Completion(text, "", text + comma, len(text))


_DEEPEST = 2  # objects in objects that are begun


class _SnippetStyle:
    """How a file is written where something is put in: the line's indentation, a step of it, the line end."""

    __slots__ = ("indent", "newline", "padding", "unit")

    def __init__(self, indent: str, unit: str | None, newline: str, padding: str) -> None:
        self.indent = indent
        self.padding = padding  # inside the braces of an object in one line
        self.unit = unit  # None where the file is all in one line
        self.newline = newline

    def deeper(self) -> "_SnippetStyle":
        """One step further in."""
        return _SnippetStyle(self.indent + (self.unit or ""), self.unit, self.newline, self.padding)


def _layout_at(text: str, offset: int, style: Style, *, flat: bool) -> _SnippetStyle:
    """The layout of the line that an offset is in; `flat`: what is put in has to stay in that line."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return _SnippetStyle(
        text[start : min(end, offset)], None if flat else style.unit, style.newline, style.object_padding
    )


def _begun(shape: Shape, known_as: str, default: JsonValue, layout: _SnippetStyle, depth: int = 0) -> tuple[str, int]:
    """The text of a value as it is begun, and where in it the caret goes: where the first thing is to be written."""
    if isinstance(default, bool | int | str) and shape.kind != "either":
        text = json.dumps(default, ensure_ascii=False)
        return text, len(text) - 1 if isinstance(default, str) else len(text)
    if shape.kind == "either":
        return _begun(shape.either[0], known_as, None, layout, depth)
    if shape.kind == "string":
        return '""', 1
    if shape.kind == "list":
        return "[]", 1
    if shape.kind == "object":
        needed = [field for field in shape.fields if _is_needed(field, known_as)]
        return _object(needed, known_as, layout, depth) if needed and depth < _DEEPEST else ("{}", 1)
    return ("{}", 1) if shape.kind == "map" else ("", 0)


def _is_needed(field: Field, known_as: str) -> bool:
    return field.need in {"load", "run"} and field.known_in(known_as) and not field.newer


def _object(fields: list[Field], known_as: str, layout: _SnippetStyle, depth: int) -> tuple[str, int]:
    inner = layout.deeper()
    members = [(field.name, *_begun(field.shape, known_as, field.default, inner, depth + 1)) for field in fields]
    flat = layout.unit is None or (len(members) == 1 and "\n" not in members[0][1])
    between = ", " if flat else "," + layout.newline + inner.indent
    text = "{" + layout.padding if flat else "{" + layout.newline + inner.indent
    caret = 0
    for number, (name, value, at) in enumerate(members):
        text += between if number else ""
        text += json.dumps(name, ensure_ascii=False) + ": "
        if not caret and (value in {"", '""', "[]", "{}"} or at < len(value)):
            caret = len(text) + at
        text += value
    text += layout.padding + "}" if flat else layout.newline + layout.indent + "}"
    return text, caret or len(text)

"""The path to a place in a text: keys of JSON and YAML, headings of Markdown, tables of TOML, each with its siblings.

Knows no Qt.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.source import Source, Span

_LONGEST = 60  # characters of a label
_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}(#{1,6})[ \t]+(\S.*)")
_TABLE = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")

Siblings = list[tuple[str, Span]]


class Crumb(NamedTuple):
    """One part of the path: its label, its place, and a function that returns all its siblings, itself among them."""

    label: str
    span: Span
    siblings: Callable[[], Siblings]


class Symbol(NamedTuple):
    """Something in a file to go to: its label, what it is in, its place."""

    label: str
    holder: str
    span: Span


class Heading(NamedTuple):
    """A heading of a text, or the header of a table in it."""

    level: int
    label: str
    span: Span


def crumbs_of_tree(root: Node | None, offset: int) -> list[Crumb]:
    """The path to the innermost member or element in which an offset lies; a member begins with its key."""
    found: list[Crumb] = []
    node = root
    while node is not None:
        holder, node = node, None
        if members := holder.members():
            at = bisect_right(members, offset, key=lambda member: member.key_start) - 1
            if at >= 0 and offset <= members[at].value.end:
                found.append(Crumb(_short(members[at].key), members[at].key_span, partial(places_in, holder)))
                node = members[at].value
        elif items := holder.items():
            at = bisect_right(items, offset, key=lambda item: item.start) - 1
            if at >= 0 and offset <= items[at].end:
                label = _named(items[at]) or f"[{at}]"
                found.append(Crumb(label, _beginning(items[at]), partial(places_in, holder)))
                node = items[at]
    return found


def places_in(holder: Node | None) -> Siblings:
    """The members or elements of a value, with where they begin."""
    if holder is None:
        return []
    if members := holder.members():
        return [(_short(member.key), member.key_span) for member in members]
    return [(f"[{at}] {_caption(item)}".rstrip(), _beginning(item)) for at, item in enumerate(holder.items())]


def symbols_of_tree(root: Node | None) -> list[Symbol]:
    """The members of a file and the objects and lists in these: steps, movements, definitions."""
    found: list[Symbol] = []
    for member in root.members() if root is not None else ():
        key = _short(member.key)
        found.append(Symbol(key, "", member.key_span))
        found += (Symbol(_short(each.key), key, each.key_span) for each in member.value.members() if _holds(each.value))
        held = [(at, item) for at, item in enumerate(member.value.items()) if _holds(item)]
        found += (
            Symbol(_named(item) or f"[{at}] {_caption(item)}".rstrip(), key, _beginning(item)) for at, item in held
        )
    return found


def symbols_of_headings(headings: list[Heading]) -> list[Symbol]:
    """All headings, each with the one that it is under."""
    path: list[Heading] = []
    found: list[Symbol] = []
    for heading in headings:
        while path and path[-1].level >= heading.level:
            path.pop()
        found.append(Symbol(heading.label, path[-1].label if path else "", heading.span))
        path.append(heading)
    return found


def crumbs_of_headings(headings: list[Heading], offset: int) -> list[Crumb]:
    """The headings under which an offset lies, the outermost first."""
    upto = bisect_right(headings, offset, key=lambda heading: heading.span.start)
    path: list[int] = []
    for index in range(upto):
        while path and headings[path[-1]].level >= headings[index].level:
            path.pop()
        path.append(index)
    return [Crumb(headings[index].label, headings[index].span, partial(_beside, headings, index)) for index in path]


def headings_of_markdown(source: Source) -> list[Heading]:
    """The headings of a prompt; not those in its front matter or in fenced code."""
    found: list[Heading] = []
    fence = ""
    front = source.text.startswith("---")
    for number in range(1, source.line_count + 1):
        line = source.line_text(number)
        if front:
            front = number == 1 or not line.startswith("---")
        elif mark := _FENCE.match(line):
            if not fence or mark[1].startswith(fence):
                fence = "" if fence else mark[1]
        elif not fence and (heading := _HEADING.match(line)):
            start = source.offset(number, 1) + heading.start(1)
            label = heading[2].rstrip().rstrip("#").rstrip() or heading[2]
            found.append(Heading(len(heading[1]), _short(label), Span(start, start + len(line) - heading.start(1))))
    return found


def headings_of_toml(source: Source) -> list[Heading]:
    """The headers of tables; a table of a table lies a level deeper."""
    found: list[Heading] = []
    for number in range(1, source.line_count + 1):
        line = source.line_text(number)
        if table := _TABLE.match(line):
            start = source.offset(number, 1)
            level = 1 + len(re.findall(r'"[^"]*"|[^".\s]+', table[1]))
            found.append(Heading(level, _short(table[1]), Span(start, start + len(line.rstrip()))))
    return found


def _beside(headings: list[Heading], index: int) -> Siblings:
    level = headings[index].level
    first = index
    while first and headings[first - 1].level >= level:
        first -= 1
    after = index + 1
    while after < len(headings) and headings[after].level >= level:
        after += 1
    return [(each.label, each.span) for each in headings[first:after] if each.level == level]


def _caption(item: Node) -> str:
    # What an element is: a plain value itself, an object by the first text in it.
    value = item.value
    if isinstance(value, dict):
        value = next((inner for inner in value.values() if isinstance(inner, str)), None)
        return _short(value) if value is not None else ""
    return "" if isinstance(value, list) else _short(json.dumps(value, ensure_ascii=False))


def _holds(value: Node) -> bool:
    return isinstance(value.value, dict | list)


def _named(item: Node) -> str:
    # Movements and the like are known by their names.
    name = item.value.get("name") if isinstance(item.value, dict) else None
    return _short(name) if isinstance(name, str) and name.strip() else ""


def _beginning(item: Node) -> Span:
    return Span(item.start, item.start)


def _short(text: str) -> str:
    text = " ".join(text.split()) if text.strip() else json.dumps(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

"""The tree of a YAML text (1.2, core schema), read as that of a JSON text is: the same nodes, members and problems.

Tags execute nothing, `<<` is a key like any other, and an alias is the value of its anchor at the alias's own place.
"""

import re
from typing import NamedTuple

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.text.json.tree import JsonTree, JsonValue, Member, Node, SyntaxProblem
from stepflow_gui.text.source import Source, Span
from stepflow_gui.text.yaml.lines import with_line_feeds
from stepflow_gui.text.yaml.problems import DEEPEST, MOST_CHARACTERS, MOST_VALUES, problems_of
from stepflow_gui.text.yaml.scalar import plain_value, tagged_value
from stepflow_gui.text.yaml.scanner import yaml_reader

_PROPERTY = re.compile(r"[&!][^\s,\[\]{}]*(?:\s+|#.*)*")
_TRIES = 20  # mistakes of one text that leave no doubt about the rest


class Alias(NamedTuple):
    """Where an alias stands, and where the anchor that it names and the value of that."""

    name: str
    span: Span
    anchor: Span
    value: Span


class YamlTree(JsonTree):
    """A YAML text and what it holds. `aliases` are those in the text."""

    __slots__ = ("aliases",)

    def __init__(
        self,
        source: Source,
        root: Node | None,
        problems: tuple[SyntaxProblem, ...] = (),
        has_duplicates: bool = False,
        aliases: tuple[Alias, ...] = (),
    ) -> None:
        super().__init__(source, root, problems, has_duplicates)
        self.aliases = aliases


def read_yaml_tree(source: Source) -> YamlTree:
    """Read a text, whatever is wrong with it: what stands before a mistake is kept. Never raises."""
    text = source.text
    if len(text) > MOST_CHARACTERS:
        return YamlTree(source, None, (SyntaxProblem("yaml-long", 0, 1, str(len(text))),))
    problems: list[SyntaxProblem] = []
    tried = text
    while True:
        reading = _Reading(text)
        found = reading.run(tried)
        problems += found
        if len(found) != 1 or found[0].kind != "yaml-colon" or len(problems) >= _TRIES:
            break
        # It is clear what was meant: the colon belongs to the text. What follows is read with another letter there.
        tried = tried[: found[0].start] + "_" + tried[found[0].end :]
    if reading.root is None and not problems:
        problems.append(SyntaxProblem("empty", 0, 0))
    return YamlTree(source, reading.root, tuple(problems), reading.has_duplicates, tuple(reading.aliases))


class _Open:
    """A mapping or sequence that is being read."""

    __slots__ = ("anchor", "flow", "items", "key", "members", "size", "start")

    def __init__(self, start: int, flow: bool, is_mapping: bool, anchor: str | None) -> None:
        self.start = start
        self.flow = flow
        self.anchor = anchor
        self.members: list[Member] | None = [] if is_mapping else None
        self.items: list[Node] = []
        self.key: Node | None = None  # that waits for its value
        self.size = 1


class _Anchored(NamedTuple):
    node: Node | None  # None while it is being read
    span: Span
    size: int


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = with_line_feeds(text)
        self.root: Node | None = None
        self.has_duplicates = False
        self.aliases: list[Alias] = []
        self.anchors: dict[str, _Anchored] = {}
        self.stack: list[_Open] = []
        self.size = 0
        self.documents = 0

    def run(self, tried: str) -> list[SyntaxProblem]:
        """Read until the end, or the first mistake that ends it; gives what is wrong."""
        found: list[SyntaxProblem] = []
        last = 0
        try:
            for event in yaml_reader().parse(tried):
                checkpoint()
                last = int(event.end_mark.index)
                problem = self._take(event)
                if problem:
                    found.append(problem)
                    break
        except YAMLError as error:
            found += problems_of(error, self.text)
        except (ValueError, IndexError, RecursionError) as error:  # such as an escape of a character that none is
            found.append(SyntaxProblem("yaml-other", last, min(last + 1, len(self.text)), str(error)))
        while self.stack:  # what a mistake has cut off
            self._close(min(last, len(self.text)), whole=False)
        if any(problem.kind in {"yaml-many", "yaml-cycle"} for problem in found):
            self.root = None
        return found

    def _take(self, event: Event) -> SyntaxProblem | None:
        match event:
            case ScalarEvent():
                self._put(self._scalar(event), 1, event.anchor, event)
            case MappingStartEvent() | SequenceStartEvent():
                start = self._after_properties(event)
                self._note(event)
                is_mapping = isinstance(event, MappingStartEvent)
                self.stack.append(_Open(start, bool(event.flow_style), is_mapping, event.anchor))
                if len(self.stack) > DEEPEST:
                    return SyntaxProblem("yaml-deep", *_span(event), str(DEEPEST))
            case MappingEndEvent() | SequenceEndEvent():
                self._close(int(event.end_mark.index), whole=True)
            case AliasEvent():
                return self._alias(event)
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    return SyntaxProblem("yaml-documents", *_span(event))
        if self.size > MOST_VALUES:
            return SyntaxProblem("yaml-many", *_span(event), str(MOST_VALUES))
        return None

    def _scalar(self, event: ScalarEvent) -> Node:
        start, end = self._after_properties(event), int(event.end_mark.index)
        text = str(event.value)
        if event.style in {"|", ">"}:
            end = start + len(self.text[start:end].rstrip())
        elif event.style is None and "_" in text and "\n" not in self.lines[start:end]:
            text = self.text[start:end]  # as written, where a colon was read as another letter
        elif start == end and not text:
            start = end = self._place_of_nothing(start)
        tag = str(event.tag) if event.tag else ""
        value = tagged_value(text, tag) if tag else plain_value(text) if event.style is None else text
        # A null that is written as nothing has a place anyway: `unique` distinguishes it from a missing value.
        return Node(value, start, max(start, end), self.text, len(self.stack), unique=True)

    def _place_of_nothing(self, at: int) -> int:
        """Where a value that isn't written stands: behind its colon or dash."""
        holder = self.stack[-1] if self.stack else None
        if holder is None or (self.text[at - 1 : at] in {" ", "\t"} and holder.flow):
            return at
        if holder.members is not None:
            colon = self.text.find(":", holder.key.end, at) if holder.key is not None else -1
            return colon + 1 if colon >= 0 else at
        line = self.lines.rfind("\n", 0, holder.start) + 1
        column = holder.start - line
        dash = holder.start if not holder.items else -1
        while dash < 0 and line < at:  # the last line before that has a dash in the list's column
            behind = holder.items[-1].end if holder.items else 0
            place = line + column
            if place >= behind and self.text[place : place + 1] == "-" and not self.text[line:place].strip():
                dash = place
            line = self.lines.find("\n", line, at) + 1 or at
        return dash + 1 if dash >= 0 else at

    def _after_properties(self, event: Event) -> int:
        start, end = _span(event)
        while (found := _PROPERTY.match(self.text, start, max(start, end))) and self.text[start] in "&!":
            start = found.end()
        return min(start, len(self.text))

    def _note(self, event: NodeEvent, node: Node | None = None, size: int = 1) -> None:
        if event.anchor:
            start = self.text.find("&", int(event.start_mark.index))
            span = Span(start, start + 1 + len(event.anchor))
            self.anchors[event.anchor] = _Anchored(node, span, size)

    def _alias(self, event: AliasEvent) -> SyntaxProblem | None:
        span, name = Span(*_span(event)), str(event.anchor)
        known = self.anchors.get(name)
        if known is None:
            return SyntaxProblem("yaml-alias", *span, name)
        if known.node is None:
            return SyntaxProblem("yaml-cycle", *span, name)
        target = known.node
        self.aliases.append(Alias(name, span, known.span, target.span))
        if isinstance(target.value, dict | list):
            is_mapping = isinstance(target.value, dict)
            inside = (target.members(), None) if is_mapping else (None, target.items())
            node = Node.filled(target.value, span, self.text, len(self.stack), inside)
        else:
            node = Node(target.value, *span, self.text, len(self.stack), unique=True)
        self._put(node, known.size, None, event)
        return SyntaxProblem("yaml-many", *span, str(MOST_VALUES)) if self.size > MOST_VALUES else None

    def _put(self, node: Node, size: int, anchor: str | None, event: NodeEvent) -> None:
        if anchor:
            self._note(event, node, size)
        self._add(node, size)

    def _add(self, node: Node, size: int) -> None:
        if not self.stack:
            self.size += size
            if self.root is None:
                self.root = node
            return
        holder = self.stack[-1]
        holder.size += size
        self.size += size
        if holder.members is None:
            holder.items.append(node)
        elif holder.key is None:
            holder.key = node
        else:
            key, holder.key = holder.key, None
            holder.members.append(Member(self._key(key), key.start, key.end, node))

    def _key(self, node: Node) -> str:
        if isinstance(node.value, str):
            return node.value
        return "" if node.value is None else self.text[node.start : node.end]

    def _close(self, end: int, *, whole: bool) -> None:
        done = self.stack.pop()
        if done.key is not None and done.members is not None:  # cut off before its value
            key = done.key
            done.members.append(
                Member(self._key(key), key.start, key.end, Node(None, key.end, key.end, self.text, len(self.stack) + 1))
            )
        span = Span(done.start, self._end(done, end, whole))
        value: JsonValue
        if done.members is not None:
            value = {member.key: member.value.value for member in done.members}
            self.has_duplicates |= len(value) != len(done.members)
        else:
            value = [item.value for item in done.items]
        inside = (done.members, None) if done.members is not None else (None, done.items)
        node = Node.filled(value, span, self.text, len(self.stack), inside)
        size = done.size
        if done.anchor and done.anchor in self.anchors:
            self.anchors[done.anchor] = self.anchors[done.anchor]._replace(node=node, size=size)
        self.size -= size - 1  # its inside is counted already
        self._add(node, size)

    def _end(self, done: _Open, end: int, whole: bool) -> int:
        if done.flow and whole:
            return end
        if done.members:
            last = done.members[-1]
            return max(last.value.end, last.key_end)
        if done.items:
            return done.items[-1].end
        return max(done.start, min(end, len(self.text)))


def _span(event: Event) -> tuple[int, int]:
    return int(event.start_mark.index), int(event.end_mark.index)

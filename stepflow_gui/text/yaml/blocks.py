"""The members or elements of a mapping or list of a YAML text as stretches of it, to put in, take out and move them."""

import re
from typing import Protocol

from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.yaml.lines import LINE_END, with_line_feeds
from stepflow_gui.text.yaml.write import writing_of

_COMMENT = re.compile(r"[ \t]*#")
_LAST_LINE_END = re.compile(r"(?:\r\n|\r|\n)\Z")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)")
_BLANK_LINE = re.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t]*(?=[\r\n])")


class Chunked(Protocol):
    """What both styles of a mapping or list support."""

    def member(self, key: str, value: JsonValue) -> str:
        """A member as it would be written here."""

    def item(self, value: JsonValue) -> str:
        """An element as it would be written here."""

    def extent(self, index: int) -> tuple[int, int]:
        """Where a member or element stands, with its comments."""

    def insert(self, slot: int, written: list[str]) -> list[TextEdit]:
        """Put in what was written, before the one that has that number now."""

    def remove(self, gone: set[int]) -> list[TextEdit]:
        """Take some out, not all."""

    def move(self, old: int, new: int) -> list[TextEdit]:
        """Put one elsewhere: it has that number then."""


def row_of(text: str, holder: Node) -> "Chunked | None":
    """The members or elements of a mapping or list; None where it has none."""
    if not holder.value:
        return None
    return FlowRow(text, holder) if text[holder.start] in "[{" else Block(text, holder)


def line_end_of(text: str, node: Node, *, block_only: bool = False) -> int:
    """The end of a value: of a block of lines that keeps blank ones, behind those; else, by default, of its line."""
    end = node.end
    if text[node.start : node.start + 1] in {"|", ">"} and "+" in LINE_END.split(text[node.start : node.end], 1)[0]:
        while (found := _BLANK_LINE.match(text, end)) is not None:
            end = found.end()
        return end
    if block_only:
        return end
    following = LINE_END.search(text, end)
    return following.start() if following is not None else len(text)


def unusual() -> ValueError:
    """What is raised where a change would have to guess."""
    return ValueError(_("this part is written in a way that can't be changed automatically: edit it in the source"))


class Block:
    """A mapping or list written in lines. Each part of it has the comment lines right above it."""

    def __init__(self, text: str, holder: Node) -> None:
        self.text = text
        self.lines = with_line_feeds(text)
        self.writing = writing_of(text)
        self.indent = holder.start - self._line(holder.start)
        self.is_list = holder.kind == "array"
        self.nodes = holder.items() if self.is_list else [member.value for member in holder.members()]
        keys = [] if self.is_list else [member.key_start for member in holder.members()]
        self.heads = [self._dash(node) for node in self.nodes] if self.is_list else keys
        if holder.members() and any(self._begins_with_question(key) for key in keys):
            raise unusual()

    def member(self, key: str, value: JsonValue) -> str:
        """A member as it would be written here."""
        return self.writing.member(key, value, self.indent)

    def item(self, value: JsonValue) -> str:
        """An element as it would be written here."""
        return self.writing.item(value, self.indent)

    def extent(self, index: int) -> tuple[int, int]:
        """Where a member or element stands, with its comments."""
        return self._start(index), self._end(index)

    def insert(self, slot: int, written: list[str]) -> list[TextEdit]:
        """Put in what was written, before the one that has that number now."""
        between = self.writing.line_end + " " * self.indent
        if slot == 0:
            at = self.heads[0]
            return [TextEdit(at, at, "".join(each + between for each in written))]
        at = self._end(slot - 1)
        return [TextEdit(at, at, "".join(between + each for each in written))]

    def remove(self, gone: set[int]) -> list[TextEdit]:
        """Take some out, not all."""
        edits = []
        for index in sorted(gone):
            if index == 0 and not self._is_on_own_line(0):
                first_left = next(each for each in range(len(self.heads)) if each not in gone)
                edits += self._without_head(first_left)
            elif not any(edit.start <= self._start(index) < edit.end for edit in edits):
                start, end = self._start(index), self._end(index)
                behind = self._behind_line_end(end)
                if behind > end:
                    edits.append(TextEdit(start, behind, ""))
                else:  # the last line of a text that ends without a line end
                    edits.append(TextEdit(start if index - 1 in gone else self._before_line_end(start), end, ""))
        return edits

    def _without_head(self, first_left: int) -> list[TextEdit]:
        """Where the first part stands behind a dash, the next one comes up there; its comments go above the dash."""
        head, above = self.heads[0], self._line(self.heads[0])
        start_left = self._start(first_left)
        comments = self.text[start_left : self._line(self.heads[first_left])]
        outer = len(self.text[above:head]) - len(self.text[above:head].lstrip(" "))
        moved = "".join(" " * outer + line.lstrip(" ") for line in _LINE.findall(comments))
        edits = [TextEdit(head, self.heads[first_left], "")]
        return [TextEdit(above, above, moved), *edits] if moved else edits

    def move(self, old: int, new: int) -> list[TextEdit]:
        """Put one elsewhere: it has that number then."""
        if old == new:
            return []
        low, high = min(old, new), max(old, new)
        bounds = [self._chunk_start(index) for index in range(low, high + 1)]
        end = self._behind_line_end(self._end(high))
        chunks = [self.text[start:stop] for start, stop in zip(bounds, [*bounds[1:], end], strict=True)]
        unended = _LAST_LINE_END.search(chunks[-1]) is None
        pad = " " * self.indent
        inline = low == 0 and not self._is_on_own_line(0)
        if inline:
            chunks[0] = pad + chunks[0]
        if unended:
            chunks[-1] += self.writing.line_end
        order = list(range(len(chunks)))
        order.insert(new - low, order.pop(old - low))
        text = "".join(chunks[each] for each in order)
        if inline:
            if text[len(pad) : len(pad) + 1] == "#":
                raise unusual()
            text = text[len(pad) :]
        if unended:
            text = _LAST_LINE_END.sub("", text)
        return [TextEdit(bounds[0], end, text)]

    def _chunk_start(self, index: int) -> int:
        return self._start(index) if self._is_on_own_line(index) else self.heads[index]

    def _end(self, index: int) -> int:
        return line_end_of(self.text, _last_inside(self.text, self.nodes[index]))

    def _start(self, index: int) -> int:
        """The beginning of the line, or of the comment lines above that are indented alike."""
        start = self._line(self.heads[index])
        if not self._is_on_own_line(index):
            return self.heads[index]
        while start > 0:
            above = self._line(start - 1)
            line = self.text[above:start]
            if not _COMMENT.match(line) or len(line) - len(line.lstrip(" ")) != self.indent:
                break
            start = above
        if index == 0:  # what is above the whole belongs to the whole
            return self._line(self.heads[0])
        return start

    def _is_on_own_line(self, index: int) -> bool:
        line = self._line(self.heads[index])
        return not self.text[line : self.heads[index]].strip()

    def _line(self, at: int) -> int:
        return self.lines.rfind("\n", 0, at) + 1

    def _behind_line_end(self, at: int) -> int:
        found = LINE_END.match(self.text, at)
        return at if found is None else found.end()

    def _before_line_end(self, at: int) -> int:
        return max(0, at - (2 if self.text[max(0, at - 2) : at] == "\r\n" else 1))

    def _begins_with_question(self, key: int) -> bool:
        at = self._line(key) + self.indent
        return self.text[at : at + 1] == "?"

    def _dash(self, node: Node) -> int:
        """Where the dash of an element stands: in the column of the list."""
        at = self._line(node.start)
        while True:
            if self.text[at + self.indent : at + self.indent + 1] == "-" and at + self.indent < max(node.start, 1):
                return at + self.indent
            if at == 0:
                raise unusual()
            at = self._line(at - 1)


class FlowRow:
    """A mapping or list written in brackets."""

    def __init__(self, text: str, holder: Node) -> None:
        self.text = text
        self.writing = writing_of(text)
        if holder.kind == "array":
            self.spans = [(node.start, node.end) for node in holder.items()]
        else:
            self.spans = [(each.key_start, max(each.key_end, each.value.end)) for each in holder.members()]

    def member(self, key: str, value: JsonValue) -> str:
        """A member as it would be written here."""
        return self.writing.member(key, value, 0, flow=True)

    def item(self, value: JsonValue) -> str:
        """An element as it would be written here."""
        return self.writing.value(value, 0, flow=True)

    def extent(self, index: int) -> tuple[int, int]:
        """Where a member or element stands, with its comments."""
        return self.spans[index]

    def insert(self, slot: int, written: list[str]) -> list[TextEdit]:
        """Put in what was written, before the one that has that number now."""
        if slot == 0:
            at = self.spans[0][0]
            return [TextEdit(at, at, "".join(each + ", " for each in written))]
        at = self.spans[slot - 1][1]
        return [TextEdit(at, at, "".join(", " + each for each in written))]

    def remove(self, gone: set[int]) -> list[TextEdit]:
        """Take some out, not all."""
        left = [index for index in range(len(self.spans)) if index not in gone]
        edits = []
        for index in sorted(gone):
            if index < left[0]:
                edits.append(TextEdit(self.spans[index][0], self.spans[index + 1][0], ""))
            else:
                edits.append(TextEdit(self.spans[index - 1][1], self.spans[index][1], ""))
        return edits

    def move(self, old: int, new: int) -> list[TextEdit]:
        """Put one elsewhere: it has that number then."""
        order = list(range(len(self.spans)))
        order.insert(new, order.pop(old))
        return [
            TextEdit(*self.spans[at], self.text[slice(*self.spans[source])])
            for at, source in enumerate(order)
            if at != source
        ]


def _last_inside(text: str, node: Node) -> Node:
    """The value that a value ends with, which determines how it ends."""
    while (
        node.value and isinstance(node.value, dict | list) and text[node.start : node.start + 1] not in {"[", "{", "*"}
    ):
        node = node.items()[-1] if isinstance(node.value, list) else node.members()[-1].value
    return node

"""The places inside an object or array: putting text into them, taking it out, moving it."""

from collections import Counter
from collections.abc import Iterator

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.indent import line_indent, same_line
from stepflow_gui.text.json.scan import Scanner
from stepflow_gui.text.json.style import Style, gaps, spans
from stepflow_gui.text.json.tree import Node


class Slots:
    """The members or elements of an object or array that has some.

    `gap` is what stands after a comma, `indent` how a line of the inside begins, `flat` whether all is in one line.
    """

    def __init__(self, text: str, node: Node, style: Style) -> None:
        self._text = text
        self._children = spans(node)
        first = self._children[0][0]
        self.flat = same_line(text, node.start, node.end)
        first_gap = text[node.start + 1 : first]
        usual = Counter(gaps(text, self._children)).most_common(1)
        if usual:
            self.gap = usual[0][0]
        elif same_line(text, node.start, first):
            self.gap = style.comma
        else:
            self.gap = first_gap if not first_gap.strip() else style.newline + line_indent(text, first)
        line = self.gap.replace("\r", "\n").rpartition("\n")
        self.indent = line[2] if line[1] else line_indent(text, first)

    def insert(self, slot: int, written: list[str]) -> list[TextEdit]:
        """Insert texts before the content of a slot, or after the last."""
        joined = f",{self.gap}".join(written)
        if slot == 0:
            at = self._children[0][0]
            return [TextEdit(at, at, f"{joined},{self.gap}")]
        at = self._children[slot - 1][1]
        return [TextEdit(at, at, f",{self.gap}{joined}")]

    def move(self, old: int, slot: int) -> list[TextEdit]:
        """Move the content of a slot before that of another, or after the last."""
        if slot in (old, old + 1):
            return []
        start, end = self._children[old]
        return [*self.remove({old}), *self.insert(slot, [self._text[start:end]])]

    def remove(self, gone: set[int]) -> list[TextEdit]:
        """Empty slots, but not all."""
        edits: list[TextEdit] = []
        for first, last in _runs(gone):
            start, end = self._children[first][0], self._children[last][1]
            if last + 1 < len(self._children) and self._ends_group(first, last):
                edits.append(TextEdit(self._children[first - 1][1], end, ""))
            elif last + 1 < len(self._children):
                after = self._children[last + 1][0]
                comma = self._comma(end, after)
                edits.append(TextEdit(start, after if self._is_bare(end, after) else comma[1], ""))
            else:
                before = self._children[first - 1][1]
                if self._is_bare(before, start):
                    edits.append(TextEdit(before, end, ""))
                else:
                    edits += [TextEdit(*self._comma(before, start), ""), TextEdit(start, end, "")]
        return edits

    def _ends_group(self, first: int, last: int) -> bool:
        """Whether more lines are left free after a stretch of slots than before it."""
        if first == 0:
            return False
        start, end = self._children[first][0], self._children[last][1]
        before, after = self._children[first - 1][1], self._children[last + 1][0]
        more = self._text.count("\n", end, after) > self._text.count("\n", before, start)
        return more and self._is_bare(before, start) and self._is_bare(end, after)

    def _is_bare(self, start: int, end: int) -> bool:
        """Whether there are only blanks and a comma between two offsets."""
        return not self._text[start:end].strip(" \t\r\n,")

    def _comma(self, start: int, end: int) -> tuple[int, int]:
        """Where the comma between two offsets stands; where there is none, an empty place at the first."""
        scanner = Scanner(self._text, start)
        scanner.advance()
        return (scanner.start, scanner.end) if scanner.kind == "," and scanner.end <= end else (start, start)


def _runs(numbers: set[int]) -> Iterator[tuple[int, int]]:
    """The numbers as stretches without a hole, first and last of each."""
    inorder = sorted(numbers)
    start = 0
    for at, number in enumerate(inorder):
        if at + 1 == len(inorder) or inorder[at + 1] != number + 1:
            yield inorder[start], number
            start = at + 1

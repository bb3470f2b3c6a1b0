"""Reading JSON whose brackets don't match: its indentation tells where one is missing or too many."""

from stepflow_gui.text.json_building import Frame
from stepflow_gui.text.json_reading import Reading
from stepflow_gui.text.json_tree import Node

_WIDEST = 1000  # columns up to which a line's indentation is looked for
_FURTHEST = 100  # levels up to which an object that ends here is looked for


class GuidedReading(Reading):
    """A pass over a text that is written one member a line, as far as it is broken."""

    def _open(self, frame: Frame) -> None:
        frame.indent = self._indent(frame.start)
        super()._open(frame)

    def _key(self, frame: Frame) -> None:
        if self._left_behind(frame):
            return
        if frame.column is None:
            frame.column = self._column(self._scanner.start)
        super()._key(frame)

    def _value(self) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame and not frame.is_object and frame.column is None:
            frame.column = self._column(self._scanner.start)
        super()._value()

    def _is_inner_member(self, frame: Frame) -> bool:
        column = self._column(self._scanner.start)
        if column is None or frame.column is None:
            return super()._is_inner_member(frame)
        return column > frame.column

    def _trusted(self, node: Node) -> bool:
        in_one_line = self.text.find("\n", node.start, node.end) < 0
        return in_one_line or self._column(node.end - 1) == self._indent(node.start)

    def _match(self, frame: Frame, matches: bool) -> None:
        scanner = self._scanner
        column = self._column(scanner.start)
        if frame.column is None or (matches and column == frame.indent):
            super()._match(frame, matches)
        elif column == frame.indent:
            self._wrong_bracket()
        elif column is None or column > frame.indent:
            self._surplus(frame)
        else:
            is_object = scanner.kind == "}"
            for level in self._outwards():
                if self._stack[level].indent == column and self._stack[level].is_object == is_object:
                    self._pop_to(level)
                    self._shut()
                    return
            super()._match(frame, matches)

    def _surplus(self, frame: Frame) -> None:
        """Pass over a bracket that closes nothing, and its comma."""
        scanner = self._scanner
        self._report("unexpected", scanner.start, scanner.end, scanner.kind)
        scanner.advance()
        if scanner.kind == "," and frame.want == "next":
            scanner.advance()

    def _left_behind(self, frame: Frame) -> bool:
        """Close the objects that a key's indentation shows to be over. Returns whether there were any."""
        column = self._column(self._scanner.start)
        if column is None or column >= (frame.indent + 1 if frame.column is None else frame.column):
            return False
        for level in self._outwards():
            if self._stack[level].is_object and self._stack[level].column == column:
                self._pop_to(level)
                self._stack[level].want = "next"
                return True
        return False

    def _outwards(self) -> range:
        """The levels around the innermost object or array, from inside to outside."""
        inner = len(self._stack) - 2
        return range(inner, max(-1, inner - _FURTHEST), -1)

    def _line_start(self, at: int) -> int:
        furthest = max(0, at - _WIDEST)
        return max(furthest - 1, self.text.rfind("\n", furthest, at), self.text.rfind("\r", furthest, at)) + 1

    def _column(self, at: int) -> int | None:
        """The column of what stands at an offset if it begins its line."""
        start = self._line_start(at)
        return at - start if not self.text[start:at].strip(" \t") else None

    def _indent(self, at: int) -> int:
        """The indentation of the line of an offset."""
        start = self._line_start(at)
        line = self.text[start:at]
        return len(line) - len(line.lstrip(" \t"))

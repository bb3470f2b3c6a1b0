"""Reading JSON with unmatched brackets: its indentation shows where one is missing or extra."""

from stepflow_gui.text.json.building import Frame
from stepflow_gui.text.json.indent import column_of, indent_of, same_line
from stepflow_gui.text.json.reading import Reading
from stepflow_gui.text.json.tree import Node

_FURTHEST = 100  # levels up to which an object that ends here is looked for


class GuidedReading(Reading):
    """A pass over a text that is written one member a line, as far as it is broken."""

    def _open(self, frame: Frame) -> None:
        around = self._stack[-1].column if self._stack else None
        frame.indent = indent_of(self.text, frame.start) if around is None else around
        super()._open(frame)

    def _key(self, frame: Frame) -> None:
        column = column_of(self.text, self._scanner.start)
        if column is not None and self._left_behind(frame, column):
            return
        if frame.column is None:
            frame.column = column
        super()._key(frame)

    def _value(self) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame and not frame.is_object and frame.column is None:
            frame.column = column_of(self.text, self._scanner.start)
        super()._value()

    def _is_inner_member(self, frame: Frame) -> bool:
        column = column_of(self.text, self._scanner.start)
        if column is None or frame.column is None:
            return super()._is_inner_member(frame)
        return column > frame.column

    def _trusted(self, node: Node) -> bool:
        text = self.text
        return same_line(text, node.start, node.end) or column_of(text, node.end - 1) == indent_of(text, node.start)

    def _match(self, frame: Frame, matches: bool) -> None:
        scanner = self._scanner
        column = column_of(self.text, scanner.start)
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

    def _left_behind(self, frame: Frame, column: int) -> bool:
        """Close the objects that a key's indentation shows to be over. Returns whether there were any."""
        if column >= (frame.indent + 1 if frame.column is None else frame.column):
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

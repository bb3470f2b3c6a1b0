"""Reading broken JSON: one pass over the tokens that builds the tree and goes on after each mistake.

It is iterative, so that depth costs no stack, and takes linear time; below `DEEPEST` nothing is read. What is sound
inside a broken text is left to the C scanner.
"""

import re

from stepflow_gui.cancelling import checkpoint
from stepflow_gui.text.json.building import Building, Frame
from stepflow_gui.text.json.indent import column_of, indent_of, same_line
from stepflow_gui.text.json.scan import Scanner, excerpt
from stepflow_gui.text.json.spans import decoder
from stepflow_gui.text.json.tree import JsonValue, Node, SyntaxProblem

DEEPEST = 10_000  # objects and lists inside one another; each that isn't closed costs a node
_QUICK_DEPTH = 8  # levels down to which the C scanner is tried: each try may fail as late as the level above
_QUICK_FAILURES = 64  # tries that may fail: each failure counts the lines up to it
_WORDS: dict[str, JsonValue] = {
    "True": True, "TRUE": True, "False": False, "FALSE": False, "None": None, "NULL": None, "Null": None,
    "nil": None, "undefined": None,
}  # fmt: skip
_BARE = re.compile(r"(?:[^,{}\[\]\"\n\r:/#]|:(?://)?(?=\S)|/(?![/*])|(?<=\S)#)*")
_UNOPENED = re.compile(r'\{[\w$.-]+\}[^"\n\r]*(?="[ \t]*(?:[,}\]\n\r]|\Z))')  # a path template without its first quote
_KEY_END = re.compile(r'"[ \t]*:')
_LAST_QUOTE = re.compile(r'"[ \t]*(?:[,}\]\n\r]|\Z)')
_PASSED_OVER = ("junk", "word", "number", "literal", ":")
_KEPT = ("comment", "merge-conflict", "odd-blank")  # what stays a problem of its own whatever is around it


class Reading(Building):
    """One pass over a text, from the value at an offset on."""

    def __init__(self, text: str, at: int = 0, depth: int = 0, quick: bool = True) -> None:
        self._decode, clashes = decoder()
        super().__init__(text, depth, clashes)
        self.mismatched = False  # a bracket is missing or too many
        self.unread_lines = 0  # after the end of the value
        self.misfits = 0  # brackets that begin a line, but not where the line of their opening one begins
        self._too_deep = False
        self._scanner = Scanner(text, at)
        self._quick_left = _QUICK_FAILURES if quick else 0

    @property
    def problems(self) -> list[SyntaxProblem]:
        """What was wrong so far."""
        return self._scanner.problems

    def run(self) -> None:
        """Read the whole text."""
        self.run_value()
        scanner = self._scanner
        if scanner.kind != "end":
            start = scanner.start
            rest = self.text[start:].rstrip()
            self.mismatched = True
            self.unread_lines = rest.count("\n") + 1
            self._report("extra-text", start, start + len(rest), excerpt(rest))

    def run_value(self) -> None:
        """Read one value, whatever follows it."""
        scanner = self._scanner
        scanner.advance()
        self._top()
        while self._stack:
            frame = self._stack[-1]
            if scanner.kind == "end":
                self._cut_off()
            elif scanner.kind in ("}", "]"):
                self._closer(frame)
            elif frame.is_object:
                self._object(frame)
            else:
                self._array(frame)

    def _top(self) -> None:
        """The first token of the text."""
        scanner = self._scanner
        start = scanner.start
        if scanner.kind == "end":
            self._report("empty", start, start)
        elif scanner.kind in ("{", "["):
            self._value()
        elif scanner.peek() == ":" and scanner.kind not in ("}", "]", ",", ":", "junk"):
            self._report("unopened-object", start, start)
            self._open(Frame(True, start, virtual=True))
        elif scanner.kind in ("string", "number", "literal"):
            self._value()
        else:
            self._skip_to_value(start)

    def _skip_to_value(self, start: int) -> None:
        """Pass over what no JSON text begins with, up to the first thing that looks like a value."""
        scanner = self._scanner
        word = (scanner.value, scanner.start, scanner.end) if scanner.kind == "word" else None
        at = min((at for at in (self.text.find("{", start), self.text.find("[", start)) if at >= 0), default=-1)
        if at >= 0:
            scanner.end = at
            scanner.advance()
        else:
            while scanner.kind not in ("string", "number", "literal", "end"):
                scanner.advance()
        end = start + len(self.text[start : scanner.start].rstrip())
        if scanner.kind == "end" and word:
            self.root = Node(*word, self.text)
            self._report("bare-value", start, end, excerpt(self.text[start:end]))
            return
        self._report_all(start, end)
        if scanner.kind != "end":
            self._value()

    # Objects

    def _object(self, frame: Frame) -> None:
        scanner = self._scanner
        kind, want = scanner.kind, frame.want
        if want == "colon":
            self._colon(frame)
        elif want == "value":
            self._member_value(frame)
        elif kind == ",":
            if want == "comma":
                self._comma(frame)
            else:
                self._unexpected()
        elif kind == "string" or self._begins_member() or (kind == "word" and _KEY_END.match(self.text, scanner.end)):
            self._key(frame)
        elif kind == ":":
            self._stray_colon(frame)
        elif kind in ("{", "["):
            self._report("unexpected", scanner.start, scanner.end, kind)
            frame.key = None
            self._value()
        else:
            self._unexpected()

    def _key(self, frame: Frame) -> None:
        checkpoint()
        scanner = self._scanner
        if frame.want == "comma":
            self._report("missing-comma", scanner.before, scanner.before)
        start, end = scanner.start, scanner.end
        if scanner.kind == "string":
            key = str(scanner.value)
        else:
            key = self.text[start:end]
            if _KEY_END.match(self.text, end):  # only its first quotation mark is missing
                end += 1
                self._report("unclosed-string", start, end, excerpt(key))
                scanner.end = end
            else:
                self._report("bare-key", start, end, excerpt(key))
        frame.key = (key, start, end)
        frame.want = "colon"
        scanner.advance()

    def _colon(self, frame: Frame) -> None:
        scanner = self._scanner
        end = scanner.before
        detail = frame.key[0] if frame.key else ""
        frame.want = "value"
        if scanner.kind == ":":
            scanner.advance()
        elif scanner.kind in ("word", "junk") and self.text[scanner.start : scanner.end] in ("=", "=>", ";"):
            self._report("missing-colon", scanner.start, scanner.end, detail)
            scanner.advance()
        elif scanner.kind == "," or self._begins_member():
            self._missing_value(frame, end)
        else:
            self._report("missing-colon", end, end, detail)

    def _member_value(self, frame: Frame) -> None:
        scanner = self._scanner
        if scanner.kind == ",":
            self._missing_value(frame, scanner.before)
        elif scanner.kind in (":", "junk"):
            self._unexpected()
            if scanner.kind in (",", "}", "]"):
                self._add(Node(None, scanner.before, scanner.before, self.text, self._depth()))
        elif not self._begins_member():
            self._value()
        elif self._is_inner_member(frame):
            self._report("unopened-object", scanner.before, scanner.before)
            self._open(Frame(True, scanner.start, virtual=True))
        elif scanner.new_line():
            self._missing_value(frame, scanner.before)
        else:
            self._value()

    def _is_inner_member(self, _frame: Frame) -> bool:
        """Whether the key at hand, where a value should be, belongs to an object whose opening bracket is missing."""
        return self._scanner.kind == "string" and not self._scanner.new_line()

    def _begins_member(self) -> bool:
        scanner = self._scanner
        return scanner.kind in ("string", "word", "number", "literal") and scanner.peek() == ":"

    def _missing_value(self, frame: Frame, at: int) -> None:
        """The member at hand has no value. A comma that lacks as well is the same mistake."""
        self._report("missing-value", at, at, frame.key[0] if frame.key else "")
        self._add(Node(None, at, at, self.text, self._depth()))
        if self._begins_member():
            frame.want = "next"

    def _stray_colon(self, frame: Frame) -> None:
        """A colon where a key or comma should be: what follows it has no key and is dropped."""
        scanner = self._scanner
        self._report("unexpected", scanner.start, scanner.end, ":")
        scanner.advance(expects_key=True)
        if self._begins_member() or scanner.kind in (",", "}", "]"):
            frame.want = "comma" if scanner.kind == "," else "first"
        else:
            frame.key = None
            frame.want = "value"

    # Arrays

    def _array(self, frame: Frame) -> None:
        scanner = self._scanner
        kind = scanner.kind
        if kind == ",":
            if frame.want == "comma":
                self._comma(frame)
            else:
                self._unexpected()
        elif kind in (":", "junk"):
            self._unexpected()
        elif self._ends_unclosed(frame):
            self._report("unclosed-array", scanner.before, scanner.before)
            self.mismatched = True
            self._close(scanner.before)
            self._stack[-1].want = "next"
        else:
            if frame.want == "comma":
                self._report("missing-comma", scanner.before, scanner.before)
            self._value()

    def _ends_unclosed(self, frame: Frame) -> bool:
        """Whether a member of the object around begins here, so the array's end is missing."""
        scanner = self._scanner
        inside_object = len(self._stack) > 1 and self._stack[-2].is_object
        return inside_object and self._begins_member() and (scanner.new_line() or bool(frame.items))

    # Values

    def _value(self) -> None:
        """The token at hand as a value: into the object or array at hand, or the root."""
        scanner = self._scanner
        start, depth = scanner.start, self._depth()
        if scanner.kind == "word" or (scanner.kind == "{" and _UNOPENED.match(self.text, start)):
            self._bare_value(start, depth)
            return
        if scanner.kind in ("{", "["):
            if self._quick_left and depth <= _QUICK_DEPTH and self._quick(start, depth):
                return
            if depth >= DEEPEST:
                self._give_up(start)
                return
            self._open(Frame(scanner.kind == "{", start))
        else:
            self._add(Node(scanner.value, start, scanner.end, self.text, depth))
        scanner.advance(expects_key=scanner.kind == "{")

    def _give_up(self, start: int) -> None:
        """Read nothing from here on."""
        self._too_deep = True
        self._report("too-deep", start, start + 1, str(DEEPEST))
        self._scanner.jump(len(self.text))
        self._scanner.advance()

    def _quick(self, start: int, depth: int) -> bool:
        """Take a sound value by the C scanner."""
        try:
            value, end = self._decode(self.text, start)
        except (ValueError, RecursionError):
            self._quick_left -= 1
            return False
        node = Node(value, start, end, self.text, depth)
        if not self._trusted(node):
            return False
        self._add(node)
        self._scanner.jump(end)
        self._scanner.advance()
        return True

    def _trusted(self, _node: Node) -> bool:
        """Whether a value that is JSON by itself is taken as a whole."""
        return True

    def _bare_value(self, start: int, depth: int) -> None:
        """Words without quotes: taken up to the end of their line, or of the value."""
        text = self.text
        found = _UNOPENED.match(text, start) or _BARE.match(text, start)
        end = found.end() if found else self._scanner.end
        kind = "bare-value"
        value: JsonValue = text[start:end].rstrip()
        if _LAST_QUOTE.match(text, end):  # only the first of its quotation marks is missing
            end += 1
            kind = "unclosed-string"
        else:
            end = start + len(value)
            value = _WORDS.get(value, value)
        self._report(kind, start, end, excerpt(text[start:end]))
        self._add(Node(value, start, end, text, depth))
        self._scanner.jump(end)
        self._scanner.advance()

    # Brackets

    def _closer(self, frame: Frame) -> None:
        """A closing bracket: of the innermost object or array, of one further out, or of none."""
        scanner = self._scanner
        if frame.is_object and frame.want in ("colon", "value"):
            self._missing_value(frame, scanner.before)
        matches = frame.is_object == (scanner.kind == "}")
        self._match(frame, matches)

    def _match(self, _frame: Frame, matches: bool) -> None:
        """Settle what the closing bracket at hand closes."""
        if matches:
            self._shut()
        else:
            self._mismatch()

    def _shut(self) -> None:
        """Close the innermost object or array with the bracket at hand."""
        scanner = self._scanner
        frame = self._stack[-1]
        column = column_of(self.text, scanner.start)
        self.misfits += column is not None and column != indent_of(self.text, frame.start)
        if frame.want == "next":
            self._report("trailing-comma", frame.comma, frame.comma + 1)
        self._close(scanner.end)
        scanner.advance()

    def _mismatch(self) -> None:
        """A bracket of the wrong kind: a slip, or those inside the one that it closes are unclosed."""
        scanner = self._scanner
        self.mismatched = True
        alike = self._levels[scanner.kind == "}"]
        outer = alike[-1] if alike else None
        if outer is None or (self._fits(len(self._stack) - 1) and not (self._fits(outer) and self._reaches(outer))):
            self._wrong_bracket()
        else:
            self._pop_to(outer)
            self._shut()

    def _reaches(self, level: int) -> bool:
        """Whether the bracket at hand may belong to that level, judging by its line."""
        start, at = self._stack[-1].start, self._scanner.start
        return not same_line(self.text, start, at) or same_line(self.text, self._stack[level].start, start)

    def _wrong_bracket(self) -> None:
        """Take the bracket at hand for the other kind."""
        self._report("wrong-bracket", self._scanner.start, self._scanner.end, self._scanner.kind)
        self._shut()

    def _fits(self, level: int) -> bool:
        """Whether what follows the bracket at hand may follow the object or array at that level of the stack."""
        after = self._scanner.peek()
        if level == 0:
            return not after
        if after == ",":
            return True
        return after == ("}" if self._stack[level - 1].is_object else "]")

    def _pop_to(self, level: int) -> None:
        """Close what is open inside the object or array at that level: its bracket is missing here."""
        before = self._scanner.before
        if any(not frame.virtual for frame in self._stack[level + 1 :]):
            self._report("unclosed-object" if self._stack[-1].is_object else "unclosed-array", before, before)
        while len(self._stack) > level + 1:
            self._close(before)

    def _cut_off(self) -> None:
        """The text ends inside objects or arrays: one problem, whatever it was cut off in."""
        scanner = self._scanner
        frame = self._stack[-1]
        end = scanner.before
        if frame.is_object and frame.want in ("colon", "value"):
            self._add(Node(None, end, end, self.text, self._depth()))
        if not self._too_deep and any(not frame.virtual for frame in self._stack):
            scanner.problems[:] = [problem for problem in self.problems if problem.end < end or problem.kind in _KEPT]
            self.mismatched = True
            self._report("unclosed-object" if frame.is_object else "unclosed-array", end, end)
        while self._stack:
            self._close(end)

    # Small steps

    def _comma(self, frame: Frame) -> None:
        frame.comma = self._scanner.start
        frame.want = "next"
        self._scanner.advance(expects_key=frame.is_object)

    def _unexpected(self) -> None:
        """Pass over what can't be here, up to something that can: one problem."""
        scanner = self._scanner
        frame = self._stack[-1]
        start, end = scanner.start, scanner.end
        scanner.advance()
        passed_over = ("junk", ":") if frame.want == "value" else _PASSED_OVER
        while scanner.kind in passed_over and not scanner.new_line() and not self._begins_member():
            end = scanner.end
            scanner.advance()
        self._report_all(start, end)
        if frame.want != "value":
            frame.want = "comma" if scanner.kind == "," else "first"

    def _report_all(self, start: int, end: int) -> None:
        """Make one problem of a stretch of text, whatever was found wrong inside."""
        problems = self.problems
        at = len(problems)
        while at and problems[at - 1].start >= start:
            at -= 1
        problems[at:] = [problem for problem in problems[at:] if problem.start >= end or problem.kind in _KEPT]
        self._report("unexpected", start, end, excerpt(self.text[start:end]))

    def _report(self, kind: str, start: int, end: int, detail: str = "") -> None:
        self._scanner.report(kind, start, end, detail)

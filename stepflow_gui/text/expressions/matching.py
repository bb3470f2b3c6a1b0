"""Looks for a regular expression in a text: in linear time, as all that may be matched so far is followed at once.

Sets of states that were met before aren't worked out again. What is around a place (`(?=`, `(?<!`) is answered for all
places of the text by one pass each beforehand.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from stepflow_gui.text.expressions.parsing import RefusedError, parse
from stepflow_gui.text.expressions.program import (
    FOUND,
    Ask,
    Automaton,
    ExpressionProgram,
    Fork,
    LookAutomaton,
    Question,
    Take,
    program_of,
)
from stepflow_gui.text.expressions.syntax import TooLargeError

MOST_STEPS = 32_000  # states that are looked at for one text
_LONGEST = 8_000  # characters of an expression
_LINE_START = re.compile("(?:\\A|(?<=[\n\r\u2028\u2029]))")
_LINE_END = re.compile("(?=[\n\r\u2028\u2029])|\\Z")
_WORD = re.compile(r"(?a:\b)")


class RegularExpression:
    """A regular expression that JavaScript takes."""

    __slots__ = ("_program", "steps")

    def __init__(self, program: ExpressionProgram | None) -> None:
        self._program = program  # None: it is too large, or has back-references
        self.steps = 0  # that the last search took

    def is_in(self, text: str) -> bool | None:
        """Whether it matches anywhere in a text; None if finding out would take too many steps."""
        if self._program is None:
            return None
        search = _Search(self._program, text)
        try:
            return search.finds()
        except _TooManyStepsError:
            return None
        finally:
            self.steps = search.steps


@lru_cache(maxsize=64)
def compiled(source: str, *, ignore_case: bool = False) -> RegularExpression | None:
    """The expression of a pattern; None where JavaScript refuses it."""
    if len(source) > _LONGEST:
        return RegularExpression(None)
    try:
        return RegularExpression(program_of(parse(source, ignore_case=ignore_case)))
    except RefusedError:
        return None
    except TooLargeError:
        return RegularExpression(None)


class _TooManyStepsError(Exception):
    pass


class _Search:
    """One text in which a program is looked for."""

    def __init__(self, program: ExpressionProgram, text: str) -> None:
        self._program = program
        self._text = text
        self._answers: list[int] = []  # for each place, a bit for each question with a yes
        self._sets: dict[str, dict[int, bool]] = {}  # for a character, by the id of a set: whether it has it
        self.steps = 0

    def finds(self) -> bool:
        if self._program.questions:
            self._answers = [0] * (len(self._text) + 1)
            for number, question in enumerate(self._program.questions):
                for place in self._places(question):
                    self._answers[place] |= 1 << number
        return any(True for _place in self._run(self._program.machine, backwards=False))

    def _places(self, question: Question) -> Iterator[int]:
        if isinstance(question, LookAutomaton):
            self._count(len(self._text) // 64)  # a pass over the text, though one of known steps
            return self._run(question.machine, backwards=question.ahead)
        text = self._text
        match question.kind:
            case "start":
                return iter((0,))
            case "end":
                return iter((len(text),))
            case "line-start":
                return (found.start() for found in _LINE_START.finditer(text))
            case "line-end":
                return (found.start() for found in _LINE_END.finditer(text))
        return (found.start() for found in _WORD.finditer(text))

    def _run(self, machine: Automaton, *, backwards: bool) -> Iterator[int]:
        """The places at which a machine, begun anywhere before, has matched."""
        text, answers = self._text, self._answers
        closures: dict[tuple[int, int], tuple[tuple[Take, ...], bool]] = {}
        moves: dict[tuple[int, int, str], int] = {}
        sets: list[frozenset[int]] = [frozenset({machine.start})]
        numbers = {sets[0]: 0}
        current = 0
        places = range(len(text), -1, -1) if backwards else range(len(text) + 1)
        for place in places:
            answer = answers[place] if answers else 0
            closure = closures.get((current, answer))
            if closure is None:
                closure = closures[current, answer] = self._closure(machine, sets[current], answer)
            if closure[1]:
                yield place
            at = place - 1 if backwards else place
            if not 0 <= at < len(text):
                return
            char = text[at]
            following = moves.get((current, answer, char))
            if following is None:
                self._count(1 + len(closure[0]))
                reached = self._taken(closure[0], char) | {machine.start}
                following = numbers.setdefault(reached, len(sets))
                if following == len(sets):
                    sets.append(reached)
                moves[current, answer, char] = following
            current = following

    def _taken(self, takes: tuple[Take, ...], char: str) -> frozenset[int]:
        """The states that follow a character. Most places of a large expression share a few sets of characters."""
        known = self._sets.setdefault(char, {})
        follows = set()
        for characters, state in takes:
            number = id(characters)
            taken = known.get(number)
            if taken is None:
                taken = known[number] = characters.takes(char)
            if taken:
                follows.add(state)
        return frozenset(follows)

    def _closure(self, machine: Automaton, states: frozenset[int], answer: int) -> tuple[tuple[Take, ...], bool]:
        """All that is reached from states without a character: what takes one, and whether all is matched."""
        seen = set(states)
        stack = list(states)
        takes = []
        while stack:
            state = machine.states[stack.pop()]
            follows: tuple[int, ...] = ()
            if isinstance(state, Take):
                takes.append(state)
            elif isinstance(state, Fork):
                follows = state.follows
            elif isinstance(state, Ask) and bool(answer >> state.question & 1) is state.wanted:
                follows = (state.follows,)
            fresh = [each for each in follows if each not in seen]
            seen.update(fresh)
            stack += fresh
        self._count(len(seen))
        return tuple(takes), FOUND in seen

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise _TooManyStepsError

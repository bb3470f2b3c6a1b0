"""A regular expression as a machine: states that take a character, go on at once, or ask about the place."""

from typing import NamedTuple

from stepflow_gui.text.expressions.syntax import (
    Alternatives,
    BackReference,
    Boundary,
    CharacterSet,
    LookAround,
    Part,
    Repetition,
    Sequence,
)

_MOST_PARTS = 6_000  # that are built; those that are repeated count each time
_MOST_QUESTIONS = 16  # each that looks around costs a pass over the text
FOUND = 0  # the state in which all is matched


class TooLargeError(Exception):
    """The machine would have too many states, or can't be made at all: a back-reference is beyond it."""


class Take(NamedTuple):
    """Goes on by a character."""

    characters: CharacterSet
    follows: int


class Fork(NamedTuple):
    """Goes on at each of these at once."""

    follows: tuple[int, ...]


class Ask(NamedTuple):
    """Goes on where a question about the place is answered so."""

    question: int
    wanted: bool
    follows: int


State = Take | Fork | Ask | None


class Automaton(NamedTuple):
    """States, of which `FOUND` is None, and the one to begin with."""

    states: tuple[State, ...]
    start: int


class LookAutomaton(NamedTuple):
    """A question about what is around a place: a machine that reads towards the place, from where it may begin."""

    machine: Automaton
    ahead: bool


Question = Boundary | LookAutomaton


class ExpressionProgram(NamedTuple):
    """A machine and the questions that its states ask, those that others depend on first."""

    machine: Automaton
    questions: tuple[Question, ...]


def program_of(part: Part) -> ExpressionProgram:
    """The program of an expression. Raises TooLargeError."""
    questions = _Questions()
    machine = _Builder(questions, backwards=False).machine(part)
    return ExpressionProgram(machine, tuple(questions.asked))


class _Questions:
    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.work = 0  # parts that were built

    def number(self, question: Question) -> int:
        if question not in self.asked:
            self.asked.append(question)
            if len(self.asked) > _MOST_QUESTIONS:
                raise TooLargeError
        return self.asked.index(question)


class _Builder:
    """Builds a machine from its end, each part with the state that follows it."""

    def __init__(self, questions: _Questions, *, backwards: bool) -> None:
        self._questions = questions
        self._backwards = backwards
        self._states: list[State] = [None]

    def machine(self, part: Part) -> Automaton:
        start = self._build(part, FOUND)
        return Automaton(tuple(self._states), start)

    def _add(self, state: State) -> int:
        self._states.append(state)
        return len(self._states) - 1

    def _build(self, part: Part, follows: int) -> int:
        self._questions.work += 1
        if self._questions.work > _MOST_PARTS:
            raise TooLargeError
        match part:
            case CharacterSet():
                return self._add(Take(part, follows))
            case Sequence(parts):
                for each in parts if self._backwards else reversed(parts):
                    follows = self._build(each, follows)
                return follows
            case Alternatives(parts):
                return self._add(Fork(tuple(self._build(each, follows) for each in parts)))
            case Repetition(inner, least, most):
                return self._repeat(inner, least, most, follows)
            case Boundary(kind, negated):
                return self._add(Ask(self._questions.number(Boundary(kind)), not negated, follows))
            case LookAround(inner, ahead, negated):
                return self._add(Ask(self._look(inner, ahead), not negated, follows))
            case BackReference():
                raise TooLargeError

    def _repeat(self, part: Part, least: int, most: int | None, follows: int) -> int:
        if most is None:
            loop = self._add(None)
            self._states[loop] = Fork((self._build(part, loop), follows))
            start = loop
        else:
            start = follows
            for _time in range(most - least):
                start = self._add(Fork((self._build(part, start), follows)))
        for _time in range(least):
            start = self._build(part, start)
        return start

    def _look(self, part: Part, ahead: bool) -> int:
        machine = _Builder(self._questions, backwards=ahead).machine(part)
        return self._questions.number(LookAutomaton(machine, ahead))

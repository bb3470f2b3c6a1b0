"""A regular expression as a machine: states that take a character, go on at once, or ask about the place."""

from collections.abc import Generator
from typing import Any, NamedTuple

from stepflow_gui.text.expressions.syntax import (
    MOST_PARTS,
    Alternatives,
    BackReference,
    Boundary,
    CharacterSet,
    LookAround,
    Part,
    Repetition,
    Sequence,
    TooLargeError,
)

_MOST_QUESTIONS = 16  # each that looks around costs a pass over the text
FOUND = 0  # the state in which all is matched


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


_Building = Generator[tuple[Part, int], Any, int]  # is sent states


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
        """The machine of a part.

        Without recursion: where calls nest deeply, Python may ask the system for memory and give it back at each call.
        """
        waiting = [self._build(part, FOUND)]
        built: int | None = None
        while waiting:
            try:
                inner, follows = waiting[-1].send(built)
            except StopIteration as done:
                built = done.value
                waiting.pop()
                continue
            if isinstance(inner, CharacterSet):
                self._work()
                built = self._add(Take(inner, follows))
            else:
                waiting.append(self._build(inner, follows))
                built = None
        assert built is not None
        return Automaton(tuple(self._states), built)

    def _work(self) -> None:
        self._questions.work += 1
        if self._questions.work > MOST_PARTS:
            raise TooLargeError

    def _add(self, state: State) -> int:
        self._states.append(state)
        return len(self._states) - 1

    def _build(self, part: Part, follows: int) -> _Building:
        """Builds a part: asks for each inner one with the state that follows it, and is sent the one it begins with."""
        self._work()
        match part:
            case CharacterSet():
                return self._add(Take(part, follows))
            case Sequence(parts):
                for each in parts if self._backwards else reversed(parts):
                    follows = yield each, follows
                return follows
            case Alternatives(parts):
                starts: list[int] = []
                for each in parts:
                    starts += [(yield each, follows)]
                return self._add(Fork(tuple(starts)))
            case Repetition():
                return (yield from self._repeat(part, follows))
            case Boundary(kind, negated):
                return self._add(Ask(self._questions.number(Boundary(kind)), not negated, follows))
            case LookAround(inner, ahead, negated):
                return self._add(Ask(self._look(inner, ahead), not negated, follows))
            case BackReference():
                raise TooLargeError

    def _repeat(self, repetition: Repetition, follows: int) -> _Building:
        inner, least, most = repetition
        start = follows
        if most is None:
            start = self._add(None)
            self._states[start] = Fork(((yield inner, start), follows))
        for _time in range(most - least if most is not None else 0):
            start = self._add(Fork(((yield inner, start), follows)))
        for _time in range(least):
            start = yield inner, start
        return start

    def _look(self, part: Part, ahead: bool) -> int:
        machine = _Builder(self._questions, backwards=ahead).machine(part)
        return self._questions.number(LookAutomaton(machine, ahead))

"""A step's contract with the model: every place that names an intent, and what the runner reads there."""

from collections.abc import Hashable, Iterator
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Step, Text, Transition
from stepflow_gui.formats.climpt.schemas import StepSchema
from stepflow_gui.formats.climpt.vocabulary import aliases_of, intents_of
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.source import Span

Column = Literal["enum", "allowed", "transitions", "fallback"]
Reading = Literal["intent", "alias", "literal", "unknown", "placeholder"]


class Word(NamedTuple):
    """A word in the place of an intent.

    `intent` is what it means: itself, the intent of an alias, or the one that only its letter case or blanks hide
    (`reading` is then `literal`).
    """

    value: str
    column: Column
    reading: Reading
    intent: str
    document: ParsedFile
    place: Text | Place | Transition

    @property
    def span(self) -> Span:
        """Where the word stands."""
        return self.place.key_span if isinstance(self.place, Transition) else self.place.span

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the word."""
        return self.place.pointer


class Contract:
    """What a step's gate allows, its schema offers and its transitions answer; None where that can't be read."""

    __slots__ = ("allowed", "enum", "enum_place", "fallback", "registry", "step", "transitions")

    def __init__(self, step: Step, registry: ParsedFile, schema: StepSchema, format_id: str) -> None:
        self.step = step
        self.registry = registry
        self.allowed: list[Word] | None = None
        self.enum: list[Word] | None = None
        self.enum_place: Place | None = None
        self.transitions: list[Word] | None = None
        self.fallback: Word | None = None
        read = _Reader(format_id)
        if step.transitions_node is not None and step.transitions_node.kind == "object":
            self.transitions = [read.word(rule.intent, "transitions", registry, rule) for rule in step.transitions]
        gate = step.gate
        if gate is None:
            return
        if gate.intents_node is not None and gate.intents_node.kind == "array":
            self.allowed = [read.word(text.value, "allowed", registry, text) for text in gate.intents]
        if gate.fallback_intent:
            self.fallback = read.word(gate.fallback_intent.value, "fallback", registry, gate.fallback_intent)
        if schema.problem is None and schema.enum_place is not None:
            self.enum_place = schema.enum_place
            self.enum = [read.word(each.value, "enum", each.place.document, each.place) for each in schema.intents]

    def words(self) -> Iterator[Word]:
        """Every word, allowedIntents first."""
        yield from self.allowed or ()
        if self.fallback:
            yield self.fallback
        yield from self.transitions or ()
        yield from self.enum or ()

    @property
    def besides_enum(self) -> Hashable:
        """What the step says besides the enum: its kind and the words of the other columns."""
        columns = (self.allowed, self.transitions, [self.fallback] if self.fallback else None)
        values = (None if words is None else tuple(word.value for word in words) for words in columns)
        return self.step.kind, *values

    def allows(self, value: str) -> bool:
        """Whether allowedIntents lists the word as written."""
        return any(word.value == value for word in self.allowed or ())

    def names(self, intent: str) -> bool:
        """Whether allowedIntents or the transitions have the intent, by whichever word."""
        return any(word.intent == intent for word in (*(self.allowed or ()), *(self.transitions or ())))

    def cause(self, word: Word) -> tuple[str, str, str]:
        """What makes findings one mistake: the step and the intent meant."""
        return self.cause_of(word.intent)

    def cause_of(self, intent: str) -> tuple[str, str, str]:
        """The same, by the intent."""
        return ("intent", self.step.id, intent)


def has_placeholder(value: str) -> bool:
    """Whether a template's `{{NAME}}` is in the value, which means nothing yet."""
    return "{{" in value


class _Reader:
    def __init__(self, format_id: str) -> None:
        self.intents = intents_of(format_id)
        self.aliases = aliases_of(format_id)

    def word(self, value: str, column: Column, document: ParsedFile, place: Text | Place | Transition) -> Word:
        reading, intent = self.read(value, column)
        return Word(value, column, reading, intent, document, place)

    def read(self, value: str, column: Column) -> tuple[Reading, str]:
        if value in self.intents:
            return "intent", value
        if value in self.aliases:
            return "alias", self.aliases[value]
        if has_placeholder(value):
            return "placeholder", value
        # The gate lower-cases the model's answer and trims nothing (runtime-semantics 5).
        meant = value.lower() if column == "enum" else value.strip().lower()
        if column in {"enum", "allowed"} and (meant in self.intents or meant in self.aliases):
            return "literal", self.aliases.get(meant, meant)
        return "unknown", value

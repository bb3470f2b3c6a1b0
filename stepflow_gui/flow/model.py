"""A flow: steps, their gates and transitions, the entries; each element with the place it came from.

Plain slotted classes, read-only by convention. `value` fields are the file's values, as plain Python values, so that
whoever must imitate the runner on wrong types can; the typed fields are None where the file has another type there.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span


class Text:
    """A string of the file with where it is: most are only read, so the place is looked up when it is asked for.

    Texts are equal where all three are.
    """

    __slots__ = ("_key", "_place", "_pointer", "value")

    def __init__(self, value: str, place: Span | Node, pointer: str, key: str | int | None = None) -> None:
        """With a key, `place` and `pointer` are of the object or array that has the string under it."""
        self.value = value
        self._place = place
        self._pointer = pointer
        self._key = key

    @property
    def span(self) -> Span:
        """Where the string stands, quotes included."""
        place, key = self._place, self._key
        if isinstance(place, Span):
            return place
        if isinstance(key, int):
            return place.items()[key].span
        return place.span if key is None else place.member_span(key)

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the string."""
        return self._pointer if self._key is None else join(self._pointer, self._key)

    def worded(self, value: str) -> "Text":
        """Another word at this place."""
        return Text(value, self._place, self._pointer, self._key)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return (self.value, self.span, self.pointer) == (other.value, other.span, other.pointer)

    def __hash__(self) -> int:
        return hash((self.value, self.pointer))

    def __repr__(self) -> str:
        return f"Text({self.value!r}, {self.span!r}, {self.pointer!r})"


class Case(NamedTuple):
    """One case of a conditional transition: the value of the condition and its target (None: an explicit null)."""

    value: str
    key_span: Span
    target: Text | None
    target_span: Span
    pointer: str


class Watch(NamedTuple):
    """A cycle that a loop monitor watches: its steps, after how many rounds the judge is asked, and what it decides."""

    cycle: tuple[str, ...]
    threshold: int | None  # None where the file has none that counts
    decisions: tuple[tuple[str, str], ...] = ()  # the judge's conditions with their target steps or ends


class Transition(NamedTuple):
    """What the file declares for one intent of a step.

    Of TAKT rules with the same condition each later one has an intent of its own, and `condition_text` reads as the
    file does. Exactly one of the forms holds: `target` (a step), `stays` (the step itself, which isn't named),
    `terminal` (the end), `cases` (conditional); none of them where the rule is malformed.
    """

    intent: str
    key: Span | Node  # where the intent is, or the object that has it as a key
    node: Node
    pointer: str
    target: Text | None = None
    terminal: bool = False
    condition: Text | None = None
    cases: tuple[Case, ...] = ()
    fallback: Text | None = None
    stays: bool = False
    limit: int | None = None  # the maximum number of times that it is taken; None: no limit
    implied: bool = False  # the file has no rule for it: it follows from the order of the steps
    end: str = ""  # which end, where a format has several: COMPLETE, ABORT or return (of TAKT)
    asks: bool = False  # the user is asked; the step then runs again, and the target only shows where it might go
    interactive: bool = False  # counts only in an interactive run
    condition_text: str | None = None  # of a TAKT rule as it is written, where the intent isn't it
    watched: tuple[Watch, ...] = ()  # cycles of which it is a part

    @property
    def as_written(self) -> str:
        """The intent as written in the file."""
        return self.intent if self.condition_text is None else self.condition_text

    @property
    def key_span(self) -> Span:
        """Where the intent stands."""
        return self.key if isinstance(self.key, Span) else self.key.key_span(self.intent)


class Gate:
    """How an answer becomes an intent (seed 000, structuredGate)."""

    __slots__ = (
        "fail_fast",
        "fallback_intent",
        "handoff_fields",
        "intent_field",
        "intent_schema_ref",
        "intents",
        "intents_node",
        "node",
        "pointer",
        "target_field",
    )

    def __init__(self, node: Node, pointer: str) -> None:
        self.node = node
        self.pointer = pointer
        self.intents: list[Text] = []  # the strings of allowedIntents, as written
        self.intents_node: Node | None = None  # the value of allowedIntents
        self.intent_schema_ref: Text | None = None
        self.intent_field: Text | None = None
        self.target_field: Text | None = None
        self.handoff_fields: list[Text] = []
        self.fail_fast = True  # only the boolean false turns it off
        self.fallback_intent: Text | None = None

    def allows(self, intent: str) -> bool:
        """Whether allowedIntents lists the intent, compared as written."""
        return any(text.value == intent for text in self.intents)


class SchemaRef(NamedTuple):
    """Which output schema a step names."""

    file: Text | None
    schema: Text | None
    node: Node
    pointer: str


class Step:
    """One step. `id` is what transitions name: its key under `steps`, in TAKT its name."""

    __slots__ = (
        "adaptation",
        "c1",
        "c2",
        "c3",
        "edition",
        "explicit_kind",
        "fallback_key",
        "gate",
        "id",
        "key_span",
        "kind",
        "name",
        "node",
        "pointer",
        "prompt_path",
        "schema_ref",
        "step_id",
        "subs",
        "transitions",
        "transitions_node",
        "unread",
        "watched",
    )

    def __init__(self, step_id: str, key_span: Span, node: Node, pointer: str) -> None:
        self.id = step_id
        self.key_span = key_span
        self.node = node
        self.pointer = pointer
        self.step_id: Text | None = None  # the declared `stepId` (in checks `id`)
        self.name: Text | None = None
        self.kind: str | None = (
            None  # effective: work, verification, closure, None; TAKT: movement, parallel, call, system
        )
        self.explicit_kind: Text | None = None  # `stepKind` as written
        self.c1: Text | None = None  # the step's own; else the registry's holds
        self.c2: Text | None = None
        self.c3: Text | None = None
        self.edition: Text | None = None
        self.adaptation: Text | None = None
        self.prompt_path: Text | None = None  # where the prompt is named by its path instead of c2 and c3
        self.fallback_key: Text | None = None
        self.gate: Gate | None = None
        self.transitions: list[Transition] = []  # in file order
        self.transitions_node: Node | None = None
        self.schema_ref: SchemaRef | None = None
        self.unread = False  # part of it is in another file, which couldn't be read
        self.watched: list[LoopMonitor] = []  # of which a cycle begins here
        self.subs: list[Step] = []  # that run at the same time inside this one; no transition goes to them

    @property
    def is_section(self) -> bool:
        """A `section.*` step: a prompt part, outside the flow."""
        return self.id.startswith("section.")

    @property
    def title(self) -> str:
        """The display name, else the id."""
        return self.name.value if self.name and self.name.value.strip() else self.id

    @property
    def raw(self) -> dict[str, Any]:
        """The step's value in the file."""
        value = self.node.value
        return value if isinstance(value, dict) else {}

    def transition(self, intent: str) -> Transition | None:
        """The rule of that intent; of duplicates the last."""
        return next((rule for rule in reversed(self.transitions) if rule.intent == intent), None)


class Move:
    """A transition that a step declares: an edge of the graph. `target` None is the end.

    `case` is the condition's value, for a conditional transition. Moves are equal if their ends are, wherever the
    file has them.
    """

    __slots__ = (
        "_from",
        "asks",
        "case",
        "end",
        "implied",
        "intent",
        "interactive",
        "limit",
        "step",
        "target",
        "watched",
    )

    def __init__(self, step: str, rule: Transition, target: str | None, case: Case | None = None) -> None:
        self.step = step
        self.intent = rule.intent
        self.case = case.value if case else None
        self.target = target
        self.limit = None if case else rule.limit
        self.implied = False if case else rule.implied
        self.end = rule.end if target is None else ""
        self.asks = rule.asks
        self.interactive = rule.interactive
        self.watched = rule.watched
        self._from = case or rule

    def __eq__(self, other: object) -> bool:
        return self._ends() == other._ends() if isinstance(other, Move) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._ends())

    def __repr__(self) -> str:
        return f"Move{self._ends()!r}"

    def _ends(self) -> tuple[object, ...]:
        kind = self.limit, self.implied, self.end, self.asks, self.interactive, self.watched
        return self.step, self.intent, self.case, self.target, *kind

    def without_asking(self) -> "Move":
        """The same transition without asking the user."""
        from copy import copy  # few flows ask

        plain = copy(self)
        plain.asks = False
        return plain

    @property
    def span(self) -> Span:
        """Where the target's value stands."""
        origin = self._from
        if isinstance(origin, Case):
            return origin.target_span
        if origin.target:
            return origin.target.span
        return (
            (origin.node.get("target") or origin.node.get("next") or origin.node).span
            if origin.terminal
            else origin.node.span
        )

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the target, or of the rule that names none."""
        origin = self._from
        return origin.target.pointer if isinstance(origin, Transition) and origin.target else origin.pointer


class Entry(NamedTuple):
    """An entry into the flow: `key` is the verdict type of the mapping, None for `entryStep`.

    `continuation`: no run begins there; it is where one of that type goes on.
    """

    key: str | None
    target: Text | None  # None where the value is not a string
    key_span: Span
    span: Span
    pointer: str
    continuation: bool = False


class LoopMonitor(NamedTuple):
    """A cycle of steps that is watched: after so many rounds a judge decides where the run goes on (takt.md 10)."""

    cycle: tuple[Text, ...]
    threshold: int | None  # None where the file has none that counts
    judge: Step | None
    ignored: tuple[Text, ...]  # steps that don't count between those
    node: Node
    pointer: str


class Flow:
    """A registry as read. `steps` holds what could be read; `odd_steps` the ids whose value is not an object.

    `repeated_steps` are those of a list whose name an earlier one has: none is ever run, but loaders check them too.
    """

    __slots__ = (
        "_moves",
        "agent_id",
        "document",
        "entries",
        "format",
        "has_mapping",
        "monitors",
        "odd_steps",
        "repeated_steps",
        "steps",
        "steps_span",
        "version",
    )

    def __init__(self, document: ParsedFile, format_id: str) -> None:
        self.document = document
        self.format = format_id  # closing, c3l, complete, checks, takt, ... (formats.detect)
        self.agent_id: Text | None = None
        self.version: Text | None = None
        self.steps: dict[str, Step] = {}
        self.steps_span: Span | None = None  # of the key `steps`
        self.odd_steps: list[Text] = []  # key, key span and pointer
        self.repeated_steps: list[Step] = []
        self.entries: list[Entry] = []  # entryStep first, then the mapping in file order
        self.has_mapping = False  # entryStepMapping is there, if only empty
        self.monitors: list[LoopMonitor] = []
        self._moves: list[Move] | None = None

    def moves(self) -> Sequence[Move]:
        """Every declared transition, in file order, dangling ones included. Asked for once the flow is read."""
        if self._moves is None:
            self._moves = [move for step in self.steps.values() for move in moves_of(step)]
        return self._moves

    def forget_moves(self) -> None:
        """Steps were changed after `moves` was asked for."""
        self._moves = None

    def entry_target(self, verdict: str | None) -> str | None:
        """The entry step for a verdict type: its mapping, else `entryStep` (runtime-semantics 3). May be dangling."""
        for entry in self.entries:
            if entry.key is not None and entry.key == verdict and not entry.continuation:
                return entry.target.value if entry.target else None
        return next((entry.target.value for entry in self.entries if entry.key is None and entry.target), None)


def moves_of(step: Step) -> Iterator[Move]:
    """The transitions that a step declares."""
    for rule in step.transitions:
        if rule.target:
            yield Move(step.id, rule, rule.target.value)
        elif rule.stays:
            yield Move(step.id, rule, step.id)
        elif rule.terminal:
            yield Move(step.id, rule, None)
        for case in rule.cases:
            yield Move(step.id, rule, case.target.value if case.target else None, case)


def is_dynamic(step: Step, intent: str) -> bool:
    """Whether an intent goes to the step that the answer itself names: a jump with `targetField` and no rule."""
    named = step.gate is not None and step.gate.target_field is not None
    return named and intent == "jump" and step.transition(intent) is None

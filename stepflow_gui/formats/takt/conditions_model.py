"""The meaning of a rule's condition, in either of the two notations (takt.md 5 and 13.3)."""

from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.state_expression import Expression

Notation = Literal["piece", "workflow"]


class ConditionForms(NamedTuple):
    """Which forms of conditions a runner reads; all that are none are labels, or refused."""

    statuses: bool = False  # a condition is a status that the agent's text has
    several_texts: bool = True  # in all(…) and any(…)
    bare_texts: bool = False  # in all(…) and any(…), without quotes
    odd_is_label: bool = False  # what begins as all(…) or any(…) and is none; else it is refused
    state: Literal["", "bare", "when"] = ""  # how a condition over the state is written: as it is, or as when(…)
    lists_state: bool = False  # as it is, exists(…) and findings. are of the state, too


PIECE_FORMS = ConditionForms()
WORKFLOW_FORMS = ConditionForms(bare_texts=True, state="when", lists_state=True)
FaultKind = Literal[
    "aggregate_format",
    "ai_removed",
    "companion_reference",
    "condition_syntax",
    "empty",
    "when_reference",
    "when_syntax",
]


class Label(NamedTuple):
    """Plain text that a tag, or the judge, chooses."""

    text: str


class AskedOfJudge(NamedTuple):
    """`ai("…")`: the judge is asked whether it holds."""

    text: str


class When(NamedTuple):
    """`when(…)`: an expression over the state."""

    text: str
    expression: Expression


class LabelWhen(NamedTuple):
    """`LABEL && when(…)`: chosen by label while the state is so."""

    label: Label
    when: When


SubCondition = Label | When | LabelWhen


class Aggregate(NamedTuple):
    """`all(…)` or `any(…)` over the results of a parallel movement's sub-steps, and the state where it is given.

    In pieces each of `wanted` is a label, compared with the raw condition of the rule that a sub-step took.
    """

    every: bool
    wanted: tuple[SubCondition, ...]
    when: When | None = None

    @property
    def positional(self) -> bool:
        """Whether each sub-step has a text of its own, by its place in the list."""
        return self.every and len(self.wanted) > 1


class ConditionFault(NamedTuple):
    """Why the loader refuses a condition. `start` and `end` are offsets into it."""

    kind: FaultKind
    message: str
    start: int
    end: int


Condition = Label | AskedOfJudge | When | LabelWhen | Aggregate

"""The parts of a step's picture besides its name and transitions, for every format."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from stepflow_gui.flow.layout.arcs import asks_elsewhere
from stepflow_gui.flow.model import Flow, Move, Step, moves_of
from stepflow_gui.formats.checks.card import check_line, outcome_after
from stepflow_gui.formats.takt import card as takt
from stepflow_gui.messages import _


class CardRow(NamedTuple):
    """A line above the pills. `icon`: the kind whose sign stands before it; `boxed`: it is a thing of its own."""

    text: str
    icon: str
    boxed: bool = False


def kind_of(step: Step) -> str:
    """The kind by which a step's picture has its colour and sign; empty for a step without one."""
    return step.kind or ("section" if step.is_section else "")


def kind_word(step: Step) -> str:
    """The kind as it is shown, in the field's word: a workflow has steps where a piece has movements."""
    return takt.STEP if takt.is_plain_step(step) else kind_of(step)


def kind_name(step: Step) -> str:
    """`work step`, in the language in use."""
    if takt.is_plain_step(step):
        return _("step")
    if step.kind == takt.MOVEMENT:
        return _("movement")
    if step.kind:
        of_piece = step.kind in takt.KINDS and step.pointer.startswith("/movements/")
        return (_("{kind} movement") if of_piece else _("{kind} step")).format(kind=step.kind)
    return _("prompt section") if step.is_section else _("step")


Sign = Literal["", "passed", "failed", "fallback", "user", "watched"]
"""What stands before the label of an edge.

The outcome of a check; that the user is asked, or must be there; that the transition is part of a watched cycle.
"""


def sign_of(flow: Flow, moves: Sequence[Move]) -> Sign:
    """The sign of an edge that these moves go."""
    if flow.format == "checks":
        return outcome_after(move.intent for move in moves)
    if moves and all(move.asks or move.interactive for move in moves):
        return "user"
    return "watched" if any(move.watched for move in moves) else ""


def has_signs(flow: Flow) -> bool:
    """Whether labels need room for signs."""
    if flow.format == "checks":
        return True
    return any(
        rule.asks or rule.interactive or rule.watched for step in flow.steps.values() for rule in step.transitions
    )


def caption_of(step: Step) -> str:
    """The line below the name: the id; of a TAKT movement who works in it and what it may do."""
    return takt.caption_of(step)


def rows_of(step: Step) -> tuple[CardRow, ...]:
    """The lines above the pills: what judges the step, its sub-steps, the cycles that are watched from it on."""
    check = check_line(step)
    return (
        *((CardRow(check, "verification"),) if check else ()),
        *(CardRow(text, "movement", boxed=True) for text in takt.rows_of(step)),
        *(CardRow(text, "monitor") for text in takt.watched(step)),
    )


def loops_of(step: Step) -> frozenset[str]:
    """The intents by which a step comes back to itself, at least in some cases."""
    return frozenset(move.intent for move in moves_of(step) if move.target == step.id or asks_elsewhere(move))


def pill_words(step: Step, intents: Sequence[str]) -> tuple[str, ...]:
    """What the pills of a step say: its intents, with the limit of those that have one."""
    if all(rule.limit is None for rule in step.transitions):  # as most are; the texts are asked for at each key
        return tuple(intents)
    limits = {move.intent: move.limit for move in moves_of(step) if move.limit is not None}
    text = _("{intent} (max {count})")
    return tuple(text.format(intent=intent, count=limits[intent]) if intent in limits else intent for intent in intents)

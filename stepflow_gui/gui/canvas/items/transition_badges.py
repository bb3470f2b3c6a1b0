"""Transitions that ask the user, count only with one or are watched: the edge that a run takes, and notes on them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from stepflow_gui.flow.layout.shapes import Route
from stepflow_gui.flow.model import Move
from stepflow_gui.formats.takt.card import cycle_text
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.messages import _

Key = TypeVar("Key")


def ref_of(move: Move) -> TransitionRef:
    """The transition that a move is of."""
    return TransitionRef(move.step, move.intent, move.case)


def refs_of(moves: Iterable[Move]) -> list[TransitionRef]:
    """The transitions that moves are of."""
    return [ref_of(move) for move in moves]


def edge_of_each(routes: Mapping[Key, Route]) -> dict[TransitionRef, Key]:
    """The edge of each transition: of the two where the user is asked the one that a run goes."""
    found: dict[TransitionRef, Key] = {}
    for key, route in routes.items():
        gone = refs_of(route.gone)
        found.update(dict.fromkeys(gone, key))
        for ref in refs_of(route.moves) if len(gone) < len(route.moves) else ():
            found.setdefault(ref, key)
    return found


def transition_notes(route: Route) -> Iterator[str]:
    """What is special about the moves of an edge, a line each."""
    for move in route.moves:
        condition, step = one_line(move.intent), one_line(move.step)
        if move.asks:
            text = (
                _("“{condition}”: the user is asked, then {step} runs again")
                if route.kind == "loop"
                else _(
                    "“{condition}” is not followed, although its `next` points here: the user is asked, then {step} "
                    "runs again"
                )
            )
            yield text.format(condition=condition, step=step)
        if move.interactive:
            yield _("“{condition}” counts only in an interactive run").format(condition=condition)
        for watch in move.watched:
            cycle = one_line(cycle_text(watch.cycle, watch.threshold))
            decided = (
                _(", ").join(f"{one_line(verdict)} → {one_line(target)}" for verdict, target in watch.decisions) or "–"
            )
            text = _("“{condition}” is part of a watched cycle: {cycle}: {ways}")
            yield text.format(condition=condition, cycle=cycle, ways=decided)

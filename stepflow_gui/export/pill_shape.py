"""A pill of a card in a picture: an intent, with a sign where it comes back to its own step."""

from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.export.card import LOOP_ROOM, PILL_HEIGHT, PILL_PAD, PILL_SIZE, PillBox
from stepflow_gui.export.outcome_signs import round_arrow
from stepflow_gui.export.palette import Palette
from stepflow_gui.export.svg_shapes import dashed, escaped, rect, text_line
from stepflow_gui.flow.layout import Box
from stepflow_gui.flow.layout.arcs import asks_elsewhere
from stepflow_gui.flow.layout.dimensions import move_lines
from stepflow_gui.flow.model import Move, Step, moves_of
from stepflow_gui.formats.step_card import Sign

VISITED = (0.45, 0.6, 0.75)  # how much of `active` there is in what runs went once, twice, more often
_SIGNED: dict[Sign, str] = {
    "": "muted",
    "passed": "closure",
    "failed": "verification",
    "fallback": "verification",
    "user": "accent",
    "watched": "monitor",
}


class PillLook(NamedTuple):
    """How a pill is drawn; `outcome` and `times` are those of the transition that comes back."""

    broken: bool
    dashed: bool
    outcome: Sign
    times: int


def visited_colour(times: int, palette: Palette) -> str:
    """The colour of a transition that runs went so often."""
    return palette.mix("active", "edge", VISITED[min(times, len(VISITED)) - 1])


def loop_moves(step: Step) -> dict[str, list[Move]]:
    """The moves by which a step comes back to itself, by intent."""
    found: dict[str, list[Move]] = {}
    for move in moves_of(step):
        if move.target == step.id or asks_elsewhere(move):
            found.setdefault(move.intent, []).append(move)
    return found


def pill_shape(pill: PillBox, top: float, look: PillLook, loop: Sequence[Move], palette: Palette) -> str:
    """The pill; `loop` are the moves by which its intent comes back."""
    box = Box(pill.x + 0.5, top + 0.5, pill.width - 1, PILL_HEIGHT - 1)
    line = palette["error" if look.broken else "muted"]
    ink = palette["error" if look.broken else "muted" if pill.intent is None else "text"]
    frame = rect(box, PILL_HEIGHT / 2, "none", line, dashed(1) if look.broken or look.dashed else "")
    middle = box.middle + (LOOP_ROOM / 2 if loop else 0)
    shown = frame + text_line(middle, top + 13, pill.text, PILL_SIZE, ink, anchor="middle")
    if not loop:
        return shown
    colour = visited_colour(look.times, palette) if look.times else palette[_SIGNED[look.outcome]]
    shown += round_arrow(pill.x + PILL_PAD, top + PILL_HEIGHT / 2 - 4, colour)
    if look.times > 1:
        count = f"×{look.times}"
        shown += text_line(box.right, top + 2, count, PILL_SIZE, palette["activetext"], anchor="middle")
    return f"<g><title>{escaped(', '.join(move_lines(loop)))}</title>{shown}</g>"

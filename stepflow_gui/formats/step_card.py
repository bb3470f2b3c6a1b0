"""What the picture of a step says besides its name and ways, whatever its format."""

from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.card import check_line
from stepflow_gui.formats.takt import card as takt


class Row(NamedTuple):
    """A line above the pills. `icon`: the kind whose sign stands before it; `boxed`: it is a thing of its own."""

    text: str
    icon: str
    boxed: bool = False


def caption_of(step: Step) -> str:
    """The line below the name: the id; of a TAKT movement who works in it and what it may do."""
    return takt.caption_of(step)


def rows_of(step: Step) -> tuple[Row, ...]:
    """The lines above the pills: what judges the step, its sub-steps, the cycles that are watched from it on."""
    check = check_line(step)
    return (
        *((Row(check, "verification"),) if check else ()),
        *(Row(text, "movement", boxed=True) for text in takt.rows_of(step)),
        *(Row(text, "monitor") for text in takt.watched(step)),
    )

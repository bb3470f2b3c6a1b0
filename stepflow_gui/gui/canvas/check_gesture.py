"""What dragging a validator means, without a mouse: onto a failure pattern, or to another place in their order."""

from collections.abc import Sequence
from typing import NamedTuple

from stepflow_gui.gui.canvas.gestures import Hint
from stepflow_gui.messages import _


class RouteFailure(NamedTuple):
    """Requested: the failure of the validator in that row goes to a pattern."""

    row: int
    pattern: str


class MoveCheck(NamedTuple):
    """Asked: the validator in that row is checked at another place in the order."""

    row: int
    to: int


Dropped = RouteFailure | MoveCheck


class CheckGesture:
    """From a validator to a pattern or to another row: hover shows what a drop would do, Escape cancels."""

    def __init__(self, row: int, validators: Sequence[str], patterns: Sequence[str], current: str | None) -> None:
        """`current` is the pattern that the validator's failure goes to now."""
        self.row = row
        self.validators = validators
        self.patterns = patterns
        self.current = current
        self.open = True

    def hover(self, over: int | str | None) -> Hint:
        """The pointer is over a row of the card, a pattern or neither."""
        name = self.validators[self.row]
        if isinstance(over, str):
            if over == self.current:
                return Hint(False, _("The failure of {validator} goes there already").format(validator=name))
            text = _("The failure of {validator} goes to {name}")
            return Hint(True, text.format(validator=name, name=over))
        if over is None or over == self.row:
            text = _("Drag “{validator}” to a failure pattern or to another place; Esc cancels")
            return Hint(None, text.format(validator=name))
        before, after = _("{validator} is checked before {other}"), _("{validator} is checked after {other}")
        text = before if over < self.row else after
        return Hint(True, text.format(validator=name, other=self.validators[over]))

    def drop(self, over: int | str | None) -> Dropped | None:
        """Let go: what is asked for; None where nothing is."""
        if not self.open or over is None or self.hover(over).legal is not True:
            return None
        self.open = False
        return RouteFailure(self.row, over) if isinstance(over, str) else MoveCheck(self.row, over)

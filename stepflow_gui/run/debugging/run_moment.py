"""A run at one moment, as breakpoints and the goals of a debugger see it, whatever kind of run it is."""

from typing import NamedTuple, Protocol

from stepflow_gui.text.json.tree import JsonValue


class Halt(NamedTuple):
    """Why a run can't go on from a moment: it has ended, or met an error. `message`: in words."""

    ended: bool
    message: str


class RunMoment(Protocol):
    """What is asked of such a moment."""

    def value(self, path: str) -> JsonValue:
        """The value at a condition's path; ABSENT where there is none."""

    def is_asked(self, step: str | None) -> bool:
        """Whether a step, or any, is about to be asked."""

    def has_answered(self, intent: str, step: str | None) -> bool:
        """Whether a step, or any, has just come to an intent."""

    def is_checked(self, validator: str | None, step: str | None) -> bool:
        """Whether a validator, or any, is about to run for a step, or any."""

    @property
    def halt(self) -> Halt | None:
        """Why the run can't go on; None where it can."""

    @property
    def is_between(self) -> bool:
        """Whether a debugger that goes one step on stops here."""

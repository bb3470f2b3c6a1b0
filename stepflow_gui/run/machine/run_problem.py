"""What stops a run: a value with a kind, upstream's code and what to do about it."""

from typing import NamedTuple


class RunError(NamedTuple):
    """Why a run can't go on from here. The run's state is kept, so a person can answer otherwise or step back."""

    kind: str  # stable word, such as `fail_fast` or `target_not_found`
    message: str
    code: str | None = None  # upstream's stable code
    step: str | None = None
    pointer: str | None = None  # the place in the registry that it is about
    cause: str | None = None  # for gate errors: why no intent was found (gate.Cause)

"""One finding for what repeats: the first place speaks, the others are shown beside it."""

from collections.abc import Iterable, Sequence

from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Finding, Proposal, Side


def gathered(
    message: str,
    places: Sequence[Side],
    *,
    step: str | None = None,
    severity: Severity | None = None,
    proposals: Iterable[Proposal] = (),
) -> Finding:
    """A finding about several places, of which there is at least one; each place's message is said where it is shown.

    `step` is the step of the first place.
    """
    first, *others = places
    return Finding(
        message, first.span, first.pointer, step, first.document, severity, sides=others, proposals=proposals
    )

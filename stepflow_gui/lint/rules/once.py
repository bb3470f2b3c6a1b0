"""One finding for what holds at several places: the first place speaks, the others are shown beside it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import INFO, Severity
from stepflow_gui.lint.rule import Finding, Later, Proposal, Rule, Side
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.text.document import Place

SHOWN = 20  # remarks beside the first: more of them tell nobody anything


def merge_places(
    message: str,
    places: Sequence[Side],
    *,
    step: str | None = None,
    severity: Severity | None = None,
    proposals: Iterable[Proposal] = (),
) -> Finding:
    """A finding about places, of which there is at least one; the message of each but the first is shown at it.

    `step` is the step of the first place.
    """
    first, *others = places
    return Finding(
        message, first.span, first.pointer, step, first.document, severity, sides=others, proposals=proposals
    )


def merge_infos(findings: Iterable[Finding], rule: Rule, context: RuleContext) -> Iterator[Finding]:
    """Errors and warnings as they are, then what is information as one finding."""
    infos: list[Finding] = []
    for finding in findings:
        if (finding.severity or rule.severity) == INFO:
            infos.append(finding)
        else:
            yield finding
    if infos:
        first, *others = infos
        sides = [
            side
            for each in others
            for side in (Side(each.document or context.registry, each.span, each.pointer, each.message), *each.sides)
        ]
        yield first._replace(sides=[*first.sides, *sides])


class Remark(NamedTuple):
    """What there is to say at one place: `message` where it is the only one, `short` beside another."""

    message: str
    short: str
    place: Place
    step: str


def merge_remarks(
    remarks: Iterable[Remark],
    several: str,
    title: str = "",
    edits: Callable[[list[Remark]], Later | None] | None = None,
) -> Iterator[Finding]:
    """One finding for all remarks, of which there may be none.

    `several` is the message where there are more than one, with placeholders `count` and `step` (that of the first).
    `edits` settles all of them at once, or gives None where that can't be done; `title` is the title of that fix.
    """
    found = list(remarks)
    if not found:
        return
    first = found[0]
    message = several.format(count=len(found), step=first.step) if len(found) > 1 else first.message
    others = {(id(remark.place.document), remark.place.span): remark for remark in reversed(found)}
    others.pop((id(first.place.document), first.place.span))
    sides = [
        Side(remark.place.document, remark.place.span, remark.place.pointer, remark.short)
        for remark in list(reversed(others.values()))[:SHOWN]
    ]

    def proposals() -> Iterator[Proposal]:
        made = edits(found) if edits else None
        if made:
            yield Proposal(title, made)

    yield merge_places(
        message,
        [Side(first.place.document, first.place.span, first.place.pointer, ""), *sides],
        step=first.step,
        proposals=proposals(),
    )

"""One cause, one finding: of the findings about one mistake the first rule in line speaks, the others ride along."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import RANK, Severity
from stepflow_gui.lint.rule import Finding, Rule, Side
from stepflow_gui.text.document import Document


class Found(NamedTuple):
    """A finding with the rule that found it."""

    rule: Rule
    finding: Finding

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.finding.severity or self.rule.severity


def merge(found: Iterable[Found], registry: Document) -> list[Found]:
    """The findings that speak.

    What rides along is shown as a related place, and a warning speaks as an error where one rides along: that the
    runner refuses the file must not get lost.
    """
    alone: list[Found] = []
    together: dict[Hashable, list[Found]] = {}
    for each in found:
        if each.finding.cause is None:
            alone.append(each)
        else:
            together.setdefault(each.finding.cause, []).append(each)
    return alone + [_one(group, registry) for group in together.values()]


def _one(group: list[Found], registry: Document) -> Found:
    if len(group) == 1:
        return group[0]
    codes = {each.rule.code for each in group}
    speaker = min(
        group,
        key=lambda each: (sum(code in codes for code in each.rule.defers_to), RANK[each.severity]),
    )
    finding = speaker.finding
    sides = list(finding.sides)
    places = {(finding.document or registry, finding.span)} | {(side.document, side.span) for side in sides}
    for each in group:
        rider = each.finding
        place = (rider.document or registry, rider.span)
        if each is not speaker and place not in places:
            places.add(place)
            sides.append(Side(place[0], rider.span, rider.pointer, rider.message))
    worst = min((each.severity for each in group), key=RANK.__getitem__)
    return Found(speaker.rule, finding._replace(severity=worst, sides=sides))

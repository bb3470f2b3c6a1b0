"""One cause, one finding: of the findings about one mistake the first rule in line speaks, the others ride along."""

from collections.abc import Hashable, Iterable
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import RANK, Severity
from stepflow_gui.lint.rule import Finding, Rule, Side
from stepflow_gui.text.document import ParsedFile

SHOWN = 20  # other steps beside the first: more of them don't help anyone


class RuleFinding(NamedTuple):
    """A finding with the rule that found it."""

    rule: Rule
    finding: Finding

    @property
    def severity(self) -> Severity:
        """How bad it is."""
        return self.finding.severity or self.rule.severity


def merge(found: Iterable[RuleFinding], registry: ParsedFile) -> list[RuleFinding]:
    """The findings that speak.

    What rides along is shown as a related place, and a warning speaks as an error where one rides along: that the
    runner refuses the file must not get lost. What a rule finds in several steps at one place of a schema that they
    share is one mistake as well: the other steps are places of the first one's finding.
    """
    alone: list[RuleFinding] = []
    together: dict[Hashable, list[RuleFinding]] = {}
    for each in found:
        if each.finding.cause is None:
            alone.append(each)
        else:
            together.setdefault(each.finding.cause, []).append(each)
    shared: dict[Hashable, list[RuleFinding]] = {}
    for each in alone + [_one(group, registry) for group in together.values()]:
        document = each.finding.document or registry
        elsewhere = document is not registry
        key: Hashable = (each.rule.code, id(document), each.finding.span) if elsewhere else object()
        shared.setdefault(key, []).append(each)
    return [_of_all(group, registry) for group in shared.values()]


def _of_all(group: list[RuleFinding], registry: ParsedFile) -> RuleFinding:
    first, *others = group
    if not others:
        return first
    sides = list(first.finding.sides)
    places = {(side.document, side.span) for side in sides}
    for each in others[:SHOWN]:
        own = _to_fit(side for side in each.finding.sides if side.document is registry)
        if own and (own.document, own.span) not in places:
            places.add((own.document, own.span))
            sides.append(own)
    worst = min((each.severity for each in group), key=RANK.__getitem__)
    return RuleFinding(first.rule, first.finding._replace(severity=worst, sides=sides))


def _to_fit(sides: Iterable[Side]) -> Side | None:
    """Of a step's places the one to show: what the loader compares the schema with, else the last."""
    last = None
    for last in sides:
        if last.pointer and "/allowedIntents" in last.pointer:
            return last
    return last


def _one(group: list[RuleFinding], registry: ParsedFile) -> RuleFinding:
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
    return RuleFinding(speaker.rule, finding._replace(severity=worst, sides=sides))

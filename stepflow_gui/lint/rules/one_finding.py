"""Information is said once a file: what more there is of it becomes places of the first finding."""

from collections.abc import Iterable, Iterator

from stepflow_gui.lint.diagnostic import INFO
from stepflow_gui.lint.rule import Finding, Rule, Side
from stepflow_gui.lint.scope import RuleContext


def as_one(findings: Iterable[Finding], rule: Rule, scope: RuleContext) -> Iterator[Finding]:
    """Errors and warnings as they are, then what is information as one finding."""
    told: list[Finding] = []
    for finding in findings:
        if (finding.severity or rule.severity) == INFO:
            told.append(finding)
        else:
            yield finding
    if told:
        first, *others = told
        sides = [Side(each.document or scope.registry, each.span, each.pointer, each.message) for each in others]
        yield first._replace(sides=[*first.sides, *sides])

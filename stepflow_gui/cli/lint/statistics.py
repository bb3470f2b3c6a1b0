"""The statistics of `stepflow lint`: for each rule how many findings it has and how long it took."""

from collections import Counter
from collections.abc import Iterator

from stepflow_gui.lint.engine.engine import Timings
from stepflow_gui.lint.engine.outcome import LintOutcome
from stepflow_gui.lint.rules.table import MODULES, name_of
from stepflow_gui.messages import _, ngettext


def statistics(outcome: LintOutcome, timings: Timings) -> Iterator[str]:
    """Lines of a table: most findings first, then the slowest rules; a sum at the end."""
    counts = Counter(found.code for found in outcome.diagnostics)
    codes = sorted(counts.keys() | timings.keys(), key=lambda code: (-counts[code], -timings.get(code, 0.0), code))
    for code in codes:
        name = name_of(code) if code in MODULES else ""
        yield f"{counts[code]:>6}  {code}  {name:<32} {1000 * timings.get(code, 0.0):>9.2f} ms"
    rules = ngettext("{count} rule", "{count} rules", len(timings)).format(count=len(timings))
    text = _("{findings} in {time} ms, {rules}")
    findings = ngettext("{count} finding", "{count} findings", counts.total()).format(count=counts.total())
    count = len(outcome.suppressed)
    if count:
        quiet = ngettext("{findings}, {count} suppressed", "{findings}, {count} suppressed", count)
        findings = quiet.format(findings=findings, count=count)
    yield text.format(findings=findings, time=f"{1000 * sum(timings.values()):.1f}", rules=rules)

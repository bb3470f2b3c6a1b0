"""T012 aggregate-gap.

What it does: reports a parallel movement whose rules leave out a combination of its sub-steps' results, and shows one.
At most 10,000 combinations are tried.

Why is this bad: where no all() or any() holds, TAKT 0.3 to 0.52 have an AI judge pick among all rules; TAKT 0.53 to
0.60 abort the run.

Fix: add a rule for what is left, such as any() with the result that nothing handles.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from stepflow_gui.formats.takt.conditions_model import Aggregate
from stepflow_gui.formats.takt.releases.sets import since
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.prelude import STEP, WARNING, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT, aggregates, results_of
from stepflow_gui.lint.rules.takt.release_words import in_part, wanted_releases
from stepflow_gui.lint.rules.takt.t010_aggregate_unknown_text import label_wanted

RULE = Rule("T012", "aggregate-gap", WARNING, formats=TAKT, looks_at=STEP, defers_to=("T010", "T011"))

BAD = piece(('condition: any("needs_fix")', 'condition: all("needs_fix")'))
GOOD = piece()

_MOST = 10_000


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Silent if some result is unknown, or a rule of another kind may catch the rest."""
    if not step.subs or any(not sub.transitions or sub.unread for sub in step.subs):
        return
    found = list(aggregates(step, context))
    if not found or len(found) < len(step.transitions) or any(condition.when for _rule, condition in found):
        return
    results = [results_of(sub, context) for sub in step.subs]
    if any(not own for own in results) or prod(map(len, results)) > _MOST:
        return
    gap = next((each for each in product(*results) if not any(_holds(rule, each) for _path, rule in found)), None)
    if gap is None:
        return
    shown = _(", ").join(
        _("{sub}: “{result}”").format(sub=sub.id, result=result) for sub, result in zip(step.subs, gap, strict=True)
    )
    aborting = since("0.53.0")
    text = (
        in_part(_("No rule of “{step}” holds for {results}: the run is aborted then"), context, aborting)
        if wanted_releases(context) & aborting
        else _("No rule of “{step}” holds for {results}: an AI judge then picks among all of them")
    )
    span = step.transitions[0].key_span
    pointer = step.pointer + "/rules"
    yield Finding(text.format(step=step.id, results=shown), span, pointer, step.id, cause=("gap", step.id))


def _holds(condition: Aggregate, results: Sequence[str]) -> bool:
    wanted = [label_wanted(each) for each in condition.wanted]
    if any(label is None for label in wanted):
        return True  # asks for the state as well
    if condition.positional:
        return list(results) == wanted
    if condition.every:
        return all(result == wanted[0] for result in results)
    return any(result in wanted for result in results)

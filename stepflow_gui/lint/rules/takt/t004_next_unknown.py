"""T004 next-unknown.

What it does: reports a `next` that is not a movement of the file, nor COMPLETE or ABORT. Sub-steps of parallel
movements can't be targets.

Why is this bad: releases of TAKT 0.1 to 0.60 refuse to load the file.

Fix: write the movement that was meant. The two ends are written in capitals.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.takt.eras import ENDS
from stepflow_gui.formats.takt.piece import OLDER_RULES
from stepflow_gui.formats.takt.releases.sets import Releases, before, since
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.flow.step_names import respelt
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, Step, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.release_words import runner, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for

RULE = Rule("T004", "next-unknown", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(("next: COMPLETE", "next: complete"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """The rules of movements; those of judges are T018's."""
    subs = {sub.id: step for step in context.flow.steps.values() for sub in step.subs}
    for step in (*context.flow.steps.values(), *context.flow.repeated_steps):
        for rule in step.transitions:
            target = rule.target
            if target is None or target.value in context.flow.steps:
                continue
            if wanted_releases(context) & _reading(target):
                yield _finding(target, step, subs, context)


def _reading(target: Text) -> Releases:
    """The releases that read the list that holds a rule."""
    return before("0.3.0") if f"/{OLDER_RULES}/" in target.pointer else since("0.3.0")


def _finding(target: Text, step: Step, subs: dict[str, Step], context: RuleContext) -> Finding:
    parent = subs.get(target.value)
    meant: str | None
    if parent is not None:
        meant = parent.id
        text = _("“{step}” goes to “{target}”, a sub-step of “{parent}”: {runner} refuses to load the file")
    else:
        meant = meant_for(target.value, [*context.flow.steps, *ENDS], context, RULE.code)
        text = _("“{step}” goes to “{target}”, which is not a movement: {runner} refuses to load the file")
    owner = parent.id if parent else ""
    text = text.format(step=step.id, target=target.value, parent=owner, runner=runner(context, _reading(target)))
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(context.registry, target.span, parent.id)] if parent else respelt(target, meant, context)
    cause = None if proposals else ("no-step", target.value)  # what goes to a step that is gone is one mistake
    return Finding(
        text, target.span, target.pointer, step.id, proposals=proposals, cause=cause, misspelt=bool(meant or proposals)
    )

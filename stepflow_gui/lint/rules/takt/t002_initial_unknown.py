"""T002 initial-unknown.

What it does: reports a beginning (`initial_movement`, `initial_step`) that is not a movement of the file.

Why is this bad: releases of TAKT 0.1 to 0.60 refuse to load the file.

Fix: write the movement that was meant.
"""

from collections.abc import Iterator

from stepflow_gui.formats.takt.eras import INITIALS
from stepflow_gui.formats.takt.piece import text_of
from stepflow_gui.formats.takt.releases.sets import named
from stepflow_gui.lint.examples.piece import piece
from stepflow_gui.lint.rules.flow.step_names import respelt
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, Finding, Rule, RuleContext, _
from stepflow_gui.lint.rules.takt.reading import TAKT
from stepflow_gui.lint.rules.takt.release_words import runner, wanted_releases
from stepflow_gui.lint.rules.takt.targets import meant_for
from stepflow_gui.text.pointer import join

RULE = Rule("T002", "initial-unknown", ERROR, formats=TAKT, looks_at=FLOW)

BAD = piece(("initial_movement: plan", "initial_movement: paln"))
GOOD = piece()


def check(context: RuleContext) -> Iterator[Finding]:
    """Compare the entry with the movements."""
    flow = context.flow
    for entry in flow.entries:
        target = entry.target
        if target is None or target.value in flow.steps or not flow.steps:
            continue
        if target.pointer != join("", context.takt.initial):
            continue
        meant = meant_for(target.value, list(flow.steps), context, RULE.code)
        text = _("“{key}” is “{name}”, which is not a movement: {runner} refuses to load the file")
        text = text.format(key=context.takt.initial, name=target.value, runner=runner(context))
        if meant:
            text += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = respelt(target, meant, context)
        yield Finding(text, target.span, target.pointer, proposals=proposals, misspelt=bool(meant or proposals))
    root = context.registry.root
    for key in INITIALS:  # the word of other releases, which some read as well
        other = text_of(root, key, "") if root is not None and key != context.takt.initial else None
        refused = context.held.refusing_value((key,)) & wanted_releases(context)
        if other is not None and refused:
            text = _("“{key}” is “{name}”, which is not a movement: {runner} refuses to load the file")
            yield Finding(text.format(key=key, name=other.value, runner=named(refused)), other.span, other.pointer)

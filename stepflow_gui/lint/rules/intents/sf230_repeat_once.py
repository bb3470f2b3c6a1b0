"""SF230 repeat-once.

What it does: points out steps that allow `repeat` and declare no `adaptationChain`.

Why is this bad: climpt 1.14 (a pre-release) takes an element of the chain for each repeat, and a missing chain has
one. The second repeat in a row ends the run with an error, regardless of maxIterations. It is a warning where a
gate that doesn't fail fast takes `repeat` for every answer that it can't read.

Fix: write an `adaptationChain` with as many elements as repeats are to be allowed: “default” shows the same prompt.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.agent.limits import limit_of
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.flow.naming import listed
from stepflow_gui.lint.rules.intents.chains import FIELD, can_repeat
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    FLOW,
    INFO,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    Step,
    _,
    changed,
)

RULE = Rule("SF230", "repeat-once", INFO, formats=ADDRESSED, looks_at=FLOW)

BAD = changed({"/steps/initial.issue/adaptationChain": REMOVED}, base="adt-kind-address")
GOOD = changed(base="adt-kind-address")

REPEATS = 3  # that the fix allows, or as many as the agent's iterations


def check(context: RuleContext) -> Iterator[Finding]:
    """One note a file, and a warning for each step that repeats by itself; none where no run has a second repeat."""
    limit = limit_of(context, context.agent_file) if context.agent_file else None
    repeats = min(REPEATS, limit.iterations - 1) if limit else REPEATS
    if repeats < 2:
        return
    steps = [
        step
        for step in context.flow.steps.values()
        if not step.is_section and step.raw.get(FIELD) is None and can_repeat(step, context)
    ]
    falling = [step for step in steps if _falls_to_repeat(step)]
    for step in falling:
        message = _(
            "An answer of “{step}” that can't be read counts as a repeat, and climpt-1.14 lets it repeat once: a second"
            " one in a row ends the run with an error"
        )
        yield Finding(
            message.format(step=step.id),
            step.key_span,
            step.pointer,
            step.id,
            severity=WARNING,
            proposals=_chained([step], repeats, context),
        )
    others = [step for step in steps if step not in falling]
    if others:
        message = _(
            "climpt-1.14 lets {steps} repeat once: a second repeat in a row ends the run with an error,"
            " regardless of maxIterations"
        )
        places = [Side(context.registry, step.key_span, step.pointer, _("this one as well")) for step in others]
        text = message.format(steps=listed([step.id for step in others]))
        yield merge_places(text, places, step=others[0].id, proposals=_chained(others, repeats, context))


def _falls_to_repeat(step: Step) -> bool:
    gate = step.gate
    if gate is None or gate.fail_fast:
        return False
    fallback = gate.fallback_intent.value if gate.fallback_intent else None
    return fallback == "repeat" and gate.allows("repeat")


def _chained(steps: list[Step], repeats: int, context: RuleContext) -> Iterator[Proposal]:
    title = _("Allow {count} repeats").format(count=repeats)
    found = [
        proposal
        for step in steps
        for proposal in put(context.registry, step.pointer, FIELD, ["default"] * repeats, title)
    ]
    if found:
        yield found[0]._replace(edits=tuple(edit for proposal in found for edit in proposal.made))

"""SF504 fallback-key-dropped.

What it does: reports a fallbackKey in a registry of the shape that has none any more.

Why is this bad: since 2026-03-31 climpt reads prompts from files alone. The key does nothing, and whoever relies on it
has a step without a prompt.

Fix: remove the key and make sure that the prompt file exists.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.fixes import take_away
from stepflow_gui.lint.rules.prelude import ADDRESSED, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF504", "fallback-key-dropped", WARNING, formats=("c3l", *ADDRESSED), looks_at=STEP)

BAD = changed({"/steps/initial.issue/fallbackKey": "initial_issue"}, base="c3l")
GOOD = changed(base="c3l")


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Whatever the key holds."""
    member = step.node.member("fallbackKey")
    if member is None or context.era.spare_prompts:
        return
    text = _("{era} doesn't read the fallbackKey of “{step}”: only a prompt file gives it a prompt")
    pointer = f"{step.pointer}/fallbackKey"
    yield Finding(
        text.format(era=context.era.name, step=step.id),
        member.key_span,
        pointer,
        step.id,
        proposals=take_away(context.registry, [pointer], _("Remove “{word}”").format(word="fallbackKey"), safe=True),
    )

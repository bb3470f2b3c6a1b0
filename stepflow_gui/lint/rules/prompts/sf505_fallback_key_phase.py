"""SF505 fallback-key-phase.

What it does: reports a fallbackKey that names another phase than its step's: `continuation_…` on an initial step.

Why is this bad: where the key has to replace the prompt file, the model is told to go on with work that it hasn't
begun, or to start over what it should close.

Fix: write the key of the same kind for the step's own phase.
"""

import re
from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import KIND_OF_C2
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.key_form import PHASES, is_well_formed, phase_of

RULE = Rule("SF505", "fallback-key-phase", WARNING, formats=("closing", "complete"), looks_at=STEP)

BAD = changed({"/steps/initial.issue/fallbackKey": "continuation_issue"})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Nothing is reported if the step's id, c2 or kind fits the key's phase."""
    key = step.fallback_key
    phase = step.c2.value if step.c2 else None
    if key is None or not is_well_formed(key.value) or phase not in PHASES:
        return
    named = phase_of(key.value)
    if named is None or named == phase or named in step.id.split("."):
        return
    if step.explicit_kind and named == "closure" and step.explicit_kind.value == KIND_OF_C2[named]:
        return
    own = re.sub(rf"(?<![a-z0-9]){re.escape(named)}(?![a-z0-9])", phase, key.value)
    proposals = [write(context.registry, key.span, own)] if _may_have(own, context) else []
    text = _("The fallbackKey “{key}” is for {named} steps, and “{step}” is of the phase {phase}")
    yield Finding(
        text.format(key=key.value, named=named, step=step.id, phase=phase),
        key.span,
        key.pointer,
        step.id,
        proposals=proposals,
    )


def _may_have(key: str, context: RuleContext) -> bool:
    return key in context.fallback_keys and context.distinct.key_is_free(key)

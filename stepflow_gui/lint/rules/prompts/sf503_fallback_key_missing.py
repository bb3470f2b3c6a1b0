"""SF503 fallback-key-missing.

What it does: reports a step without fallbackKey, in a registry whose steps have one.

Why is this bad: where the step's prompt file is missing, or a variable of it is empty, nothing replaces it and the run
stops. `climpt --validate` refuses the registry.

Fix: write the key of the built-in prompt for such a step.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import ERROR, REMOVED, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.prompts.key_meant import key_meant

RULE = Rule("SF503", "fallback-key-missing", WARNING, formats=("closing",), looks_at=STEP, defers_to=("SF506",))

BAD = changed({"/steps/initial.issue/fallbackKey": REMOVED})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """An error where the prompt file doesn't exist either; then SF506 says both."""
    if step.is_section or step.raw.get("fallbackKey") is not None:
        return
    bare = context.prompts.known and context.prompts.of(step) is None
    text = _("“{step}” has no fallbackKey: nothing replaces its prompt file if that can't be used")
    yield Finding(
        text.format(step=step.id),
        step.key_span,
        step.pointer,
        step.id,
        severity=ERROR if bare else WARNING,
        proposals=_proposals(step, context),
        cause=("prompt", step.id),
    )


def _proposals(step: Step, context: RuleContext) -> Iterator[Proposal]:
    key = key_meant(step.id, step, context.fallback_keys, context.nearest)
    if key and "fallbackKey" not in step.raw:
        title = _("Write “{word}”").format(word=f"fallbackKey: {key}")
        yield from put(context.registry, step.pointer, "fallbackKey", key, title)

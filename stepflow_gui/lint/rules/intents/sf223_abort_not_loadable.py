"""SF223 abort-not-loadable.

What it does: reports `abort` in `allowedIntents`, or as `fallbackIntent`, of a step that has a kind.

Why is this bad: the guide allows `abort` in every step. climpt's loader has it in no kind's list of intents and refuses
to load a registry that names it.

Fix: leave it out.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.intents.contract_fixes import take_out
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ERROR, FLAT_KINDS, FLOW, INFO, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule(
    "SF223", "abort-not-loadable", ERROR, formats=FLAT_KINDS, looks_at=FLOW, defers_to=("SF224", "SF207", "SF205")
)

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/allowedIntents": ["next", "repeat", "abort"],
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["next", "repeat", "abort"],
    }
)
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Look at what the loader looks at."""
    yield from merge_infos(context.each(RULE.code, lambda step: _of_step(step, context)), RULE, context)


def _of_step(step: Step, context: RuleContext) -> Iterator[Finding]:
    if step.gate is None or step.kind is None:
        return
    contract = context.contract(step)
    texts = {
        "allowed": _(
            "“{step}” lists “abort”, which the guide always allows, but the loader in no {kind} step: {outcome}"
        ),
        "fallback": _(
            "The fallbackIntent of “{step}” is “abort”, which the guide allows, but the loader in no {kind} step:"
            " {outcome}"
        ),
    }
    for word in contract.words():
        if word.value == "abort" and word.column in texts:
            yield Finding(
                texts[word.column].format(step=step.id, kind=step.kind, outcome=registry_refused(context)),
                word.span,
                word.pointer,
                step=step.id,
                severity=INFO if context.settings.guide else ERROR,
                proposals=take_out(contract, "abort", context, ("enum", "allowed", "fallback")),
                cause=contract.cause(word),
            )

"""SF224 intent-literal.

What it does: reports entries of `allowedIntents` that are an intent but for letter case or blanks (`NEXT`, ` next`).

Why is this bad: entries are compared as they are written with the gate's lower-case intents. Such an entry can never
match, so every answer that means it is refused.

Fix: write the intent.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rules.intents.contract_fixes import rewrite
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed

RULE = Rule("SF224", "intent-literal", ERROR, formats=GATE, looks_at=STEP)

BAD = changed({"/steps/initial.issue/structuredGate/allowedIntents": ["NEXT", "repeat"]})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at the entries of allowedIntents."""
    contract = context.contract(step)
    for word in contract.allowed or ():
        if word.reading == "literal":
            yield Finding(
                _("“{step}” allows “{word}”, which can never match as written: write “{intent}”").format(
                    step=step.id, word=word.value, intent=word.intent
                ),
                word.span,
                word.pointer,
                step=step.id,
                proposals=rewrite(contract, word.intent, word.intent, context, safe=True),
                cause=contract.cause(word),
            )

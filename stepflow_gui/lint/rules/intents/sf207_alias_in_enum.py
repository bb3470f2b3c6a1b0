"""SF207 alias-in-enum.

What it does: reports aliases (`continue`, `retry`, `done`, …) where an intent should be: in the enum,
`allowedIntents`, `transitions` and `fallbackIntent`.

Why is this bad: the gate turns an alias into its intent before it looks anything up. So an allowed alias never matches,
a transition under an alias is never followed, and an enum of aliases no longer says what is allowed.

Fix: write the intent.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import Word
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rules.intents.contract_fixes import rewrite
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import gate_refused
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from

RULE = Rule("SF207", "alias-in-enum", WARNING, formats=GATE, looks_at=STEP, defers_to=("SF224",))

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/allowedIntents": ["continue", "repeat"],
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["continue", "repeat"],
    }
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every word."""
    if step.gate is None:
        return
    contract = context.contract(step)
    for word in contract.words():
        if word.reading == "alias":
            yield Finding(
                _message(word).format(step=step.id, alias=word.value, intent=word.intent)
                + (gate_refused(step, context) if word.column in {"allowed", "fallback"} else ""),
                word.span,
                word.pointer,
                step=step.id,
                document=word.document,
                sides=taken_from(step, context) if word.column == "enum" else (),
                severity=_severity(word, step, context),
                proposals=rewrite(contract, word.intent, word.intent, context, safe=True),
                cause=contract.cause(word),
            )


def _severity(word: Word, step: Step, context: RuleContext) -> Severity:
    if context.format == "complete":
        return WARNING
    # The loader holds fallbackIntent against the kind's intents, in which there are no aliases.
    refused = word.column == "allowed" or (word.column == "fallback" and step.kind is not None)
    return ERROR if refused else WARNING


def _message(word: Word) -> str:
    return {
        "allowed": _("“{step}” allows “{alias}”, an alias of “{intent}”: the gate never finds it, write “{intent}”"),
        "enum": _(
            "The output schema of “{step}” offers “{alias}”, an alias: the gate reads it as “{intent}”, write that"
        ),
        "transitions": _(
            "“{step}” has a transition for “{alias}”, an alias of “{intent}”: it is never followed; write “{intent}”"
        ),
        "fallback": _("The fallbackIntent of “{step}” is “{alias}”, an alias of “{intent}”: write “{intent}”"),
    }[word.column]

"""SF205 intent-unknown.

What it does: reports words in the enum, `allowedIntents`, `transitions` and `fallbackIntent` that are none of the
format's intents, and allowed intents that the configured runtime doesn't know.

Why is this bad: the intents are fixed. An answer that is none of them stops the run, an allowed intent that is none
can never match, and a transition for one is never followed.

Fix: write the intent that was meant.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import aliases_of, intents_of
from stepflow_gui.lint.contract import Contract, Word
from stepflow_gui.lint.rules.intents.contract_fixes import rewrite
from stepflow_gui.lint.rules.intents.gate_reading import stops_unread
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import gate_refused
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from

RULE = Rule("SF205", "intent-unknown", ERROR, formats=GATE, looks_at=STEP, defers_to=("SF224", "SF207"))

BAD = changed(
    {
        "/steps/initial.issue/structuredGate/allowedIntents": ["nxet", "repeat"],
        "/steps/initial.issue/transitions": {
            "nxet": {"target": "continuation.issue"},
            "repeat": {"target": "initial.issue"},
        },
        "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["nxet", "repeat"],
    }
)
GOOD = changed()


_OTHER_WORDS = frozenset({"complete", "completed", "closing", "handoff"})  # other formats' words for the end


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every word."""
    if step.gate is None:
        return
    contract = context.contract(step)
    known = set(context.era.words.values()) if context.era.gates else set(intents_of(context.format))
    for word in contract.words():
        if word.reading == "intent" and word.intent not in known and word.column in {"allowed", "fallback"}:
            yield _of_another_era(word, step, context, contract)
        elif word.reading == "unknown":
            meant = _meant(word, step, context)
            refused = gate_refused(step, context) if word.column in {"allowed", "fallback"} else ""
            text = _message(word, meant, refused, stops=stops_unread(step, context))
            yield Finding(
                text.format(step=step.id, intent=word.value, meant=meant),
                word.span,
                word.pointer,
                step=step.id,
                document=word.document,
                sides=taken_from(step, context) if word.column == "enum" else (),
                proposals=rewrite(contract, word.intent, meant, context) if meant else (),
                cause=contract.cause(word),
                misspelt=bool(meant) and word.value not in _OTHER_WORDS,
            )


def _of_another_era(word: Word, step: Step, context: RuleContext, contract: Contract) -> Finding:
    text = {
        "allowed": _("“{step}” allows “{intent}”, which {era} doesn't know: no answer can ever match it"),
        "fallback": _("The fallbackIntent “{intent}” of “{step}” is not an intent that {era} knows: it is never used"),
    }[word.column]
    message = text.format(step=step.id, intent=word.value, era=context.era.name) + gate_refused(step, context)
    return Finding(message, word.span, word.pointer, step=step.id, cause=contract.cause(word))


def _meant(word: Word, step: Step, context: RuleContext) -> str | None:
    intents = intents_of(context.format)
    if word.value.strip().lower() in intents:
        return word.value.strip().lower()
    if word.value in _OTHER_WORDS:
        if context.format == "complete":
            return "complete"
        return "closing" if step.kind == "closure" else "handoff"
    return context.nearest(RULE.code, word.value, intents) or _of_alias(word, context)


def _of_alias(word: Word, context: RuleContext) -> str | None:
    aliases = aliases_of(context.format)
    near = context.nearest(RULE.code, word.value, aliases)
    return aliases[near] if near else None


def _message(word: Word, meant: str | None, refused: str, *, stops: bool) -> str:
    """The message about a word; `refused`: what the loader does; `stops`: an answer without an intent stops the run."""
    text = {
        "allowed": _("“{step}” allows “{intent}”, which isn't an intent: no answer can ever match it"),
        "enum": (
            _("The output schema of “{step}” offers “{intent}”, which isn't an intent: that answer stops the run")
            if stops
            else _("The output schema of “{step}” offers “{intent}”, which isn't an intent: that answer selects none")
        ),
        "transitions": _("“{step}” has a transition for “{intent}”, which isn't an intent: it is never followed"),
        "fallback": _("The fallbackIntent “{intent}” of “{step}” is not an intent: it is never used"),
    }[word.column]
    text += refused
    return text + _(". Did you mean “{meant}”?") if meant else text

"""SF203 allowed-without-transition.

What it does: reports intents in `allowedIntents` for which the step has no transition, or one whose target is empty,
where the comparison of the schema with the transitions doesn't say it already.

Why is this bad: for `handoff`, `escalate`, a `jump` that names no target and a `next` without a continuation the runner
has nowhere to go and stops. `repeat` and `closing` work without a rule; a rule says what is meant. climpt 1.14 (a
pre-release) refuses to start an agent in which an allowed intent has no transition, whatever the intent.

Fix: add the transition, or don't allow the intent.
"""

from collections.abc import Iterator

from stepflow_gui.lint.contract import Contract, Word
from stepflow_gui.lint.rules.fixes import guesses
from stepflow_gui.lint.rules.intents.contract_fixes import take_out
from stepflow_gui.lint.rules.intents.unrouted import has_rule, is_refused_empty, unrouted
from stepflow_gui.lint.rules.once import Remark, merge_remarks
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, INFO, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.text.document import Place

RULE = Rule(
    "SF203",
    "allowed-without-transition",
    ERROR,
    formats=GATE,
    looks_at=FLOW,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201", "SF202", "SF310", "SF321"),
)

BAD = changed({"/steps/continuation.issue/transitions/next/target": ""}, base="complete")
GOOD = changed()

WORKS_WITHOUT = ("repeat", "closing", "complete")


def check(context: RuleContext) -> Iterator[Finding]:
    """Errors one by one; what works without a rule is reported once."""
    remarks: list[Remark] = []
    for step, word in context.each(RULE.code, lambda step: _without_rule(step, context)):
        contract = context.contract(step)
        severity, consequence = unrouted(word.intent, step, context)
        if severity == ERROR:
            yield _nowhere(word, consequence, contract, context)
        elif word.intent in WORKS_WITHOUT and contract.enum is None:
            remarks.append(_remark(word, consequence, contract))
    several = _("{count} allowed intents have no transition, first in “{step}”: {era} runs without them")
    for finding in merge_remarks(remarks, several.replace("{era}", context.climpt.name)):
        yield finding._replace(severity=INFO)


def _without_rule(step: Step, context: RuleContext) -> Iterator[tuple[Step, Word]]:
    contract = context.contract(step)
    for word in contract.allowed or () if contract.transitions is not None else ():
        lacks = word.reading == "intent" and word.intent != "abort" and not has_rule(step, word.intent)
        if lacks and not is_refused_empty(step, word.intent, context):
            yield step, word


def _nowhere(word: Word, consequence: str, contract: Contract, context: RuleContext) -> Finding:
    rule = contract.step.transition(word.intent)
    empty = rule.target if rule is not None else None
    message = (
        _("“{step}” allows “{intent}”, and the target of its transition is empty: {consequence}")
        if empty is not None
        else _("“{step}” allows “{intent}” and has no transition for it: {consequence}")
    )
    place = empty or word
    return Finding(
        message.format(step=contract.step.id, intent=word.value, consequence=consequence),
        place.span,
        place.pointer,
        step=contract.step.id,
        proposals=guesses(take_out(contract, word.intent, context)),  # or the transition is missing
        cause=contract.cause(word),
    )


def _remark(word: Word, consequence: str, contract: Contract) -> Remark:
    message = _("“{step}” allows “{intent}” and has no transition for it: {consequence}")
    text = message.format(step=contract.step.id, intent=word.value, consequence=consequence)
    return Remark(text, text, Place(word.document, word.pointer, word.span), contract.step.id)

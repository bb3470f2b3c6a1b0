"""SF201 enum-transition-mismatch.

What it does: compares the intents that a step's output schema lets the model answer with the keys of `transitions`.
Each one that is on one side only is reported, with both places.

Why is this bad: the enum is what is sent to the model, the keys are what its answer is looked up in. An answer without
a transition ends the run where `next`, `jump`, `handoff` or `escalate` was meant to continue; a transition whose intent
the enum doesn't offer can never be taken, and the part of the flow behind it is dead.

Fix: add the missing transition or the missing value, or remove the extra one.
"""

from collections.abc import Iterator
from itertools import chain

from stepflow_gui.lint.contract import Contract, Word
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import guesses
from stepflow_gui.lint.rules.intents.columns import LEADS_ON
from stepflow_gui.lint.rules.intents.contract_fixes import add_transition, allow, take_out
from stepflow_gui.lint.rules.intents.unrouted import unrouted
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule(
    "SF201",
    "enum-transition-mismatch",
    ERROR,
    formats=GATE,
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206"),
)

BAD = changed(
    {"issue.schema.json#/continuation.issue/properties/next_action/properties/action/enum": ["next", "repeat"]}
)
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Compare in both directions."""
    contract = context.contract(step)
    if contract.enum is None or contract.transitions is None or step.gate is None:
        return
    if any(word.reading == "placeholder" for word in (*contract.enum, *contract.transitions)):
        return
    ruled = {word.value for word in contract.transitions}
    offered = {_offer(word, context) for word in contract.enum}
    seen: set[str] = set()
    for word in contract.enum:
        meant = _offer(word, context)
        if meant not in ruled and meant != "abort" and meant not in seen:
            seen.add(meant)
            yield _without_transition(word, step, context, contract)
    for word in contract.transitions:
        if word.value not in offered and word.value not in seen:
            seen.add(word.value)
            yield _never_answered(word, step, context, contract)


def _offer(word: Word, context: RuleContext) -> str:
    # The gate lower-cases an answer; aliases count as their intent where the format says so (seed 002).
    if word.reading == "literal" or (word.reading == "alias" and context.format == "complete"):
        return word.intent
    return word.value


def _without_transition(word: Word, step: Step, context: RuleContext, contract: Contract) -> Finding:
    severity, consequence = unrouted(word.intent, step, context)
    added = _added(word.intent, step, context, contract)
    removed = take_out(contract, word.intent, context)
    text = _("The output schema of “{step}” offers “{intent}”, but transitions has no rule for it: {consequence}")
    proposals = chain(added, guesses(removed))
    if contract.allowed and word.intent not in {each.intent for each in contract.allowed}:  # it never gets that far
        text = _("The output schema of “{step}” offers “{intent}”, which isn't allowed and has no rule: {consequence}")
        proposals = chain(take_out(contract, word.intent, context), added)
        if context.format == "complete":
            consequence = _("the gate uses another intent")
        else:
            severity, consequence = ERROR, registry_refused(context)
    # An alias that is read as its intent keeps this fault once the intent is written.
    stays = word.reading == "alias" and context.format == "complete"
    pointer = f"{step.pointer}/transitions"
    assert step.transitions_node is not None
    return Finding(
        text.format(step=step.id, intent=word.value, consequence=consequence),
        context.registry.tree.key_span(pointer) or step.transitions_node.span,
        pointer,
        step=step.id,
        severity=severity,
        sides=[Side(word.document, word.span, word.pointer, _("the enum offers it here"))],
        proposals=proposals,
        cause=None if stays else contract.cause(word),
    )


def _added(intent: str, step: Step, context: RuleContext, contract: Contract) -> Iterator[Proposal]:
    """The transition where there is no doubt about its target."""
    topic = step.id.partition(".")[2]
    closures = [each.id for each in context.flow.steps.values() if each.kind == "closure"]
    likely = {
        "next": [f"continuation.{topic}"],
        "repeat": [step.id],
        "handoff": closures if len(closures) == 1 else [f"closure.{topic}"],
        "complete": [f"complete.{topic}"],
    }.get(intent, [])
    if intent == "closing":
        yield from add_transition(contract, intent, None, context)
    for target in likely:
        if target in context.flow.steps:
            yield from guesses(add_transition(contract, intent, target, context))


def _never_answered(word: Word, step: Step, context: RuleContext, contract: Contract) -> Finding:
    assert contract.enum_place is not None
    needed = word.value in LEADS_ON and any(each.intent == word.value for each in contract.allowed or ())
    enum = contract.enum_place
    return Finding(
        _(
            "“{step}” has a transition for “{intent}”, which its output schema doesn't offer: the model can never"
            " answer it"
        ).format(step=step.id, intent=word.value),
        word.span,
        word.pointer,
        step=step.id,
        severity=ERROR if needed else WARNING,
        sides=[Side(enum.document, enum.span, enum.pointer, _("the enum of the output schema"))],
        proposals=chain(allow(contract, word.intent, context), take_out(contract, word.intent, context)),
        cause=contract.cause(word),
    )

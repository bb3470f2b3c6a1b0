"""SF206 intent-kind-mismatch.

What it does: reports intents that a step of this kind may not emit. `stepKind` says the kind, else `c2` does: work
steps may emit next, repeat, jump and handoff; verification steps next, repeat, jump and escalate; closure steps closing
and repeat.

Why is this bad: climpt refuses to load a registry whose `allowedIntents` or `fallbackIntent` holds one. Elsewhere it
has no effect: only closure steps close the flow, and a verification can't skip the closure.

Fix: use the intent that the kind has for this, or change the step's kind.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, KIND_OF_C2, kinds_emitting
from stepflow_gui.lint.contract import Contract, Word
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import guesses
from stepflow_gui.lint.rules.intents.columns import READ
from stepflow_gui.lint.rules.intents.contract_fixes import rewrite, take_out
from stepflow_gui.lint.rules.prelude import ERROR, KINDS, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused
from stepflow_gui.lint.rules.schemas.schema_faults import taken_from
from stepflow_gui.lint.rules.steps.phases import phase_of

RULE = Rule(
    "SF206",
    "intent-kind-mismatch",
    ERROR,
    formats=KINDS,
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223"),
)

BAD = changed({"/steps/initial.issue/structuredGate/allowedIntents": ["next", "repeat", "closing"]})
GOOD = changed()

# What a step of the kind uses where another kind would use that intent.
INSTEAD = {
    ("work", "closing"): ("handoff",),
    ("work", "escalate"): ("next", "jump"),
    ("verification", "closing"): ("next", "jump"),
    ("verification", "handoff"): ("next", "jump"),
    ("closure", "next"): ("repeat",),
    ("closure", "jump"): ("repeat",),
    ("closure", "handoff"): ("closing",),
    ("closure", "escalate"): ("repeat",),
}


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Look at every word that is an intent."""
    if step.gate is None or step.kind not in INTENTS_OF_KIND:
        return
    contract = context.contract(step)
    for word in contract.words():
        if word.reading not in READ or word.intent == "abort" or word.intent in INTENTS_OF_KIND[step.kind]:
            continue  # of a word that only means an intent SF207 and SF224 speak; this stays once it is mended
        if word.column == "enum" and (contract.allowed is not None or contract.transitions is not None):
            continue  # SF201 and SF202 say it
        yield _finding(word, step, step.kind, context)


def _finding(word: Word, step: Step, kind: str, context: RuleContext) -> Finding:
    contract = context.contract(step)
    instead = INSTEAD[kind, word.intent]
    refused = word.column in {"allowed", "fallback"}
    proposals = _proposals(word, instead, contract, context)
    return Finding(
        _message(word).format(
            step=step.id,
            kind=kind,
            outcome=registry_refused(context),
            intent=word.intent,
            kinds=_(" or ").join(kinds_emitting(word.intent)),
            instead=_(" or ").join(_("“{word}”").format(word=each) for each in instead),
        ),
        word.span,
        word.pointer,
        step=step.id,
        document=word.document,
        sides=taken_from(step, context) if word.column == "enum" else (),
        severity=ERROR if refused else WARNING,
        proposals=guesses(proposals) if _kind_is_alone(step, word.intent, context) else proposals,
        cause=contract.cause(word),
    )


def _kind_is_alone(step: Step, intent: str, context: RuleContext) -> bool:
    """Whether id and c2 speak of another kind, which may emit the intent: then the kind is the likelier slip."""
    meant = KIND_OF_C2.get(step.c2.value) if step.c2 else None
    if step.explicit_kind is None or meant is None or meant == step.kind or step.c2 is None:
        return False
    return phase_of(step, context.flow) == step.c2.value and intent in INTENTS_OF_KIND[meant]


def _leads_on(step: Step, intent: str) -> bool:
    """Whether an edge to another step would go with the intent."""
    rule = step.transition(intent)
    return rule is not None and bool(rule.target or rule.cases)


def _message(word: Word) -> str:
    if word.column == "allowed":
        return _(
            "“{step}” is a {kind} step and may not emit “{intent}”: only {kinds} steps may, a {kind} step uses"
            " {instead}. {outcome}"
        )
    if word.column == "fallback":
        return _(
            "The fallbackIntent of “{step}” is “{intent}”, which only {kinds} steps may emit; this is a {kind} step."
            " {outcome}"
        )
    if word.column == "transitions":
        return _(
            "“{step}” is a {kind} step and may not emit “{intent}”: only {kinds} steps may, a {kind} step uses"
            " {instead}. This transition is never followed"
        )
    return _(
        "“{step}” is a {kind} step, and its output schema offers “{intent}”: only {kinds} steps may emit it, a {kind}"
        " step uses {instead}"
    )


def _proposals(word: Word, instead: tuple[str, ...], contract: Contract, context: RuleContext) -> Iterator[Proposal]:
    offered = {each.value for each in contract.enum or ()}
    ruled = {each.intent for each in contract.transitions or ()}
    for intent in instead:
        lacks_rule = word.column == "transitions" and intent not in ruled and intent in offered
        if lacks_rule or (not contract.allows(intent) and (contract.enum is None or offered & {word.value, intent})):
            yield from rewrite(contract, word.intent, intent, context)
    removals = take_out(contract, word.intent, context)
    yield from guesses(removals) if _leads_on(contract.step, word.intent) else removals

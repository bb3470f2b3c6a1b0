"""SF202 enum-allowed-mismatch.

What it does: compares the intents that a step's output schema lets the model answer with `allowedIntents`. Each one
that is on one side only is reported, with both places.

Why is this bad: climpt compares the two when it loads the registry and refuses to run it where they differ. In the
older format with `complete` the registry loads, and the gate replaces an answer that isn't allowed by another intent.

Fix: add the missing value, or remove the extra one.
"""

from collections.abc import Iterator
from itertools import chain

from stepflow_gui.lint.contract import Contract, Word
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.intents.contract_fixes import allow, rewrite, take_out
from stepflow_gui.lint.rules.prelude import ERROR, GATE, STEP, WARNING, Finding, Rule, RuleContext, Step, _, changed
from stepflow_gui.lint.rules.refusals import registry_refused

RULE = Rule(
    "SF202",
    "enum-allowed-mismatch",
    ERROR,
    formats=GATE,
    looks_at=STEP,
    defers_to=("SF224", "SF207", "SF205", "SF223", "SF206", "SF201"),
)

BAD = changed({"/steps/initial.issue/structuredGate/allowedIntents": ["next"]})
GOOD = changed()


def check(step: Step, context: RuleContext) -> Iterator[Finding]:
    """Compare in both directions, as written."""
    contract = context.contract(step)
    if contract.enum is None or not contract.allowed:
        return  # a gate that allows nothing at all is SF219's
    if any(word.reading == "placeholder" for word in (*contract.enum, *contract.allowed)):
        return
    tolerated = context.format == "complete"
    severity = WARNING if tolerated else ERROR
    offered = {word.value for word in contract.enum}
    allowed = {word.value for word in contract.allowed}
    for word in _once(contract.allowed):
        if word.value not in offered:
            yield _not_offered(word, step, context, severity)
    for word in _once(contract.enum):
        if word.value not in allowed:
            yield _not_allowed(word, step, context, severity)


def _once(words: list[Word]) -> Iterator[Word]:
    seen: set[str] = set()
    for word in words:
        if word.value not in seen:
            seen.add(word.value)
            yield word


def _not_offered(word: Word, step: Step, context: RuleContext, severity: Severity) -> Finding:
    contract = context.contract(step)
    assert contract.enum_place is not None
    enum = contract.enum_place
    message = (
        _("“{step}” allows “{intent}”, which its output schema doesn't offer: {outcome}")
        if severity == ERROR
        else _("“{step}” allows “{intent}”, which its output schema doesn't offer: the model can never answer it")
    )
    return Finding(
        message.format(step=step.id, intent=word.value, outcome=registry_refused(context)),
        word.span,
        word.pointer,
        step=step.id,
        severity=severity,
        sides=[Side(enum.document, enum.span, enum.pointer, _("the enum of the output schema"))],
        proposals=chain(
            _respelt(contract, word.intent, context),
            take_out(contract, word.intent, context),
            allow(contract, word.intent, context),
        ),
        cause=contract.cause(word),
    )


def _respelt(contract: Contract, intent: str, context: RuleContext) -> Iterator[Proposal]:
    """Write the intent where the enum has it in other letters: to take it out would take away what is meant."""
    if any(word.intent == intent and word.reading == "literal" for word in contract.enum or ()):
        yield from rewrite(contract, intent, intent, context)


def _not_allowed(word: Word, step: Step, context: RuleContext, severity: Severity) -> Finding:
    contract = context.contract(step)
    assert step.gate is not None
    assert step.gate.intents_node is not None
    message = (
        _("The output schema of “{step}” offers “{intent}”, which isn't allowed: {outcome}")
        if severity == ERROR
        else _("The output schema of “{step}” offers “{intent}”, which isn't allowed: the gate uses another intent")
    )
    return Finding(
        message.format(step=step.id, intent=word.value, outcome=registry_refused(context)),
        step.gate.intents_node.span,
        pointer=f"{step.gate.pointer}/allowedIntents",
        step=step.id,
        severity=severity,
        sides=[Side(word.document, word.span, word.pointer, _("the enum offers it here"))],
        proposals=chain(
            _respelt(contract, word.intent, context),
            allow(contract, word.intent, context),
            take_out(contract, word.intent, context),
        ),
        cause=contract.cause(word),
    )

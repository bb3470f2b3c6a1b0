"""Fixes of a step's contract: an intent put, renamed or taken out in every column at once, over the files they are in.

Every column in which it would be one-sided otherwise is changed along, so a fix leaves no new mismatch behind.
"""

from collections.abc import Callable, Iterator

from stepflow_gui.formats.climpt.vocabulary import INTENTS_OF_KIND, intents_of
from stepflow_gui.lint.contract import Column, Contract, Word
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.intents.columns import Changed, worsens
from stepflow_gui.lint.rules.prelude import RuleContext, _
from stepflow_gui.text.document import ParsedFile, Place
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonTree, JsonValue

DocumentEdits = list[tuple[ParsedFile, TextEdit]]


def rewrite(
    contract: Contract, intent: str, to: str, context: RuleContext, *, safe: bool = False
) -> Iterator[Proposal]:
    """Write `to` wherever a word for the intent stands; where the column has `to` already, the word goes.

    What only another spelling is of goes along in the steps that read the same enum. Else an enum keeps the intent
    where another step needs it; it must then offer `to` already.
    """
    shared = _is_needed_elsewhere(contract, intent, context)
    spelling = to == intent or intent not in intents_of(context.format)
    if shared and not spelling and not any(word.value == to for word in contract.enum or ()):
        return
    edits: DocumentEdits = []
    after: Changed = {}
    for each in [contract, *(context.sharing_enum(contract) if shared and spelling else ())]:
        for column, words in _columns(each):
            if column == "enum" and (each is not contract or (shared and not spelling)):
                continue
            wrong = [word for word in words if word.intent == intent and word.value != to]
            there = any(word.value == to for word in words)
            if each is contract and wrong:
                written = [] if there else [wrong[0]._replace(value=to, intent=to)]
                after[column] = (*(word for word in words if word not in wrong), *written)
            if wrong and not there:
                edits += [(wrong[0].document, TextEdit(*wrong[0].span, f'"{to}"'))]
                wrong = wrong[1:]
            edits += _removed(wrong)
    if (spelling and to == intent) or not _worsens(contract, after, context, along=shared and spelling):
        yield from _proposal(_("Write “{word}”").format(word=to), sorted(edits, key=_place), safe)


def take_out(
    contract: Contract,
    intent: str,
    context: RuleContext,
    columns: tuple[Column, ...] = ("enum", "allowed", "transitions"),
) -> Iterator[Proposal]:
    """Take the intent out of these columns; of an enum not where another step that reads the same one needs it."""
    if _is_needed_elsewhere(contract, intent, context):
        columns = tuple(column for column in columns if column != "enum")
    edits: DocumentEdits = []
    after: Changed = {}
    for column, words in _columns(contract):
        wrong = [word for word in words if word.intent == intent and column in columns]
        if wrong:
            after[column] = tuple(word for word in words if word not in wrong)
        edits += _removed(wrong)
    if not _worsens(contract, after, context):
        yield from _proposal(_("Remove “{word}”").format(word=intent), edits)


def allow(contract: Contract, intent: str, context: RuleContext) -> Iterator[Proposal]:
    """Add the intent to the enum and to allowedIntents, to whichever lacks it; not one that its kind can't emit."""
    if not _fits(contract, intent, context):
        return
    from stepflow_gui.text.json.edit import insert_item

    edits: DocumentEdits = []
    after: Changed = {}
    step, place = contract.step, contract.enum_place
    if place and not any(word.value == intent for word in contract.enum or ()):
        edits += _edits(place.document, lambda tree: insert_item(tree, place.pointer, intent))
        after["enum"] = (*(contract.enum or ()), Word(intent, "enum", "intent", intent, place.document, place))
    if contract.allowed is not None and step.gate and not contract.allows(intent):
        edits += _allowed(contract, intent, after)
    if not _worsens(contract, after, context):
        yield from _proposal(_("Allow “{intent}” in the schema and the gate").format(intent=intent), edits)


def add_transition(contract: Contract, intent: str, target: str | None, context: RuleContext) -> Iterator[Proposal]:
    """Add a transition where there is none, and allow its intent; a target of None is the end."""
    if contract.step.transition(intent) or not _fits(contract, intent, context):
        return
    from stepflow_gui.text.json.edit import insert_member

    rule: JsonValue = {"target": target}
    step = contract.step
    pointer = f"{step.pointer}/transitions"
    edits = _edits(contract.registry, lambda tree: insert_member(tree, pointer, intent, rule))
    here = Place(contract.registry, pointer, step.key_span)
    added = Word(intent, "transitions", "intent", intent, contract.registry, here)
    after: Changed = {"transitions": (*(contract.transitions or ()), added)}
    if contract.allowed is not None and step.gate and not contract.allows(intent):
        edits += _allowed(contract, intent, after)
    title = (
        _("Add a transition “{intent}” that ends the run")
        if target is None
        else _("Add a transition “{intent}” to “{target}”")
    )
    if not _worsens(contract, after, context):
        yield from _proposal(title.format(intent=intent, target=target), edits)


def _allowed(contract: Contract, intent: str, after: Changed) -> DocumentEdits:
    """Add the intent to allowedIntents, in the text and in the columns as they are to be."""
    from stepflow_gui.text.json.edit import insert_item

    assert contract.step.gate is not None
    pointer = f"{contract.step.gate.pointer}/allowedIntents"
    here = Place(contract.registry, pointer, contract.step.key_span)
    added = Word(intent, "allowed", "intent", intent, contract.registry, here)
    after["allowed"] = (*(contract.allowed or ()), added)
    return _edits(contract.registry, lambda tree: insert_item(tree, pointer, intent))


def _worsens(contract: Contract, after: Changed, context: RuleContext, *, along: bool = False) -> bool:
    """Whether a fix leaves a new mismatch; the steps that read the same enum count unless they are changed along."""
    return worsens(contract, after, () if along else context.unlike_sharing(contract))


def _place(edit: tuple[ParsedFile, TextEdit]) -> tuple[str, TextEdit]:
    """The same fix is offered by each of the steps: it is known by its edits in one order."""
    return str(edit[0].path), edit[1]


def _fits(contract: Contract, intent: str, context: RuleContext) -> bool:
    """Whether the step may emit it; “abort” is allowed by the guide and refused by upstream's loaders (SF223)."""
    kind = contract.step.kind
    if kind not in INTENTS_OF_KIND:
        return True
    return intent in INTENTS_OF_KIND[kind] or (intent == "abort" and context.settings.guide)


def _is_needed_elsewhere(contract: Contract, intent: str, context: RuleContext) -> bool:
    if not any(word.intent == intent for word in contract.enum or ()):
        return False
    return any(other.names(intent) for other in context.unlike_sharing(contract))


def _columns(contract: Contract) -> Iterator[tuple[Column, list[Word]]]:
    yield "enum", contract.enum or []
    yield "allowed", contract.allowed or []
    yield "transitions", contract.transitions or []
    yield "fallback", [contract.fallback] if contract.fallback else []


def _removed(words: list[Word]) -> DocumentEdits:
    from stepflow_gui.text.json.edit import remove

    if not words:
        return []
    return _edits(words[0].document, lambda tree: remove(tree, *(word.pointer for word in words)))


def _edits(document: ParsedFile, change: Callable[[JsonTree], list[TextEdit]]) -> DocumentEdits:
    return [(document, edit) for edit in change(document.tree)]


def _proposal(title: str, edits: DocumentEdits, safe: bool = False) -> Iterator[Proposal]:
    # In a text with mistakes nothing is inserted or taken out: what is meant there isn't certain.
    if edits and all(document.tree.valid for document, _edit in edits):
        yield Proposal(title, tuple(edits), safe)

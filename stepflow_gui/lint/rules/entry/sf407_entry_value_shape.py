"""SF407 entry-value-shape.

What it does: reports values of `entryStepMapping` that aren't the id of a step, such as a pair of an initial and a
continuation step.

Why is this bad: climpt takes whatever isn't the name of a step for an unknown one and refuses to load the registry.
climpt 1.14 (a pre-release) reads pairs alone: there a text, or a pair without one of its sides, is refused. Pairs
together with steps that have neither `kind` nor `address` were a form of a few days: no climpt loads it.

Fix: write the id of the step that the run begins with; for climpt 1.14 a pair of an initial and a continuation step.
`stepflow convert` rewrites a file that has pairs throughout.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.entry_pairs import SIDES, continuation_of
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.document.json_types import a_kind
from stepflow_gui.lint.rules.entry.verdicts import outcome_of_entry
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import ADDRESSED, ERROR, FLOW, GATE, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.json.tree import JsonValue, Member
from stepflow_gui.text.pointer import join

RULE = Rule("SF407", "entry-value-shape", ERROR, formats=GATE, looks_at=FLOW)

BAD = changed({"/entryStepMapping/count:iteration": {"initial": "initial.issue"}})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """What entryStep is of another type is SF004's."""
    root = context.registry.root
    mapping = root.get("entryStepMapping") if root else None
    members = mapping.members() if mapping else []
    if context.format in ADDRESSED and (context.settings.guide or context.era.entry_pairs):
        yield from (_no_pair(each, sides, context) for each in members if (sides := _lacking(each)))
        return
    others = [each for each in members if each.value.kind != "string"]
    if context.format == "entry-pair" and context.settings.runtime is None:
        pairs = [each for each in others if each.value.kind == "object"]
        if pairs:
            yield _of_no_climpt(pairs, context)
        yield from (_no_pair(each, sides, context) for each in pairs if (sides := _lacking(each)))
        others = [each for each in others if each not in pairs]
    yield from (_finding(each, context) for each in others)


def _of_no_climpt(pairs: list[Member], context: RuleContext) -> Finding:
    """Once a file: all its entries are in the form of that branch."""
    text = _(
        "The entries are pairs of steps, as climpt-1.14 reads them, and the steps have neither kind nor address: no"
        " climpt loads such a registry. “stepflow convert” rewrites it"
    )
    also = _("the entry for “{type}” as well")
    places = [
        Side(context.registry, each.value.span, join("/entryStepMapping", each.key), also.format(type=each.key))
        for each in pairs
    ]
    if context.flow.steps_span is not None:
        places.append(Side(context.registry, context.flow.steps_span, "/steps", _("no step has a kind and an address")))
    return merge_places(text, places)._replace(is_read=True)


def _lacking(member: Member) -> list[str]:
    """The sides of a pair that don't exist; both where it is none."""
    pair = member.value.value if member.value.kind == "object" else {}
    return [side for side in SIDES if not isinstance(pair.get(side), str) or not pair[side]]


def _no_pair(member: Member, lacking: list[str], context: RuleContext) -> Finding:
    pointer, value = join("/entryStepMapping", member.key), member.value.value
    message = _("The entry for “{type}” is {kind}, not a pair of steps: climpt-1.14 refuses to load the registry")
    if isinstance(value, dict):
        message = _("The entry for “{type}” has no step as “{side}”: climpt-1.14 refuses to load the registry")
    text = message.format(type=member.key, kind=a_kind(value), side=lacking[0])
    named = value if isinstance(value, str) else value.get("initial") if isinstance(value, dict) else None
    # What the other side is meant to be only the author knows.
    proposals = _paired(pointer, named, context, guess=isinstance(value, dict)) if isinstance(named, str) else ()
    return Finding(text, member.value.span, pointer, proposals=proposals)


def _paired(pointer: str, first: str, context: RuleContext, *, guess: bool) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid and first in context.flow.steps:
        pair: dict[str, JsonValue] = {"initial": first, "continuation": continuation_of(first, context.flow)}
        edits = set_value(registry.tree, pointer, pair)
        yield Proposal(_("Write a pair of steps"), tuple((registry, edit) for edit in edits), guess=guess)


def _finding(member: Member, context: RuleContext) -> Finding:
    first = _first(member)
    message = _("The entry for “{type}” is {kind} and must be the id of a step: {outcome}")
    pointer = join("/entryStepMapping", member.key)
    severity, outcome = outcome_of_entry(member.key, context)
    kind, era = a_kind(member.value.value), context.climpt.name
    return Finding(
        message.format(type=member.key, kind=kind, era=era, outcome=outcome),
        member.value.span,
        pointer,
        severity=severity,
        proposals=_proposals(pointer, first, context) if isinstance(first, str) else (),
        is_read=context.format == "entry-pair" and not _lacking(member),
    )


def _first(member: Member) -> JsonValue:
    """The step that a pair begins with; None where there is none."""
    begins = member.value.get("initial") if member.value.kind == "object" else None
    return begins.value if begins else None


def _proposals(pointer: str, first: str, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid and first in context.flow.steps:
        edits = set_value(registry.tree, pointer, first)
        yield Proposal(_("Write “{word}”").format(word=first), tuple((registry, edit) for edit in edits))

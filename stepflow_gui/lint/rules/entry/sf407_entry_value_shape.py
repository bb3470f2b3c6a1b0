"""SF407 entry-value-shape.

What it does: reports values of `entryStepMapping` that aren't the id of a step, such as a pair of an initial and a
continuation step.

Why is this bad: climpt takes whatever isn't the name of a step for an unknown one and refuses to load the registry.
climpt 1.14 (a pre-release) reads pairs alone: there a text, or a pair without one of its sides, is refused.

Fix: write the id of the step that the run begins with; for climpt 1.14 a pair of an initial and a continuation step.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.entry_pairs import SIDES, continuation_of
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.json_types import a_kind
from stepflow_gui.lint.rules.entry.verdicts import outcome_of_entry
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ADDRESSED, ERROR, FLOW, GATE, INFO, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.json.tree import JsonValue, Member
from stepflow_gui.text.pointer import join

_WITH_MAPPING = (*GATE, "entry-pair", "gateless", "transitions-only")
RULE = Rule("SF407", "entry-value-shape", ERROR, formats=_WITH_MAPPING, looks_at=FLOW)

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
    yield from merge_infos((_finding(each, context) for each in members if each.value.kind != "string"), RULE, context)


def _lacking(member: Member) -> list[str]:
    """The sides of a pair that aren't there; both where it is none."""
    pair = member.value.value if member.value.kind == "object" else {}
    return [side for side in SIDES if not isinstance(pair.get(side), str) or not pair[side]]


def _no_pair(member: Member, lacking: list[str], context: RuleContext) -> Finding:
    pointer, value = join("/entryStepMapping", member.key), member.value.value
    message = _("The entry for “{type}” is {kind}, not a pair of steps: climpt 1.14 refuses to load the registry")
    if isinstance(value, dict):
        message = _("The entry for “{type}” has no step as “{side}”: climpt 1.14 refuses to load the registry")
    text = message.format(type=member.key, kind=a_kind(value), side=lacking[0])
    named = value if isinstance(value, str) else value.get("initial") if isinstance(value, dict) else None
    proposals = _paired(pointer, named, context) if isinstance(named, str) else ()
    return Finding(text, member.value.span, pointer, proposals=proposals)


def _paired(pointer: str, first: str, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid and first in context.flow.steps:
        pair: dict[str, JsonValue] = {"initial": first, "continuation": continuation_of(first, context.flow)}
        edits = set_value(registry.tree, pointer, pair)
        yield Proposal(_("Write a pair of steps"), tuple((registry, edit) for edit in edits))


def _finding(member: Member, context: RuleContext) -> Finding:
    begins = member.value.get("initial") if member.value.kind == "object" else None
    first = begins.value if begins else None
    own = context.format == "entry-pair" and context.settings.runtime is None and isinstance(first, str)
    message = (
        _("The entry for “{type}” is a pair of steps: a later branch of climpt reads that, {era} refuses to load it")
        if own
        else _("The entry for “{type}” is {kind} and must be the id of a step: {outcome}")
    )
    pointer = join("/entryStepMapping", member.key)
    severity, outcome = outcome_of_entry(member.key, context)
    kind, era = a_kind(member.value.value), context.climpt.name
    return Finding(
        message.format(type=member.key, kind=kind, era=era, outcome=outcome),
        member.value.span,
        pointer,
        severity=INFO if own else severity,
        proposals=_proposals(pointer, first, context) if isinstance(first, str) and not own else (),
    )


def _proposals(pointer: str, first: str, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid and first in context.flow.steps:
        edits = set_value(registry.tree, pointer, first)
        yield Proposal(_("Write “{word}”").format(word=first), tuple((registry, edit) for edit in edits))

"""SF407 entry-value-shape.

What it does: reports values of `entryStepMapping` that aren't the id of a step, such as a pair of an initial and a
continuation step.

Why is this bad: climpt takes whatever isn't the name of a step for an unknown one and refuses to load the registry.
Only a later branch of it reads pairs; in a registry written for that one they are information.

Fix: write the id of the step that the run begins with.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.document.json_types import a_kind
from stepflow_gui.lint.rules.once import merge_infos
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, INFO, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.json.tree import Member
from stepflow_gui.text.pointer import join

PAIRED = ("entry-pair", "adt-kind-address")  # the shapes of that later branch

RULE = Rule("SF407", "entry-value-shape", ERROR, formats=(*GATE, *PAIRED), looks_at=FLOW)

BAD = changed({"/entryStepMapping/count:iteration": {"initial": "initial.issue"}})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """What entryStep is of another type is SF004's."""
    root = context.registry.root
    mapping = root.get("entryStepMapping") if root else None
    members = mapping.members() if mapping else []
    yield from merge_infos((_finding(each, context) for each in members if each.value.kind != "string"), RULE, context)


def _finding(member: Member, context: RuleContext) -> Finding:
    begins = member.value.get("initial") if member.value.kind == "object" else None
    first = begins.value if begins else None
    own = context.format in PAIRED and context.settings.runtime is None and isinstance(first, str)
    message = (
        _("The entry for “{type}” is a pair of steps: a later branch of climpt reads that, {era} refuses to load it")
        if own
        else _("The entry for “{type}” is {kind} and must be the id of a step: {era} refuses to load the registry")
    )
    pointer = join("/entryStepMapping", member.key)
    return Finding(
        message.format(type=member.key, kind=a_kind(member.value.value), era=_runner(context)),
        member.value.span,
        pointer,
        severity=INFO if own else ERROR,
        proposals=_proposals(pointer, first, context) if isinstance(first, str) and not own else (),
    )


def _runner(context: RuleContext) -> str:
    return _("the runner") if context.settings.guide else context.era.name


def _proposals(pointer: str, first: str, context: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = context.registry
    if registry.tree.valid and first in context.flow.steps:
        edits = set_value(registry.tree, pointer, first)
        yield Proposal(_("Write “{word}”").format(word=first), tuple((registry, edit) for edit in edits))

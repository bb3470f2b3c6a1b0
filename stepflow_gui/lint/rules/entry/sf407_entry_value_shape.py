"""SF407 entry-value-shape.

What it does: reports values of `entryStepMapping` that aren't the id of a step, such as a pair of an initial and a
continuation step.

Why is this bad: climpt takes whatever isn't the name of a step for an unknown one and refuses to load the registry.
Only a later branch of it reads pairs; in a registry written for that one they are information.

Fix: write the id of the step that the run begins with.
"""

from collections.abc import Iterator

from stepflow_gui.lint.diagnostic import ERROR, INFO
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import FLOW, GATE, Finding, Proposal, Rule
from stepflow_gui.lint.rules.document.json_types import a_kind
from stepflow_gui.lint.rules.one_finding import as_one
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import Member
from stepflow_gui.text.pointer import join

PAIRED = ("entry-pair", "adt-kind-address")  # the shapes of that later branch

RULE = Rule("SF407", "entry-value-shape", ERROR, formats=(*GATE, *PAIRED), looks_at=FLOW)

BAD = changed({"/entryStepMapping/count:iteration": {"initial": "initial.issue"}})
GOOD = changed()


def check(scope: RuleContext) -> Iterator[Finding]:
    """What entryStep is of another type is SF004's."""
    root = scope.registry.root
    mapping = root.get("entryStepMapping") if root else None
    members = mapping.members() if mapping else []
    yield from as_one((_finding(each, scope) for each in members if each.value.kind != "string"), RULE, scope)


def _finding(member: Member, scope: RuleContext) -> Finding:
    begins = member.value.get("initial") if member.value.kind == "object" else None
    first = begins.value if begins else None
    own = scope.format in PAIRED and scope.settings.runtime is None and isinstance(first, str)
    message = (
        _("The entry for “{type}” is a pair of steps: a later branch of climpt reads that, {era} refuses to load it")
        if own
        else _("The entry for “{type}” is {kind} and must be the id of a step: {era} refuses to load the registry")
    )
    pointer = join("/entryStepMapping", member.key)
    return Finding(
        message.format(type=member.key, kind=a_kind(member.value.value), era=_runner(scope)),
        member.value.span,
        pointer,
        severity=INFO if own else ERROR,
        proposals=_proposals(pointer, first, scope) if isinstance(first, str) and not own else (),
    )


def _runner(scope: RuleContext) -> str:
    return _("the runner") if scope.settings.guide else scope.era.name


def _proposals(pointer: str, first: str, scope: RuleContext) -> Iterator[Proposal]:
    from stepflow_gui.text.json.edit import set_value

    registry = scope.registry
    if registry.tree.valid and first in scope.flow.steps:
        edits = set_value(registry.tree, pointer, first)
        yield Proposal(_("Write “{word}”").format(word=first), tuple((registry, edit) for edit in edits))

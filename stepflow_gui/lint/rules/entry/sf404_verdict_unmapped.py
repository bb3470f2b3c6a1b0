"""SF404 verdict-unmapped.

What it does: reports a registry that has neither an entry for the agent's verdict type nor an `entryStep`; an empty
mapping has one for no type at all.

Why is this bad: the run can't begin: climpt doesn't guess an entry from the type's name and stops at once.

Fix: map the verdict type to the step it begins with, or name an `entryStep` for all.
"""

from collections.abc import Iterator

from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.entry.verdicts import todays, verdict_of
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import ERROR, FLOW, GATE, REMOVED, Finding, Rule, RuleContext, _, changed

RULE = Rule("SF404", "verdict-unmapped", ERROR, formats=GATE, looks_at=FLOW, defers_to=("SF403",))

BAD = changed({"/entryStep": REMOVED, "/entryStepMapping": {"count:iteration": "initial.issue"}})
GOOD = changed()


def unmapped(context: RuleContext) -> bool:
    """Whether there is a mapping, but nothing in it, nor an `entryStep`, for the agent's type or for any."""
    root = context.registry.root
    mapping = root.get("entryStepMapping") if root else None
    single = root.get("entryStep") if root else None
    if mapping is None or mapping.kind != "object" or (single and single.value):
        return False
    verdict = verdict_of(context)
    return not mapping.members() or (verdict is not None and mapping.member(verdict.value) is None)


def check(context: RuleContext) -> Iterator[Finding]:
    """A registry without a mapping is SF401's."""
    span = context.registry.tree.key_span("/entryStepMapping")
    if span is None or not unmapped(context):
        return
    verdict, agent = verdict_of(context), context.folder.agent
    if verdict is None or agent is None:
        yield Finding(
            _("entryStepMapping is empty and there is no entryStep: no run can begin"), span, "/entryStepMapping"
        )
        return
    yield Finding(
        _(
            "entryStepMapping has no entry for “{type}”, the agent's verdict type, and there is no entryStep: the run"
            " can't begin"
        ).format(type=verdict.value),
        span,
        "/entryStepMapping",
        sides=[Side(agent.document, verdict.span, verdict.pointer, _("agent.json says so here"))],
        proposals=_proposals(verdict.value, context),
        cause=("verdict", todays(verdict.value)),
    )


def _proposals(verdict: str, context: RuleContext) -> Iterator[Proposal]:
    """Begin where the others do, else at the first initial step."""
    mapped = [entry.target.value for entry in context.flow.entries if entry.target]
    initial = [step.id for step in context.flow.steps.values() if step.id.startswith("initial.")]
    for step in [name for name in (*mapped, *initial) if name in context.flow.steps][:1]:
        title = _("Begin at “{step}” under “{type}”").format(step=step, type=verdict)
        yield from put(context.registry, "/entryStepMapping", verdict, step, title)

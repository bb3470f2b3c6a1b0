"""SF401 entry-missing.

What it does: reports a registry that has neither `entryStep` nor `entryStepMapping`.

Files in shapes of before there were entries are reported only under a runtime that was chosen and asks for one.

Why is this bad: the runner doesn't guess where to begin; it refuses to load the registry.

Fix: name the first step in `entryStep`, or one for each verdict type in `entryStepMapping`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.entry_pairs import continuation_of
from stepflow_gui.formats.climpt.runner_texts import no_entry
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.entry.verdicts import BEFORE_ENTRIES, asks_for_entry, verdict_of
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ERROR,
    FLOW,
    GATE,
    REMOVED,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.lint.rules.refusals import entry_refused
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.source import Span

_FORMATS = (*GATE, "checks", "gateless", "transitions-only", *BEFORE_ENTRIES)
RULE = Rule("SF401", "entry-missing", ERROR, formats=_FORMATS, looks_at=FLOW)

BAD = changed({"/entryStep": REMOVED, "/entryStepMapping": REMOVED})
GOOD = changed()


def check(context: RuleContext) -> Iterator[Finding]:
    """Null and empty strings count as absent, an empty mapping doesn't (runtime-semantics 2)."""
    root = context.registry.root
    if root is None or not asks_for_entry(context):
        return
    single = root.member("entryStep")
    mapping = root.member("entryStepMapping") if context.format != "checks" else None  # whose runner reads none
    if (single and single.value.value) or (mapping and mapping.value.value not in (None, "", False, 0)):
        return
    empty = single or mapping
    message = (
        _("No entryStep names a first step: {outcome}")
        if context.format == "checks"
        else _("Neither entryStep nor entryStepMapping names a first step: {outcome}")
    ).format(outcome=entry_refused(context))
    agent = context.folder.agent
    if context.format == "complete" and agent and agent.verdict_type:
        message += _(". climpt reports: {error}").format(error=no_entry(agent.verdict_type.value))
    yield Finding(
        message,
        empty.value.span if empty else Span(root.start, root.start + 1),
        f"/{empty.key}" if empty else "",
        proposals=() if empty else _proposals(context),
    )


def _proposals(context: RuleContext) -> Iterator[Proposal]:
    """The first initial step is where the flow most likely begins. climpt 1.14 begins at a pair alone: SF404's."""
    from stepflow_gui.text.json.edit import insert_member

    registry = context.registry
    first = next((step for step in context.flow.steps.values() if step.id.startswith("initial.")), None)
    if first and registry.tree.valid:
        name: str = "entryStep"
        value: JsonValue = first.id
        if context.format in ADDRESSED:
            verdict = verdict_of(context)
            if verdict is None:
                return
            value = {verdict.value: {"initial": first.id, "continuation": continuation_of(first.id, context.flow)}}
            name = "entryStepMapping"
        edits = insert_member(registry.tree, "", name, value, before="steps")
        title = _("Begin at “{step}”").format(step=first.id)
        yield Proposal(title, tuple((registry, edit) for edit in edits), guess=True)

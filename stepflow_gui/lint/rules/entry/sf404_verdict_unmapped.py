"""SF404 verdict-unmapped.

What it does: reports a registry that has neither an entry for the agent's verdict type nor an `entryStep`; an empty
mapping has none for any type. An agent.json that names no type, or whose `verdict` isn't an object, runs under
`count:iteration`. For `detect:graph` only an `entryStep` counts, of the registry or of the verdict's config.

Why is this bad: the run can't begin: climpt doesn't guess an entry from the type's name and stops at once. The handler
of `detect:graph` looks its entry up by itself and never reads the mapping. climpt 1.14 (a pre-release) begins at the
verdict's own pair of steps alone, and reads no `entryStep` in its place.

Fix: map the verdict type to the step it begins with, or name an `entryStep` for all.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.entry_pairs import continuation_of
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.agent.verdicts import OWN
from stepflow_gui.lint.rules.entry.verdicts import (
    BEFORE_ENTRIES,
    asks_for_entry,
    default_verdict,
    todays,
    unmapped,
    verdict_of,
)
from stepflow_gui.lint.rules.fixes import guesses, put
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    ERROR,
    FLAT_KINDS,
    FLOW,
    GATE,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.project.graph_registry import has_graph_entry
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.source import Span

_WITH_ENTRIES = (*GATE, "gateless", "transitions-only")
_FORMATS = (*_WITH_ENTRIES, *BEFORE_ENTRIES)
RULE = Rule("SF404", "verdict-unmapped", ERROR, formats=_FORMATS, looks_at=FLOW, defers_to=("SF403",))

BAD = changed({"/entryStep": REMOVED, "/entryStepMapping": {"count:iteration": "initial.issue"}})
GOOD = changed()


def _graph_unmapped(verdict: Text | None, context: RuleContext) -> bool:
    """Whether the mapping is all that there is, which detect:graph doesn't read."""
    if verdict is None or verdict.value != "detect:graph" or context.format not in FLAT_KINDS:
        return False
    named = context.agent_file.value(f"{OWN}/config/entryStep") if context.agent_file is not None else None
    if isinstance(named, str) and named:
        return False  # SF812 says whether it is a step
    return context.era.load_errors != "reported" and context.registry.tree.valid and not has_graph_entry(context.folder)


def _of_graph(verdict: Text, document: ParsedFile, context: RuleContext) -> Finding:
    text = _(
        "detect:graph reads “entryStep” of the registry or of its own config, never entryStepMapping: {era} can't start"
        " a run"
    )
    span = context.registry.tree.key_span("/entryStepMapping") or Span(0, 1)
    return Finding(
        text.format(era=context.era.name),
        span,
        "/entryStepMapping",
        sides=[Side(document, verdict.span, verdict.pointer, _("declared here in agent.json"))],
        proposals=_proposals(verdict.value, context),
        cause=("verdict", todays(verdict.value)),
    )


def check(context: RuleContext) -> Iterator[Finding]:
    """A registry without a mapping is SF401's."""
    if not asks_for_entry(context):
        return
    tree = context.registry.tree
    named = verdict_of(context)
    if tree.key_span("/entryStepMapping") and named and context.folder.agent and _graph_unmapped(named, context):
        yield _of_graph(named, context.folder.agent.document, context)
        return
    span, pointer = tree.key_span("/entryStepMapping"), "/entryStepMapping"
    if span is None and context.format in ADDRESSED:
        span, pointer = tree.key_span("/entryStep"), "/entryStep"
    if span is None or not unmapped(context):
        return
    verdict, agent = verdict_of(context), context.folder.agent
    if verdict is None or agent is None:
        message = _("entryStepMapping is empty and there is no entryStep: no run can begin")
        if context.format in ADDRESSED:
            message = _("No verdict type has a pair of steps in entryStepMapping: climpt-1.14 can't start a run")
        yield Finding(message, span, pointer)
        return
    begins = not context.era.entry_pairs and context.format in ADDRESSED and bool(context.flow.entry_target(None))
    message = _(
        "entryStepMapping has no entry for “{type}”, the agent's verdict type, and there is no entryStep: the run"
        " can't begin"
    )
    if context.format in ADDRESSED:
        message = (
            _("entryStepMapping has no pair of steps for the verdict type “{type}”: climpt-1.14 can't start a run")
            if begins
            else _(
                "entryStepMapping has no pair of steps for “{type}”, the agent's verdict type: the run can't begin, and"
                " climpt-1.14 doesn't use entryStep instead"
            )
        )
    declared = _("declared here in agent.json")
    if default_verdict(context):
        declared = _("agent.json names no verdict type: {era} uses {type}")
        declared = declared.format(era=context.climpt.name, type=verdict.value)
    yield Finding(
        message.format(type=verdict.value),
        span,
        pointer,
        severity=WARNING if begins else None,
        sides=[Side(agent.document, verdict.span, verdict.pointer, declared)],
        proposals=_proposals(verdict.value, context),
        cause=("verdict", todays(verdict.value)),
    )


def _likely(verdict: str, context: RuleContext) -> list[str]:
    """The step to begin with: the verdict's own, else that of others, else the first initial step."""
    own = [entry.target.value for entry in context.flow.entries if entry.target and entry.key == verdict]
    mapped = [entry.target.value for entry in context.flow.entries if entry.target]
    initial = [step.id for step in context.flow.steps.values() if step.id.startswith("initial.")]
    return [name for name in (*own, *mapped, *initial) if name in context.flow.steps][:1]


def _proposals(verdict: str, context: RuleContext) -> Iterator[Proposal]:
    """Which step it is, is a guess, unless the entryStep names it that climpt 1.14 doesn't read."""
    named = context.flow.entry_target(None) if context.format in ADDRESSED else None
    known = named if named in context.flow.steps else None
    for step in [known] if known is not None else _likely(verdict, context):
        title = _("Begin at “{step}” under “{type}”").format(step=step, type=verdict)
        if context.format in FLAT_KINDS and verdict == "detect:graph":  # which never reads the mapping
            title = _("Add “{key}”: “{value}”").format(key="entryStep", value=step)
            yield from guesses(put(context.registry, "", "entryStep", step, title))
            continue
        if context.format not in (*ADDRESSED, "entry-pair"):
            yield from guesses(put(context.registry, "/entryStepMapping", verdict, step, title))
            continue
        mapping = context.registry.tree.at("/entryStepMapping")
        pair: JsonValue = {"initial": step, "continuation": continuation_of(step, context.flow)}
        found = (
            put(context.registry, "/entryStepMapping", verdict, pair, title)
            if mapping is not None and mapping.kind == "object"
            else put(context.registry, "", "entryStepMapping", {verdict: pair}, title)
        )
        yield from found if known is not None else guesses(found)

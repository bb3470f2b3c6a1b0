"""SF812 graph-verdict.

What it does: reports the verdict type detect:graph where no step of the registry has a gate, and a registryPath or
entryStep in its config that names a file or step that doesn't exist. registryPath is read from the working directory,
that is, the project. An entryStep beside another one of the registry is a warning: the registry's own comes first.

Why is this bad: such a verdict follows the flow to its end. Without a gate there is no flow, and climpt refuses to
start. So do climpt 2026-04-01 and later without the registry that registryPath names (AC-VERDICT-011); climpt
2026-03-14 takes the verdict count:iteration instead and stops with “Unknown step ID”.

Fix: give the steps gates, or choose another verdict type; write registryPath from the project's root, such as
`.agent/NAME/steps_registry.json`.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.agent.verdicts import OWN, WrittenVerdict, verdicts
from stepflow_gui.lint.rules.fixes import take_away, write
from stepflow_gui.lint.rules.flow.step_names import meant_step, respelt
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    DOCUMENT,
    ERROR,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.lint.rules.refusals import registry_refused
from stepflow_gui.project.graph_registry import from_root, graph_registry
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node

RULE = Rule("SF812", "graph-verdict", ERROR, looks_at=DOCUMENT)

_ENTRY: dict[str, object] = {
    "/entryStepMapping": {"detect:graph": "initial.issue"},
    "/entryStep": REMOVED,
}
BAD = changed(
    _ENTRY
    | {
        "agent.json#/runner/verdict": {
            "type": "detect:graph",
            "config": {"entryStep": "initial.isue", "maxIterations": 10},
        }
    }
)
GOOD = changed(
    _ENTRY
    | {
        "agent.json#/runner/verdict": {
            "type": "detect:graph",
            "config": {"entryStep": "initial.issue", "maxIterations": 10},
        }
    }
)
_JUDGED = (*GATE_FORMATS, "gateless")  # of the other shapes nobody knows what their climpt asks for


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The agent's verdict, and those inside a composite."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None or not context.registry.tree.valid:
        return
    for verdict in verdicts(agent):
        if verdict.type != "detect:graph":
            continue
        if context.format in _JUDGED and not context.has_gates:
            text = (
                _("detect:graph follows the flow, and no step of the registry has a gate: {outcome}")
                if verdict.pointer == OWN
                else _("detect:graph follows the flow, and no step of the registry has a gate")
            )
            text = text.format(outcome=registry_refused(context))
            yield agent.finding(text, f"{verdict.pointer}/type", _severity(verdict, context))
        other = f"{verdict.pointer}/config/registryPath"
        named = agent.text(other)
        path = graph_registry(context.folder, named) if named else context.registry.path
        if named and path is None and context.folder.inside(context.folder.root / named):
            yield _no_registry(named, verdict, agent, context)
        elif path == context.registry.path:
            yield from _entry(verdict, agent, context)


def _severity(verdict: WrittenVerdict, context: RuleContext) -> Severity:
    """An error where the chosen runtime refuses it: of the agent's own verdict, and where that isn't only the guide."""
    refuses = context.era.kinds and context.era.load_errors != "reported"
    return ERROR if refuses and verdict.pointer == OWN else WARNING


def _no_registry(named: str, verdict: WrittenVerdict, agent: AgentFile, context: RuleContext) -> Finding:
    folder, pointer = context.folder, f"{verdict.pointer}/config/registryPath"
    if folder.exists(folder.folder / named):
        meant: str | None = from_root(folder.folder / named, folder)
        text = _("registryPath is read from the working directory, not from the agent's folder: {outcome}")
    else:
        meant = context.nearest(RULE.code, named, [from_root(folder.registry.path, folder)])
        text = _("registryPath: the working directory has no file “{path}”: {outcome}")
    if verdict.pointer != OWN:
        text = _("registryPath: the working directory has no file “{path}”")
    text = text.format(path=named, outcome=_outcome(context))
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals = [write(agent.document, agent.place(pointer).span, meant)] if meant else []
    return agent.finding(text, pointer, _severity(verdict, context), proposals=proposals, misspelt=bool(meant))


def _outcome(context: RuleContext) -> str:
    if context.era.load_errors == "dropped":
        return _("climpt 2026-03-14 stops with “Unknown step ID”, and later versions refuse to start")
    return _("climpt 2026-04-01 and later refuse to start the agent (AC-VERDICT-011)")


def _entry(verdict: WrittenVerdict, agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    pointer = f"{verdict.pointer}/config/entryStep"
    step = agent.text(pointer)
    own = context.registry.tree.at("/entryStep") if context.format not in ADDRESSED else None
    if step and own is not None and own.value:
        yield from _second_entry(step, own, pointer, agent, context)
        return
    if not step or step in context.flow.steps or not context.flow.steps:
        return
    text = _("entryStep names “{step}”, which is not a step of the registry").format(step=step)
    meant = meant_step(RULE.code, step, context)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    place = agent.place(pointer)
    proposals = respelt(Text(step, place.span, place.pointer), meant, context, agent.document)
    severity = _severity(verdict, context) if not context.era.entry_pairs else WARNING  # which begins at a pair alone
    yield agent.finding(text, pointer, severity, proposals=proposals, misspelt=bool(meant or proposals))


def _second_entry(step: str, own: Node, pointer: str, agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """The registry's own comes first, and SF402 says whether it names a step."""
    if own.value == step or not isinstance(own.value, str) or has_placeholder(own.value):
        return
    text = _(
        "The handler of detect:graph in {era} takes the registry's own entryStep, “{step}”, and never reads this one"
    )
    title = _("Remove “{word}”").format(word="entryStep")
    yield agent.finding(
        text.format(era=context.climpt.name, step=own.value),
        pointer,
        WARNING,
        sides=[Side(context.registry, own.span, "/entryStep", _("the registry's own"))],
        proposals=take_away(agent.document, [agent.in_file(pointer)], title),
    )

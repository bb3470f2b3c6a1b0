"""SF812 graph-verdict.

What it does: reports the verdict type detect:graph where no step of the registry has a gate, and a registryPath or
entryStep in its config that names what isn't there.

Why is this bad: such a verdict follows the flow to its end. Without a gate there is no flow: climpt refuses to start.

Fix: give the steps gates, or choose another verdict type; name a registry and a step that are there.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.diagnostic import ERROR
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.lint.rule import DOCUMENT, Finding, Proposal, Rule
from stepflow_gui.lint.rules.agent.verdicts import verdicts
from stepflow_gui.lint.rules.writing import write
from stepflow_gui.lint.scope import RuleContext
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF812", "graph-verdict", ERROR, looks_at=DOCUMENT)

_ENTRY = {"/entryStepMapping": {"detect:graph": "initial.issue"}}
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


def check(document: ParsedFile, scope: RuleContext) -> Iterator[Finding]:
    """The agent's verdict, and those inside a composite."""
    agent = scope.agent_file
    if document is not scope.folder.agent_document or agent is None or not scope.registry.tree.valid:
        return
    for verdict in verdicts(agent):
        if verdict.type != "detect:graph":
            continue
        if scope.format in _JUDGED and not scope.has_gates:
            text = _("detect:graph follows the flow, and no step of the registry has a gate: climpt refuses to start")
            yield agent.finding(text, f"{verdict.pointer}/type")
        other = f"{verdict.pointer}/config/registryPath"
        named = agent.text(other)
        path = scope.folder.folder / named if named else None
        if path and scope.folder.inside(path) and not scope.folder.exists(path):
            yield agent.finding(_("registryPath: there is no file “{path}”").format(path=named), other)
        elif path is None or path == scope.registry.path:
            yield from _entry(f"{verdict.pointer}/config/entryStep", agent, scope)


def _entry(pointer: str, agent: AgentFile, scope: RuleContext) -> Iterator[Finding]:
    step = agent.text(pointer)
    if not step or step in scope.flow.steps or not scope.flow.steps:
        return
    text = _("entryStep names “{step}”, which is no step of the registry").format(step=step)
    meant = scope.nearest(RULE.code, step, scope.flow.steps)
    proposals: list[Proposal] = []
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals.append(write(agent.document, agent.place(pointer).span, meant))
    yield agent.finding(text, pointer, proposals=proposals)

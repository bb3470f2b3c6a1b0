"""SF809 unsafe-permissions.

What it does: reports the permission mode bypassPermissions where there is no sandbox or all tools are allowed.
climpt 1.14 (a pre-release) has the mode in a settings file of the project, which is checked as well.

Why is this bad: the agent then runs any command and changes any file without confirmation.

Fix: use acceptEdits, name the tools that are needed, or turn the sandbox on.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.claude_settings import ClaudeSettings
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.prelude import DOCUMENT, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.project.claude_settings import settings_of_project
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF809", "unsafe-permissions", WARNING, looks_at=DOCUMENT)

_BOUNDARIES = "/runner/boundaries"
BAD = changed({f"agent.json#{_BOUNDARIES}/permissionMode": "bypassPermissions"})
GOOD = changed(
    {
        f"agent.json#{_BOUNDARIES}/permissionMode": "bypassPermissions",
        f"agent.json#{_BOUNDARIES}/sandbox": {"enabled": True, "network": {"mode": "none"}},
    }
)


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The sandbox is on where its object is there and doesn't say otherwise; without allowedTools all are allowed."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    if context.era.settings_file:
        yield from _in_settings(agent, context)
        return
    if agent.value(f"{_BOUNDARIES}/permissionMode") != "bypassPermissions":
        return
    sandbox = agent.value(f"{_BOUNDARIES}/sandbox")
    tools = agent.value(f"{_BOUNDARIES}/allowedTools")
    bare = not isinstance(sandbox, dict) or sandbox.get("enabled") is False
    every = tools is None or (isinstance(tools, list) and "*" in tools)
    if not bare and not every:
        return
    if bare and every:
        text = _(
            "bypassPermissions with all tools and without a sandbox: the agent may do anything without being asked"
        )
    elif bare:
        text = _("bypassPermissions without a sandbox: tools run without confirmation")
    else:
        text = _("bypassPermissions with all tools: the sandbox alone stands between the agent and your files")
    yield agent.finding(text, f"{_BOUNDARIES}/permissionMode")


def _in_settings(agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    file = settings_of_project(context.folder)
    sandbox = agent.value(f"{_BOUNDARIES}/sandbox")
    off = not isinstance(sandbox, dict) or sandbox.get("enabled") is False
    node = file.document.tree.at("/permissions/defaultMode") if file.document else None
    unasked = isinstance(file.found, ClaudeSettings) and file.found.mode == "bypassPermissions"
    if off and unasked and file.document is not None and node is not None:
        text = _("bypassPermissions without a sandbox: tools run without confirmation")
        place = agent.place(_BOUNDARIES)
        sides = [Side(file.document, node.span, "/permissions/defaultMode", _("the mode is here"))]
        yield Finding(text, place.span, place.pointer, document=agent.document, sides=sides)

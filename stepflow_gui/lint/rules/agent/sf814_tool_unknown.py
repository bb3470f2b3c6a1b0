"""SF814 tool-unknown.

What it does: reports which names in allowedTools are neither tools that come with Claude Code nor of an MCP server
(`mcp__server__tool`).

Why is this bad: it may be intended, as new tools appear. But a misspelled name allows nothing, and the agent is refused
the tool that was meant.

Fix: write the tool's name as it is, with its capitals.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.tools import is_known_tool, tools
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import DOCUMENT, INFO, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF814", "tool-unknown", INFO, looks_at=DOCUMENT)

_TOOLS = "/runner/boundaries/allowedTools"
BAD = changed({f"agent.json#{_TOOLS}": ["Read", "Grpe"]})
GOOD = changed({f"agent.json#{_TOOLS}": ["Read", "Grep", "Bash(git status:*)", "mcp__github__get_issue"]})


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """One finding for all of them."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    given = agent.value(_TOOLS)
    places, proposals = [], []
    names: list[str] = []
    for index, name in enumerate(given if isinstance(given, list) else []):
        if not isinstance(name, str) or has_placeholder(name) or is_known_tool(name):
            continue
        names.append(name)
        pointer = f"{_TOOLS}/{index}"
        message = _("“{tool}” is not a known tool").format(tool=name)
        meant = context.nearest(RULE.code, name.partition("(")[0], tools())
        if meant:
            message += _(". Did you mean “{meant}”?").format(meant=meant)
            proposals.append(write(document, agent.place(pointer).span, meant))
        places.append(agent.side(pointer, message))
    if not places:
        return
    message = places[0].message
    if len(places) > 1:
        listed = _(", ").join(_("“{word}”").format(word=name) for name in names)
        message = _("allowedTools names unknown tools: {names}").format(names=listed)
    fix: list[Proposal] = proposals
    if len(proposals) > 1:
        edits = [edit for proposal in proposals for edit in proposal.made]
        fix = [Proposal(_("Write the names that are meant"), edits)] if len(proposals) == len(places) else []
    yield merge_places(message, places, proposals=fix)

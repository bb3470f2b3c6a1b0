"""SF802 verdict-type.

What it does: reports a verdict type that is none of the eight, also inside a composite. Names that were renamed are
offered under their new name. An agent.json of the flat layout may use its own names.

Why is this bad: climpt refuses to start the agent: it doesn't know when it would be done.

Fix: write one of the eight.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES, VERDICT_TYPES
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.agent.verdicts import OWN, WrittenVerdict, verdicts
from stepflow_gui.lint.rules.document.sf009_legacy_key import RENAMED_SINCE, legacy_key
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.rules.refusals import refused_agent, refusing_agent
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF802", "verdict-type", ERROR, looks_at=DOCUMENT, defers_to=("SF009",))

BAD = changed({"agent.json#/runner/verdict/type": "externalState"})
GOOD = changed()

_COMPLETION = "/runner/completion"  # which is called “verdict” today


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Compare with the eight, and with the older names."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    root = document.root
    half_moved = root is not None and root.at(_COMPLETION) is not None
    older = agent.layout == "flat" or half_moved
    for verdict in verdicts(agent):
        name = verdict.written
        if not name or name in VERDICT_TYPES or has_placeholder(name):
            continue
        if older and name in OLDER_VERDICT_TYPES:
            if half_moved and agent.layout == "runner" and context.format in RENAMED_SINCE:  # SF009 speaks of the key
                yield _waiting(verdict, name, agent)
            continue
        place = agent.place(f"{verdict.pointer}/type")
        renamed = OLDER_VERDICT_TYPES.get(name)
        known = [*VERDICT_TYPES, *OLDER_VERDICT_TYPES] if older else VERDICT_TYPES
        meant = renamed or context.nearest(RULE.code, name, known)
        own = verdict.pointer == OWN  # of those in a composite the types aren't checked when an agent starts
        if renamed:
            text = (
                _("The verdict type “{type}” is now called “{today}”: {era} refuses to start the agent")
                if own
                else _("The verdict type “{type}” is now called “{today}”")
            )
        else:
            text = (
                _("“{type}” is not a verdict type: {era} refuses to start the agent")
                if own
                else _("“{type}” is not a verdict type")
            )
        text = text.format(type=name, today=renamed, era=refusing_agent(context))
        if meant and not renamed:
            text += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(document, place.span, meant, safe=renamed is not None)] if meant else []
        yield agent.finding(
            text,
            f"{verdict.pointer}/type",
            refused_agent(context) if own else WARNING,
            proposals=proposals,
            misspelt=bool(meant and not renamed),
        )


def _waiting(verdict: WrittenVerdict, name: str, agent: AgentFile) -> Finding:
    text = _("The verdict type “{type}” is now called “{today}”").format(type=name, today=OLDER_VERDICT_TYPES[name])
    found = agent.finding(text, f"{verdict.pointer}/type", WARNING)
    return found._replace(cause=legacy_key(_COMPLETION))

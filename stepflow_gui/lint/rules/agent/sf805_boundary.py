"""SF805 boundary.

What it does: reports a word of agent.json that is none of those its field knows: permissionMode, sandbox.network.mode,
logging.format, defaultClosureAction, and resourceType and operator of a verdict.

Why is this bad: climpt refuses to start the agent for permissionMode and logging.format. For the others its JSON Schema
does, and a run goes on without what you wanted.

Fix: write one of the words.
"""

import json
from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Field, field_at
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.agent.verdicts import OWN, verdicts
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.rules.refusals import objections, refused_agent, refusing_agent, tolerated
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF805", "boundary", ERROR, looks_at=DOCUMENT)

BAD = changed({"agent.json#/runner/boundaries/permissionMode": "readOnly"})
GOOD = changed()


WORDS = (
    "/runner/boundaries/permissionMode",
    "/runner/boundaries/sandbox/network/mode",
    "/runner/logging/format",
    "/runner/integrations/github/defaultClosureAction",
)
_IN_CONFIG = ("resourceType", "operator")


def _choices_at(pointer: str, era: Era) -> tuple[str, ...]:
    """The words that an era allows at a pointer of today's layout."""
    field = field_at(AGENT, pointer, era.name)
    return field.shape.choices if isinstance(field, Field) else ()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Compare each with its choices."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    refused = objections(agent, context)
    for pointer, allowed in _words(agent, context.era):
        word = agent.value(pointer)
        if word is None or word in allowed or (isinstance(word, str) and has_placeholder(word)):
            continue
        name = pointer.rpartition("/")[2]
        text = _("“{field}” is {value}, not one of {choices}: {outcome}").format(
            field=name,
            outcome=_("{era} refuses to start the agent").format(era=refusing_agent(context, pointer))
            if pointer in refused
            else tolerated(agent, pointer, context),
            value=_("“{word}”").format(word=word) if isinstance(word, str) else json.dumps(word),
            choices=_(", ").join(allowed),
        )
        meant = context.nearest(RULE.code, word, allowed) if isinstance(word, str) else None
        if meant:
            text += _(". Did you mean “{meant}”?").format(meant=meant)
        proposals = [write(document, agent.place(pointer).span, meant)] if meant else []
        severity = refused_agent(context) if pointer in refused else WARNING
        yield agent.finding(text, pointer, severity, proposals=proposals, misspelt=bool(meant))


def _words(agent: AgentFile, era: Era) -> Iterator[tuple[str, tuple[str, ...]]]:
    for pointer in WORDS:
        choices = _choices_at(pointer, era)
        if choices:  # else the era has no such field: a mode stands in a settings file since climpt 1.14
            yield pointer, choices
    for verdict in verdicts(agent):
        for name in _IN_CONFIG:
            yield f"{verdict.pointer}/config/{name}", _choices_at(f"{OWN}/config/{name}", era)

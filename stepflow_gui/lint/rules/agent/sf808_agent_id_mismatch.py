"""SF808 agent-id-mismatch.

What it does: reports that the registry's `agentId`, the `name` of agent.json and the folder below `.agent` aren't the
same word. A second registry in the folder, which agent.json doesn't name, is reported as a warning.

Why is this bad: an agent is started by the name of its folder, and climpt refuses a registry whose agentId is another
than the agent's name.

Fix: write the folder's name in both files.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Side
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.rules.refusals import refused_registry, registry_refused
from stepflow_gui.project.finding.locate import AGENTS, REGISTRY
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF808", "agent-id-mismatch", ERROR, looks_at=DOCUMENT)

BAD = changed({"/agentId": "issue_flow"})
GOOD = changed()


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The registry against agent.json, agent.json against its folder."""
    agent = context.folder.agent
    name = _word(agent.name if agent else None)
    if document is context.registry and agent is not None:
        own = _word(context.flow.agent_id)
        if own and name and own.value != name.value and not _is_folder(own.value, context):
            named = _other_registry(context, agent)
            if named is None:
                text = _("The registry belongs to “{id}”, agent.json to “{name}”: {outcome}")
            else:
                text = _("The registry belongs to “{id}”, agent.json to “{name}”, which has another registry: “{file}”")
            yield Finding(
                text.format(id=own.value, name=name.value, file=named, outcome=registry_refused(context)),
                own.span,
                own.pointer,
                severity=WARNING if named is not None or context.settings.guide else refused_registry(context),
                sides=[Side(agent.document, name.span, name.pointer, _("the name in agent.json"))],
                proposals=[write(document, own.span, name.value)],
            )
    elif document is context.folder.agent_document and name:
        folder = context.folder.folder
        if folder.parent.name == AGENTS and folder.name != name.value:
            own = _word(context.flow.agent_id)
            sides = [Side(context.registry, own.span, own.pointer, _("the registry is of this agent"))] if own else []
            text = _("agent.json names “{name}”, and its folder is “{folder}”: {era} finds the agent by its folder")
            yield Finding(
                text.format(name=name.value, folder=folder.name, era=context.climpt.name),
                name.span,
                name.pointer,
                severity=WARNING if context.settings.guide else None,
                document=document,
                sides=sides,
                proposals=[write(document, name.span, folder.name)],
            )


def _is_folder(name: str, context: RuleContext) -> bool:
    """Whether the agent's folder is called so: then agent.json has another name, which is reported there."""
    folder = context.folder.folder
    return folder.parent.name == AGENTS and folder.name == name


def _other_registry(context: RuleContext, agent: AgentDefinition) -> str | None:
    """The registry that agent.json names and that is there, unless it is this one."""
    named = agent.registry_path.value if agent.registry_path else REGISTRY
    path = Path(os.path.normpath(context.folder.folder / named))
    return None if path == context.registry.path or not context.folder.exists(path) else named


def _word(text: Text | None) -> Text | None:
    return text if text and text.value and not has_placeholder(text.value) else None

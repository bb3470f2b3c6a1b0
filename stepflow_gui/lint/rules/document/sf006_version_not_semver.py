"""SF006 version-not-semver.

What it does: reports a `version` of the registry or of agent.json that isn't three numbers with dots, such as 1.0.0.

Why is this bad: climpt refuses to start an agent whose agent.json has another. It doesn't check that of the registry
until it is asked to validate the file.

Fix: write three numbers.
"""

import re
from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.agent.fields import VERSION
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import DOCUMENT, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.rules.refusals import refused_agent, refusing_agent
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF006", "version-not-semver", WARNING, looks_at=DOCUMENT)

BAD = changed({"/version": "1.0"})
GOOD = changed()

_SHORTER = re.compile(r"v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?")


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """An empty or missing version of a registry is SF004's matter."""
    is_registry = document is context.registry and context.judged_as in GATE_FORMATS
    is_agent = document is context.folder.agent_document
    root = document.root
    version = text_at(root, "version", "") if root and (is_registry or is_agent) else None
    if version is None or re.fullmatch(VERSION.pattern, version.value, re.ASCII) or has_placeholder(version.value):
        return
    if is_registry and not version.value:
        return
    text = (
        _("The version “{version}” isn't three numbers, such as 1.0.0: {era} refuses to start the agent")
        if is_agent
        else _(
            "The version “{version}” isn't three numbers, such as 1.0.0: {era} refuses it when asked to check the file"
        )
    )
    yield Finding(
        text.format(version=version.value, era=refusing_agent(context) if is_agent else context.climpt.name),
        version.span,
        version.pointer,
        document=document,
        severity=refused_agent(context) if is_agent else WARNING,
        proposals=_proposals(version, document),
    )


def _proposals(version: Text, document: ParsedFile) -> list[Proposal]:
    parts = _SHORTER.fullmatch(version.value)
    return [write(document, version.span, ".".join(part or "0" for part in parts.groups()))] if parts else []

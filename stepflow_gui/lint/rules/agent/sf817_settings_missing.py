"""SF817 settings-missing.

What it does: looks for the settings file that climpt 1.14 (a pre-release) takes an agent's tools and permission mode
from: .agent/climpt/config/claude.settings.climpt.agents.<name>.json, else that without the name.

Why is this bad: without it, or with a form that isn't understood, a run ends at the first question to the model. An
empty or missing `permissions.allow` refuses every tool, and “*” is not a wildcard there.

Fix: write the file; what agent.json had before is the beginning of one.
"""

import json
from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.claude_settings import FOLDER, ClaudeSettings, SettingsFault
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.prelude import (
    ADDRESSED,
    DOCUMENT,
    ERROR,
    INFO,
    REMOVED,
    WARNING,
    Finding,
    Rule,
    RuleContext,
    _,
    changed,
)
from stepflow_gui.project.claude_settings import settings_of_project, settings_places
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source, Span

RULE = Rule("SF817", "settings-missing", ERROR, formats=ADDRESSED, looks_at=DOCUMENT)

_FILE = "../climpt/config/claude.settings.climpt.agents.json"
BAD = changed(base="adt-kind-address", texts={_FILE: REMOVED, "../climpt/config/registry_config.json": "{}\n"})
GOOD = changed(base="adt-kind-address")

_BOUNDARIES = "/runner/boundaries"


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """At agent.json, for which the file is looked up; not where all that runs is a program."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None or not context.era.settings_file:
        return
    steps = [step for step in context.flow.steps.values() if not step.is_section]
    if not steps or all(isinstance(step.raw.get("runner"), dict) for step in steps):
        return
    file = settings_of_project(context.folder)
    place = agent.place(_BOUNDARIES if agent.value(_BOUNDARIES) is not None else "/name")
    if isinstance(file.found, SettingsFault):
        message, severity = _fault(file.found, context)
        proposals = [_begun(context)] if file.document is None else []
    else:
        message, severity, proposals = _tools(file.found), WARNING, []
    if not message:
        return
    found = file.document
    sides = [Side(found, Span(0, min(1, len(found.source.text))), "", _("the settings file"))] if found else []
    yield Finding(
        message, place.span, place.pointer, document=document, severity=severity, sides=sides, proposals=proposals
    )


def _fault(fault: SettingsFault, context: RuleContext) -> tuple[str, Severity]:
    if fault.kind == "syntax":
        return _("The agent's settings file is not valid JSON: climpt-1.14 doesn't call the model ({code})").format(
            code=fault.code
        ), ERROR
    if fault.kind == "form":
        text = _(
            "“{pointer}” in the agent's settings file is missing or invalid: climpt-1.14"
            " doesn't call the model ({code})"
        )
        return text.format(pointer=fault.pointer, code=fault.code), ERROR
    text = _(
        "{file} is missing: climpt-1.14 reads tools and permission mode from it and doesn't call the model without it"
    )
    own = settings_places(context.folder)[1]
    severity: Severity = ERROR if context.folder.files_below(context.folder.root / FOLDER) else INFO
    return text.format(file=own.relative_to(context.folder.root).as_posix()), severity


def _tools(settings: ClaudeSettings) -> str:
    if not settings.tools:
        return _("The settings file allows no tools: climpt-1.14 denies every tool")
    if "*" in settings.tools:
        return _("“*” in the settings file is not a wildcard: climpt-1.14 denies every tool that isn't listed")
    return ""


def _begun(context: RuleContext) -> Proposal:
    """The file with what agent.json says of tools and mode."""
    (file,) = settings_to_begin(context)
    edits = [(file, TextEdit(0, 0, first_settings(context.agent_file)))]
    return Proposal(_("Begin the file {path}").format(path=file.path.name), edits)


def settings_to_begin(context: RuleContext) -> list[TextFile]:
    """The file of an agent whose runner asks for one and has none."""
    if not context.era.settings_file or settings_of_project(context.folder).document is not None:
        return []
    return [TextFile(settings_places(context.folder)[1], Source(""))]


def first_settings(agent: AgentFile | None) -> str:
    """The text of such a file, with what agent.json says of tools and mode."""
    tools = agent.value(f"{_BOUNDARIES}/allowedTools") if agent else None
    mode = agent.value(f"{_BOUNDARIES}/permissionMode") if agent else None
    allow = [tool for tool in tools if isinstance(tool, str) and tool != "*"] if isinstance(tools, list) else []
    permissions = {"allow": allow or ["Read"], "defaultMode": mode if isinstance(mode, str) else "default"}
    return json.dumps({"permissions": permissions}, indent=2, ensure_ascii=False) + "\n"

"""A first agent.json for a registry that has none: from the registry, with what the runner requires."""

import json
import re
from pathlib import Path

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import BeginAgent
from stepflow_gui.formats.climpt.agent.claude_settings import FOLDER
from stepflow_gui.formats.climpt.agent.fields import VERDICTS
from stepflow_gui.formats.climpt.changes.draft import Draft
from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import JsonValue

_SYSTEM_PROMPTS = ("prompts/system.md", "prompts/system_prompt.md", "system.md")
_ITERATIONS = 10


def begin_agent(files: AgentFiles, change: BeginAgent) -> Plan | Refusal:
    """The file, complete but for what only a person knows."""
    if files.exists(change.file):
        return Refusal(_("There is a “{name}” already").format(name=change.file.name))
    folder = change.file.parent
    system = system_prompt_of(files, folder)
    value = first_agent(files.flow, folder, system, _registry(files.flow, folder))
    draft = Draft(files)
    draft.edit(files.flow.document, of_same_name(files.flow, value))
    plan = draft.plan(_("Create {file}").format(file=change.file.name))
    made = {change.file: [TextEdit(0, 0, json.dumps(value, ensure_ascii=False, indent=2) + "\n")]}
    if not files.exists(folder / system):
        made[folder / system] = [TextEdit(0, 0, first_system_prompt(value))]
    return plan._replace(edits={**plan.edits, **made})


def system_prompt_of(files: AgentFiles, folder: Path) -> str:
    """The path of the system prompt from the folder: one that exists, else the usual one."""
    return next((path for path in _SYSTEM_PROMPTS if files.exists(folder / path)), _SYSTEM_PROMPTS[0])


def first_system_prompt(agent: dict[str, JsonValue]) -> str:
    """The text of a system prompt, with what the agent says of itself."""
    return f"# {agent['displayName']}\n"


def of_same_name(flow: Flow, agent: dict[str, JsonValue]) -> list[TextEdit]:
    """What gives the registry the name of its agent.json: runners refuse two that differ."""
    own = flow.agent_id
    if own is None or own.value == agent["name"]:
        return []
    return [TextEdit(own.span.start, own.span.end, json.dumps(agent["name"], ensure_ascii=False))]


def first_agent(flow: Flow, folder: Path, system: str, registry: str) -> dict[str, JsonValue]:
    """The agent of a flow, for a folder. `system` and `registry` are the paths of its files, from there.

    Nothing is in it that the runner of the registry's format drops.
    """
    name = _name(flow, folder)
    verdict = next(filter(None, (_verdict(entry.key) for entry in flow.entries if entry.key)), "count:iteration")
    parameters: dict[str, JsonValue] = {}
    if verdict == "poll:state":
        about = _("Number of the issue")
        parameters["issue"] = {"type": "number", "description": about, "required": True, "cli": "--issue"}
    config: dict[str, JsonValue] = dict.fromkeys(VERDICTS[verdict].needed, "")
    config |= {"operator": "or", "conditions": []} if verdict == "meta:composite" else {}
    config |= {"maxChecks": _ITERATIONS} if verdict == "count:check" else {"maxIterations": _ITERATIONS}
    runner: dict[str, JsonValue] = {
        "flow": {"systemPromptPath": system, "prompts": {"registry": registry, "fallbackDir": "prompts"}},
        "verdict": {"type": verdict, "config": config},
    }
    if not era_for(flow.format).settings_file:
        runner["boundaries"] = {"allowedTools": ["*"], "permissionMode": "plan"}
    return {
        "version": "1.0.0",
        "name": name,
        "displayName": re.sub(r"[-_]+", " ", name).capitalize(),
        "description": "",
        "parameters": parameters,
        "runner": {**runner, "logging": {"directory": "logs", "format": "jsonl"}},
    }


def _name(flow: Flow, folder: Path) -> str:
    """The folder's name where agents are found by it, else the registry's."""
    named = _name_of(folder.name)
    if folder.parent.name == FOLDER.parts[0] and named == folder.name:
        return named
    return flow.agent_id.value if flow.agent_id and flow.agent_id.value else named


def _name_of(folder: str) -> str:
    """A folder's name in the form that names of agents have."""
    found = re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-")
    return found if found and found[0].isalpha() else f"agent-{found}".strip("-")


def _verdict(key: str) -> str:
    known = OLDER_VERDICT_TYPES.get(key, key)
    return known if known in VERDICTS else ""


def _registry(flow: Flow, folder: Path) -> str:
    path = flow.document.path
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.name

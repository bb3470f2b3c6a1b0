"""A first agent.json for a registry that has none: from the registry, with what the runner requires."""

import json
import re
from pathlib import Path

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.agent_files import AgentFiles
from stepflow_gui.formats.changes import BeginAgent
from stepflow_gui.formats.climpt.agent.fields import VERDICTS
from stepflow_gui.formats.climpt.changes.draft import Draft
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
    system = next((path for path in _SYSTEM_PROMPTS if files.exists(folder / path)), _SYSTEM_PROMPTS[0])
    value = first_agent(files.flow, folder.name, system, _registry(files.flow, folder))
    draft = Draft(files)
    plan = draft.plan(_("Create {file}").format(file=change.file.name))
    return plan._replace(edits={change.file: [TextEdit(0, 0, json.dumps(value, ensure_ascii=False, indent=2) + "\n")]})


def first_agent(flow: Flow, folder: str, system: str, registry: str) -> dict[str, JsonValue]:
    """The agent of a flow. `system` and `registry` are the paths of its files, from its folder."""
    agent_id = flow.agent_id.value if flow.agent_id else ""
    name = agent_id or _name_of(folder)
    verdict = next(filter(None, (_verdict(entry.key) for entry in flow.entries if entry.key)), "count:iteration")
    parameters: dict[str, JsonValue] = {}
    if verdict == "poll:state":
        about = _("Number of the issue")
        parameters["issue"] = {"type": "number", "description": about, "required": True, "cli": "--issue"}
    config: dict[str, JsonValue] = dict.fromkeys(VERDICTS[verdict].needed, "")
    config |= {"operator": "or", "conditions": []} if verdict == "meta:composite" else {}
    config |= {"maxChecks": _ITERATIONS} if verdict == "count:check" else {"maxIterations": _ITERATIONS}
    return {
        "version": "1.0.0",
        "name": name,
        "displayName": re.sub(r"[-_]+", " ", name).capitalize(),
        "description": "",
        "parameters": parameters,
        "runner": {
            "flow": {"systemPromptPath": system, "prompts": {"registry": registry, "fallbackDir": "prompts"}},
            "verdict": {"type": verdict, "config": config},
            "boundaries": {"allowedTools": ["*"], "permissionMode": "plan"},
            "logging": {"directory": "logs", "format": "jsonl"},
        },
    }


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

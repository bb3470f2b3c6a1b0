"""What an agent may do: in agent.json's boundaries, or in the settings file of climpt 1.14."""

import json
from pathlib import Path

from stepflow_gui.formats.climpt.agent.claude_settings import ClaudeSettings
from stepflow_gui.formats.converting.made import JsonObject, object_of
from stepflow_gui.formats.converting.rewriting import rewritten
from stepflow_gui.messages import _
from stepflow_gui.project.claude_settings import settings_of_project, settings_places
from stepflow_gui.project.converting.work import ConversionDraft, LostPart
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.source import Source

_KEYS = ("allowedTools", "permissionMode")
_EVERY = "*"
_POINTER = "/runner/boundaries"


def move_to_settings(work: ConversionDraft) -> None:
    """Tools and mode out of agent.json into the agent's own settings file, unless there is one that counts."""
    document = work.agent.agent_document
    if document is None:
        return
    value, boundaries = _boundaries(work, document.path)
    tools, mode = (boundaries.get(key) for key in _KEYS)
    named = [tool for tool in tools if isinstance(tool, str)] if isinstance(tools, list) else []
    if _EVERY in named or not named:
        why = _("it is not a wildcard in the settings file; list the tools there")
        work.lost.append(LostPart(document.path, f"{_POINTER}/{_KEYS[0]}", _("all tools (“*”)"), why))
    if settings_of_project(work.agent).document is None:
        allow = [tool for tool in named if tool != _EVERY] or ["Read"]
        permissions = {"allow": allow, "defaultMode": mode if isinstance(mode, str) else "default"}
        path = settings_places(work.agent)[0]
        work.write(path, json.dumps({"permissions": permissions}, ensure_ascii=False, indent=2) + "\n")
    if not {*_KEYS} & boundaries.keys():
        return
    kept = {key: inner for key, inner in boundaries.items() if key not in _KEYS}
    runner = {key: inner for key, inner in object_of(value.get("runner")).items() if key != "boundaries" or kept}
    if kept:
        runner["boundaries"] = kept
    work.write(document.path, rewritten(work.now(document.path), {**value, "runner": runner}, {}))


def move_from_settings(work: ConversionDraft) -> None:
    """Tools and mode of the settings file into agent.json; the file stays, as it may serve others."""
    document = work.agent.agent_document
    found = settings_of_project(work.agent).found
    if document is None or not isinstance(found, ClaudeSettings):
        return
    value, boundaries = _boundaries(work, document.path)
    own: JsonObject = {"allowedTools": list(found.tools), "permissionMode": found.mode}
    runner = {**object_of(value.get("runner")), "boundaries": {**own, **boundaries, **own}}
    work.write(document.path, rewritten(work.now(document.path), {**value, "runner": runner}, {}))


def _boundaries(work: ConversionDraft, path: Path) -> tuple[JsonObject, JsonObject]:
    tree = read_json(Source(work.now(path)))
    value = object_of(tree.root.value if tree.root else None)
    return value, object_of(object_of(value.get("runner")).get("boundaries"))

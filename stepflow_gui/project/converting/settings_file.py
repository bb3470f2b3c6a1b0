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
    counting = settings_of_project(work.agent)
    if counting.document is not None:
        found = counting.found
        same = isinstance(found, ClaudeSettings) and (list(found.tools), found.mode) == (named, mode)
        given = {key: boundaries[key] for key in _KEYS if key in boundaries}
        if given and not same:
            why = _("the settings file {file} is there already, and decides").format(file=counting.document.path.name)
            what = json.dumps(given, ensure_ascii=False)
            work.lost.append(LostPart(document.path, _POINTER, what, why))
    else:
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
    if document is None:
        return
    value, boundaries = _boundaries(work, document.path)
    if not isinstance(found, ClaudeSettings):
        if work.agent.flow.format == "c3l" and not {*_KEYS} <= boundaries.keys():
            why = _("there is no settings file that can be read: climpt-2026-04-20 uses all tools in mode plan")
            work.lost.append(LostPart(document.path, _POINTER, _("tools and permission mode"), why))
        return
    own: JsonObject = {"allowedTools": list(found.tools), "permissionMode": found.mode}
    runner = {**object_of(value.get("runner")), "boundaries": {**own, **boundaries, **own}}
    work.write(document.path, rewritten(work.now(document.path), {**value, "runner": runner}, {}))


def with_boundaries(text: str, before: JsonObject) -> str:
    """The text of an agent.json with the tools and the mode that it had before, where no settings file is written."""
    value = _value(text)
    own = object_of(object_of(before.get("runner")).get("boundaries"))
    runner = object_of(value.get("runner"))
    kept = {**{key: own[key] for key in _KEYS if key in own}, **object_of(runner.get("boundaries"))}
    return rewritten(text, {**value, "runner": {**runner, "boundaries": kept}}, {}) if kept else text


def _value(text: str) -> JsonObject:
    tree = read_json(Source(text))
    return object_of(tree.root.value if tree.root else None)


def _boundaries(work: ConversionDraft, path: Path) -> tuple[JsonObject, JsonObject]:
    value = _value(work.now(path))
    return value, object_of(object_of(value.get("runner")).get("boundaries"))

"""Where the files of a climpt agent are looked for (formats.md): candidates in order, whether they exist or not."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.climpt.registry import text_at

PATH_TEMPLATE = "{c1}/{c2}/{c3}/f_{edition}_{adaptation}.md"
PATH_TEMPLATE_NO_ADAPTATION = "{c1}/{c2}/{c3}/f_{edition}.md"


def schema_candidates(flow: Flow, agent: AgentDefinition | None, root: Path, file: str) -> list[Path]:
    """The paths at which a schema file may lie, the best first. `root` is the project root."""
    registry_folder = flow.document.path.parent
    agent_folder = agent.document.path.parent if agent else registry_folder
    holders: list[Path] = []
    base = _setting(flow, "schemasBase")
    if base:
        holders.append(root / base)
    if agent and agent.schemas_base:
        holders += [root / agent.schemas_base.value, agent_folder / agent.schemas_base.value]
    holders.append(registry_folder / "schemas")
    return _paths(holder / file for holder in holders)


def prompt_candidates(flow: Flow, agent: AgentDefinition | None, root: Path, step: Step) -> list[Path]:
    """The possible paths of a step's prompt, the best first; [] where the step doesn't name it."""
    tail = prompt_path(flow, step)
    return [holder / tail for holder in prompt_folders(flow, agent, root)] if tail else []


def prompt_path(flow: Flow, step: Step) -> str | None:
    """A step's prompt below a prompts folder; None where a part of the template is missing."""
    return path_of_fields(flow, step.raw)


def path_of_fields(flow: Flow, fields: dict[str, Any], templates: Mapping[str, str] | None = None) -> str | None:
    """The prompt of a step that had these fields; of checks also that of a check (seed 003, PromptReference).

    `templates`: path templates of the registry, and what is to be taken in their place.
    """
    checks = flow.format == "checks"
    address = _object(fields.get("prompt" if checks else "address"))
    named = address.get("path") if checks else fields.get("promptPath")
    if isinstance(named, str) and named:
        return named
    if flow.format == "adt-kind-address":
        address = {key: value for key, value in address.items() if key != "c1"}  # the registry's is read
    else:
        address = fields | address
    c1 = {} if checks else {"c1": _setting(flow, "c1") or "steps"}  # checks name all three parts each time
    parts: dict[str, Any] = {**c1, **address}
    adapted = isinstance(parts.get("adaptation"), str) and parts["adaptation"]
    template = (
        _setting(flow, "pathTemplate") or PATH_TEMPLATE
        if adapted
        else _setting(flow, "pathTemplateNoAdaptation") or PATH_TEMPLATE_NO_ADAPTATION
    )
    template = (templates or {}).get(template, template)
    edition = parts.get("edition")
    if edition is None or not (checks or (isinstance(edition, str) and edition)):
        parts["edition"] = "default"
    for key in ("c1", "c2", "c3", "edition", "adaptation"):
        if "{" + key + "}" in template:
            value = parts.get(key)
            if not isinstance(value, str) or not value:
                return None
            template = template.replace("{" + key + "}", value)
    return template


def own_layout_path(flow: Flow, fields: dict[str, Any]) -> str | None:
    """The same by climpt's own layout, which it uses whatever the registry's templates say."""
    own = {"pathTemplate": PATH_TEMPLATE, "pathTemplateNoAdaptation": PATH_TEMPLATE_NO_ADAPTATION}
    written = {name: _setting(flow, name) for name in own}
    return path_of_fields(flow, fields, {text: own[name] for name, text in written.items() if text})


def with_address_parts(fields: Mapping[str, Any], parts: Mapping[str, str]) -> dict[str, Any]:
    """A step's fields with other parts of its prompt's address, also in an object that holds the address."""
    holders = {key: {**value, **parts} for key in ("address", "prompt") if isinstance(value := fields.get(key), dict)}
    return {**fields, **parts, **holders}


def is_closing(step: Step) -> bool:
    """Whether a step shows the prompts of closing actions."""
    return step.kind == "closure" or (step.c2 is not None and step.c2.value == "closure")


def prompt_folders(flow: Flow, agent: AgentDefinition | None, root: Path) -> list[Path]:
    """The folders in which prompts may lie, the best first."""
    return _paths([*own_prompt_folders(flow, root), fallback_folder(flow, agent)])


def own_prompt_folders(flow: Flow, root: Path) -> list[Path]:
    """Those in which a step's own prompt may lie, without the one for what is missing there."""
    base = _setting(flow, "userPromptsBase")
    beside = (_setting(flow, "basePath") if flow.format == "checks" else None) or "prompts"
    return _paths([*([root / base] if base else []), flow.document.path.parent / beside])


def fallback_folder(flow: Flow, agent: AgentDefinition | None) -> Path:
    """The folder in which a prompt may lie that is missing elsewhere (`fallbackDir`)."""
    folder = agent.document.path.parent if agent else flow.document.path.parent
    return folder / (agent.fallback_dir.value if agent and agent.fallback_dir else "prompts")


def is_odd_path(path: str) -> bool:
    """Whether a path is absolute or holds “..”, which Boot of climpt 1.14 takes for a mistake."""
    return path.startswith("/") or ".." in re.split(r"[/\\]", path)


def _setting(flow: Flow, key: str) -> str | None:
    root = flow.document.root
    text = text_at(root, key, "") if root else None
    return text.value if text and text.value else None


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _paths(paths: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(paths))

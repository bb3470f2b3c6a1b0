"""What fits where a registry uses words of its own: parts of prompts' paths, fields of answers.

The field tables don't cover these, as they depend on other files.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.lookup import prompt_folders
from stepflow_gui.formats.climpt.validation import STEP_HOLDERS
from stepflow_gui.formats.climpt.vocabulary import EXTRACTORS, SUCCESS_WHEN
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.names import Name, step_of
from stepflow_gui.project.assist.variables import prompt_files
from stepflow_gui.project.graph_registry import from_root
from stepflow_gui.text.pointer import split

_FILE = re.compile(r"f_(?P<edition>[^_]+)(?:_(?P<adaptation>.+))?\.md")
_PATHS = {"systemPromptPath": ".md", "registry": "registry.json", "registryPath": "registry.json", "fallbackDir": ""}
_MOST = 400  # files that are offered
_DEEPEST = 5  # of the fields of an answer


def address_names(agent: AgentFolder, pointer: str) -> list[Name]:
    """The strings that fit at a pointer of the registry, each once, in the order of the files."""
    keys = split(pointer)
    if not keys:
        return []
    step = step_of(agent, pointer)
    if step is not None and len(keys) > 2:
        given = _OF_STEP.get(next((key for key in reversed(keys[2:]) if not key.isdecimal()), ""))
        return list(dict.fromkeys(given(agent, step))) if given else []
    if keys[0] in STEP_HOLDERS and keys[-1] == "stepId":
        return [Name(keys[1])]
    if keys[0] == "validators" and keys[-1] == "successWhen":
        return [Name(word) for word in SUCCESS_WHEN]
    if keys[0] == "validators" and keys[-2] == "extractParams":
        return [Name(word) for word in EXTRACTORS]
    return []


def path_names(agent: AgentFolder, pointer: str) -> list[Name]:
    """The paths that fit at a pointer of agent.json, from the agent's folder; registryPath from the project's root."""
    key = (split(pointer) or [""])[-1]
    ending = _PATHS.get(key)
    if ending is None:
        return []
    files = sorted(path for path in agent.files_below(agent.folder) if path.name.endswith(ending))
    if key == "registryPath":
        return [Name(from_root(path, agent)) for path in files[:_MOST]]
    own = [path.relative_to(agent.folder) for path in files]
    if ending:
        return [Name(path.as_posix()) for path in own[:_MOST] if not path.parts[0].startswith(".")]
    folders = dict.fromkeys(folder for path in own[:_MOST] for folder in path.parents if folder.name)
    return [Name(folder.as_posix()) for folder in folders]


def _addresses(agent: AgentFolder) -> Iterator[tuple[str, str, str, str]]:
    """c2, c3, edition and adaptation of the prompts that there are."""
    folders = prompt_folders(agent.flow, agent.agent, agent.root)
    for path in sorted(prompt_files(agent)):
        folder = next((folder for folder in folders if path.is_relative_to(folder)), None)
        parts = path.relative_to(folder).parts if folder else ()
        named = _FILE.fullmatch(path.name)
        if len(parts) >= 3 and named:
            yield parts[-3], parts[-2], named["edition"], named["adaptation"] or ""


def _c2(agent: AgentFolder, _step: Step) -> Iterator[Name]:
    return (Name(c2) for c2, _c3, _edition, _adaptation in _addresses(agent))


def _c3(agent: AgentFolder, step: Step) -> Iterator[Name]:
    own = step.c2.value if step.c2 else None
    return (Name(c3, c2) for c2, c3, _edition, _adaptation in _addresses(agent) if own in {None, c2})


def _here(agent: AgentFolder, step: Step) -> Iterator[tuple[str, str]]:
    own = (step.c2.value if step.c2 else None, step.c3.value if step.c3 else None)
    return ((edition, adaptation) for c2, c3, edition, adaptation in _addresses(agent) if own == (c2, c3))


def _edition(agent: AgentFolder, step: Step) -> Iterator[Name]:
    return (Name(edition) for edition, _adaptation in _here(agent, step))


def _adaptation(agent: AgentFolder, step: Step) -> Iterator[Name]:
    own = step.edition.value if step.edition else None
    return (Name(word, edition) for edition, word in _here(agent, step) if word and own in {None, edition})


def _prompt_path(agent: AgentFolder, _step: Step) -> Iterator[Name]:
    for folder in prompt_folders(agent.flow, agent.agent, agent.root):
        for path in sorted(agent.files_below(folder)):
            if path.suffix == ".md":
                yield Name(path.relative_to(folder).as_posix())


def _own_id(_agent: AgentFolder, step: Step) -> Iterator[Name]:
    yield Name(step.id)


def _fallback_keys(_agent: AgentFolder, _step: Step) -> Iterator[Name]:
    return (Name(key) for key in sorted(FALLBACK_KEYS))


def _validation_steps(agent: AgentFolder, _step: Step) -> Iterator[Name]:
    for holder in STEP_HOLDERS:
        node = agent.registry.tree.at(f"/{holder}")
        for member in node.members() if node else ():
            yield Name(member.key)


def _handed_off(agent: AgentFolder, step: Step) -> Iterator[Name]:
    """`step.key` of what other steps hand off."""
    for other in agent.flow.steps.values():
        if other is not step and other.gate is not None:
            for field in other.gate.handoff_fields:
                yield Name(f"{other.id}.{field.value.rpartition('.')[2]}", field.value)


def _answer_fields(agent: AgentFolder, step: Step) -> Iterator[Name]:
    """Dotted paths into the answer, as its schema has them."""
    for keys, schema in _properties(agent.schema(step).value, ()):
        yield Name(".".join(keys), _type_of(schema))


def _enum_pointers(agent: AgentFolder, step: Step) -> Iterator[Name]:
    for keys, schema in _properties(agent.schema(step).value, ()):
        if isinstance(schema.get("enum"), list):
            yield Name("#" + "".join(f"/properties/{key}" for key in keys), ", ".join(map(str, schema["enum"])))


def _properties(schema: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    properties = schema.get("properties")
    for key, below in properties.items() if isinstance(properties, dict) else ():
        if isinstance(below, dict):
            yield (*above, key), below
            if len(above) < _DEEPEST:
                yield from _properties(below, (*above, key))


def _type_of(schema: dict[str, Any]) -> str:
    description, kind = schema.get("description"), schema.get("type")
    return description if isinstance(description, str) else kind if isinstance(kind, str) else ""


_OF_STEP: dict[str, Callable[[AgentFolder, Step], Iterator[Name]]] = {
    "stepId": _own_id,
    "c2": _c2,
    "c3": _c3,
    "edition": _edition,
    "adaptation": _adaptation,
    "promptPath": _prompt_path,
    "path": _prompt_path,
    "fallbackKey": _fallback_keys,
    "validationSteps": _validation_steps,
    "from": _handed_off,
    "intentField": _answer_fields,
    "targetField": _answer_fields,
    "handoffFields": _answer_fields,
    "intentSchemaRef": _enum_pointers,
}

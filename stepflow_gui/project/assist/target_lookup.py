"""Which name a key, a string or a prompt's variable is: of a step, an intent, a schema, a file and so on."""

import re

from stepflow_gui.formats.climpt.validation import PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.formats.fields import Names
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.cursor_place import CursorPlace, spot_at
from stepflow_gui.project.assist.cursor_target import CursorTarget, TargetKind
from stepflow_gui.project.assist.names import step_of
from stepflow_gui.project.assist.variables import steps_showing
from stepflow_gui.text.document import AnyDocument, ParsedFile
from stepflow_gui.text.pointer import parent, split
from stepflow_gui.text.source import Span

_OF_NAMES: dict[Names, TargetKind] = {
    "step": "step",
    "intent": "intent",
    "validator": "validator",
    "failure pattern": "failure-pattern",
    "schema": "schema",
    "schema file": "schema-file",
    "verdict": "verdict",
    "variable": "variable",
}
_ADDRESS = frozenset(("c1", "c2", "c3", "edition", "adaptation", "promptPath"))
_PATHS = frozenset(("systemPromptPath", "registry", "registryPath", "handlerPath"))
_USE = re.compile(r"\{uv-(\w+)\}", re.ASCII)
_SCHEMA_HOLDERS = ("", "/definitions", "/$defs")


def target_at(agent: AgentFolder, file: AnyDocument, offset: int) -> CursorTarget | None:
    """The name at an offset; None where there is none that means anything."""
    if agent.flow.format == "takt":
        from stepflow_gui.project.assist.piece_targets import piece_target_at  # registries have none of these

        return piece_target_at(agent, file, offset)
    if not isinstance(file, ParsedFile):
        return _in_prompt(agent, file, offset)
    spot = spot_at(agent, file, offset)
    if spot is not None:
        if not spot.pointer:  # a file that holds nothing but a text
            return None
        return _key(agent, spot) if spot.is_key else _string(agent, spot)
    if file.path == agent.registry.path:
        return None
    return _in_schema(agent, file, offset)


def _key(agent: AgentFolder, spot: CursorPlace) -> CursorTarget | None:
    keys = split(spot.pointer)
    kind: TargetKind | None = None
    step: str | None = None
    if spot.document is not agent.registry and keys[:1] == ["parameters"] and len(keys) == 2:
        kind = "variable"
    elif len(keys) == 2 and keys[0] == "steps":
        kind = "step"
    elif len(keys) == 2 and keys[0] in STEP_HOLDERS:
        kind = "step" if keys[1] in agent.flow.steps else "validation-step"
    elif len(keys) == 2 and keys[0] in PATTERN_HOLDERS:
        kind = "failure-pattern"
    elif len(keys) == 2 and keys[0] == "validators":
        kind = "validator"
    elif len(keys) == 6 and keys[0] == "steps" and keys[2:5:2] == ["transitions", "targets"]:
        kind, step = "case", keys[1]
    elif spot.holder is not None and spot.holder.kind == "map" and spot.holder.names:
        kind, step = _OF_NAMES.get(spot.holder.names), _step(agent, spot.pointer)
    return CursorTarget(kind, spot.text, spot.document, spot.pointer, spot.span, step) if kind else None


def _string(agent: AgentFolder, spot: CursorPlace) -> CursorTarget | None:
    keys = split(spot.pointer)
    names = spot.shape.names if spot.shape is not None else ""
    found = CursorTarget("step", spot.text, spot.document, spot.pointer, spot.span, _step(agent, spot.pointer))
    of_step = len(keys) > 2 and keys[0] == "steps"
    if names:
        return found._replace(kind=_OF_NAMES[names])
    if keys[-1] == "stepId" and len(keys) == 3 and keys[0] in {"steps", *STEP_HOLDERS}:
        return found if keys[0] == "steps" or spot.text in agent.flow.steps else found._replace(kind="validation-step")
    if of_step and keys[2] == "validationSteps":
        return found if spot.text in agent.flow.steps else found._replace(kind="validation-step")
    if of_step and keys[2] == "inputs" and keys[-1] == "from" and "." in spot.text:
        source, dot, key = spot.text.rpartition(".")
        return found._replace(name=source, tail=dot + key)
    if of_step and keys[-1] == "intentSchemaRef":
        return found._replace(kind="enum")
    if of_step and keys[-1] in _ADDRESS and (len(keys) == 3 or keys[2] == "address"):
        return found._replace(kind="prompt")
    if of_step and agent.flow.format == "checks":
        return _with_check(keys, found)
    if len(keys) == 3 and keys[-1] in _ADDRESS and keys[0] in {*STEP_HOLDERS, *PATTERN_HOLDERS}:
        return found._replace(kind="prompt")
    if keys[-1] in _PATHS and spot.document is agent.agent_document:
        return found._replace(kind="file")
    return None


def _with_check(keys: list[str], found: CursorTarget) -> CursorTarget | None:
    """In a step with a check: its id, or a part of the address of a prompt."""
    if keys[2:] == ["id"]:
        return found
    of_prompt = keys[2:-1] in (["prompt"], ["check", "prompt"])
    return found._replace(kind="prompt") if of_prompt and keys[-1] in {*_ADDRESS, "path"} else None


def _step(agent: AgentFolder, pointer: str) -> str | None:
    step = step_of(agent, pointer)
    return step.id if step else None


def _in_schema(agent: AgentFolder, file: ParsedFile, offset: int) -> CursorTarget | None:
    """In a schema file: names of schemas, references, step ids and intents."""
    pointer = file.tree.pointer_at(offset)
    if not pointer:
        return None
    key, key_span = split(pointer)[-1], file.tree.key_span(pointer)
    node = file.tree.at(pointer)
    if node is None:
        return None
    if key_span is not None and key_span.start <= offset <= key_span.end:
        held = parent(pointer) in _SCHEMA_HOLDERS and isinstance(node.value, dict) and _holds_schemas(agent, file)
        is_name = held and key not in {"definitions", "$defs", "properties"}
        return CursorTarget("schema", key, file, pointer, key_span) if is_name else None
    if not isinstance(node.value, str) or not node.start <= offset <= node.end:
        return None
    found = CursorTarget("step", node.value, file, pointer, Span(node.start, node.end))
    if key == "$ref":
        return found._replace(kind="schema-reference")
    if "/properties/stepId/" in pointer:
        return found if node.value in agent.flow.steps else None
    for step in agent.flow.steps.values():
        place = agent.schema(step).enum_place
        if place is not None and place.document.path == file.path and place.pointer == parent(pointer):
            return found._replace(kind="intent", step=step.id)
    return None


def _holds_schemas(agent: AgentFolder, file: ParsedFile) -> bool:
    """Whether a file is one that the agent's steps, or those files, can refer to."""
    folders = {path.parent for path in agent.schema_candidates("any.json")}
    return file.path.parent in folders or any(
        isinstance(each, ParsedFile) and each.path == file.path for each in agent.schema_files()
    )


def _in_prompt(agent: AgentFolder, file: AnyDocument, offset: int) -> CursorTarget | None:
    if file.path.suffix != ".md":
        return None
    text = file.source.text
    line = file.source.position(offset)
    start = offset - (line.column - 1)
    end = text.find("\n", start)
    for use in _USE.finditer(text, start, len(text) if end < 0 else end):
        if use.start() <= offset <= use.end():
            step = next((step.id for step in steps_showing(agent, file.path)), None)
            return CursorTarget("variable", use[1], file, "", Span(*use.span()), step, "{uv-", "}")
    return None

"""What can be chosen in a line of a form: steps, intents, checks, schemas, prompts, words of the file itself."""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.lookup import own_prompt_folders
from stepflow_gui.formats.climpt.vocabulary import (
    EXTRACTORS,
    INTENTS_OF_KIND,
    RUNTIME_VARIABLES,
    SECTION_VARIABLES,
    SUCCESS_WHEN,
    VERDICT_TYPES,
    VERDICT_VARIABLES,
    intents_of,
)
from stepflow_gui.gui.document.generated_ids import are_hashed, shown_name
from stepflow_gui.gui.inspector.form_line_edit import TextChoice
from stepflow_gui.gui.inspector.forms import piece_choices
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent, split

_PROMPT_PARTS = ("c1", "c2", "c3", "edition", "adaptation")
_ALIKE = frozenset(
    ("intentSchemaRef", "intentField", "targetField", "handoffFields", "condition", "fallbackKey", "params")
)
_OF_AGENT = frozenset(("systemPromptPath", "registry", "registryPath", "fallbackDir", "base", "allowedTools"))
_CHOOSABLE = _ALIKE | _OF_AGENT | {*_PROMPT_PARTS, "successWhen", "extractParams", "from", "validationSteps"}
_MOST = 300


def the_end() -> str:
    """How a target of null is shown."""
    return _("(end)")


def has_choices(line: FormField) -> bool:
    """Whether a line offers a list, which may turn out empty."""
    shape = line.shape
    if shape is None or shape.kind != "string":
        return False
    return bool(shape.choices or shape.names) or _word(line) in _CHOOSABLE | piece_choices.CHOOSABLE


def choices(folder: AgentFolder, line: FormField) -> list[str]:
    """What can be chosen, the likeliest first."""
    if line.shape is None:
        return []
    found = dict.fromkeys([*line.shape.choices, *_named(folder, line), *_of_movement(folder, line)])
    return [text for text in found if text][:_MOST]


def key_choices(folder: AgentFolder, line: FormField) -> list[str]:
    """Which keys a new member of a map may have."""
    if line.shape is None:
        return []
    taken = line.value if isinstance(line.value, dict) else {}
    step = _step(folder, line.pointer)
    keys: list[str] = []
    if line.shape.names == "intent" and step is not None:
        allowed = [text.value for text in step.gate.intents] if step.gate else []
        keys = [*allowed, *INTENTS_OF_KIND.get(step.kind or "", intents_of(folder.flow.format))]
    elif line.shape.names == "verdict":
        keys = [*VERDICT_TYPES, "default"]
    elif line.pointer in {"/validationSteps", "/completionSteps"}:
        keys = [each.id for each in folder.flow.steps.values() if each.kind == "closure"]
    elif line.key == "targets":
        keys = ["default"]
    elif line.key == "extractParams":
        keys = list(_params(folder, parent(line.pointer)))
    return [key for key in dict.fromkeys(keys) if key not in taken]


def _named(folder: AgentFolder, line: FormField) -> Iterator[str]:
    flow, root = folder.flow, folder.registry.tree.root
    step = _step(folder, line.pointer)
    match line.names:
        case "step":
            if line.shape is not None and line.shape.nullable:
                yield the_end()
            for each in flow.steps.values():
                if not each.is_section:
                    yield TextChoice(each.id, shown_name(flow, each.id)) if are_hashed(flow) else each.id
        case "intent":
            yield from INTENTS_OF_KIND.get(step.kind or "" if step else "", ())
            yield from intents_of(flow.format)
        case "validator":
            yield from _keys(folder, "/validators")
        case "failure pattern":
            yield from _keys(folder, "/failurePatterns")
            yield from _keys(folder, "/completionPatterns")
        case "schema file":
            yield from _schema_files(folder)
        case "schema":
            beside = root.at(join(parent(line.pointer), "file")) if root else None
            if beside is not None and isinstance(beside.value, str):
                yield from _schemas(folder, beside.value)
        case "variable":
            yield from RUNTIME_VARIABLES
            yield from (name for names in VERDICT_VARIABLES.values() for name in names)
            yield from SECTION_VARIABLES if step is not None and step.is_section else ()
            yield from _elsewhere(folder, line.pointer)


def _of_movement(folder: AgentFolder, line: FormField) -> Iterator[str]:
    word = _word(line)
    if folder.flow.format == "takt":
        yield from piece_choices.choices_of(folder, line, word)
        return
    if word in _PROMPT_PARTS:
        yield from _prompt_words(folder, line, word)
    elif word == "successWhen":
        yield from ("empty", "non-empty", "exitCode:0", *(form for form in SUCCESS_WHEN if form.endswith(":")))
    elif word == "extractParams":
        yield from EXTRACTORS
    elif word == "from":
        for step in folder.flow.steps.values():
            for text in step.gate.handoff_fields if step.gate else ():
                yield f"{step.id}.{text.value.rpartition('.')[2]}"
    elif word == "validationSteps":
        yield from _keys(folder, "/validationSteps")
    elif word == "condition":
        own = _step(folder, line.pointer)
        for text in own.gate.handoff_fields if own and own.gate else ():
            yield text.value.rpartition(".")[2]
    if word in {*_PROMPT_PARTS, *_ALIKE}:
        yield from _elsewhere(folder, line.pointer)


def _word(line: FormField) -> str:
    """The name of the field, or of the list or map that the line is an element of."""
    keys = split(line.pointer)
    if line.role == "field":
        return line.key
    return keys[-2] if len(keys) > 1 else ""


def _step(folder: AgentFolder, pointer: str) -> Step | None:
    keys = split(pointer)
    return folder.flow.steps.get(keys[1]) if len(keys) > 1 and keys[0] == "steps" else None


def _keys(folder: AgentFolder, pointer: str) -> Iterator[str]:
    node = folder.registry.tree.at(pointer)
    if node is not None and isinstance(node.value, dict):
        yield from node.value


def _params(folder: AgentFolder, validator: str) -> Iterator[str]:
    pattern = folder.registry.tree.at(join(validator, "failurePattern"))
    name = pattern.value if pattern and isinstance(pattern.value, str) else ""
    for holder in ("failurePatterns", "completionPatterns"):
        listed = folder.registry.tree.at(join("", holder, name, "params"))
        if listed is not None and isinstance(listed.value, list):
            yield from (text for text in listed.value if isinstance(text, str))


def _elsewhere(folder: AgentFolder, pointer: str) -> Iterator[str]:
    """The values at the same place of the neighbours: of the other steps, validators, patterns."""
    keys = split(pointer)
    root = folder.registry.tree.root
    holder = root.value.get(keys[0]) if root and isinstance(root.value, dict) and len(keys) > 2 else None
    if not isinstance(holder, dict):
        return
    inside = keys[2:-1] if keys[-1].isdecimal() else keys[2:]
    for key, value in holder.items():
        if key != keys[1]:
            yield from _texts_at(value, inside)


def _texts_at(value: JsonValue, keys: list[str]) -> Iterator[str]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (text for text in value if isinstance(text, str))


def _schema_files(folder: AgentFolder) -> Iterator[str]:
    for holder in dict.fromkeys(path.parent for path in folder.schema_candidates("x")):
        for path in sorted(folder.files_below(holder)):
            if path.suffix == ".json":
                yield path.relative_to(holder).as_posix()


def _schemas(folder: AgentFolder, file: str) -> Iterator[str]:
    for path in folder.schema_candidates(file):
        document = folder.document(path)
        if isinstance(document, ParsedFile) and document.root is not None and isinstance(document.root.value, dict):
            value = document.root.value
            yield from (key for key, inner in value.items() if isinstance(inner, dict) and key != "definitions")
            inner = value.get("definitions")
            yield from (f"#/definitions/{key}" for key in (inner if isinstance(inner, dict) else ()))
            return


def _prompt_words(folder: AgentFolder, line: FormField, word: str) -> Iterator[str]:
    """The words that prompt files have at that place of their path, those beside the line's other words first."""
    holder = folder.registry.tree.at(parent(line.pointer))
    fields = holder.value if holder is not None and isinstance(holder.value, dict) else {}
    root = folder.registry.tree.root
    wanted = {"c1": root.value.get("c1") if root and isinstance(root.value, dict) else None} | fields
    later: list[str] = []
    for base in own_prompt_folders(folder.flow, folder.root):
        for path in sorted(folder.files_below(base)):
            words = _words_of(path, base)
            if word not in words:
                continue
            before = _PROMPT_PARTS[: _PROMPT_PARTS.index(word)]
            if all(words.get(part) == wanted.get(part) for part in before):
                yield words[word]
            else:
                later.append(words[word])
    if word in {"c1", "c2", "c3"}:
        yield from later


def _words_of(path: Path, base: Path) -> dict[str, str]:
    parts = path.relative_to(base).parts
    if len(parts) != 4 or not fnmatch(parts[3], "f_*.md"):
        return {}
    edition, _line, adaptation = parts[3][2:-3].partition("_")
    words = dict(zip(("c1", "c2", "c3", "edition"), (*parts[:3], edition), strict=True))
    return words | ({"adaptation": adaptation} if adaptation else {})

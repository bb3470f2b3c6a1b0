"""The kinds of mistakes: where each can be made in a file, and what is written there instead."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.tree import Node
from stepflow_gui.text.pointer import split
from stepflow_gui.text.source import Span

GATE = ("closing", "c3l", "complete")
CHECKS = ("checks",)
TAKT = ("takt",)
REGISTRY, AGENT, SCHEMA = "registry", "agent", "schema"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Word = Callable[[str, random.Random], str]
Change = Callable[[ParsedFile, str, Node, random.Random], list[TextEdit]]


class Kind(NamedTuple):
    """A kind of mistake: in which formats and file, and at which places; `change` makes it there.

    Places are JSON Pointers in which `*` matches one name. `spelling` kinds are those that fixes have to undo.
    """

    name: str
    formats: tuple[str, ...]
    file: str
    places: tuple[str, ...]
    change: Change
    spelling: bool = True


class Mistake(NamedTuple):
    """A mistake in one file."""

    kind: Kind
    document: ParsedFile
    pointer: str
    edits: list[TextEdit]


def misspelt(word: str, by: random.Random) -> str:
    """The word with a slip of the keyboard: two letters swapped, one left out, doubled, or another one."""
    at = [index for index, letter in enumerate(word) if letter.isascii() and letter.isalpha()]
    inner = at[1:] or at
    for _attempt in range(20):
        index = by.choice(inner)
        slip = by.choice(("swap", "drop", "double", "other"))
        if slip == "swap" and index + 1 < len(word):
            made = word[:index] + word[index + 1] + word[index] + word[index + 2 :]
        elif slip == "drop":
            made = word[:index] + word[index + 1 :]
        elif slip == "double":
            made = word[: index + 1] + word[index:]
        else:
            made = word[:index] + by.choice(LETTERS) + word[index + 1 :]
        if made != word and made:
            return made
    return word + word[-1]


def key(document: ParsedFile, pointer: str, _node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell the key."""
    span = document.tree.key_span(pointer)
    word = split(pointer)[-1]
    return [_written(document, span, misspelt(word, by))] if span and word.isascii() else []


def value(document: ParsedFile, _pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell the value."""
    found = node.value
    is_word = isinstance(found, str) and len(found) > 3 and found.isascii() and "{{" not in found and "\n" not in found
    return [_written(document, node.span, misspelt(found, by))] if is_word else []


def step_everywhere_but_references(document: ParsedFile, pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell a step's key and its stepId alike."""
    declared = node.get("stepId")
    span = document.tree.key_span(pointer)
    word = split(pointer)[-1]
    if declared is None or declared.value != word or span is None:
        return []
    made = misspelt(word, by)
    return [_written(document, span, made), _written(document, declared.span, made)]


def last_part(document: ParsedFile, _pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
    """Misspell what stands after the last dot or slash."""
    found = node.value
    if not isinstance(found, str):
        return []
    at = max(found.rfind("."), found.rfind("/")) + 1
    return [_written(document, node.span, found[:at] + misspelt(found[at:], by))] if len(found) - at > 3 else []


def removed(document: ParsedFile, pointer: str, _node: Node, _by: random.Random) -> list[TextEdit]:
    """Leave the member or element out."""
    if document.is_yaml:
        from stepflow_gui.text.yaml.edit import remove as remove_yaml

        return remove_yaml(document.tree, pointer)
    from stepflow_gui.text.json.edit import remove

    return list(remove(document.tree, pointer))


def another(of: Callable[[ParsedFile], Sequence[str]]) -> Change:
    """Write another of the words that are allowed there."""

    def change(document: ParsedFile, _pointer: str, node: Node, by: random.Random) -> list[TextEdit]:
        others = [word for word in of(document) if word != node.value]
        return [_written(document, node.span, by.choice(others))] if others and isinstance(node.value, str) else []

    return change


def written(word: str) -> Change:
    """Write a certain value."""
    return lambda _document, _pointer, node, _by: [TextEdit(*node.span, word)]


def _written(document: ParsedFile, span: Span, word: str) -> TextEdit:
    if document.is_yaml:
        from stepflow_gui.text.yaml.write import rewritten

        return TextEdit(*span, rewritten(document.source.text, span, word))
    return TextEdit(*span, json.dumps(word, ensure_ascii=False))


def _steps(document: ParsedFile) -> list[str]:
    found = document.tree.at("/steps")
    return list(found.value) if found and isinstance(found.value, dict) else []


def _movements(document: ParsedFile) -> list[str]:
    found = document.tree.at("/movements") or document.tree.at("/steps")
    items = found.value if found and isinstance(found.value, list) else []
    return [item["name"] for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]


def _keys(
    where: str | tuple[str, ...], names: str, formats: tuple[str, ...] = GATE, file: str = REGISTRY
) -> list[Kind]:
    """Kinds that misspell these keys, below any of the places."""
    places = (where,) if isinstance(where, str) else where
    families: dict[tuple[str, ...], str] = {TAKT: "takt: " if where else "takt: top ", CHECKS: "checks: "}
    family = families.get(formats, "")
    return [
        Kind(f"{family}key {name}", formats, file, tuple(f"{place}/{name}" for place in places), key)
        for name in names.split()
    ]


_GATE = "/steps/*/structuredGate"
_STEP = ("/movements/*", "/steps/*")
_SUB = tuple(f"{step}/parallel/*" for step in _STEP)
_ENUMS = tuple(f"/*/properties/{where}/enum/*" for where in ("next_action/properties/action", "action"))

KINDS: tuple[Kind, ...] = (
    *_keys("", "agentId version entryStepMapping entryStep failurePatterns validators validationSteps steps"),
    *_keys("/steps/*", "stepId name c2 c3 edition fallbackKey stepKind uvVariables usesStdin"),
    *_keys("/steps/*", "structuredGate transitions outputSchemaRef"),
    *_keys(_GATE, "allowedIntents intentSchemaRef intentField handoffFields failFast fallbackIntent targetField"),
    *_keys("/steps/*/outputSchemaRef", "file schema"),
    *_keys("/steps/*/transitions/*", "target condition targets"),
    *_keys("/validators/*", "successWhen failurePattern command extractParams"),
    Kind("key validationConditions", GATE, REGISTRY, ("/validationSteps/*/validationConditions",), key),
    Kind("transition's intent", GATE, REGISTRY, ("/steps/*/transitions/*",), key),
    Kind("verdict of an entry", GATE, REGISTRY, ("/entryStepMapping/*",), key),
    Kind("step key", GATE, REGISTRY, ("/steps/*",), key),
    Kind("step key and stepId", GATE, REGISTRY, ("/steps/*",), step_everywhere_but_references),
    Kind("stepId", GATE, REGISTRY, ("/steps/*/stepId",), value),
    Kind("entry's step", GATE, REGISTRY, ("/entryStepMapping/*", "/entryStep"), value),
    Kind("target", GATE, REGISTRY, ("/steps/*/transitions/*/target",), value),
    Kind("target of a case", GATE, REGISTRY, ("/steps/*/transitions/*/targets/*",), value),
    Kind("allowed intent", GATE, REGISTRY, (f"{_GATE}/allowedIntents/*",), value),
    Kind("fallbackIntent", GATE, REGISTRY, (f"{_GATE}/fallbackIntent",), value),
    Kind("intentField", GATE, REGISTRY, (f"{_GATE}/intentField",), value),
    Kind("intentSchemaRef", GATE, REGISTRY, (f"{_GATE}/intentSchemaRef",), last_part),
    Kind("handoff field", GATE, REGISTRY, (f"{_GATE}/handoffFields/*",), value),
    Kind("stepKind", GATE, REGISTRY, ("/steps/*/stepKind",), value),
    Kind("c1", GATE, REGISTRY, ("/c1",), value),
    Kind("edition", GATE, REGISTRY, ("/steps/*/edition",), value),
    Kind("c2", GATE, REGISTRY, ("/steps/*/c2",), value),
    Kind("c3", GATE, REGISTRY, ("/steps/*/c3",), value),
    Kind("fallbackKey", GATE, REGISTRY, ("/steps/*/fallbackKey",), value),
    Kind("variable", GATE, REGISTRY, ("/steps/*/uvVariables/*",), value),
    Kind("schema name", GATE, REGISTRY, ("/steps/*/outputSchemaRef/schema",), value),
    Kind("schema file", GATE, REGISTRY, ("/steps/*/outputSchemaRef/file",), value),
    Kind("validator", GATE, REGISTRY, ("/validationSteps/*/validationConditions/*/validator",), value),
    Kind("failure pattern", GATE, REGISTRY, ("/validators/*/failurePattern",), value),
    Kind("successWhen", GATE, REGISTRY, ("/validators/*/successWhen",), value),
    Kind("enum value", GATE, SCHEMA, _ENUMS, value),
    Kind("verdict type", GATE, AGENT, ("/runner/verdict/type",), value),
    *_keys("", "name version runner parameters", file=AGENT),
    *_keys("/runner", "flow verdict boundaries", file=AGENT),
    *_keys("/runner/flow", "systemPromptPath prompts", file=AGENT),
    *_keys("/runner/verdict", "type config", file=AGENT),
    *_keys("/runner/verdict/config", "maxIterations", file=AGENT),
    *_keys("/runner/boundaries", "allowedTools permissionMode", file=AGENT),
    *_keys("/parameters/*", "cli required default", file=AGENT),
    Kind("key type of a parameter", GATE, AGENT, ("/parameters/*/type",), key),
    Kind("permissionMode", GATE, AGENT, ("/runner/boundaries/permissionMode",), value),
    Kind("systemPromptPath", GATE, AGENT, ("/runner/flow/systemPromptPath",), value),
    Kind("parameter", GATE, AGENT, ("/parameters/*",), key),
    *_keys("/steps/*", "check iterations prompt", CHECKS),
    *_keys("/steps/*/check", "onPass onFail", CHECKS),
    *_keys("/steps/*/check/onPass", "next", CHECKS),
    Kind("checks: step", CHECKS, REGISTRY, ("/steps/*/check/onPass/next", "/entryStep"), value),
    *_keys("", "name movements personas initial_movement initial_step max_iterations max_steps loop_monitors", TAKT),
    *_keys((*_STEP, *_SUB), "name persona policy instruction instruction_template edit rules parallel knowledge", TAKT),
    *_keys((*_STEP, *_SUB), "permission_mode output_contracts allowed_tools session pass_previous_response", TAKT),
    *_keys(tuple(f"{step}/rules/*" for step in (*_STEP, *_SUB)), "condition next", TAKT),
    *_keys("/loop_monitors/*", "cycle threshold judge", TAKT),
    Kind("takt: next", TAKT, REGISTRY, tuple(f"{at}/rules/*/next" for at in _STEP), value),
    Kind("takt: initial step", TAKT, REGISTRY, ("/initial_movement", "/initial_step"), value),
    Kind("takt: step's name", TAKT, REGISTRY, tuple(f"{at}/name" for at in _STEP), value),
    Kind("takt: persona", TAKT, REGISTRY, tuple(f"{at}/persona" for at in (*_STEP, *_SUB)), value),
    Kind("takt: policy", TAKT, REGISTRY, tuple(f"{at}/policy" for at in (*_STEP, *_SUB)), value),
    Kind("takt: instruction", TAKT, REGISTRY, tuple(f"{at}/instruction" for at in (*_STEP, *_SUB)), value),
    Kind("takt: section's key", TAKT, REGISTRY, ("/personas/*", "/policies/*", "/instructions/*"), key),
    Kind("takt: permission mode", TAKT, REGISTRY, tuple(f"{at}/permission_mode" for at in _STEP), value),
    Kind("takt: cycle's step", TAKT, REGISTRY, ("/loop_monitors/*/cycle/*",), value),
    # No mistakes of spelling.
    Kind("transition left out", GATE, REGISTRY, ("/steps/*/transitions/*",), removed, spelling=False),
    Kind("intent left out", GATE, REGISTRY, (f"{_GATE}/allowedIntents/*",), removed, spelling=False),
    Kind("gate left out", GATE, REGISTRY, ("/steps/*/structuredGate",), removed, spelling=False),
    Kind("schema left out", GATE, REGISTRY, ("/steps/*/outputSchemaRef",), removed, spelling=False),
    Kind("intentField left out", GATE, REGISTRY, (f"{_GATE}/intentField",), removed, spelling=False),
    Kind("stepKind left out", GATE, REGISTRY, ("/steps/*/stepKind",), removed, spelling=False),
    Kind("entry left out", GATE, REGISTRY, ("/entryStepMapping/*",), removed, spelling=False),
    Kind("step left out", GATE, REGISTRY, ("/steps/*",), removed, spelling=False),
    Kind("another target", GATE, REGISTRY, ("/steps/*/transitions/*/target",), another(_steps), spelling=False),
    Kind("null target", GATE, REGISTRY, ("/steps/*/transitions/next/target",), written("null"), spelling=False),
    Kind("target is a list", GATE, REGISTRY, ("/steps/*/transitions/*/target",), written("[]"), spelling=False),
    Kind("gate is a text", GATE, REGISTRY, ("/steps/*/structuredGate",), written('"x"'), spelling=False),
    Kind("takt: rule left out", TAKT, REGISTRY, tuple(f"{at}/rules/*" for at in _STEP), removed, spelling=False),
    Kind("takt: next left out", TAKT, REGISTRY, tuple(f"{at}/rules/*/next" for at in _STEP), removed, spelling=False),
    Kind("takt: another next", TAKT, REGISTRY, tuple(f"{at}/rules/*/next" for at in _STEP), another(_movements), False),
    Kind("takt: step left out", TAKT, REGISTRY, _STEP, removed, spelling=False),
)


def mistakes(kind: Kind, agent: AgentFolder, most: int) -> Iterator[Mistake]:
    """Mistakes of a kind in an agent, at most so many; the same ones each time."""
    by = random.Random(f"{kind.name} {agent.registry.source.text}")
    for document in _files(kind, agent):
        found = [each for place in kind.places for each in _matching(document, place)]
        by.shuffle(found)
        for pointer, node in found:
            edits = kind.change(document, pointer, node, by)
            if edits:
                yield Mistake(kind, document, pointer, edits)
                most -= 1
            if most <= 0:
                return


def _files(kind: Kind, agent: AgentFolder) -> list[ParsedFile]:
    if agent.format not in kind.formats:
        return []
    if kind.file == REGISTRY:
        return [agent.registry]
    if kind.file == AGENT:
        return [agent.agent_document] if agent.agent_document else []
    return [file for file in agent.schema_files() if isinstance(file, ParsedFile)]


def _matching(document: ParsedFile, place: str) -> list[tuple[str, Node]]:
    root = document.root
    found: list[tuple[str, Node]] = [("", root)] if root else []
    for part in place.split("/")[1:]:
        found = [
            (f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}", child)
            for pointer, node in found
            for name, child in _children(node)
            if part in ("*", name)
        ]
    return found


def _children(node: Node) -> list[tuple[str, Node]]:
    if node.kind == "object":
        return [(member.key, member.value) for member in node.members()]
    return [(str(index), item) for index, item in enumerate(node.items())] if node.kind == "array" else []

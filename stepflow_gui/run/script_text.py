"""The text of a script as values with their lines: JSON Lines, JSON or YAML."""

from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.responders.script import LINE_KEYS, ScriptProblem, json_lines
from stepflow_gui.text.json_tree import JsonValue, read_json
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_LINES = (".jsonl", ".ndjson")
_YAML = (".yaml", ".yml")
_DEEPEST = 100  # lists and mappings inside one another, in YAML
_MOST = 1_000_000  # values, in YAML, whose aliases can make many out of few


class ScriptText(NamedTuple):
    """What the text says; `line_of` gives the line, from 1, of the value at a JSON Pointer."""

    value: JsonValue
    line_of: Callable[[str], int]


def read_script_text(text: str, name: str = "") -> ScriptText | ScriptProblem:
    """Read a script by the ending of its name; where that says nothing, as what it looks like."""
    text = text.removeprefix("\ufeff")
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    if ending in _LINES:
        return _read_lines(text)
    if ending in _YAML:
        return _read_yaml(text)
    found = _read_json(text)
    if ending == ".json" or isinstance(found, ScriptText):
        return found
    return _read_lines(text) if text.lstrip().startswith("{") else _read_yaml(text)


def _read_lines(text: str) -> ScriptText | ScriptProblem:
    found = json_lines(text)
    if isinstance(found, ScriptProblem):
        return found
    numbers = [number for number, _value in found]

    def line_of(pointer: str) -> int:
        index = pointer.split("/")[1] if pointer else "0"
        return numbers[int(index)] if index.isdigit() and int(index) < len(numbers) else 1

    return ScriptText([value for _number, value in found], line_of)


def _read_json(text: str) -> ScriptText | ScriptProblem:
    source = Source(text)
    tree = read_json(source)
    if tree.problems or tree.root is None:
        start = tree.problems[0].start if tree.problems else 0
        line = source.position(start).line
        return ScriptProblem(line, _("Line {line} of the script is no JSON.").format(line=line))
    if isinstance(tree.root.value, dict) and LINE_KEYS & tree.root.value.keys():  # JSON Lines of one line
        return ScriptText([tree.root.value], lambda _pointer: 1)

    def line_of(pointer: str) -> int:
        node = tree.at(pointer)
        return source.position(node.start).line if node else 1

    return ScriptText(tree.root.value, line_of)


def _read_yaml(text: str) -> ScriptText | ScriptProblem:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        root = YAML(typ="safe", pure=True).compose(text)
        reading = _YamlReading()
        return ScriptText(None if root is None else reading.value(root, "", 0), reading.line_of)
    except _UnfitError as unfit:
        return unfit.problem
    except (YAMLError, ValueError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        line = mark.line + 1 if mark is not None else 1
        return ScriptProblem(line, _("Line {line} of the script is no YAML.").format(line=line))


class _UnfitError(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.problem = ScriptProblem(line, message.format(line=line))


class _YamlReading:
    """Values of YAML as JSON has them: no dates, no keys but texts."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}
        self._count = 0

    def line_of(self, pointer: str) -> int:
        return self._lines.get(pointer, 1)

    def value(self, node: "Node", pointer: str, depth: int) -> JsonValue:
        from ruamel.yaml.nodes import MappingNode, SequenceNode

        line = node.start_mark.line + 1
        self._lines[pointer] = line
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST:
            raise _UnfitError(line, _("Line {line} of the script: too much is nested here, or an alias holds itself."))
        if isinstance(node, SequenceNode):
            return [self.value(item, f"{pointer}/{index}", depth + 1) for index, item in enumerate(node.value)]
        if isinstance(node, MappingNode):
            return {self._key(key): self.value(item, join(pointer, key.value), depth + 1) for key, item in node.value}
        return self._scalar(node, line)

    @staticmethod
    def _key(node: "Node") -> str:
        if not isinstance(node.value, str):
            raise _UnfitError(node.start_mark.line + 1, _("Line {line} of the script: a key is no text."))
        return node.value

    @staticmethod
    def _scalar(node: "Node", line: int) -> JsonValue:
        text = str(node.value)
        match str(node.tag).rpartition(":")[2]:
            case "null":
                return None
            case "bool":
                return text.lower() in {"true", "yes", "on"}
            case "int":
                return int(text.replace("_", ""), 0) if text.lstrip("+-") != "0" else 0
            case "float":
                number = float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
                if not isfinite(number):
                    raise _UnfitError(line, _("Line {line} of the script: JSON has no such number."))
                return number
        return text

"""YAML as the values that JSON has, each with its line: for files with the same content in either format."""

from math import isfinite
from typing import NamedTuple

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.yaml.scanner import yaml_reader

_DEEPEST = 100  # lists and mappings inside one another
_MOST = 200_000  # values; aliases can make many out of few


class YamlProblem(NamedTuple):
    """Why a text is none that can be used. `kind`: syntax, nested, key, number; `line` from 1."""

    kind: str
    line: int


class YamlValues:
    """What a text holds; a value that is a date is its text."""

    __slots__ = ("_lines", "value")

    def __init__(self, value: JsonValue, lines: dict[str, int]) -> None:
        self.value = value
        self._lines = lines

    def line_of(self, pointer: str) -> int:
        """The line, from 1, of the value at a JSON Pointer; 1 where there is none."""
        return self._lines.get(pointer, 1)


def read_yaml(text: str) -> YamlValues | YamlProblem:
    """Read the one document of a text."""
    lines: dict[str, int] = {}
    try:
        root = yaml_reader().compose(text)
        return YamlValues(None if root is None else _value(root, "", 0, lines), lines)
    except _UnfitError as unfit:
        return unfit.problem
    except (YAMLError, ValueError, RecursionError) as error:
        mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
        return YamlProblem("syntax", mark.line + 1 if mark is not None else 1)


class _UnfitError(Exception):
    def __init__(self, kind: str, line: int) -> None:
        super().__init__(kind)
        self.problem = YamlProblem(kind, line)


def _value(node: Node, pointer: str, depth: int, lines: dict[str, int]) -> JsonValue:
    line = node.start_mark.line + 1
    lines[pointer] = line
    if depth > _DEEPEST or len(lines) > _MOST:
        raise _UnfitError("nested", line)
    if isinstance(node, SequenceNode):
        return [_value(item, f"{pointer}/{index}", depth + 1, lines) for index, item in enumerate(node.value)]
    if isinstance(node, MappingNode):
        return {_key(key): _value(item, join(pointer, key.value), depth + 1, lines) for key, item in node.value}
    return _scalar(node, line)


def _key(node: Node) -> str:
    if not isinstance(node.value, str):
        raise _UnfitError("key", node.start_mark.line + 1)
    return node.value


def _scalar(node: Node, line: int) -> JsonValue:
    text = str(node.value)
    match str(node.tag).rpartition(":")[2]:
        case "null":
            return None
        case "bool":
            return text.lower() == "true"
        case "int":
            digits = text.replace("_", "")
            return int(digits, 0 if digits.lstrip("+-")[1:2] in {"x", "o", "b"} else 10)
        case "float":
            number = float(text.replace("_", "").lower().replace(".inf", "inf").replace(".nan", "nan"))
            if not isfinite(number):
                raise _UnfitError("number", line)
            return number
    return text

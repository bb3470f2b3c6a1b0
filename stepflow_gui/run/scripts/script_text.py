"""The text of a script as values with their lines: JSON Lines, JSON or YAML."""

from collections.abc import Callable
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.responders.script import LINE_KEYS, ScriptProblem, json_lines
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.source import Source

_LINES = (".jsonl", ".ndjson")
_YAML = (".yaml", ".yml")


class ScriptText(NamedTuple):
    """The value of the text; `line_of` gives the line, from 1, of the value at a JSON Pointer."""

    value: JsonValue
    line_of: Callable[[str], int]


def read_script_text(text: str, name: str = "") -> ScriptText | ScriptProblem:
    """Read a script by its file extension; where that is unknown, by its content."""
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
        return numbers[int(index)] if index.isdecimal() and int(index) < len(numbers) else 1

    return ScriptText([value for _number, value in found], line_of)


def _read_json(text: str) -> ScriptText | ScriptProblem:
    source = Source(text)
    tree = read_json(source)
    if tree.problems or tree.root is None:
        start = tree.problems[0].start if tree.problems else 0
        line = source.position(start).line
        return ScriptProblem(line, _("Line {line} of the script is not JSON.").format(line=line))
    if isinstance(tree.root.value, dict) and LINE_KEYS & tree.root.value.keys():  # JSON Lines of one line
        return ScriptText([tree.root.value], lambda _pointer: 1)

    def line_of(pointer: str) -> int:
        node = tree.at(pointer)
        return source.position(node.start).line if node else 1

    return ScriptText(tree.root.value, line_of)


def _read_yaml(text: str) -> ScriptText | ScriptProblem:
    from stepflow_gui.text.yaml.values import YamlProblem, read_yaml  # the library is slow to load

    found = read_yaml(text)
    if not isinstance(found, YamlProblem):
        return ScriptText(found.value, found.line_of)
    line = found.line
    match found.kind:
        case "nested":
            message = _("Line {line} of the script: too much is nested here, or an alias holds itself.")
        case "key":
            message = _("Line {line} of the script: a key is not text.")
        case "number":
            message = _("Line {line} of the script: JSON has no such number.")
        case _:
            message = _("Line {line} of the script is not YAML.")
    return ScriptProblem(line, message.format(line=line))

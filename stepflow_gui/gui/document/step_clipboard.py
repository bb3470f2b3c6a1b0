"""Steps on the clipboard: the file's own JSON, so they go from window to window and into any text editor."""

from collections.abc import Mapping, Sequence
from textwrap import dedent, indent
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import SetField
from stepflow_gui.gui.document.movements import copied_movements, is_piece, pasted_movements
from stepflow_gui.gui.document.movements import inserted as inserted_movement
from stepflow_gui.gui.document.step_terms import in_words_of
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source

_COPY = "-copy"
_SIGNS = frozenset(
    {"stepKind", "structuredGate", "transitions", "stepId", "c2", "outputSchemaRef", "address", "check", "prompt"}
)
_REFERRING = frozenset({"stepId", "transitions", "id", "check"})  # fields of a step in which its id can stand


class PastedSteps(NamedTuple):
    """Steps as they were on the clipboard, by id in their order there."""

    steps: Mapping[str, JsonValue]


def copied(document: ParsedFile, flow: Flow, steps: Sequence[str]) -> str:
    """The text of steps as an object by id, as it is in the file but for the indentation."""
    if is_piece(flow):
        return copied_movements(document.source.text, [flow.steps[step] for step in steps])
    return "{\n" + ",\n".join(_member(document.source.text, flow.steps[step]) for step in steps) + "\n}\n"


def pasted(text: str, flow: Flow) -> PastedSteps | str:
    """The steps in a text: an object by id, a registry, or a single step with its `stepId`; else why there is none."""
    if is_piece(flow):
        movements = pasted_movements(text)
        return in_words_of(flow, movements) if isinstance(movements, str) else PastedSteps(movements)
    tree = read_json(Source(text))
    root = tree.root
    if not tree.valid or root is None or root.kind != "object":
        return _("What is on the clipboard isn’t JSON of steps")
    steps = root.get("steps")
    holder = steps if steps is not None and steps.kind == "object" else root
    own_id = root.get("stepId") or (root.get("id") if root.get("check") else None)
    if own_id is not None and isinstance(own_id.value, str):
        return PastedSteps({own_id.value: root.value})
    found = {
        member.key: member.value.value
        for member in holder.members()
        if member.value.kind == "object" and _SIGNS & {each.key for each in member.value.members()}
    }
    return PastedSteps(found) if found else _("The clipboard has JSON, but not a step")


def inserted(flow: Flow, value: JsonValue, step: str, new: str) -> SetField:
    """The change that puts a pasted step in under another id."""
    if is_piece(flow):
        return inserted_movement(flow, value, new)
    return SetField(join("/steps", new), with_own_id(value, step, new))


def free_id(wanted: str, taken: Mapping[str, object]) -> str:
    """An id that no step has: the wanted one, else with a number."""
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def copy_of(step: str) -> str:
    """What the copy of a step would be called; that of a copy is one more copy of the first."""
    first = step.rstrip("0123456789").removesuffix("-").removesuffix(_COPY) if _COPY in step else step
    return f"{first}{_COPY}"


def with_own_id(value: object, step: str, new: str) -> dict[str, object]:
    """A pasted step under another id, its transitions to itself going to itself."""
    assert isinstance(value, dict)
    return {key: _renamed(item, step, new) if key in _REFERRING else item for key, item in value.items()}


def _renamed(value: object, step: str, new: str) -> object:
    if isinstance(value, dict):
        return {key: _renamed(item, step, new) for key, item in value.items()}
    return new if value == step else value


def _member(text: str, step: Step) -> str:
    start = step.key_span[0]
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():  # it doesn't begin a line of its own
        return text[start : step.node.end]
    return indent(dedent(text[line : step.node.end].replace("\r\n", "\n")), "  ")

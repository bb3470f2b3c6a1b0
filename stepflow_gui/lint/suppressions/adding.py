"""Text edits that suppress a finding: in the registry's own `x-stepflow`, or in the project's configuration."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.formats.own_marks import OWN_MARKS
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.suppressions.suppressing import is_below
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source

Extent = Literal["transition", "step", "file"]


class SuppressionPlace(NamedTuple):
    """Where in a registry a suppression may stand; `name` is the intent of a transition or the id of a step."""

    extent: Extent
    pointer: str
    name: str


def places_for(found: Diagnostic, registry: ParsedFile) -> list[SuppressionPlace]:
    """Where a suppression of a finding may be in the registry, the narrowest first."""
    if registry.is_yaml:
        return list(_in_piece(found, registry))
    places = []
    tree = registry.tree
    if not tree.valid or registry.root is None or registry.root.kind != "object":
        return []
    keys = split(found.pointer) if found.pointer is not None and found.file == registry.path else []
    if len(keys) >= 4 and keys[0] == "steps" and keys[2] == "transitions":
        places.append(SuppressionPlace("transition", join("", *keys[:4]), keys[3]))
    step = keys[1] if len(keys) >= 2 and keys[0] == "steps" else found.step
    if step is not None:
        places.append(SuppressionPlace("step", join("/steps", step), step))
    places.append(SuppressionPlace("file", "", ""))
    return [place for place in places if _can_hold(tree, place.pointer)]


def _in_piece(found: Diagnostic, piece: ParsedFile) -> Iterator[SuppressionPlace]:
    """TAKT passes over what it doesn't know in movements; at the top newer workflows are refused for it."""
    from stepflow_gui.formats.takt.detect import era_of_file, movements_of  # registries are JSON

    if not piece.tree.sound or piece.root is None or piece.root.kind != "object":
        return
    named = ((name, pointer) for name, _item, pointer in movements_of(piece.root) if name == found.step)
    places = [SuppressionPlace("step", pointer, name) for name, pointer in list(named)[:1]]
    if not era_of_file(piece.root, piece.path).refuses_unknown:
        places.append(SuppressionPlace("file", "", ""))
    for place in places:
        if _can_hold(piece.tree, place.pointer):
            with suppress(ValueError, LookupError):  # where the text is too unusual to be written into
                registry_edits(piece, place, found.code, "-")
                yield place


def registry_edits(
    registry: ParsedFile, place: SuppressionPlace, code: str, reason: str, until: str = ""
) -> dict[Path, list[TextEdit]]:
    """An entry in the `x-stepflow` of the root, a step or a transition: one more where there are some."""
    tree = registry.tree
    insert_member, insert_item = _inserting(registry)
    entry: JsonValue = {"code": code, "reason": reason} | ({"until": until} if until else {})
    marks = join(place.pointer, OWN_MARKS)
    if tree.at(marks) is None:
        edits = insert_member(tree, place.pointer, OWN_MARKS, {"ignore": [entry]})
    elif tree.at(join(marks, "ignore")) is None:
        edits = insert_member(tree, marks, "ignore", [entry])
    else:
        edits = insert_item(tree, join(marks, "ignore"), entry)
    return {registry.path: edits}


def _inserting(registry: ParsedFile) -> tuple[Callable[..., list[TextEdit]], Callable[..., list[TextEdit]]]:
    if registry.is_yaml:
        from stepflow_gui.text.yaml import edit as yaml_edit

        return yaml_edit.insert_member, yaml_edit.insert_item
    return json_edit.insert_member, json_edit.insert_item


def config_edits(config: Path, source: Source, found: Diagnostic, reason: str, until: str = "") -> list[TextEdit]:
    """A `[[suppress]]` table at the end of a configuration, as narrow as the finding's file and place allow."""
    text = source.text
    table = "tool.stepflow.suppress" if config.name == "pyproject.toml" else "suppress"
    path = Path(os.path.relpath(found.file, config.parent)).as_posix()
    values = {"code": found.code, "path": "" if path.startswith("../") else f"/{path}"}
    values |= {"pointer": found.pointer or "", "reason": reason}
    lines = [f"[[{table}]]", *(f"{key} = {_string(value)}" for key, value in values.items() if value)]
    if until:
        lines.append(f"until = {until}")
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return [TextEdit(len(text), len(text), gap + newline.join(lines) + newline)]


def _string(text: str) -> str:
    """A basic string of TOML, which is one of JSON but for DEL and what JSON leaves out of the first plane."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _can_hold(tree: JsonTree, pointer: str) -> bool:
    holder = tree.at(pointer)
    if holder is None or holder.kind != "object":
        return False
    marks = holder.get(OWN_MARKS)
    if marks is None:
        return True
    listed = marks.get("ignore") if marks.kind == "object" else None
    return marks.kind == "object" and (listed is None or listed.kind == "array")


def covers(place: SuppressionPlace, found: Diagnostic) -> bool:
    """Whether an entry at a place is for a finding, as the linter takes it."""
    if place.extent == "file":
        return True
    if place.extent == "step":
        return found.step == place.name or is_below(found.pointer, place.pointer)
    return is_below(found.pointer, place.pointer)

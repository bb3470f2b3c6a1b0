"""The positions that a person gave the steps of a registry, and manual groups, in a small file beside it.

`.stepflow/<registry>.layout.json`: a line a step or group, sorted, so that two people who change different ones get no
conflict.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from stepflow_gui.flow.layout.shapes import DIRECTIONS, Direction
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json import edit as json_edit
from stepflow_gui.text.json.slots import Slots
from stepflow_gui.text.json.style import style_of
from stepflow_gui.text.json.tree import JsonTree, JsonValue
from stepflow_gui.text.json.write import Writer, Written
from stepflow_gui.text.pointer import join

VERSION = 2  # the highest that is understood; a file without a direction and groups has version 1
_PLAIN = 1
Position = tuple[float, float]
"""Left and top of a step, in the canvas's units."""


def layout_file(registry: Path) -> Path:
    """Where the positions of a registry's steps are kept."""
    return registry.parent / ".stepflow" / f"{registry.stem}.layout.json"


def positions(document: ParsedFile) -> dict[str, Position]:
    """The positions by step id; what is none is left out."""
    steps = document.tree.at("/steps")
    found = {member.key: _position(member.value.value) for member in steps.members()} if steps else {}
    return {step: place for step, place in found.items() if place is not None}


def direction(document: ParsedFile) -> Direction:
    """The direction that a person chose for the flow; "auto" if none is set."""
    found = document.tree.at("/direction")
    return next((one for one in DIRECTIONS if found is not None and found.value == one), "auto")


def with_direction(document: ParsedFile, wanted: Direction, changed: Mapping[str, Position | None]) -> list[TextEdit]:
    """Choose a direction and give steps other positions. The file must have no `problem`; an empty text is filled."""
    tree = document.tree
    known = tree.at("/direction")
    if tree.at("/steps") is None:
        places = {step: _written(place) for step, place in changed.items() if place is not None}
        return [TextEdit(0, len(document.source.text), _whole(places, wanted))] if places else []
    edits: list[TextEdit] = []
    if wanted == direction(document):
        return with_positions(document, changed)
    if wanted == "auto":
        edits += json_edit.remove(tree, "/direction")
    elif known is not None:
        edits += json_edit.set_value(tree, "/direction", Written(json.dumps(wanted)))
    else:
        edits += json_edit.insert_member(tree, "", "direction", Written(json.dumps(wanted)))
    edits += _with_version(tree, plain=wanted == "auto" and not groups(document))
    return edits + with_positions(document, changed)


def groups(document: ParsedFile) -> dict[str, tuple[str, ...]]:
    """The steps of the manual groups, by name; whatever is not one is left out."""
    found = document.tree.at("/groups")
    read: dict[str, tuple[str, ...]] = {}
    for member in found.members() if found is not None else ():
        steps = member.value.value
        if isinstance(steps, list) and all(isinstance(step, str) for step in steps) and steps:
            read[member.key] = tuple(map(str, steps))
    return read


def with_groups(document: ParsedFile, wanted: Mapping[str, Sequence[str]]) -> list[TextEdit]:
    """Have these groups and no others. The file must have no `problem`; an empty text is filled."""
    tree = document.tree
    written = Written(
        _object({name: Written(json.dumps([*steps], ensure_ascii=False)) for name, steps in wanted.items()})
    )
    if tree.at("/steps") is None:
        return [TextEdit(0, len(document.source.text), _whole({}, grouped=written))] if wanted else []
    known = tree.at("/groups")
    if {name: tuple(steps) for name, steps in wanted.items()} == groups(document):
        return []
    if not wanted:
        edits = json_edit.remove(tree, "/groups")
    elif known is not None:
        edits = [TextEdit(known.start, known.end, written)]
    else:
        edits = json_edit.insert_member(tree, "", "groups", written, before="steps")
    return edits + _with_version(tree, plain=not wanted and direction(document) == "auto")


def without_step(document: ParsedFile, step: str) -> list[TextEdit]:
    """The step is removed: its position and its place in a group with it."""
    kept = {name: tuple(each for each in steps if each != step) for name, steps in groups(document).items()}
    return with_positions(document, {step: None}) + with_groups(
        document, {name: steps for name, steps in kept.items() if steps}
    )


def _with_version(tree: JsonTree, *, plain: bool) -> list[TextEdit]:
    if tree.at("/version") is None:
        return []
    return json_edit.set_value(tree, "/version", Written(str(_PLAIN if plain else VERSION)))


def problem(document: ParsedFile) -> Refusal | None:
    """Why the file's positions can't be used or changed; None where they can."""
    if document.root is None and not document.source.text.strip():
        return None
    name = document.path.name
    root = document.root
    version = root.get("version") if root is not None else None
    if version is not None and isinstance(version.value, int) and version.value > VERSION:
        return Refusal(_("“{file}” was written by a newer version of this program").format(file=name))
    steps = root.get("steps") if root is not None else None
    if not document.tree.valid or steps is None or steps.kind != "object" or document.tree.duplicates():
        return Refusal(_("“{file}” isn’t a list of positions").format(file=name))
    return None


def with_positions(document: ParsedFile, changed: Mapping[str, Position | None]) -> list[TextEdit]:
    """Give steps other positions; None takes one out. The file must have no `problem`; an empty text is filled.

    Only the lines of those steps change.
    """
    tree = document.tree
    known = tree.at("/steps")
    if known is None:
        wanted = {step: _written(place) for step, place in changed.items() if place is not None}
        return [TextEdit(0, len(document.source.text), _whole(wanted))] if wanted else []
    edits: list[TextEdit] = []
    gone = [step for step, place in changed.items() if place is None and known.member(step)]
    come = {step: _written(place) for step, place in changed.items() if place is not None and not known.member(step)}
    for step, place in changed.items():
        if place is not None and known.member(step) and _position(known.value[step]) != place:
            edits += json_edit.set_value(tree, join("/steps", step), _written(place))
    return edits + _exchanged(tree, gone, come)


def renamed(document: ParsedFile, old: str, new: str) -> list[TextEdit]:
    """Give a step's position and group to another id. A position that the other has already is overwritten."""
    return _renamed_groups(document, {old: new}) + _renamed_place(document, old, new)


def _renamed_groups(document: ParsedFile, ids: Mapping[str, str]) -> list[TextEdit]:
    found = groups(document)
    wanted = {name: tuple(dict.fromkeys(ids.get(step, step) for step in steps)) for name, steps in found.items()}
    return with_groups(document, wanted) if wanted != found else []


def _renamed_place(document: ParsedFile, old: str, new: str) -> list[TextEdit]:
    known = document.tree.at("/steps")
    place = known.get(old) if known is not None else None
    if known is None or place is None or old == new:
        return []
    text = Written(json_edit.text_of(document.tree, place))
    if known.member(new):
        return [
            *json_edit.set_value(document.tree, join("/steps", new), text),
            *json_edit.remove(document.tree, join("/steps", old)),
        ]
    others = [member.key for member in known.members() if member.key != old]
    if [other < old for other in others] == [other < new for other in others]:
        return json_edit.rename_key(document.tree, join("/steps", old), new)
    return _exchanged(document.tree, [old], {new: text})


def all_renamed(document: ParsedFile, ids: Mapping[str, str]) -> list[TextEdit]:
    """Likewise for several steps at once, by their ids of before; the new ones differ from each other."""
    known = document.tree.at("/steps")
    if known is None:
        return []
    places = {old: place for old, new in ids.items() if old != new and (place := known.get(old)) is not None}
    come = {ids[old]: Written(json_edit.text_of(document.tree, place)) for old, place in places.items()}
    gone = dict.fromkeys([*places, *(new for new in come if known.member(new))])
    return _renamed_groups(document, ids) + (_exchanged(document.tree, [*gone], come) if come else [])


def _exchanged(tree: JsonTree, gone: list[str], come: Mapping[str, Written]) -> list[TextEdit]:
    """Take members out of the steps and put others in, each before the first that sorts behind it."""
    known = tree.at("/steps")
    assert known is not None
    keys = [member.key for member in known.members()]
    if come and len(gone) == len(keys):
        return [TextEdit(known.start, known.end, _object(come))]
    edits = json_edit.remove(tree, *(join("/steps", step) for step in gone))
    taken, style = set(gone), style_of(tree)
    staying = [member for member in known.members() if member.key not in taken]
    for step in sorted(come):
        behind = next((member for member in staying if member.key > step), None)
        if behind is None:
            edits += json_edit.insert_member(tree, "/steps", step, come[step])
        else:  # in front of the one behind it: what stands before it may be taken out
            slots = Slots(tree.source.text, known, style)
            line = Writer(tree.source.text, style).member(step, come[step], slots.indent)
            edits.append(TextEdit(behind.key_start, behind.key_start, f"{line},{slots.gap}"))
    return edits


def _whole(steps: Mapping[str, Written], chosen: Direction = "auto", grouped: str = "") -> str:
    version = _PLAIN if chosen == "auto" and not grouped else VERSION
    line = "" if chosen == "auto" else f'  "direction": {json.dumps(chosen)},\n'
    line += f'  "groups": {grouped},\n' if grouped else ""
    return f'{{\n  "version": {version},\n{line}  "steps": {_object(steps)}\n}}\n'


def _object(steps: Mapping[str, Written]) -> str:
    lines = ",\n".join(f"    {json.dumps(step, ensure_ascii=False)}: {steps[step]}" for step in sorted(steps))
    return f"{{\n{lines}\n  }}" if lines else "{}"


def _written(place: Position) -> Written:
    return Written(json.dumps([_number(part) for part in place]))


def _number(part: float) -> float:
    """Whole where it is, else with one decimal: finer is nothing that anybody sees."""
    rounded = round(part, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _position(value: JsonValue) -> Position | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    left, top = value
    numbers = all(isinstance(part, int | float) and not isinstance(part, bool) for part in value)
    return (float(left), float(top)) if numbers else None

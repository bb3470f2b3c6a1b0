"""Whether a YAML file is a TAKT piece or workflow, and of which era (formats.md)."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.takt.eras import BY_STEPS, TAKT_2026_02_07, TAKT_2026_08_23, TAKT_ERAS, TaktEra
from stepflow_gui.text.json.tree import JsonValue, Node
from stepflow_gui.text.pointer import join

_MARKS = {
    "movements": TAKT_2026_02_07,
    "initial_movement": TAKT_2026_02_07,
    "max_movements": TAKT_2026_02_07,
    "piece_config": TAKT_2026_02_07,
    "initial_step": TAKT_2026_08_23,
    "max_steps": TAKT_2026_08_23,
    "workflow_config": TAKT_2026_08_23,
    "subworkflow": TAKT_2026_08_23,
    "loop_monitors": TAKT_2026_08_23,
}
"""Keys at the top by which a file is detected, and the era that they indicate where the movements don't."""

_OF_SCRIPTS = frozenset({"answers", "expect"})
_OF_STEPS = frozenset(
    ("agent", "call", "instruction", "instruction_template", "parallel", "persona", "rules", "team_leader", "uses")
)


def is_piece(root: JsonValue) -> bool:
    """Whether the top value of a YAML file is that of a piece or workflow."""
    if not isinstance(root, dict):
        return False
    return any(mark in root for mark in _MARKS) or _has_steps(root.get("steps"))


def is_script(root: JsonValue) -> bool:
    """Whether a value is that of a script for a run, which may lie beside pieces."""
    return isinstance(root, dict) and not _OF_SCRIPTS.isdisjoint(root) and "name" not in root


def era_of_file(root: Node | None, path: Path | None = None) -> TaktEra:
    """The era that a file is written for: by the key of its movements, else by its other keys, else by its folder."""
    value = root.value if root is not None and isinstance(root.value, dict) else {}
    for key, era in BY_STEPS.items():
        if key in value:
            return era
    marked = next((era for mark, era in _MARKS.items() if mark in value), None)
    if marked is None and path is not None:
        marked = next(
            (era for era in TAKT_ERAS.values() for above in path.parents[:2] if above.name == era.file_kind), None
        )
    return marked or TAKT_2026_02_07


def movements_of(root: Node) -> Iterator[tuple[str, Node, str]]:
    """The movements that have a name, in the order of the file, with their pointers."""
    key = era_of_file(root).steps
    listed = root.get(key)
    for index, item in enumerate(listed.items() if listed is not None else ()):
        name = item.get("name")
        if name is not None and isinstance(name.value, str):
            yield name.value, item, join("", key, index)


def _has_steps(steps: JsonValue) -> bool:
    """Whether a list is one of steps; others use that key as well."""
    items = [item for item in steps if isinstance(item, dict)] if isinstance(steps, list) else []
    like = [("name" in item and not _OF_STEPS.isdisjoint(item)) or {"uses", "with"} <= item.keys() for item in items]
    return sum(like) * 2 > len(items)

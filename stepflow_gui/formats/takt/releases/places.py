"""Which releases read the place of a value in a file."""

from stepflow_gui.formats.takt.releases.notes import Path
from stepflow_gui.formats.takt.releases.sets import ALL, Releases, Row, key_row, row
from stepflow_gui.formats.takt.releases.table import VALUES

_LISTS = {"steps": "step", "movements": "step", "parallel": "sub", "fixed": "sub", "pool": "sub", "rules": "rule"}
_LISTS |= {"loop_monitors": "monitor", "transitions": "transition"}
_FAMILY = {"sub": ("sub", "step"), "judge_rule": ("judge_rule", "rule")}


def level_of(path: Path) -> tuple[str, str]:
    """The level at which the key of a place stands, as tables have it, and the key; "" for an object of the level."""
    level, key = "top", ""
    for part in path:
        if isinstance(part, int):
            if key in _LISTS:
                level, key = "judge_rule" if level == "judge" else _LISTS[key], ""
        elif key == "judge" and level == "monitor":
            level, key = "judge", part
        elif not key or (level == "step" and key == "parallel"):
            key = part
        # what stands deeper, in an object or a list of another kind, belongs to its key
    return level, key


def row_at(level: str, key: str) -> Row | None:
    """The row of a key at a level, where there is one; sub-steps have most keys from steps."""
    return next(filter(None, (key_row(each, key) for each in _FAMILY.get(level, (level,)))), None)


def row_within(path: Path) -> Row | None:
    """The row of a key in an object that is the value of a key, as `provider_options.claude.allowed_tools`."""
    level, key = level_of(path)
    parts = [str(part) for part in path]
    if key not in parts:
        return None
    inside = ".".join(parts[len(parts) - parts[::-1].index(key) :])
    rows = (row(each, f"{key}.{inside}") for each in _FAMILY.get(level, (level,)))
    return next(filter(None, (*rows, row(key, inside))), None)


def readers_of(path: Path) -> Releases:
    """The releases that read the place of a value; all where the tables say nothing."""
    found = row_at(*level_of(path))
    return found.read if found is not None else ALL


def values_at(path: Path) -> dict[str, str] | None:
    """The rows of the values that a place may have, where releases differ in them."""
    level, key = level_of(path)
    if path and (path[-1] == key or path[-2:] == ("provider", "type")):  # a provider as an object names itself so
        return next(filter(None, (VALUES.get(f"{each}.{key}") for each in _FAMILY.get(level, (level,)))), None)
    return None

"""From an agent.json to what a run goes by: older layouts read by their own names, what doesn't fit set aside."""

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from stepflow_gui.formats.climpt.agent.agent_file import layout_of
from stepflow_gui.formats.climpt.agent.defaults import with_defaults
from stepflow_gui.formats.climpt.agent.fields import AGENT, VERDICT
from stepflow_gui.formats.climpt.agent.layouts import Modern, modern, verdict_today
from stepflow_gui.formats.climpt.agent.resolved import Note, NoteKind, ResolvedAgent
from stepflow_gui.formats.climpt.eras import GUIDE, Era
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_DEEPEST = 20  # composites inside composites
_CONFIG = "/runner/verdict/config"

Path = tuple[str | int, ...]


def resolve_agent(document: ParsedFile, era: Era = GUIDE) -> ResolvedAgent:
    """The agent that a document describes, with the defaults of an era.

    Never fails: a value of a wrong type is noted and its default used, an unknown key is kept aside. What
    the file holds is shared, not copied.
    """
    root = document.root
    value = root.value if root else None
    if root is None or not isinstance(value, dict):
        return _made(with_defaults({}, era), layout="none", notes=(Note("type", "", value),))
    layout = layout_of(root)
    reading = _Reading(modern(value, flat=layout == "flat"), era)
    filled = reading.filled()
    return _made(filled, layout=layout, notes=tuple(reading.notes), aside=reading.aside)


def _made(filled: dict[str, JsonValue], **overrides: JsonValue) -> ResolvedAgent:
    return ResolvedAgent.model_validate({**filled, **overrides})


class _Reading:
    """One file being read: what fits is taken, the rest noted or put aside."""

    def __init__(self, found: Modern, era: Era) -> None:
        self._found = found
        self._era = era
        self.notes: list[Note] = []
        self.aside = dict(found.left)

    def filled(self) -> dict[str, JsonValue]:
        """The agent with its defaults."""
        if "/behavior" in self.aside:  # no object, so nothing could be taken from it
            self._note("type", "/behavior", self.aside["/behavior"])
        value = self._found.value
        filled = with_defaults(self._fitting(value, AGENT, ""), self._era)
        given = _config_of(_at_key(value.get("runner"), "verdict"))
        filled["runner"]["verdict"]["config"]["conditions"] = self._conditions(given, _CONFIG, 1)
        return filled

    def _note(self, kind: NoteKind, pointer: str, value: JsonValue) -> None:
        self.notes.append(Note(kind, self._found.in_file(pointer), value))

    def _fitting(self, value: dict[str, JsonValue], shape: Shape, pointer: str) -> dict[str, JsonValue]:
        """The value without what doesn't fit; a text that only its pattern refuses stays."""
        refused: list[Path] = []
        for misfit in misfits(value, shape, self._era.name):
            if misfit.kind in {"required", "additional"} or _is_in_condition(misfit.path):
                continue
            self._note(misfit.kind, pointer + misfit.pointer, _at(value, misfit.path))
            if misfit.kind != "pattern":
                refused.append(misfit.path)
        for path in _unknown(value, shape, self._era.name):
            if not _is_in_condition(path):
                self.aside[self._found.in_file(pointer + join("", *path))] = _at(value, path)
                refused.append(path)
        return cast("dict[str, JsonValue]", _without(value, refused))

    def _conditions(self, config: dict[str, JsonValue], pointer: str, depth: int) -> list[JsonValue]:
        """The verdicts inside a composite, read as the outermost is; those that aren't any are left out."""
        given = config.get("conditions")
        if not isinstance(given, list):
            return []
        if depth > _DEEPEST:
            self._note("too_deep", f"{pointer}/conditions", given)
            return []
        made: list[JsonValue] = []
        for index, condition in enumerate(given):
            here = f"{pointer}/conditions/{index}"
            if not isinstance(condition, dict):
                self._note("type", here, condition)
                continue
            verdict = self._fitting(verdict_today(condition), VERDICT, here)
            below = self._conditions(_config_of(condition), f"{here}/config", depth + 1)
            if "type" in verdict:
                made.append({"type": verdict["type"], "config": {**_config_of(verdict), "conditions": below}})
            elif "type" not in condition:
                self._note("required", f"{here}/type", None)
        return made


def _without(value: JsonValue, paths: list[Path]) -> JsonValue:
    if not paths:
        return value
    below: dict[str | int, list[Path]] = {}
    for path in paths:
        below.setdefault(path[0], []).append(path[1:])
    members = value.items() if isinstance(value, dict) else enumerate(value)
    kept = [(key, _without(inner, below.get(key, []))) for key, inner in members if () not in below.get(key, [])]
    return dict(kept) if isinstance(value, dict) else [inner for _key, inner in kept]


def _config_of(verdict: JsonValue) -> dict[str, JsonValue]:
    config = _at_key(verdict, "config")
    return config if isinstance(config, dict) else {}


def _at_key(value: JsonValue, key: str) -> JsonValue:
    return value.get(key) if isinstance(value, dict) else None


def _is_in_condition(path: Path) -> bool:
    """Whether a path goes on into a composite's conditions, which are read one by one."""
    return ("config", "conditions") in pairwise(path[:-1])


def _unknown(value: JsonValue, shape: Shape, format_id: str, path: Path = ()) -> Iterator[Path]:
    """The keys that a shape has no field for, in objects that have fields."""
    if isinstance(value, list) and shape.of:
        for index, item in enumerate(value):
            yield from _unknown(item, shape.of, format_id, (*path, index))
    elif isinstance(value, dict):
        known = {field.name: field.shape for field in shape.fields if field.known_in(format_id)}
        for key, inner in value.items():
            below = known.get(key, shape.of)
            if below:
                yield from _unknown(inner, below, format_id, (*path, key))
            elif shape.kind == "object":
                yield (*path, key)


def _at(value: JsonValue, path: Path) -> JsonValue:
    for key in path:
        value = value[key]
    return value

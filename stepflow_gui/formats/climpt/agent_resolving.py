"""From an agent.json to what a run goes by: older layouts read by their own names, what doesn't fit set aside."""

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from stepflow_gui.formats.climpt.agent import layout_of
from stepflow_gui.formats.climpt.agent_defaults import with_defaults
from stepflow_gui.formats.climpt.agent_fields import AGENT, VERDICT
from stepflow_gui.formats.climpt.agent_layouts import Modern, config_today, modern, verdict_today
from stepflow_gui.formats.climpt.agent_resolved import Note, ResolvedAgent
from stepflow_gui.formats.climpt.eras import GUIDE, Era
from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.text.document import Document
from stepflow_gui.text.json_tree import JsonValue
from stepflow_gui.text.pointer import join

_DEEPEST = 20  # composites inside composites
_CONFIG = "/runner/verdict/config"

Path = tuple[str | int, ...]


def resolve_agent(document: Document, era: Era = GUIDE) -> ResolvedAgent:
    """The agent that a document describes, with the defaults of an era.

    Never fails: a value of a wrong type is noted and its default taken, a key that nobody knows is kept aside. What
    the file holds is shared, not copied.
    """
    root = document.root
    value = root.value if root else None
    notes: list[Note] = []
    if root is None or not isinstance(value, dict):
        notes.append(Note("type", "", value))
        return _made(with_defaults({}, era), "none", notes, {})
    layout = layout_of(root)
    found = modern(value, flat=layout == "flat")
    aside = dict(found.left)
    if "/behavior" in aside:  # no object, so nothing could be taken from it
        notes.append(Note("type", "/behavior", aside["/behavior"]))
    for path in _unknown(found.value, AGENT, era.name):
        aside[found.in_file(join("", *path))] = _at(found.value, path)
    filled = with_defaults(_fitting(found.value, AGENT, era, "", found, notes), era)
    given = _config_of(_at_key(found.value.get("runner"), "verdict"))
    filled["runner"]["verdict"]["config"]["conditions"] = _conditions(given, _CONFIG, era, found, notes)
    return _made(filled, layout, notes, aside)


def _made(filled: dict[str, JsonValue], layout: str, notes: list[Note], aside: dict[str, JsonValue]) -> ResolvedAgent:
    return ResolvedAgent.model_validate({**filled, "layout": layout, "notes": tuple(notes), "aside": aside})


def _fitting(
    value: dict[str, JsonValue], shape: Shape, era: Era, pointer: str, found: Modern, notes: list[Note]
) -> dict[str, JsonValue]:
    """The value without what doesn't fit, which is noted; a text that only its pattern refuses stays."""
    refused: list[Path] = []
    for misfit in misfits(value, shape, era.name):
        if misfit.kind in {"required", "additional"} or _is_in_condition(misfit.path):
            continue
        notes.append(Note(misfit.kind, found.in_file(pointer + misfit.pointer), _at(value, misfit.path)))
        if misfit.kind != "pattern":
            refused.append(misfit.path)
    return cast("dict[str, JsonValue]", _without(value, refused))


def _without(value: JsonValue, paths: list[Path]) -> JsonValue:
    if not paths:
        return value
    below: dict[str | int, list[Path]] = {}
    for path in paths:
        below.setdefault(path[0], []).append(path[1:])
    members = value.items() if isinstance(value, dict) else enumerate(value)
    kept = [(key, _without(inner, below.get(key, []))) for key, inner in members if () not in below.get(key, [])]
    return dict(kept) if isinstance(value, dict) else [inner for _key, inner in kept]


def _conditions(
    config: dict[str, JsonValue], pointer: str, era: Era, found: Modern, notes: list[Note], depth: int = 1
) -> list[JsonValue]:
    """The verdicts inside a composite, read as the outermost is; those that aren't any are left out."""
    given = config.get("conditions")
    if not isinstance(given, list):
        return []
    if depth > _DEEPEST:
        notes.append(Note("too_deep", found.in_file(f"{pointer}/conditions"), given))
        return []
    made: list[JsonValue] = []
    for index, condition in enumerate(given):
        here = f"{pointer}/conditions/{index}"
        if not isinstance(condition, dict):
            notes.append(Note("type", found.in_file(here), condition))
            continue
        named = {**condition, "type": verdict_today(condition.get("type"))}
        if isinstance(named.get("config"), dict):
            named["config"] = config_today(named["config"])
        verdict = _fitting(named, VERDICT, era, here, found, notes)
        below = _conditions(_config_of(condition), f"{here}/config", era, found, notes, depth + 1)
        if "type" in verdict:
            made.append({"type": verdict["type"], "config": {**_config_of(verdict), "conditions": below}})
    return made


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

"""An agent.json of an older layout as one of today's layout, and where each of its parts came from."""

from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.fields import ABOUT, CONFIG
from stepflow_gui.formats.climpt.agent.flat_fields import moves
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

LEFT_OVER = ("type", "issueParam")
"""What the config of a verdict had in an older form: no runner reads it any more."""

_COPIED = 3  # levels of objects that moving parts about changes
_NEWER_IN_CONFIG = {field.name: field.newer for field in CONFIG.fields if field.newer}


class Modern(NamedTuple):
    """An agent in today's layout. Parts that didn't move are shared with the value it was made of."""

    value: dict[str, JsonValue]
    origins: dict[str, str]  # JSON Pointer today -> its pointer in the file, for what moved
    left: dict[str, JsonValue]  # what has no place today, by its pointer in the file

    def in_file(self, pointer: str) -> str:
        """The pointer in the file for a pointer in `value`."""
        here = pointer
        while here:
            if here in self.origins:
                return self.origins[here] + pointer[len(here) :]
            here = here.rpartition("/")[0]
        return pointer


def modern(value: dict[str, JsonValue], *, flat: bool) -> Modern:
    """The agent with each part where it is today, and its verdict under today's names."""
    made = _unflattened(value) if flat else _with_verdict(value)
    verdict = _object_at(made.value, ["runner", "verdict"])
    if verdict:
        config = verdict.get("config")
        for name, newer in _renamed(config).items():
            pointer = "/runner/verdict/config"
            made.origins[f"{pointer}/{newer}"] = f"{made.in_file(pointer)}/{name}"
        made.value["runner"]["verdict"] = verdict_today(verdict)
    return made


def verdict_today(verdict: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A verdict under today's names; where a config has a field by both names, today's wins and the older one stays."""
    made = dict(verdict)
    name, config = verdict.get("type"), verdict.get("config", {})
    if isinstance(name, str):
        made["type"] = OLDER_VERDICT_TYPES.get(name, name)
    renamed = _renamed(config)
    if renamed:
        made["config"] = {renamed.get(key, key): part for key, part in config.items()}
    return made


def _renamed(config: JsonValue) -> dict[str, str]:
    if not isinstance(config, dict):
        return {}
    return {name: newer for name, newer in _NEWER_IN_CONFIG.items() if name in config and newer not in config}


def _with_verdict(value: dict[str, JsonValue]) -> Modern:
    made = _copied(value, _COPIED)
    runner = made.get("runner")
    if not isinstance(runner, dict) or "verdict" in runner or "completion" not in runner:
        return Modern(made, {}, {})
    runner["verdict"] = runner.pop("completion")
    return Modern(made, {"/runner/verdict": "/runner/completion"}, {})


def _unflattened(value: dict[str, JsonValue]) -> Modern:
    rest = _copied(value, _COPIED)
    made = {field.name: rest.pop(field.name) for field in ABOUT if field.name in rest}
    origins: dict[str, str] = {}
    for older, newer in moves():
        *holders, name = split(older)
        holder = _object_at(rest, holders)
        if name not in holder:
            continue
        *groups, today = split(newer)
        group = made
        for key in groups:
            group = group.setdefault(key, {})
        group[today] = holder.pop(name)
        origins[newer] = older
    left = {join("", key): part for key, part in rest.items() if key != "behavior" or not isinstance(part, dict)}
    left |= {join("/behavior", key): part for key, part in _object_at(rest, ["behavior"]).items()}
    return Modern(made, origins, left)


def _object_at(value: dict[str, JsonValue], keys: list[str]) -> dict[str, JsonValue]:
    for key in keys:
        inner = value.get(key)
        if not isinstance(inner, dict):
            return {}
        value = inner
    return value


def _copied(value: dict[str, JsonValue], levels: int) -> dict[str, JsonValue]:
    return {
        key: _copied(inner, levels - 1) if levels > 1 and isinstance(inner, dict) else inner
        for key, inner in value.items()
    }

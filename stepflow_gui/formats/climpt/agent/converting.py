"""An agent.json of an older layout, or one that is half moved, as one of the current layout.

Nothing is lost: what has no place in the current layout, or whose place is taken already, stays where it is.
"""

from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.fields import RUNNER
from stepflow_gui.formats.climpt.agent.flat_fields import moves
from stepflow_gui.formats.climpt.agent.layouts import verdict_today
from stepflow_gui.formats.fields import Shape
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split

_DEEPEST = 20  # composites inside composites
_Object = dict[str, JsonValue]


class Converted(NamedTuple):
    """The agent as it would be. Pointers of `kept` and `taken` are those in the file, which are the same after."""

    value: dict[str, JsonValue]
    moved: tuple[tuple[str, str], ...]  # older and newer JSON Pointer of each part that has another place now
    kept: tuple[str, ...]  # what has no place in the current layout
    taken: tuple[tuple[str, str], ...]  # what stays because its newer place holds something else already


def converted(value: dict[str, JsonValue]) -> Converted:
    """The agent in the current layout. An agent that is in it gives itself; a `runner` must be an object."""
    rest = _copied(value)
    given = rest.pop("runner", None)
    runner: _Object = {} if given is None else given
    moved: list[tuple[str, str]] = []
    taken: list[tuple[str, str]] = []
    for older, newer in moves():
        keys = split(older)
        holder = _holder(rest, keys[:-1])
        if holder is None or keys[-1] not in holder:
            continue
        part = holder.pop(keys[-1])
        left = _put(runner, split(newer)[1:], part)
        if left is not None:
            holder[keys[-1]] = left[0]
            taken.append((older, newer))
        if left is None or left[0] != part:
            moved.append((older, newer))
    if rest.get("behavior") == {} and value["behavior"] != {}:
        del rest["behavior"]
    if "completion" in runner and "verdict" not in runner:
        runner = {("verdict" if key == "completion" else key): inner for key, inner in runner.items()}
        moved.append(("/runner/completion", "/runner/verdict"))
    if isinstance(runner.get("verdict"), dict):
        runner["verdict"] = _today(runner["verdict"], 0)
    if given is None:
        runner = _in_order(runner, RUNNER)
    return Converted(
        _together(value, rest, runner),
        tuple(moved),
        tuple(_kept(rest, runner, {older for older, _ in taken})),
        tuple(taken),
    )


def _put(runner: _Object, keys: list[str], part: JsonValue) -> tuple[JsonValue] | None:
    """Put a part where it belongs; gives what of it has to stay, None where that is nothing."""
    holder = runner
    for key in keys[:-1]:
        inner = holder.setdefault(key, {})
        if not isinstance(inner, dict):
            return (part,)
        holder = inner
    name = keys[-1]
    if name not in holder:
        holder[name] = part
        return None
    there = holder[name]
    if there == part:
        return None
    if not isinstance(there, dict) or not isinstance(part, dict):
        return (part,)
    left = {key: inner for key, inner in part.items() if key in there and there[key] != inner}
    holder[name] = {**there, **{key: inner for key, inner in part.items() if key not in there}}
    return (left,) if left else None


def _today(verdict: _Object, depth: int) -> _Object:
    """A verdict under its names of today, those that it combines too."""
    made = verdict_today(verdict)
    config = made.get("config")
    inside = config.get("conditions") if isinstance(config, dict) else None
    if isinstance(inside, list) and depth < _DEEPEST:
        conditions = [_today(each, depth + 1) if isinstance(each, dict) else each for each in inside]
        made["config"] = {**made["config"], "conditions": conditions}
    return made


def _together(value: _Object, rest: _Object, runner: _Object) -> _Object:
    """The groups at the place of the first of them, all else in its order."""
    made: _Object = {}
    for key in value:
        if runner and "runner" not in made and (key == "runner" or rest.get(key) != value[key]):
            made["runner"] = runner
        if key in rest:
            made[key] = rest[key]
    return made


def _kept(rest: _Object, runner: _Object, taken: set[str]) -> list[str]:
    """What no runner of today reads, though it is at a place of the older layout or under an older name."""
    tops = {split(older)[0] for older, _newer in moves()} - {"behavior"}
    found = [join("", key) for key in rest if key in tops and join("", key) not in taken]
    behavior = rest.get("behavior")
    if isinstance(behavior, dict):
        found += [where for key in behavior if (where := join("/behavior", key)) not in taken]
    elif behavior is not None:
        found.append("/behavior")
    return [*found, *(["/runner/completion"] if "completion" in runner else [])]


def _in_order(value: _Object, shape: Shape) -> _Object:
    """Keys in the order of the field table, the others behind."""
    shapes = {field.name: field.shape for field in shape.fields}
    names = [*(name for name in shapes if name in value), *(key for key in value if key not in shapes)]
    groups = {"flow", "boundaries", "integrations", "execution", "verdict"}
    return {
        name: _in_order(value[name], shapes[name]) if name in groups and isinstance(value[name], dict) else value[name]
        for name in names
    }


def _holder(value: _Object, keys: list[str]) -> _Object | None:
    for key in keys:
        inner = value.get(key)
        if not isinstance(inner, dict):
            return None
        value = inner
    return value


def _copied(value: JsonValue) -> JsonValue:
    """The objects copied, so that moving parts about changes none that is shared."""
    return {key: _copied(inner) for key, inner in value.items()} if isinstance(value, dict) else value

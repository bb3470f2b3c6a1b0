"""Fills an agent.json with the values that the runner takes where none are given (seed 001, runtime-semantics 17).

Works on plain values of the `runner` layout. What the era knows no field for is dropped, as the runner does.
"""

from stepflow_gui.formats.climpt.agent.fields import AGENT
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Field, Shape
from stepflow_gui.text.json.tree import JsonValue

# Groups that are filled member by member; every other value is kept as given, or is the default as a whole.
_FILLED = frozenset({"runner", "flow", "prompts", "verdict", "boundaries", "integrations", "execution", "logging"})


def with_defaults(value: dict[str, JsonValue], era: Era) -> dict[str, JsonValue]:
    """The agent as the runner of an era completes it. Shares the values that were given; changes none."""
    filled = _filled(value, AGENT, era)
    if filled.get("displayName") is None and "name" in value:
        filled["displayName"] = value["name"]
    return filled


def filled_fields(shape: Shape, era: Era, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Field]]:
    """The fields that stand inside the groups that are filled, with their paths; the groups left out."""
    found = []
    for field in shape.fields:
        if not field.known_in(era.name):
            continue
        here = (*path, field.name)
        found += filled_fields(field.shape, era, here) if field.name in _FILLED else [(here, field)]
    return found


def _filled(value: JsonValue, shape: Shape, era: Era) -> dict[str, JsonValue]:
    given = value if isinstance(value, dict) else {}
    filled: dict[str, JsonValue] = {}
    for field in shape.fields:
        if not field.known_in(era.name):
            continue
        own = given.get(field.name)
        if field.name in _FILLED:
            filled[field.name] = _filled(own, field.shape, era)
        elif field.name == "config":
            filled[field.name] = _config(own, given.get("type"), field, era)
        elif own is None and field.default is not None:
            filled[field.name] = _own(field.default)
        elif field.name in given:
            filled[field.name] = own
    return filled


def _own(default: JsonValue) -> JsonValue:
    """A default of one's own: those that hold values hold plain ones."""
    return type(default)(default) if isinstance(default, dict | list) else default


def _config(own: JsonValue, verdict: JsonValue, field: Field, era: Era) -> dict[str, JsonValue]:
    counts = verdict in (None, "count:iteration")
    limit = field.default if era.fills_every_limit or counts else {}
    return {**limit, **(own if isinstance(own, dict) else {})}

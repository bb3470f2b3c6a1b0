"""What a field, an element or a member begins with that a person adds to a form."""

import copy
from collections.abc import Iterator

from stepflow_gui.formats.fields import Shape
from stepflow_gui.formats.shape_check import misfits
from stepflow_gui.text.json.tree import JsonValue

_OWN_KEYS = frozenset({"stepId", "id"})  # fields that repeat the key of their object


def new_value(shape: Shape, key: str, format_id: str) -> JsonValue:
    """The plainest value that fits: an object has the fields that runners want. `key` is the key it is under."""
    match shape.kind:
        case "either":
            return new_value(shape.either[0], key, format_id)
        case "list":
            return []
        case "map" | "object":
            fields = [field for field in shape.fields if field.known_in(format_id) and field.need != "no"]
            made: dict[str, JsonValue] = {}
            for field in fields:
                if field.default is not None:
                    made[field.name] = copy.deepcopy(field.default)
                elif field.name in _OWN_KEYS:
                    made[field.name] = key
                else:
                    made[field.name] = new_value(field.shape, key, format_id)
            return made
        case "boolean":
            return False
        case "integer" | "number":
            return shape.least or 0
        case "string":
            texts = list(_texts(shape, key))
            return next((text for text in texts if not any(misfits(text, shape, format_id))), "")
    return ""


def _texts(shape: Shape, key: str) -> Iterator[str]:
    yield from shape.choices[:1]
    yield ""
    if "[" not in shape.pattern:
        yield shape.pattern.partition("|")[0].replace(".*", "")
    yield key.rpartition(".")[2].lower()
    yield "new"

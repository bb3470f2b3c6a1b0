"""Where a value is of the right type, but none of those that its field can have."""

from collections.abc import Iterator

from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.document.shape_faults import Fault, below, fits
from stepflow_gui.text.json_tree import JsonValue
from stepflow_gui.text.pointer import join

ELSEWHERE = ("model", "permissionMode", "action", "targetMode")  # these have rules of their own


def value_faults(shape: Shape, value: JsonValue, format_id: str, pointer: str = "") -> Iterator[Fault]:
    """Every value outside its choices or below its minimum, in file order."""
    if shape.kind in {"any", "either"} or not fits(shape, value):
        return
    outside = shape.choices and value not in shape.choices and not has_placeholder(value)
    if outside or (shape.least is not None and value < shape.least):
        yield Fault(pointer, shape, value)
    for key, inner, child in below(shape, value, format_id):
        if child is not None and key not in ELSEWHERE:
            yield from value_faults(inner, child, format_id, join(pointer, key))

"""A step's `inputs`: what earlier steps left becomes variables of its prompt (runtime-semantics 12)."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.run.javascript.values import ABSENT, text_of
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true

Context = Mapping[str, Mapping[str, JsonValue]]


class InputError(NamedTuple):
    """An input that can't be read: its name, and where it was to come from."""

    kind: Literal["bad_from", "required_input_missing"]
    name: str
    source: str


def variables_of_inputs(inputs: JsonValue, context: Context, era: Era) -> dict[str, str] | InputError:
    """The variables, without `uv-`; an input without a value or default has none."""
    found: dict[str, str] = {}
    for name, declared in inputs.items() if isinstance(inputs, dict) else ():
        if not isinstance(declared, dict):
            continue
        error = _add(found, name, declared, context, era)
        if error:
            return error
    return found


def _add(found: dict[str, str], name: str, declared: dict[str, Any], context: Context, era: Era) -> InputError | None:
    source = declared.get("from")
    variable, value = name, ABSENT
    if is_true(source) and not isinstance(source, str):
        return InputError("bad_from", name, text_of(source))
    if source:
        step, dot, key = _split(source, era)
        if era.applies_inputs and (not step or not dot):
            return InputError("bad_from", name, source)
        value = context.get(step, {}).get(key, ABSENT)
        variable = f"{step.replace('.', '_')}_{key}"
    if value is ABSENT:
        value = declared.get("default", ABSENT)
    if value is not ABSENT:
        found[variable if era.applies_inputs else f"uv-{name}"] = text_of(value)
    elif is_true(declared.get("required")):
        return InputError("required_input_missing", name, source or "")
    return None


def _split(source: str, era: Era) -> tuple[str, str, str]:
    if era.applies_inputs:
        return source.rpartition(".")
    step, dot, rest = source.partition(".")
    return step, dot, rest.partition(".")[0]

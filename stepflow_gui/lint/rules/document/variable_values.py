"""What runners make of `uvVariables` and `usesStdin` that are missing or of a wrong type (runtime-semantics 2, 9)."""

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.lint.rules.prelude import ADDRESSED, RuleContext, _
from stepflow_gui.text.json.tree import JsonValue

FIELDS = ("uvVariables", "usesStdin")


def as_taken(field: str, value: JsonValue, context: RuleContext) -> str | None:
    """What the version that messages name makes of a value of a wrong type; None where that isn't known."""
    era = context.climpt
    if field not in FIELDS or not era.checks_agent or context.format in ADDRESSED:
        return None
    if field == "uvVariables" and _is_spelt_out(value, era):
        text = _("{era} reads each of its letters as a variable")
    elif field == "uvVariables":
        text = _("{era} treats it as an empty list")
    elif era.needs_variables and (value or isinstance(value, dict | list)):
        text = _("{era} treats it as true")
    else:
        text = _("{era} treats it as false")
    return text.format(era=era.name)


def stops(field: str, value: JsonValue, step: str | None, context: RuleContext) -> bool:
    """Whether a run of the chosen runtime that gets to the step is bound to stop because of a value; null is missing.

    A closure step, and each step in the oldest version, has the prompt of the verdict's handler in place of its own.
    """
    found = context.flow.steps.get(step) if step is not None else None
    if field != "uvVariables" or found is None or found.is_section or found.kind == "closure":
        return False
    era = context.era
    return era.closure_loop and era.needs_variables and (value is None or _is_spelt_out(value, era))


def _is_spelt_out(value: JsonValue, era: Era) -> bool:
    return era.needs_variables and isinstance(value, str) and value != ""

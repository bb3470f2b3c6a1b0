"""Validation steps and failure patterns, by the names that they have today (formats.md, renames over time)."""

from collections.abc import Callable

from stepflow_gui.formats.converting.made import JsonObject, Losses, object_of, renamed_key
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

_KEYS = {"completionSteps": "validationSteps", "completionPatterns": "failurePatterns"}
_CONDITIONS = ("completionConditions", "validationConditions")


def with_newer_keys(
    value: JsonObject, newer_id: Callable[[str], str], losses: Losses, renamed: dict[str, str]
) -> JsonObject:
    """The registry with today's names of them. `newer_id` gives the key of a validation step of today."""
    made = dict(value)
    for holder in ("completionSteps", "validationSteps"):
        if isinstance(given := value.get(holder), dict):
            made[holder] = _with_conditions(given, holder, newer_id, renamed)
    for older, newer in _KEYS.items():
        if older in value and newer in value:
            why = _("“{newer}” exists too, and that one is used").format(newer=newer)
            losses.add(f"/{older}", _("“{word}”").format(word=older), why)
    return {
        key if key not in _KEYS or _KEYS[key] in value else renamed_key(renamed, "", key, _KEYS[key]): inner
        for key, inner in made.items()
    }


def _with_conditions(
    given: JsonObject, holder: str, newer_id: Callable[[str], str], renamed: dict[str, str]
) -> JsonObject:
    older, newer = _CONDITIONS
    made: JsonObject = {}
    for key, step in given.items():
        where, today = f"/{holder}", newer_id(key)
        if today != key and today not in given:
            renamed_key(renamed, where, key, today)
        else:
            today = key
        made[today] = step
        if not isinstance(step, dict):
            continue
        made[today] = {
            renamed_key(renamed, join(where, key), older, newer) if name == older and newer not in step else name: inner
            for name, inner in object_of(step).items()
        }
        if today != key and step.get("stepId") == key:
            made[today]["stepId"] = today
    return made

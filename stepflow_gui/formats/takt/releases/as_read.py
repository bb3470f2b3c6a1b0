"""A file's value as one release reads it: without what it drops, in the words of newer releases."""

from collections.abc import Iterable, Mapping

from stepflow_gui.formats.takt.releases.loading import HeldAgainstReleases
from stepflow_gui.formats.takt.releases.notes import Path
from stepflow_gui.formats.takt.releases.sets import Releases, before, since
from stepflow_gui.formats.takt.releases.top import PAIRS
from stepflow_gui.text.json.tree import JsonValue

Object = dict[str, JsonValue]

_OF_STEPS = {"agent": "persona", "agent_name": "persona_name", "transitions": "rules", "step": "name"}
_OF_RULES = {"next_step": "next"}
_OF_SUBS = ("parallel", "fixed", "pool")
_DONE = ("done", "always")
NO_STATUS, OTHER_STATUS = "on_no_status", "other_status"
"""What a step of the first releases comes to where its agent names no status, or one without a transition."""


def value_as_read(root: JsonValue, held: HeldAgainstReleases, release: Releases) -> JsonValue:
    """The value of a file as the newest of some releases reads it, which loads it; a copy."""
    newest = 1 << (release.bit_length() - 1)
    dropped = {note.path for note in held.dropped if note.releases & newest and note.reason == "dropped"}
    if isinstance(root, dict):
        dropped -= {(new,) for old, new in PAIRS if {(old,), (new,)} <= dropped}  # they agree, so either is left out
    value = _without(root, (), dropped)
    if not isinstance(value, dict):
        return value
    steps = value.get("movements") or value.get("steps")
    listed = [_step(step, newest) if isinstance(step, dict) else step for step in _items(steps)]
    monitors = [_monitor(each) if isinstance(each, dict) else each for each in _items(value.get("loop_monitors"))]
    if newest & before("0.3.0"):
        listed = list(_with_statuses(listed))
    found = {key: each for key, each in value.items() if key != "movements"}
    return {**found, "steps": listed, "loop_monitors": monitors}


def _without(value: JsonValue, path: Path, dropped: set[Path]) -> JsonValue:
    if isinstance(value, dict):
        return {
            key: _without(each, (*path, key), dropped) for key, each in value.items() if (*path, key) not in dropped
        }
    if isinstance(value, list):
        return [_without(each, (*path, index), dropped) for index, each in enumerate(value)]
    return value


def _step(step: Object, newest: Releases) -> Object:
    """A step in newer words; what is there under both keeps the newer one."""
    found = _renamed(step, _OF_STEPS)
    rules = _items(found.get("rules"))
    if "rules" in found and isinstance(found["rules"], list):
        found["rules"] = [_rule(rule, newest) if isinstance(rule, dict) else rule for rule in rules]
    if "report" in found and "output_contracts" not in found:
        found["output_contracts"] = {"report": _reports(found["report"])}
    for key in _OF_SUBS:
        subs = found.get(key)
        if isinstance(subs, list):
            found[key] = [_step(sub, newest) if isinstance(sub, dict) else sub for sub in subs]
        elif isinstance(subs, dict):
            found[key] = _step(subs, newest)
    return found


def _rule(rule: Object, newest: Releases) -> Object:
    found = _renamed(rule, _OF_RULES)
    expression = found.pop("when", None)
    if isinstance(expression, str) and "condition" not in found:
        found["condition"] = f"when({expression})" if newest & since("0.50.0") else expression
    return found


def _monitor(monitor: Object) -> Object:
    judge = monitor.get("judge")
    return {**monitor, "judge": _renamed(judge, _OF_STEPS)} if isinstance(judge, dict) else monitor


def _renamed(value: Object, names: Mapping[str, str]) -> Object:
    found = {names.get(key, key): each for key, each in value.items() if key in names}
    return found | {key: each for key, each in value.items() if key not in names}


def _reports(report: JsonValue) -> list[JsonValue]:
    """The reports of a step in the form that came later: of a file name, a list of labels, or one entry."""
    if isinstance(report, str):
        return [{"name": report}]
    return [report] if isinstance(report, dict) else _items(report)


def _with_statuses(steps: list[JsonValue]) -> Iterable[JsonValue]:
    """Steps with what follows where no transition is for a status."""
    for index, step in enumerate(steps):
        if not isinstance(step, dict):
            yield step
            continue
        rules = [rule for rule in _items(step.get("rules")) if isinstance(rule, dict)]
        done = next((rule.get("next") for rule in rules if rule.get("condition") in _DONE), None)
        following = steps[index + 1] if index + 1 < len(steps) else None
        after = following.get("name") if isinstance(following, dict) else "COMPLETE"
        none = {"stay": step.get("name"), "continue": done or after}.get(
            str(step.get("on_no_status")), done or "COMPLETE"
        )
        yield {
            **step,
            "rules": [
                *rules,
                {"condition": NO_STATUS, "next": none},
                {"condition": OTHER_STATUS, "next": "COMPLETE"},
            ],
        }


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []

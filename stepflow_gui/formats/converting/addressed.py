"""Registries for climpt 1.14, whose steps have kind and address, and those of the climpt before (climpt-1.14, 9)."""

import copy

from stepflow_gui.formats.climpt.vocabulary import CONDITIONS_OF_PHASE, INTENTS_OF_KIND, KIND_OF_C2
from stepflow_gui.formats.converting.made import ConvertedRegistry, JsonObject, Losses, in_step, object_of
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_PARTS = ("c2", "c3", "edition", "adaptation")
_MAPPING, _SINGLE = "entryStepMapping", "entryStep"
_CONDITIONS = "validationConditions"
_ABORT = "abort"
_ONCE = 1  # attempts of a validation step that ended the run at its first failure


def to_addressed(value: JsonObject, verdict: str | None) -> ConvertedRegistry:
    """The registry for climpt 1.14. `verdict` is the agent's own type, by today's name."""
    made, losses = copy.deepcopy(value), Losses()
    renamed: dict[str, str] = {}
    c1 = made.get("c1") if isinstance(made.get("c1"), str) and made.get("c1") else "steps"
    made.setdefault("c1", c1)
    steps = object_of(made.get("steps"))
    for step_id, step in steps.items():
        if isinstance(step, dict):
            steps[step_id] = _addressed(step_id, step, c1, losses, renamed)
    _pair_entries(made, steps, verdict, losses)
    for name, check in object_of(made.get("validationSteps")).items():
        if isinstance(check, dict):
            _split_conditions(name, check, c1, losses, renamed)
    for validator in object_of(made.get("validators")).values():
        if isinstance(validator, dict):
            validator.setdefault("phase", "postllm")
    return ConvertedRegistry(made, renamed, tuple(losses.found), {step: (step,) for step in steps}, {})


def _addressed(step_id: str, step: JsonObject, c1: JsonValue, losses: Losses, renamed: dict[str, str]) -> JsonObject:
    kind = step.get("stepKind")
    if not isinstance(kind, str) or kind not in INTENTS_OF_KIND:
        kind = KIND_OF_C2.get(str(step.get("c2")), "work")
    if "stepKind" in step:
        renamed[in_step(step_id, "stepKind")] = "kind"
    given = [part for part in _PARTS if step.get(part)]
    address: JsonObject = {"c1": c1, **{part: step[part] for part in given}}
    address = {"edition": "default", **address} if "edition" not in address else address
    address = {part: address[part] for part in ("c1", *_PARTS) if part in address}
    if "fallbackKey" in step:
        why = _("newer runners have no built-in prompts")
        losses.add(in_step(step_id, "fallbackKey"), f"fallbackKey: {step['fallbackKey']}", why)
    made: JsonObject = {}
    for key, inner in step.items():
        if key == "stepKind":
            made["kind"] = kind
        elif key in _PARTS or key == "address":
            made.setdefault("address", address)
        elif key != "fallbackKey":
            made[key] = inner
    first = {"stepId": step_id, "name": step_id, "kind": kind, "address": address}
    lacking = {key: inner for key, inner in first.items() if not made.get(key)}
    made = {**{key: made[key] for key in made if key in first}, **lacking} | made | lacking
    if not isinstance(made.get("uvVariables"), list):
        made["uvVariables"] = []
    if not isinstance(made.get("usesStdin"), bool):
        made["usesStdin"] = False
    _without_abort(step_id, made, losses)
    _every_rule(step_id, made)
    if _repeats_once(made):
        why = _("climpt 1.14 lets a step without adaptationChain repeat once: a second repeat in a row ends the run")
        losses.add(_allowed(step_id), _("the repeats of {step}").format(step=step_id), why)
    return made


def _repeats_once(step: JsonObject) -> bool:
    allowed = object_of(step.get("structuredGate")).get("allowedIntents")
    return isinstance(allowed, list) and "repeat" in allowed and "adaptationChain" not in step


def _allowed(step_id: str) -> str:
    return in_step(step_id, "structuredGate", "allowedIntents")


def _without_abort(step_id: str, step: JsonObject, losses: Losses) -> None:
    gate, rules = object_of(step.get("structuredGate")), object_of(step.get("transitions"))
    allowed = gate.get("allowedIntents")
    if isinstance(allowed, list) and _ABORT in allowed:
        gate["allowedIntents"] = [intent for intent in allowed if intent != _ABORT]
    elif _ABORT not in rules and gate.get("fallbackIntent") != _ABORT:
        return
    rules.pop(_ABORT, None)
    if gate.get("fallbackIntent") == _ABORT:
        del gate["fallbackIntent"]
    why = _("climpt 1.14 has no such intent")
    losses.add(in_step(step_id, "transitions", _ABORT), _("“abort” of {step}").format(step=step_id), why)


def _every_rule(step_id: str, step: JsonObject) -> None:
    """A rule for `repeat` and `closing`, which runners of before went by without one."""
    allowed = object_of(step.get("structuredGate")).get("allowedIntents")
    rules = step.get("transitions")
    if not isinstance(allowed, list) or not isinstance(rules, dict):
        return
    for intent, target in (("repeat", step_id), ("closing", None)):
        if intent in allowed:
            rules.setdefault(intent, {"target": target})


def _pair_entries(made: JsonObject, steps: JsonObject, verdict: str | None, losses: Losses) -> None:
    mapping = object_of(made.get(_MAPPING))
    single = made.get(_SINGLE)
    paired = {key: _pair(entry, steps) if isinstance(entry, str) else entry for key, entry in mapping.items()}
    if isinstance(single, str) and single:
        if verdict is not None:
            paired.setdefault(verdict, _pair(single, steps))
        why = _("a run begins at the pair of its verdict type alone")
        losses.add(join("", _SINGLE), f"{_SINGLE}: {single}", why)
    made.pop(_SINGLE, None)
    if _MAPPING in made or not paired:
        made[_MAPPING] = paired
    else:
        last = made.pop("steps", None)
        made[_MAPPING] = paired
        if last is not None:
            made["steps"] = last


def _pair(first: str, steps: JsonObject) -> JsonValue:
    topic = first.removeprefix("initial.")
    named = f"continuation.{topic}"
    return {"initial": first, "continuation": named if topic != first and named in steps else first}


def _split_conditions(name: str, check: JsonObject, c1: JsonValue, losses: Losses, renamed: dict[str, str]) -> None:
    before, after = CONDITIONS_OF_PHASE["preflight"], CONDITIONS_OF_PHASE["postllm"]
    if _CONDITIONS in check and after not in check:
        renamed[join("/validationSteps", name, _CONDITIONS)] = after
        ordered = {after if key == _CONDITIONS else key: inner for key, inner in check.items()}
        check.clear()
        check.update(ordered)
    check.setdefault(before, [])
    check.setdefault(after, [])
    parts = {part: check[part] for part in ("c2", "c3") if isinstance(check.get(part), str)}
    if len(parts) == 2:
        check.setdefault("address", {"c1": c1, **parts, "edition": "failed"})
    policy = check.get("onFailure")
    if isinstance(policy, dict) and policy.get("action") == _ABORT:
        policy |= {"action": "retry", "maxAttempts": _ONCE}
        why = _("it is retry with maxAttempts 1 now, which ends the run at the first failure")
        losses.add(join("/validationSteps", name, "onFailure"), _("“abort” of {step}").format(step=name), why)


def from_addressed(value: JsonObject) -> ConvertedRegistry:
    """The registry as climpt 2026-04-20 reads it."""
    made, losses = copy.deepcopy(value), Losses()
    renamed: dict[str, str] = {}
    steps = object_of(made.get("steps"))
    for step_id, step in steps.items():
        if isinstance(step, dict):
            steps[step_id] = _flat(step_id, step, made.get("c1"), losses, renamed)
    mapping = object_of(made.get(_MAPPING))
    for key, entry in mapping.items():
        if isinstance(entry, dict):
            mapping[key] = entry.get("initial")
            _tell_continuation(key, entry, steps, losses)
    for name, check in object_of(made.get("validationSteps")).items():
        if isinstance(check, dict):
            _join_conditions(name, check, losses)
    for validator in object_of(made.get("validators")).values():
        if isinstance(validator, dict):
            validator.pop("phase", None)
    return ConvertedRegistry(made, renamed, tuple(losses.found), {step: (step,) for step in steps}, {})


def _flat(step_id: str, step: JsonObject, c1: JsonValue, losses: Losses, renamed: dict[str, str]) -> JsonObject:
    address = object_of(step.get("address"))
    if "kind" in step:
        renamed[in_step(step_id, "kind")] = "stepKind"
    if address.get("c1") not in (None, c1):
        losses.add(in_step(step_id, "address", "c1"), f"c1: {address['c1']}", _("no runner reads it"))
    if "adaptationChain" in step:
        why = _("repeats aren’t limited there, and show one prompt")
        losses.add(in_step(step_id, "adaptationChain"), "adaptationChain", why)
    elif "kind" in step and _repeats_once(step):
        why = _("they aren’t limited there, while climpt 1.14 lets a step without adaptationChain repeat once")
        losses.add(_allowed(step_id), _("the repeats of {step}").format(step=step_id), why)
    if "retry" in step:
        losses.add(in_step(step_id, "retry"), "retry", _("no runner reads it"))
    made: JsonObject = {}
    for key, inner in step.items():
        if key == "kind":
            made["stepKind"] = inner
        elif key == "address":
            made |= {part: address[part] for part in _PARTS if part in address}
        elif key not in {"adaptationChain", "retry"}:
            made[key] = inner
    return made


def _tell_continuation(key: str, entry: JsonObject, steps: JsonObject, losses: Losses) -> None:
    """Older runners derive the continuation from its name."""
    first, later = entry.get("initial"), entry.get("continuation")
    if isinstance(first, str) and isinstance(later, str) and _pair(first, steps) != entry:
        what = _("the continuation “{step}” of {verdict}").format(step=later, verdict=key)
        losses.add(join("", _MAPPING, key, "continuation"), what, _("an entry there is one step"))


def _join_conditions(name: str, check: JsonObject, losses: Losses) -> None:
    lists = [check.pop(field, None) for field in CONDITIONS_OF_PHASE.values()]
    joined = [each for listed in lists if isinstance(listed, list) for each in listed]
    check.setdefault(_CONDITIONS, joined)
    if isinstance(lists[0], list) and lists[0]:
        what = _("the pre-flight checks of {step}").format(step=name)
        why = _("they run before the query and after it there, with those of after it")
        losses.add(join("/validationSteps", name, CONDITIONS_OF_PHASE["preflight"]), what, why)
    address = object_of(check.pop("address", None))
    for part in ("c2", "c3"):
        if part not in check and part in address:
            check[part] = address[part]

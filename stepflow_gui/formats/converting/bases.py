"""Registries whose missing prompts are replaced by built-in ones, and those that know none: `closing` and `c3l`."""

import copy
import re

from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.fields import REGISTRY
from stepflow_gui.formats.converting.entries import rename_entries
from stepflow_gui.formats.converting.made import ConvertedRegistry, JsonObject, Losses, in_step, object_of
from stepflow_gui.formats.converting.topics import topic_of
from stepflow_gui.formats.fields import Shape
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_TOPIC = re.compile(r"[a-z]+(-[a-z]+)*")
_PATH_PARTS = ("c2", "c3", "edition", "adaptation")
_NO_VARIABLES: JsonObject = {"uvVariables": [], "usesStdin": False}  # without them those runners make no prompt
BASES = ("userPromptsBase", "schemasBase")


def to_c3l(value: JsonObject, verdict: str | None) -> ConvertedRegistry:
    """The registry without `fallbackKey` and the folders of prompts and schemas.

    A c3 that newer runners refuse is written as they want it. `verdict` is the agent's own type.
    """
    made, losses = copy.deepcopy(value), Losses()
    renamed: dict[str, str] = {}
    rename_entries(made, verdict, losses, renamed)
    for key in BASES:
        if key in made:
            losses.add(f"/{key}", f"{key}: {made.pop(key)}", _("newer runners don't read it"))
    steps = object_of(made.get("steps"))
    for step_id, step in steps.items():
        if not isinstance(step, dict):
            continue
        if "fallbackKey" in step:
            dropped, why = step.pop("fallbackKey"), _("newer runners have no built-in prompts")
            losses.add(in_step(step_id, "fallbackKey"), f"fallbackKey: {dropped}", why)
    _write_topics(steps, losses)
    return ConvertedRegistry(made, renamed, tuple(losses.found), _same(steps), {})


def completed(value: JsonObject) -> ConvertedRegistry:
    """A `closing` registry made of an older one: each step with a `fallbackKey`, each c3 as its runners want it."""
    made, losses = copy.deepcopy(value), Losses()
    steps = object_of(made.get("steps"))
    _write_topics(steps, losses)
    for step_id in _without_key(steps):
        steps[step_id] = _with_key(steps[step_id])
    return ConvertedRegistry(made, {}, tuple(losses.found), _same(steps), {})


def _write_topics(steps: JsonObject, losses: Losses) -> None:
    """Write each c3 in lower-case words joined by dashes; prompts of one c2 that lay apart still do."""
    given = {
        step_id: (step.get("c2"), topic)
        for step_id, step in steps.items()
        if isinstance(step, dict) and isinstance(topic := step.get("c3"), str) and topic
    }
    made: dict[tuple[str, str], str] = {}
    for c2, topic in given.values():
        if _TOPIC.fullmatch(topic):
            made[str(c2), topic] = topic
    for step_id, (c2, topic) in given.items():
        place = str(c2), topic
        if place not in made:
            made[place] = topic_of(topic, [each for (kind, _topic), each in made.items() if kind == place[0]])
        if made[place] == topic:
            continue
        steps[step_id]["c3"] = made[place]
        why = _("newer runners expect lower-case words joined by dashes: changed to “{topic}”").format(
            topic=made[place]
        )
        losses.add(in_step(step_id, "c3"), f"c3: {topic}", why)


def to_closing(value: JsonObject, bases: JsonObject, verdict: str | None) -> ConvertedRegistry:
    """The registry with what its runners need: folders, and of each step a `fallbackKey` and its list of variables."""
    made, losses = copy.deepcopy(value), Losses()
    renamed: dict[str, str] = {}
    rename_entries(made, verdict, losses, renamed)
    given: JsonObject = {}
    for key, inner in made.items():
        given[key] = inner
        if key == "c1":
            given |= {name: base for name, base in bases.items() if name not in made}
    steps_last = given.pop("steps", {})
    made = {**given, **{name: base for name, base in bases.items() if name not in given}, "steps": steps_last}
    steps = object_of(made["steps"])
    for step_id in _without_key(steps):
        steps[step_id] = _with_key(steps[step_id])
        if steps[step_id].get("fallbackKey") not in FALLBACK_KEYS:
            why = _("the guide's table has no key for it: its prompt file is required")
            losses.add(in_step(step_id), _("a fallbackKey of {step}").format(step=step_id), why)
    for step_id, step in steps.items():
        if isinstance(step, dict):
            steps[step_id] = step | {name: none for name, none in _NO_VARIABLES.items() if step.get(name) is None}
    _report_unread(value, REGISTRY, "", losses)
    return ConvertedRegistry(made, renamed, tuple(losses.found), _same(steps), {})


def with_entries_of_today(value: JsonObject, verdict: str | None) -> ConvertedRegistry:
    """The registry as it is, its entries by the names that verdict types have today."""
    made, losses = copy.deepcopy(value), Losses()
    renamed: dict[str, str] = {}
    rename_entries(made, verdict, losses, renamed)
    return ConvertedRegistry(made, renamed, tuple(losses.found), _same(object_of(made.get("steps"))), {})


def _without_key(steps: JsonObject) -> list[str]:
    return [
        step_id
        for step_id, step in steps.items()
        if isinstance(step, dict) and step.get("fallbackKey") is None and not step_id.startswith("section.")
    ]


def _with_key(step: JsonObject) -> JsonObject:
    """The step with a `fallbackKey` behind the parts of its prompt's path: the guide's, else one of the same form."""
    kind, topic = step.get("c2"), step.get("c3")
    if not isinstance(kind, str) or not isinstance(topic, str):
        return step
    kind, topic = (topic_of(part).replace("-", "_") for part in (kind, topic))
    keys = f"{kind}_{topic}", f"{topic}_{kind}_default"
    key = next((key for key in keys if key in FALLBACK_KEYS), keys[-1])
    rest = {name: inner for name, inner in step.items() if name != "fallbackKey"}
    names = list(rest)
    behind = max((names.index(part) for part in _PATH_PARTS if part in rest), default=len(names) - 1) + 1
    return {name: rest.get(name, key) for name in (*names[:behind], "fallbackKey", *names[behind:])}


def _report_unread(value: JsonValue, shape: Shape, pointer: str, losses: Losses) -> None:
    """Report what stays though runners of that time don't know it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            named = [field for field in shape.fields if field.name == key]
            here = join(pointer, key)
            if named and not any(field.known_in("closing") for field in named):
                if key not in BASES:
                    losses.add(
                        here, _("“{word}”").format(word=key), _("it is kept, but runners of that time don't read it")
                    )
                continue
            below = named[0].shape if named else shape.of
            if below is not None:
                _report_unread(inner, below, here, losses)
    elif isinstance(value, list) and shape.of is not None:
        for index, inner in enumerate(value):
            _report_unread(inner, shape.of, join(pointer, index), losses)


def _same(steps: JsonObject) -> dict[str, tuple[str, ...]]:
    return {step_id: (step_id,) for step_id in steps}

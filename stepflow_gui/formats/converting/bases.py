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
        topic = step.get("c3")
        if isinstance(topic, str) and not _TOPIC.fullmatch(topic):
            step["c3"] = topic_of(topic)
            why = _("newer runners want lower-case words joined by dashes: it is “{topic}” now").format(
                topic=step["c3"]
            )
            losses.add(in_step(step_id, "c3"), f"c3: {topic}", why)
    return ConvertedRegistry(made, renamed, tuple(losses.found), _same(steps), {})


def to_closing(value: JsonObject, bases: JsonObject, verdict: str | None) -> ConvertedRegistry:
    """The registry with folders of prompts and schemas, and a `fallbackKey` wherever the guide's table has one."""
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
    for step_id, step in steps.items():
        if not isinstance(step, dict) or "fallbackKey" in step or step_id.startswith("section."):
            continue
        found = _fallback_key(step)
        if found is None:
            why = _("the guide's table has none for it: its prompt has to be there")
            losses.add(in_step(step_id), _("a fallbackKey of {step}").format(step=step_id), why)
        else:
            steps[step_id] = _behind(
                step, "edition" if "adaptation" not in step else "adaptation", "fallbackKey", found
            )
    _report_unread(value, REGISTRY, "", losses)
    return ConvertedRegistry(made, renamed, tuple(losses.found), _same(steps), {})


def with_entries_of_today(value: JsonObject, verdict: str | None) -> ConvertedRegistry:
    """The registry as it is, its entries by the names that verdict types have today."""
    made, losses = copy.deepcopy(value), Losses()
    renamed: dict[str, str] = {}
    rename_entries(made, verdict, losses, renamed)
    return ConvertedRegistry(made, renamed, tuple(losses.found), _same(object_of(made.get("steps"))), {})


def _fallback_key(step: JsonObject) -> str | None:
    """The built-in prompt that would have replaced a step's own; None where the guide's table has none."""
    kind, topic = step.get("c2"), step.get("c3")
    if not isinstance(kind, str) or not isinstance(topic, str):
        return None
    topic = topic.replace("-", "_")
    return next((key for key in (f"{kind}_{topic}", f"{topic}_{kind}_default") if key in FALLBACK_KEYS), None)


def _behind(step: JsonObject, sibling: str, key: str, value: str) -> JsonObject:
    made: JsonObject = {}
    for name, inner in step.items():
        made[name] = inner
        if name == sibling:
            made[key] = value
    made.setdefault(key, value)
    return made


def _report_unread(value: JsonValue, shape: Shape, pointer: str, losses: Losses) -> None:
    """Report what stays though runners of that time don't know it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            named = [field for field in shape.fields if field.name == key]
            here = join(pointer, key)
            if named and not any(field.known_in("closing") for field in named):
                if key not in BASES:
                    losses.add(
                        here, _("“{word}”").format(word=key), _("it stays, but runners of that time don't read it")
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

"""What a conversion gives: the registry as it would be, and what of the old one has no place in it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

JsonObject = dict[str, JsonValue]

FIELD = "next_action.action"
"""Where an answer has its intent, unless the gate sets another place."""


class Lost(NamedTuple):
    """What can't be carried over, or not as it was, in the language in use."""

    pointer: str  # in the registry as it was
    what: str
    why: str


class NewPrompt(NamedTuple):
    """A prompt that a new step needs: the step, and what its file is made of, if anything is there."""

    step: str
    old: JsonObject | None  # the address of the prompt that it was, as a step of the old format has it
    title: str
    text: str = ""  # additional text


class ConvertedRegistry(NamedTuple):
    """A registry converted. `renamed` are members that have another key now, by their JSON Pointer in the old one."""

    value: JsonObject
    renamed: dict[str, str]
    lost: tuple[Lost, ...]
    steps: dict[str, tuple[str, ...]]  # old step -> the steps that it has become, in the order in which they run
    intents: dict[tuple[str, str], str]  # step and intent, as the flow was read -> the intent of today
    prompts: tuple[NewPrompt, ...] = ()
    schemas: Mapping[str, JsonObject] = MappingProxyType({})  # output schemas of steps that had none


class Losses:
    """Collects what can't be carried over, each thing once."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: dict[Lost, None] = {}

    def add(self, pointer: str, what: str, why: str) -> None:
        """Add something."""
        self.found.setdefault(Lost(pointer, what, why))


def object_of(value: JsonValue) -> JsonObject:
    """The value, if it is an object; else an empty one."""
    return value if isinstance(value, dict) else {}


def intent_ref(field: str) -> str:
    """The pointer in an output schema to the enum of the property at a dotted path of an answer."""
    return "#/" + "/".join(f"properties/{key}" for key in field.split("."))


def closure_step(step_id: str, topic: str, name: str, field: str, schema: JsonObject) -> JsonObject:
    """A step that closes the run."""
    return {
        "stepId": step_id,
        "name": name,
        "stepKind": "closure",
        "c2": "closure",
        "c3": topic,
        "edition": "default",
        "uvVariables": [],
        "usesStdin": False,
        "outputSchemaRef": schema,
        "structuredGate": {
            "allowedIntents": ["closing", "repeat"],
            "intentSchemaRef": intent_ref(field),
            "intentField": field,
        },
        "transitions": {"closing": {"target": None}, "repeat": {"target": step_id}},
    }


def with_kind(step: JsonObject, kind: str) -> JsonObject:
    """The step with its kind, before the parts of its prompt's path."""
    made: JsonObject = {}
    for key, inner in step.items():
        if key == "c2":
            made["stepKind"] = kind
        if key != "stepKind":
            made[key] = inner
    return made if "stepKind" in made else {**made, "stepKind": kind}


def renamed_key(renamed: dict[str, str], holder: str, key: str, newer: str) -> str:
    """The newer key of a member of the object at `holder`, after it was added to `renamed`."""
    renamed[join(holder, key)] = newer
    return newer


def targets_of(rule: JsonValue) -> list[str | None]:
    """The possible targets of a transition, None for the end; [] where it has none. A target wins over a condition."""
    found = object_of(rule)
    if "target" in found and (found["target"] is None or (isinstance(found["target"], str) and found["target"])):
        return [found["target"]]
    if isinstance(found.get("condition"), str):
        return [each for each in object_of(found.get("targets")).values() if each is None or isinstance(each, str)]
    return []


def targets_of_step(step: JsonValue) -> list[str]:
    """The steps that the transitions of a step name as their targets."""
    rules = object_of(object_of(step).get("transitions")).values()
    return [target for rule in rules for target in targets_of(rule) if target is not None]


def retargeted(rule: JsonObject, old: str | None, new: str) -> JsonObject:
    """The transition with one of its targets replaced."""
    made = dict(rule)
    if "target" in made and made["target"] == old:
        made["target"] = new
    elif isinstance(made.get("targets"), dict):
        made["targets"] = {case: new if target == old else target for case, target in made["targets"].items()}
    return made


def in_step(step_id: str, *keys: str) -> str:
    """The pointer of something in a step."""
    return join(join("", "steps"), step_id, *keys)

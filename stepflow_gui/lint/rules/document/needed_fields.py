"""Which fields the fuller check of upstream needs, and the file hasn't (runtime-semantics 16)."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.climpt.vocabulary import CONDITIONS_OF_PHASE
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

REGISTRY = ("c1",)
STEP = ("stepId", "name", "c2", "c3", "edition")
TYPED: dict[str, JsonValue] = {"uvVariables": [], "usesStdin": False}  # of a step, with what is meant by none
VALIDATION_STEP = ("stepId", "name", "c2", "c3")
PATTERN = ("description", "edition")
VALIDATOR = ("type", "failurePattern")
COMMAND = ("command", "successWhen")  # of a validator that runs one


ADDRESSED_STEP = ("stepId", "name", "kind", "address", "uvVariables", "usesStdin")
ADDRESS = ("c1", "c2", "c3", "edition")
ADDRESSED_VALIDATION_STEP = ("stepId", "name", *CONDITIONS_OF_PHASE.values())


class Lacking(NamedTuple):
    """An object at a pointer without some fields, or with empty ones; `name` is its key, "" for the registry.

    `refused`: the loader of a run asks for them as well.
    """

    pointer: str
    name: str
    fields: list[str]
    refused: bool = False


def lacking_fields(root: dict[str, JsonValue]) -> Iterator[Lacking]:
    """Every such object, section by section. What has another type is left to those who judge types."""
    yield from _of(root, "", "", REGISTRY)
    for section, fields in (
        ("steps", STEP),
        ("failurePatterns", PATTERN),
        ("validators", VALIDATOR),
        ("validationSteps", VALIDATION_STEP),
    ):
        members = root.get(section)
        for name, holder in members.items() if isinstance(members, dict) else ():
            if isinstance(holder, dict):
                runs_command = section == "validators" and holder.get("type", "command") == "command"
                yield from _of(holder, join("", section, name), name, (*fields, *COMMAND) if runs_command else fields)


def lacking_addressed(root: dict[str, JsonValue]) -> Iterator[Lacking]:
    """The same where steps have kind and address: climpt 1.14 asks at each start for what steps need."""
    yield from (each._replace(refused=True) for each in _of(root, "", "", REGISTRY))
    steps = root.get("steps")
    for name, step in steps.items() if isinstance(steps, dict) else ():
        if isinstance(step, dict):
            where = join("/steps", name)
            missing = [*_of(step, where, name, ADDRESSED_STEP)]
            if isinstance(step.get("address"), dict):
                missing += _of(step["address"], join(where, "address"), name, ADDRESS)
            yield from (each._replace(refused=True) for each in missing)
    for section, fields in (
        ("failurePatterns", PATTERN),
        ("validators", (*VALIDATOR, *COMMAND)),
        ("validationSteps", ADDRESSED_VALIDATION_STEP),
    ):
        members = root.get(section)
        for name, holder in members.items() if isinstance(members, dict) else ():
            if isinstance(holder, dict):
                other = section == "validators" and holder.get("type", "command") != "command"
                yield from _of(holder, join("", section, name), name, VALIDATOR if other else fields)


def _of(holder: dict[str, JsonValue], pointer: str, name: str, fields: tuple[str, ...]) -> Iterator[Lacking]:
    missing = [field for field in fields if holder.get(field) in (None, "")]
    if fields is STEP:
        missing += [field for field in TYPED if holder.get(field) is None]
    if missing:
        yield Lacking(pointer, name, missing)

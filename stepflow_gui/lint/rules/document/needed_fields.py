"""Which fields the fuller check of upstream needs, and the file hasn't (runtime-semantics 16)."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

REGISTRY = ("c1",)
STEP = ("stepId", "name", "c2", "c3", "edition")
NOT_NULL = ("uvVariables", "usesStdin")  # of a step: may be absent
VALIDATION_STEP = ("stepId", "name", "c2", "c3")
PATTERN = ("description", "edition")
VALIDATOR = ("type", "failurePattern")
COMMAND = ("command", "successWhen")  # of a validator that runs one


class Lacking(NamedTuple):
    """An object at a pointer without some fields, or with empty ones; `name` is its key, "" for the registry."""

    pointer: str
    name: str
    fields: list[str]


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


def _of(holder: dict[str, JsonValue], pointer: str, name: str, fields: tuple[str, ...]) -> Iterator[Lacking]:
    missing = [field for field in fields if holder.get(field) in (None, "")]
    if fields is STEP:
        missing += [field for field in NOT_NULL if field in holder and holder[field] is None]
    if missing:
        yield Lacking(pointer, name, missing)

"""Which fields the fuller check of upstream needs, and the file hasn't (runtime-semantics 16); what fills them in."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.formats.climpt.vocabulary import CONDITIONS_OF_PHASE, INTENTS_OF_KIND, KIND_OF_C2
from stepflow_gui.lint.rule import Later, Proposal
from stepflow_gui.messages import _
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
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
_EDITION = "default"  # of prompts without a name of their own
_EMPTY: dict[str, JsonValue] = {**TYPED, **{name: [] for name in CONDITIONS_OF_PHASE.values()}}
_NO_TEXTS = (*_EMPTY, "address")  # for which an empty text is a value of a wrong type


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


def lacking_older(root: dict[str, JsonValue]) -> Iterator[Lacking]:
    """The same in older shapes: what a step's prompt needs is missing only where other steps of the file have it."""
    steps = root.get("steps")
    used = {
        key for step in (steps.values() if isinstance(steps, dict) else ()) if isinstance(step, dict) for key in step
    }
    for each in lacking_fields(root):
        fields = [field for field in each.fields if field in used or field not in ("edition", *TYPED)]
        if fields:
            yield each._replace(fields=fields)


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
    missing = [
        field for field in fields if holder.get(field) is None or (holder[field] == "" and field not in _NO_TEXTS)
    ]
    if fields is STEP:
        missing += [field for field in TYPED if holder.get(field) is None]
    if missing:
        yield Lacking(pointer, name, missing)


def given(lacking: Lacking, document: ParsedFile) -> Iterator[Proposal]:
    """Add all that is missing; nothing where one of the fields is for the author to choose.

    A kind is certain where no other may emit the step's intents; by the prompt's c2 alone it is a guess.
    """
    root = document.root
    holder = document.tree.at(lacking.pointer)
    if root is None or holder is None or not isinstance(holder.value, dict) or not document.tree.valid:
        return
    found: dict[str, JsonValue] = {}
    guess = False
    for field in lacking.fields:
        value = _value(field, lacking, root.value, holder.value)
        if field == "kind" and value is None:
            value, guess = _kind_of_c2(holder.value), True
        if value is None:
            return
        found[field] = value

    def edits() -> list[tuple[ParsedFile, TextEdit]]:
        from stepflow_gui.text.json.edit import put_members  # only a fix needs it

        return [(document, edit) for edit in put_members(document.tree, lacking.pointer, found)]

    yield Proposal(_("Add “{field}”").format(field=_(", ").join(found)), Later(edits), guess=guess)


def _value(field: str, lacking: Lacking, root: dict[str, JsonValue], holder: dict[str, JsonValue]) -> JsonValue:
    """What a field holds; None where it could be several things."""
    if field in _EMPTY:
        return _EMPTY[field]
    if field == "stepId":
        return lacking.name
    if field == "kind":
        return _kind_of_intents(holder)
    addresses = [step["address"] for step in _steps(root) if isinstance(step.get("address"), dict)]
    if field == "c1":
        if lacking.name:
            return _text(root.get("c1"))  # that of an address is never read
        return _only({_text(address.get("c1")) for address in addresses} - {None})
    if field == "edition" and lacking.pointer.startswith("/steps/"):
        editions = Counter(text for step in (*_steps(root), *addresses) if (text := _text(step.get("edition"))))
        return editions.most_common(1)[0][0] if editions else _EDITION
    if field == "type":
        return "command" if _text(holder.get("command")) else None
    return None


def _steps(root: dict[str, JsonValue]) -> list[dict[str, JsonValue]]:
    steps = root.get("steps")
    return [step for step in steps.values() if isinstance(step, dict)] if isinstance(steps, dict) else []


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None


def _only(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def _kind_of_intents(step: dict[str, JsonValue]) -> str | None:
    gate = step.get("structuredGate")
    intents = gate.get("allowedIntents") if isinstance(gate, dict) else None
    if not isinstance(intents, list) or not intents:
        return None
    fitting: set[str | None] = {
        kind for kind, may in INTENTS_OF_KIND.items() if all(isinstance(each, str) and each in may for each in intents)
    }
    return _only(fitting)


def _kind_of_c2(step: dict[str, JsonValue]) -> str | None:
    address = step.get("address")
    c2 = address.get("c2") if isinstance(address, dict) else None
    return KIND_OF_C2.get(c2) if isinstance(c2, str) else None

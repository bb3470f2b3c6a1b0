"""The output schemas of a converted agent: each offers the intents that its step may emit."""

from collections.abc import Mapping
from pathlib import Path

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.converting.made import JsonObject, object_of
from stepflow_gui.formats.converting.step_schemas import of_intents, with_intents
from stepflow_gui.project.converting.work import CLOSING, ConversionDraft, with_values
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, split
from stepflow_gui.text.source import Source

_SPARE = "steps.schema.json"


def offer_intents(work: ConversionDraft, schemas: Mapping[str, JsonObject]) -> None:
    """Each step's schema offers the intents that its gate allows, and no others.

    `schemas` are those of steps that had none. Steps that shared a schema and differ in their intents share it no more.
    """
    offered = _Offered(work, schemas)
    for step in work.agent.flow.steps.values():
        offered.add(step)
    for path, values in offered.contents.items():
        work.write(path, with_values(work.now(path), values), CLOSING)
    if offered.names:
        registry = work.agent.registry
        work.write(registry.path, with_values(registry.source.text, offered.names), CLOSING)


def schema_file(work: ConversionDraft) -> str:
    """The schema file of steps that had none: the one that the others use."""
    refs = (step.schema_ref for step in work.agent.flow.steps.values())
    return next((ref.file.value for ref in refs if ref and ref.file and ref.file.value), _SPARE)


class _Offered:
    def __init__(self, work: ConversionDraft, schemas: Mapping[str, JsonObject]) -> None:
        self.work, self.schemas = work, schemas
        self.contents: dict[Path, dict[str, JsonValue]] = {}  # by pointer
        self.names: dict[str, JsonValue] = {}  # of schemas, by the pointer of who names them
        self.intents: dict[tuple[Path, str], list[str]] = {}  # what a place offers

    def add(self, step: Step) -> None:
        """Let a step's schema offer its intents."""
        gate, ref = step.gate, step.schema_ref
        if gate is None or ref is None or not (ref.file and ref.schema and gate.intent_field):
            return
        wanted = [text.value for text in gate.intents]
        schema = self.work.agent.schema(step)
        place = schema.place
        field = gate.intent_field.value
        if place is None:
            content = self.schemas.get(step.id) or of_intents(field, wanted, step.id)
            self._put(ref.file.value, ref.schema.value, content)
            return
        at = place.document.path, place.pointer
        fits = schema.problem is None and {each.value for each in schema.enum} == set(wanted)
        if fits if at not in self.intents else set(self.intents[at]) == set(wanted):
            self.intents.setdefault(at, wanted)
            return
        node = place.document.tree.at(place.pointer)
        content = with_intents(object_of(node.value if node else None), schema.value, field, wanted, step.id)
        if at in self.intents:
            self._put(ref.file.value, step.id, content)
            self.names[join(ref.pointer, "schema")] = step.id
        else:
            self.intents[at] = wanted
            self.contents.setdefault(at[0], {})[at[1]] = content

    def _put(self, file: str, name: str, content: JsonObject) -> None:
        """Add a schema to a file, which may not be there yet."""
        candidates = self.work.agent.schema_candidates(file)
        path = next((path for path in candidates if self.work.agent.exists(path)), candidates[0])
        bare = name.removeprefix("#")
        keys = split(bare) if bare.startswith("/") else [bare]
        tree = read_json(Source(self.work.now(path)))
        value = object_of(tree.root.value if tree.root else None)
        if keys[0] != "definitions" and isinstance(value.get("definitions"), dict):
            keys = ["definitions", *keys]
        self.contents.setdefault(path, {})[join("", *keys)] = content

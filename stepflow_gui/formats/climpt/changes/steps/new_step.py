"""The content of a new step: the fields that its neighbours have, in their order."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import StepKind
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS, INTENTS_COMPLETE, INTENTS_OF_KIND, KIND_OF_C2
from stepflow_gui.text.json.tree import JsonValue

GATED_FORMATS = (*GATE_FORMATS, "entry-pair", "adt-kind-address")
_C3 = re.compile(r"[a-z]+(-[a-z]+)*")
_KEPT = frozenset({"type", "usesStdin"})
_FRESH = ("stepId", "name", "stepKind", "c2", "c3", "edition", "uvVariables", "usesStdin")
_OF_FLOW = ("outputSchemaRef", "structuredGate", "transitions")
_LATER_ONLY = frozenset({"completed_iterations", "previous_summary"})  # known in continuations only
_FRESH_ADDRESSED = ("stepId", "name", "kind", "address", "uvVariables", "usesStdin")  # that no step is loaded without
_WITH_ADDRESS = frozenset({"adt-kind-address"})
_WITH_STEP_KIND = frozenset({"closing", "c3l", "entry-pair"})
_FIRST_INTENTS: dict[StepKind, tuple[str, ...]] = {
    "work": ("next", "repeat"),
    "verification": ("next", "repeat"),
    "closure": ("closing", "repeat"),
    "section": (),
}


class SchemaName(NamedTuple):
    """The parts of a step's `outputSchemaRef`."""

    file: str
    schema: str


class NewStep(NamedTuple):
    """What is known of the step to be."""

    id: str
    kind: StepKind
    name: str
    intents: tuple[str, ...] = ()
    schema: SchemaName | None = None
    schema_path: str | None = None  # `intentSchemaRef`; None: derived from `intentField`


def model_for(flow: Flow, step_id: str, kind: StepKind) -> Step | None:
    """The step that a new one should take after: of its kind, and as near by name as can be."""
    steps = [step for step in flow.steps.values() if _is_of(flow, step, kind)]
    if not steps:
        steps = [step for step in flow.steps.values() if kind != "section" and step.gate and not step.is_section]
    if not steps:
        steps = [step for step in flow.steps.values() if not step.is_section or kind == "section"]
    words = step_id.split(".")

    def likeness(step: Step) -> tuple[bool, ...]:
        own = step.id.split(".")
        whole = step.gate is not None and step.schema_ref is not None and step.transitions_node is not None
        return (whole, step.gate is not None, own[0] == words[0], own[1:2] == words[1:2], own[2:3] == words[2:3])

    return max(steps, key=likeness, default=None)


def kind_of(flow: Flow, step: Step) -> StepKind | None:
    """A step's kind in the words of changes; in the complete format by its id."""
    if step.is_section:
        return "section"
    if flow.format == "complete":
        return "closure" if step.id.split(".")[0] == "complete" else "work"
    match step.kind:
        case "work" | "verification" | "closure" as kind:
            return kind
    return None


def _is_of(flow: Flow, step: Step, kind: StepKind) -> bool:
    return kind_of(flow, step) == kind


def first_intents(flow: Flow, model: Step | None, step_id: str, kind: StepKind) -> tuple[str, ...]:
    """The intents of a new step with an enum of its own: those with a target."""
    intents = _model_intents(flow, model, kind)
    allowed = targets(flow, model, NewStep(step_id, kind, "", intents))
    return tuple(intent for intent in intents if intent in allowed or intent == "jump")


def _model_intents(flow: Flow, model: Step | None, kind: StepKind) -> tuple[str, ...]:
    if model and model.gate is None and flow.format not in GATED_FORMATS:
        return tuple(rule.intent for rule in model.transitions if rule.intent != "jump")
    if model is None or model.gate is None or kind_of(flow, model) != kind:
        return ("complete",) if flow.format == "complete" and kind == "closure" else _FIRST_INTENTS[kind]
    known = INTENTS_OF_KIND.get(kind, ()) if flow.format != "complete" else INTENTS_COMPLETE
    jumps = model.gate.target_field or model.transition("jump")
    named = dict.fromkeys(text.value for text in model.gate.intents if text.value in known)
    return tuple(intent for intent in named if intent != "abort" and (intent != "jump" or jumps))


def targets(flow: Flow, model: Step | None, new: NewStep) -> dict[str, str | None]:
    """The targets of the new step's intents: as the model's, with targets on itself changed to the new step itself.

    An intent that would have no target is left out.
    """
    found: dict[str, str | None] = {}
    for intent in new.intents:
        if new.kind == "closure" and intent in {"closing", "complete"}:
            found[intent] = None
            continue
        stays = intent == "repeat" and new.kind != "closure"
        target = new.id if stays else _of_model(flow, model, new, intent) or _by_itself(flow, new, intent)
        if target is not None:
            found[intent] = target
    return found


def _of_model(flow: Flow, model: Step | None, new: NewStep, intent: str) -> str | None:
    rule = model.transition(intent) if model and kind_of(flow, model) == new.kind else None
    if rule is None or model is None:
        return None
    usual = next((case.target for case in rule.cases if case.value == "default"), None)
    target = rule.target or usual
    if target is None or target.value not in flow.steps:
        return None
    return new.id if target.value == model.id else _like(flow, model, new, target.value)


def _like(flow: Flow, model: Step, new: NewStep, target: str) -> str:
    """What is to the new step as the target is to the model, where there is such a step."""
    tail, own = model.id.partition(".")[2], new.id.partition(".")[2]
    first, _, rest = target.partition(".")
    sibling = f"{first}.{own}"
    return sibling if rest == tail and sibling in flow.steps else target


def _by_itself(flow: Flow, new: NewStep, intent: str) -> str | None:
    match intent:
        case "repeat":
            return new.id
        case "next":
            return _next_of(flow, new)
        case "escalate":
            return _first_of(flow, "work")
        case "handoff" | "complete":
            return _first_of(flow, "closure")
    return None  # the answer has the target of a jump


def _next_of(flow: Flow, new: NewStep) -> str:
    if new.kind == "verification":
        return _first_of(flow, "closure") or _first_of(flow, "work") or new.id
    phase, _, topic = new.id.partition(".")
    if phase != "initial":
        return new.id
    later = [step.id for step in flow.steps.values() if step.c2 and step.c2.value == "continuation"]
    same = f"continuation.{topic}"
    return same if same in flow.steps else next(iter(later), new.id)


def _first_of(flow: Flow, kind: StepKind) -> str | None:
    return next((step.id for step in flow.steps.values() if _is_of(flow, step, kind)), None)


def fields(flow: Flow, model: Step | None, new: NewStep) -> dict[str, JsonValue]:
    """The new step as a value. What is the model's alone (its texts, inputs, program, settings) isn't taken over."""
    raw: Mapping[str, Any] = model.raw if model else dict.fromkeys(_fresh(flow))
    if flow.format in _WITH_ADDRESS:
        raw = {**dict.fromkeys(_FRESH_ADDRESSED), **raw}
    made: dict[str, JsonValue] = {}
    for key, value in raw.items():
        if key in _KEPT:
            made[key] = value if value is not None else False
        else:
            _take(made, flow, model, new, key, value)
    if new.intents and flow.format in _WITH_STEP_KIND and "stepKind" not in made:
        made = _behind(made, "stepKind", new.kind, ("type", "name", "stepId"))
    for key in _OF_FLOW if new.intents and flow.format in GATED_FORMATS else ():
        if key not in made:
            _take(made, flow, model, new, key, None)
    return made


def _fresh(flow: Flow) -> list[str]:
    if flow.format in _WITH_ADDRESS:
        return [*_FRESH_ADDRESSED, *_OF_FLOW]
    keys = [key for key in _FRESH if key != "stepKind" or flow.format in _WITH_STEP_KIND]
    if flow.format in {"closing", "complete"}:
        keys.insert(keys.index("edition") + 1, "fallbackKey")
    return [*keys, *_OF_FLOW]


def _take(made: dict[str, JsonValue], flow: Flow, model: Step | None, new: NewStep, key: str, value: JsonValue) -> None:
    match key:
        case "stepId":
            made[key] = new.id
        case "name":
            made[key] = new.name
        case "stepKind" | "kind" if new.kind != "section" or key == "kind":  # of kinds a section needs one as well
            made[key] = "work" if new.kind == "section" else new.kind
        case "c2" | "c3" | "edition":
            made[key] = _part(model, new, key, value)
        case "address" if isinstance(value, dict) or flow.format in _WITH_ADDRESS:
            made[key] = _address(flow, model, new, value)
        case "promptPath":
            made[key] = new.id.replace(".", "/") + ".md"
        case "fallbackKey":
            made[key] = _fallback_key(model, new, value)
        case "uvVariables":
            made[key] = [
                name for name in value or [] if name not in _LATER_ONLY or _part(model, new, "c2", "") == "continuation"
            ]
        case "outputSchemaRef" if new.schema:
            made[key] = {"file": new.schema.file, "schema": new.schema.schema}
        case "structuredGate" if new.intents:
            made[key] = _gate(flow, model, new)
        case "transitions" if new.intents:
            made[key] = {intent: {"target": target} for intent, target in targets(flow, model, new).items()}


def _address(flow: Flow, model: Step | None, new: NewStep, value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        c1 = text_at(flow.document.root, "c1", "") if flow.document.root else None
        value = {"c1": c1.value if c1 else "steps", **dict.fromkeys(("c2", "c3", "edition"))}
    kept = {part: word for part, word in value.items() if part != "adaptation"}
    return {part: word if part == "c1" else _part(model, new, part, word) for part, word in kept.items()}


def _part(model: Step | None, new: NewStep, part: str, value: JsonValue) -> JsonValue:
    """A part of the prompt's address: the id's word where it can be, else what fits the kind, else the model's."""
    words = new.id.split(".")
    if part == "c2":
        if KIND_OF_C2.get(words[0]) == new.kind or new.kind == "section" or words[0] == "complete":
            return words[0]
        fits = model is not None and model.c2 is not None and KIND_OF_C2.get(model.c2.value) == new.kind
        return value if fits and value else {"work": "initial"}.get(new.kind, new.kind)
    if part == "c3":
        word = words[1] if len(words) > 1 else words[0]
        return word if _C3.fullmatch(word) else value or "steps"
    if len(words) > 2:
        return "-".join(words[2:])
    own = model.id.split(".") if model else []
    return "default" if len(own) > 2 or not value else value


def _fallback_key(model: Step | None, new: NewStep, value: JsonValue) -> str:
    """The model's key with the new topic in place of its own, else the id's words."""
    words = re.sub(r"[^a-z0-9]+", "_", new.id.lower()).strip("_") or "step"
    old = model.id.split(".") if model else []
    fresh = new.id.split(".")
    if isinstance(value, str) and len(old) == len(fresh):
        parts = value.split("_")
        if all(word in parts for word in old):
            swapped = {
                before: re.sub(r"[^a-z0-9]+", "_", after.lower()) for before, after in zip(old, fresh, strict=True)
            }
            return "_".join(swapped.get(part, part) for part in parts)
    return words if words[0].isalpha() else f"step_{words}"


def _gate(flow: Flow, model: Step | None, new: NewStep) -> dict[str, JsonValue]:
    gate = model.gate.node.value if model and model.gate else _fresh_gate(flow)
    made: dict[str, JsonValue] = {}
    for key, value in gate.items():
        match key:
            case "allowedIntents":
                made[key] = list(new.intents)
            case "intentSchemaRef":
                made[key] = new.schema_path or _pointer_of(gate)
            case "handoffFields":
                made[key] = []
            case "targetField" if "jump" not in new.intents:
                pass
            case "fallbackIntent" if value not in new.intents:
                made[key] = new.intents[0]
            case "intentField" | "targetField" | "fallbackIntent" | "failFast":
                made[key] = value
    if flow.format != "complete" and "intentSchemaRef" not in made:  # runners refuse a gate without
        made = _behind(made, "intentSchemaRef", _pointer_of(gate), ("allowedIntents",))
    return made


def _pointer_of(gate: Mapping[str, JsonValue]) -> str:
    """The pointer to the enum of `intentField`."""
    field = gate.get("intentField")
    keys = field.split(".") if isinstance(field, str) and field else ["next_action", "action"]
    return "#" + "".join(f"/properties/{key}" for key in keys)


def _fresh_gate(flow: Flow) -> dict[str, JsonValue]:
    path = {} if flow.format == "complete" else {"intentSchemaRef": ""}
    return {"allowedIntents": [], **path, "intentField": "next_action.action"}


def _behind(made: dict[str, JsonValue], key: str, value: JsonValue, keys: Sequence[str]) -> dict[str, JsonValue]:
    """A member more, behind the first of some keys that is there, else in front."""
    before = next((known for known in keys if known in made), None)
    if before is None:
        return {key: value, **made}
    found: dict[str, JsonValue] = {}
    for known, inner in made.items():
        found[known] = inner
        if known == before:
            found[key] = value
    return found

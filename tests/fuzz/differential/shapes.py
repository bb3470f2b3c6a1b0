"""Mistakes that have a shape of their own: of entries and verdicts, rules, gates, validators, checks and chains."""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.differential.sound import AGENT, PROMPTS, REGISTRY, Files

Json = dict[str, Any]

_CONFIGS: dict[str, Json] = {
    "poll:state": {"maxIterations": 9},
    "count:iteration": {"maxIterations": 9},
    "count:check": {"maxChecks": 4},
    "detect:keyword": {"verdictKeyword": "DONE"},
    "detect:structured": {"signalType": "done"},
    "detect:graph": {"maxIterations": 9},
    "meta:composite": {"operator": "and", "conditions": [{"type": "detect:keyword", "config": {}}, {"type": "none"}]},
    "meta:custom": {"handlerPath": "none.ts"},
}
_GRAPHS: tuple[Json, ...] = (
    {"registryPath": "none.json"},
    {"registryPath": "steps_registry.json"},
    {"entryStep": "none"},
    {"entryStep": "initial.issue"},
)


def steps_of(files: Files) -> dict[str, Json]:
    """The steps of the registry that are objects."""
    registry = files.get(REGISTRY)
    steps = registry.get("steps") if isinstance(registry, dict) else None
    return {name: step for name, step in steps.items() if isinstance(step, dict)} if isinstance(steps, dict) else {}


def gated(files: Files) -> list[Json]:
    """Those that have a gate with a list of intents."""
    return [step for step in steps_of(files).values() if isinstance(_allowed(step), list)]


def enums(files: Files, step: Json) -> Iterator[list[Any]]:
    """The lists of intents in the step's output schema."""
    action = _property(files, step, "next_action", "action")
    if isinstance(action, dict) and isinstance(action.get("enum"), list):
        yield action["enum"]


def _allowed(step: Json) -> Any:
    gate = step.get("structuredGate")
    return gate.get("allowedIntents") if isinstance(gate, dict) else None


def _schema_of(files: Files, step: Json) -> Json | None:
    ref = step.get("outputSchemaRef")
    if not isinstance(ref, dict):
        return None
    at: Any = next((content for name, content in files.items() if name.endswith(f"/schemas/{ref.get('file')}")), None)
    for key in str(ref.get("schema")).removeprefix("#/").split("/"):
        at = at.get(key) if isinstance(at, dict) else None
    return at if isinstance(at, dict) else None


def _property(files: Files, step: Json, *keys: str) -> Any:
    at: Any = _schema_of(files, step)
    for key in keys:
        properties = at.get("properties") if isinstance(at, dict) else None
        at = properties.get(key) if isinstance(properties, dict) else None
    return at


def entry(files: Files, chance: random.Random) -> None:
    """Nothing to begin with, a step that is none, a section, the end; or the mapping alone."""
    registry = files.get(REGISTRY)
    if not isinstance(registry, dict):
        return
    named = chance.choice(("nowhere", "section.rules", "", next(iter(steps_of(files)), "")))
    if named == "section.rules" and isinstance(registry.get("steps"), dict):
        section = {"stepId": named, "name": "rules", "c2": "section", "c3": "rules", "edition": "default"}
        registry["steps"][named] = section | {"uvVariables": [], "usesStdin": False}
    match chance.randrange(4):
        case 0:
            registry.pop("entryStep", None)
            registry["entryStepMapping"] = {}
            if chance.random() < 0.3:
                files.pop(AGENT, None)
        case 1:
            registry["entryStep"] = named
            registry.pop("entryStepMapping", None)
        case 2:
            mapping = registry.get("entryStepMapping")
            if isinstance(mapping, dict):
                mapping.update(dict.fromkeys(mapping, named))
            if chance.random() < 0.5:  # nothing but entryStep says where to begin
                files.pop(AGENT, None)
                registry["entryStep"] = next(iter(steps_of(files)), "")
        case _:
            first = registry.pop("entryStep", None)
            verdict = runner_section(files).get("verdict")
            if first and isinstance(verdict, dict) and isinstance(verdict.get("type"), str):
                registry["entryStepMapping"] = {verdict["type"]: first}


def runner_section(files: Files) -> Json:
    """The `runner` of agent.json; an empty one where it is none."""
    content = files.get(AGENT)
    runner = content.get("runner") if isinstance(content, dict) else None
    return runner if isinstance(runner, dict) else {}


def verdict(files: Files, chance: random.Random) -> None:
    """Another verdict than the registry has an entry for; a graph's own registry or entry."""
    runner = runner_section(files)
    own = runner.get("verdict")
    if isinstance(own, dict) and own.get("type") == "detect:graph" and isinstance(own.get("config"), dict):
        own["config"].update(chance.choice(_GRAPHS))
        return
    name = chance.choice(tuple(_CONFIGS))
    config = copy.deepcopy(_CONFIGS[name])
    if chance.random() < 0.3:
        config = {}
    if name == "detect:graph" and chance.random() < 0.6:
        config |= chance.choice(_GRAPHS)
    if runner:
        runner["verdict"] = {"type": name, "config": config}


def rule(files: Files, chance: random.Random) -> None:
    """A transition that is allowed and offered has no target, to null, by cases, to itself, or doesn't exist."""
    steps = [step for step in steps_of(files).values() if isinstance(step.get("transitions"), dict)]
    if not steps:
        return
    step = chance.choice(steps)
    rules = step["transitions"]
    if not rules:
        return
    intent = chance.choice(list(rules))
    other = chance.choice([each.get("stepId") for each in steps])
    section = "section.rules"
    cases: tuple[Json, ...] = (
        {"fine": other},
        {"fine": other, "default": None},
        {"fine": None, "default": other},
        {"fine": "nowhere", "default": other},
        {"fine": other, "poor": other},
        {"fine": "", "default": other},
        {"fine": other, "default": ""},
        {"default": ""},
    )
    match chance.randrange(8):
        case 0:
            del rules[intent]
        case 1:
            rules[intent] = {"target": None}
        case 2:
            rules[intent] = {"target": chance.choice(("nowhere", section, step.get("stepId"), ""))}
        case 3:
            rules[intent] = chance.choice(({}, {"target": "", "condition": "status", "targets": {"default": other}}))
        case 4:
            rules[intent] = {"target": other, "fallback": "nowhere"}
        case _:
            rules[intent] = {"condition": "status", "targets": chance.choice(cases)}
            _hand_on(files, step)


def _hand_on(files: Files, step: Json) -> None:
    """Let the step hand over what its condition asks for."""
    gate, schema = step.get("structuredGate"), _schema_of(files, step)
    if isinstance(gate, dict):
        gate["handoffFields"] = ["result.status"]
    if schema is not None and isinstance(schema.get("properties"), dict):
        status = {"type": "string", "enum": ["fine", "poor"]}
        result = {"type": "object", "required": ["status"], "properties": {"status": status}}
        schema["properties"].setdefault("result", result)


def gate(files: Files, chance: random.Random) -> None:
    """What an answer is read by doesn't exist, is another step's, or isn't asked for."""
    steps = gated(files)
    if not steps:
        return
    step = chance.choice(steps)
    own, schema = step["structuredGate"], _schema_of(files, step)
    match chance.randrange(7):
        case 0:
            own["intentField"] = "other.action"
        case 1:
            own["allowedIntents"] = []
            for enum in enums(files, step):
                enum.clear()
        case 2:
            own |= {"failFast": False, "fallbackIntent": chance.choice(("repeat", "next", "closing", "abort"))}
        case 3:
            own.pop("fallbackIntent", None)
            own["fallbackIntent"] = next(iter(own["allowedIntents"]), "next")
        case 4 if schema is not None and isinstance(schema.get("properties"), dict):
            schema["properties"]["stepId"] = {"const": chance.choice(("nowhere", step.get("stepId")))}
        case 5 if schema is not None:
            schema["required"] = []
        case _:
            for enum in enums(files, step):
                enum.append("approve")


def no_end(files: Files, chance: random.Random) -> None:
    """No step says the word that ends a run; some may abort it."""
    instead = chance.choice(("repeat", "abort"))
    for step in gated(files):
        own = step["structuredGate"]
        for word in ("closing", "complete"):
            for listed in (own["allowedIntents"], *enums(files, step)):
                if word in listed:
                    listed[listed.index(word)] = instead
            rules = step.get("transitions")
            if isinstance(rules, dict) and word in rules and instead == "repeat":
                del rules[word]
                rules[instead] = {"target": step.get("stepId")}


def only_aborted(files: Files, chance: random.Random) -> None:
    """A step can be repeated or aborted, and has no target else: with the first one no run ends well."""
    steps = gated(files)
    if not steps:
        return
    step = chance.choice((steps[0], chance.choice(steps)))
    step["structuredGate"]["allowedIntents"] = ["repeat", "abort"]
    for enum in enums(files, step):
        enum[:] = ["repeat", "abort"]
    step["transitions"] = {"repeat": {"target": step.get("stepId")}}


def chain(files: Files, chance: random.Random) -> None:
    """A step that may repeat has no chain, an empty one, or one that is none."""
    steps = [step for step in gated(files) if "repeat" in _allowed(step)]
    if not steps:
        return
    step = chance.choice(steps)
    match chance.randrange(4):
        case 0:
            step["adaptationChain"] = []
        case 1:
            step.pop("adaptationChain", None)
        case 2:
            step.pop("adaptationChain", None)
            step["structuredGate"] |= {"failFast": False, "fallbackIntent": "repeat"}
        case _:
            step["adaptationChain"] = chance.choice(("default", ["x/y"], [5], ["a", ".."]))


def prompt(files: Files, chance: random.Random) -> None:
    """A step's prompt doesn't exist, and its fallbackKey is another, or none; or its c3 has no form."""
    steps = list(steps_of(files).values())
    if not steps:
        return
    step = chance.choice(steps)
    address = step.get("address")
    parts: Json = address if isinstance(address, dict) else step
    name = f"{PROMPTS}/{parts.get('c2')}/{parts.get('c3')}/f_{parts.get('edition')}.md"
    match chance.randrange(5):
        case 0:
            files.pop(name, None)
            if "fallbackKey" in step:
                step["fallbackKey"] = chance.choice(("some_key", "initial_issue", "initial.issue"))
        case 1:
            files.pop(name, None)
            step.pop("fallbackKey", None)
        case 2:
            parts["c3"] = "Bad_Form"
        case 3:
            step.pop("uvVariables", None)
        case _:
            parts["adaptation"] = "none"


def validator(files: Files, chance: random.Random) -> None:
    """A validator doesn't exist, can't be judged, or has nothing to extract."""
    registry = files.get(REGISTRY)
    validators = registry.get("validators") if isinstance(registry, dict) else None
    validation = registry.get("validationSteps") if isinstance(registry, dict) else None
    if not isinstance(validators, dict) or not isinstance(validation, dict) or not validation:
        rule(files, chance)
        return
    step = next(iter(validation.values()))
    own = next(iter(validators.values()), None)
    if not isinstance(own, dict) or not isinstance(step, dict):
        return
    match chance.randrange(7):
        case 0:
            validators.clear()
        case 1:
            own["successWhen"] = chance.choice(("matches:(", "non-empty", "exitCode:x", ""))
        case 2:
            own.pop("extractParams", None)
        case 3:
            if chance.random() < 0.3:
                step["c2"] = chance.choice((3, None, []))
            else:
                step.pop("c2", None)
                step.pop("c3", None)
        case 4:
            step["onFailure"] = chance.choice(({"action": "abort"}, {"action": "none"}, {"maxAttempts": 1}, {}))
        case 5:
            own["type"] = chance.choice(("file", "semantic", "other"))
        case _:
            own["failurePattern"] = "none"


def check_of_step(files: Files, chance: random.Random) -> None:
    """A step of a registry with checks lacks its check, or that lacks a part."""
    steps = [step for step in steps_of(files).values() if isinstance(step.get("check"), dict)]
    if not steps:
        gate(files, chance)
        return
    step = chance.choice(steps)
    check = step["check"]
    match chance.randrange(6):
        case 0:
            del step["check"]
        case 1:
            check.pop("prompt", None)
        case 2:
            check.pop(chance.choice(("onPass", "onFail")), None)
        case 3:
            check[chance.choice(("onPass", "onFail"))] = chance.choice(({}, {"next": "nowhere"}, {"fallback": ""}))
        case 4:
            check["onFail"] = {"retry": True, "maxRetries": chance.choice((1, 2, 0))}
        case _:
            holder = chance.choice((step, check))
            holder["prompt"] = chance.choice(({}, {"c1": "steps"}, {"path": "none.md"}))


SHAPES: dict[Callable[[Files, random.Random], None], int] = {
    entry: 5,
    verdict: 6,
    rule: 9,
    gate: 6,
    no_end: 2,
    only_aborted: 2,
    chain: 3,
    prompt: 5,
    validator: 5,
    check_of_step: 5,
}

"""Mistakes of values that are falsy or of another type where one runner reads them and another doesn't."""

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.fuzz.differential.shapes import Json, gated, runner_section, steps_of
from tests.fuzz.differential.sound import AGENT, HOME, PROMPTS, REGISTRY, Files

_ODD: tuple[Any, ...] = ("", 0, False, None, 5, True, [], ["x"], {}, {"a": 1}, "x")
_CHAINS: tuple[Any, ...] = ("ab", "a/b", "", 5, 0, False, None, {}, [""], [None], ["a", "a"], ["..a"])


def _odd(chance: random.Random) -> Any:
    return copy.deepcopy(chance.choice(_ODD))


def _registry(files: Files) -> Json:
    found = files.get(REGISTRY)
    return found if isinstance(found, dict) else {}


def target(files: Files, chance: random.Random) -> None:
    """The target of a rule, whatever its intent, is empty or of another type."""
    rules = [step["transitions"] for step in steps_of(files).values() if isinstance(step.get("transitions"), dict)]
    rules = [each for each in rules if each]
    if rules:
        chosen = chance.choice(rules)
        chosen[chance.choice(list(chosen))] = {"target": "" if chance.random() < 0.5 else _odd(chance)}


def condition(files: Files, chance: random.Random) -> None:
    """A condition, its targets or one of them is of another type."""
    steps = [step for step in gated(files) if isinstance(step.get("transitions"), dict) and step["transitions"]]
    if not steps:
        return
    step = chance.choice(steps)
    cases: Json = {"fine": step.get("stepId"), "default": step.get("stepId")}
    rule: Json = {"condition": "status", "targets": cases}
    match chance.randrange(4):
        case 0:
            rule["condition"] = _odd(chance)
        case 1:
            rule["targets"] = _odd(chance)
        case 2:
            rule["condition"] = _odd(chance)
            del cases["default"]
        case _:
            cases[chance.choice(("fine", "default"))] = _odd(chance)
    step["transitions"][chance.choice(list(step["transitions"]))] = rule


def entry_value(files: Files, chance: random.Random) -> None:
    """An entry of the mapping, or a side of its pair, is of another type, empty or no step; or all of it is."""
    mapping = _registry(files).get("entryStepMapping")
    if not isinstance(mapping, dict) or not mapping or chance.random() < 0.2:
        if files.get(REGISTRY):
            _registry(files)[chance.choice(("entryStepMapping", "entryStep"))] = _odd(chance)
        return
    key = chance.choice(list(mapping))
    first = next(iter(steps_of(files)), "")
    if isinstance(mapping[key], dict) and chance.random() < 0.6:
        side = chance.choice(("initial", "continuation"))
        if chance.random() < 0.3:
            mapping[key].pop(side, None)
        else:
            mapping[key][side] = chance.choice((first, "nowhere", _odd(chance)))
    else:
        mapping[key] = chance.choice(
            (first, {"initial": first}, {"initial": first, "continuation": first}, _odd(chance))
        )


def graph(files: Files, chance: random.Random) -> None:
    """detect:graph with the mapping alone, or with an entry of its own that is none; its own registry named."""
    runner, registry = runner_section(files), _registry(files)
    if not runner or not registry:
        return
    config: Json = {"maxIterations": 9}
    if chance.random() < 0.6:
        config["entryStep"] = chance.choice((next(iter(steps_of(files)), ""), "nowhere", _odd(chance)))
    if chance.random() < 0.4:
        config["registryPath"] = chance.choice((REGISTRY, "none.json", _odd(chance)))
    runner["verdict"] = {"type": "detect:graph", "config": config}
    if chance.random() < 0.7:
        first = registry.pop("entryStep", None) or next(iter(steps_of(files)), "")
        registry["entryStepMapping"] = {chance.choice(("detect:graph", "poll:state")): first}


def limits(files: Files, chance: random.Random) -> None:
    """A number of the verdict's config is falsy or of another type."""
    verdict = runner_section(files).get("verdict")
    if isinstance(verdict, dict) and isinstance(verdict.get("config"), dict):
        verdict["config"][chance.choice(("maxIterations", "maxChecks", "verdictKeyword", "resourceType"))] = _odd(
            chance
        )


def whole_file(files: Files, chance: random.Random) -> None:
    """A part of agent.json, also of the flat layout, is falsy or of another type."""
    content = files.get(AGENT)
    if isinstance(content, dict):
        holders = [content, *(part for part in content.values() if isinstance(part, dict))]
        holder = chance.choice([each for each in holders if each])
        holder[chance.choice(list(holder))] = _odd(chance)


def spare_folder(files: Files, chance: random.Random) -> None:
    """A prompt lies in the folder for missing ones alone, which most runners never look into."""
    names = [name for name in files if name.startswith(PROMPTS.rpartition("/")[0]) and "/system" not in name]
    content = files.get(AGENT)
    if not names or not isinstance(content, dict):
        return
    for name in [chance.choice(names)] if chance.random() < 0.7 else names:
        files[name.replace(f"{HOME}/prompts/", f"{HOME}/spare/", 1)] = files.pop(name)
    flow = runner_section(files).get("flow")
    holder = flow if isinstance(flow, dict) else content
    if isinstance(holder.setdefault("prompts", {}), dict):
        holder["prompts"]["fallbackDir"] = "spare"


def without_prompt(files: Files, chance: random.Random) -> None:
    """A step has neither a prompt nor a key, or an unknown key; or nothing gives what it lists."""
    steps = list(steps_of(files).values())
    if not steps:
        return
    step = chance.choice(steps)
    address = step.get("address")
    parts: Json = address if isinstance(address, dict) else step
    files.pop(f"{PROMPTS}/{parts.get('c2')}/{parts.get('c3')}/f_{parts.get('edition')}.md", None)
    match chance.randrange(4):
        case 0:
            step.pop("fallbackKey", None)
        case 1:
            step["fallbackKey"] = chance.choice(("our_key", "initial_issue", "", "Our-Key", 5))
        case 2:
            step["uvVariables"] = ["none"]
        case _:
            parts[chance.choice(("edition", "c2", "c3", "adaptation"))] = _odd(chance)


def long_chain(files: Files, chance: random.Random) -> None:
    """A chain is a text, or of a type that can't be gone through."""
    steps = list(steps_of(files).values())
    if steps:
        chance.choice(steps)["adaptationChain"] = copy.deepcopy(chance.choice(_CHAINS))


def no_intents(files: Files, chance: random.Random) -> None:
    """A gate lists no intents, in one way or another."""
    steps = [step for step in steps_of(files).values() if isinstance(step.get("structuredGate"), dict)]
    if steps:
        chance.choice(steps)["structuredGate"]["allowedIntents"] = _odd(chance)


def outcome(files: Files, chance: random.Random) -> None:
    """What an outcome of a check says is falsy or of another type."""
    steps = [step["check"] for step in steps_of(files).values() if isinstance(step.get("check"), dict)]
    if not steps:
        no_intents(files, chance)
        return
    check = chance.choice(steps)
    name = chance.choice(("onPass", "onFail"))
    said = check.get(name) if isinstance(check.get(name), dict) and chance.random() < 0.6 else {}
    first = next(iter(steps_of(files)))
    values = (*_ODD, [first], [first, first], "nowhere", 2, 1.5, -1, "2", "yes")
    for key in chance.sample(("next", "fallback", "retry", "maxRetries", "complete"), chance.choice((1, 1, 2))):
        said[key] = copy.deepcopy(chance.choice(values))
    check[name] = said


def unread_checks(files: Files, chance: random.Random) -> None:
    """Validators are in a list that the runner doesn't read, and what they need is missing."""
    registry = _registry(files)
    validation, validators = registry.get("validationSteps"), registry.get("validators")
    if not isinstance(validation, dict) or not isinstance(validators, dict) or not validation:
        outcome(files, chance)
        return
    step = next(iter(validation.values()))
    if not isinstance(step, dict):
        return
    lists = ("validationConditions", "preflightConditions", "postLLMConditions")
    held = next((step.pop(each) for each in lists if step.get(each)), [{"validator": "git-clean"}])
    step[chance.choice(lists)] = held
    for each in validators.values():
        if isinstance(each, dict):
            match chance.randrange(4):
                case 0:
                    each.pop("extractParams", None)
                case 1:
                    each["successWhen"] = chance.choice(("matches:(", "never"))
                case 2:
                    each["type"] = "other"
    if chance.random() < 0.3:
        validators.clear()


ODD_SHAPES: dict[Callable[[Files, random.Random], None], int] = {
    target: 5,
    condition: 4,
    entry_value: 5,
    graph: 4,
    limits: 2,
    whole_file: 3,
    spare_folder: 4,
    without_prompt: 4,
    long_chain: 3,
    no_intents: 2,
    outcome: 7,
    unread_checks: 3,
}

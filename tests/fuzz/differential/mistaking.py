"""Mistakes in the files of an agent: a value that is missing, falsy, of another type or another word, a file gone."""

import copy
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.fuzz.differential.odd_shapes import ODD_SHAPES
from tests.fuzz.differential.shapes import SHAPES, enums, gated, steps_of
from tests.fuzz.differential.sound import AGENT, HOME, PROMPTS, REGISTRY, SETTINGS, Files

_FALSY: tuple[Any, ...] = (None, "", 0, False, [], {})
_OTHERS: tuple[Any, ...] = (
    5,
    -1,
    2.5,
    True,
    "x",
    "a.b",
    ["x"],
    [None],
    {"a": 1},
    {"target": None},
    {"target": ""},
    {"targets": {}},
)
_WORDS = (
    *("next", "repeat", "jump", "closing", "abort", "escalate", "handoff", "complete", "continue", "done", "NEXT"),
    *("work", "verification", "closure", "poll:state", "count:iteration", "count:check", "detect:keyword"),
    *("detect:structured", "detect:graph", "meta:composite", "meta:custom", "stepMachine", "iterate", "plan"),
    *("initial.issue", "closure.issue", "section.rules", "initial", "steps_registry.json", "prompts/none.md", "../x"),
    *("#/properties/none", "#/properties/next_action", "next_action", "{uv-none}", "Not_Kebab", "exitCode:x"),
    *("matches:(", "--issue", "issue"),
)
_TARGETS: tuple[Any, ...] = ("initial.issue", "x", {})
_ADDED: dict[str, tuple[tuple[str, Any], ...]] = {
    "/steps/*": (
        *(("retry", {"onFailure": {"patternRef": "dirty"}}), ("runner", {"command": ""}), ("permissionMode", "any")),
        *(("runner", {"command": "true", "args": ["${context.none}"]}), ("adaptationChain", []), ("model", "big")),
        *(("adaptation", "none"), ("stepKind", "closure"), ("kind", "closure"), ("c3", "Bad_Form"), ("inputs", "x")),
        *(("inputs", {"a": {"required": True}}), ("inputs", {"a": {"from": "none.key", "required": True}})),
        *(("inputs", {"a": {"from": "none", "required": True}}), ("adaptationChain", "x/y"), ("edition", "none")),
    ),
    "/steps/*/transitions": tuple(
        (intent, rule)
        for intent in ("next", "repeat", "jump", "closing", "abort", "escalate", "handoff", "complete", "done")
        for rule in ({"target": "nowhere"}, {"target": None}, {"condition": "k", "targets": {"a": None}}, {})
    ),
    "/steps/*/structuredGate": (
        *(("failFast", False), ("fallbackIntent", "abort"), ("fallbackIntent", "closing"), ("targetField", "none")),
        *(("handoffFields", ["a.b", "c.b"]), ("targetMode", "dynamic"), ("fallbackIntent", "repeat")),
    ),
    "/entryStepMapping": tuple((verdict, target) for verdict in _WORDS[15:23] for target in _TARGETS),
    "/runner/verdict/config": (
        *(("registryPath", "none.json"), ("entryStep", "none"), ("entryStep", "initial.issue"), ("maxIterations", 1)),
        *(("maxIterations", 0), ("operator", "xor"), ("conditions", []), ("handlerPath", "none.ts")),
    ),
    "/runner/flow": (("schemas", {"base": "none"}), ("prompts", {}), ("defaultModel", "big")),
    "/parameters": (("more", {"type": "string", "description": "d", "cli": "--issue"}), ("more", {}), ("more", 5)),
    "": (("behavior", {"completionType": "iterate"}), ("extra", 1), ("verdict", {})),
}
_SHAPE = re.compile(r"^(/(?:steps|validators|failurePatterns|validationSteps|parameters|definitions))/[^/]+")

Mistake = Callable[[Files, random.Random], None]


def make_mistake(files: Files, chance: random.Random) -> None:
    """Make one mistake in the files."""
    chance.choices(tuple(_KINDS), tuple(_KINDS.values()))[0](files, chance)


def _json_file(files: Files, chance: random.Random) -> str:
    schemas = [name for name in files if "/schemas/" in name]
    wanted = [REGISTRY] * 10 + [AGENT] * 6 + schemas * 2 + [SETTINGS] * (SETTINGS in files)
    there = [name for name in wanted if isinstance(files.get(name), dict)]
    return chance.choice(there) if there else ""


def _places(value: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Each member and element below a value: its pointer, what holds it, its key there."""
    members: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))
    for key, inner in members:
        here = f"{pointer}/{key}"
        yield here, value, key
        yield from _places(inner, here)


def _place(value: Any, chance: random.Random) -> tuple[Any, Any] | None:
    """One of them: each kind of place is as likely as any other, however many steps there are."""
    by_shape: dict[str, list[tuple[Any, Any]]] = {}
    for pointer, holder, key in _places(value):
        shape = re.sub(r"/\d+(?=/|$)", "/*", _SHAPE.sub(r"\1/*", pointer))
        by_shape.setdefault(shape, []).append((holder, key))
    return chance.choice(by_shape[chance.choice(sorted(by_shape))]) if by_shape else None


def _value(files: Files, chance: random.Random) -> None:
    name = _json_file(files, chance)
    if name:
        wrong_value(files[name], chance, _WORDS)


def wrong_value(root: Any, chance: random.Random, words: Sequence[str]) -> None:
    """A value is gone, falsy, of another type, or another word."""
    found = _place(root, chance)
    if found is None:
        return
    holder, key = found
    match chance.randrange(6):
        case 0 | 1:
            del holder[key]
        case 2:
            holder[key] = copy.deepcopy(chance.choice(_FALSY))
        case 3:
            holder[key] = copy.deepcopy(chance.choice(_OTHERS))
        case 4:
            holder[key] = chance.choice(words)
        case _:
            holder[key] = _slip(holder[key], chance) if isinstance(holder[key], str) else str(holder[key])


def _key(files: Files, chance: random.Random) -> None:
    name = _json_file(files, chance)
    if name:
        wrong_key(files[name], chance, _WORDS)


def wrong_key(root: Any, chance: random.Random, words: Sequence[str]) -> None:
    """A key has a slip of the keyboard, or another one's name."""
    found = _place(root, chance)
    if found is None or not isinstance(found[0], dict):
        return
    holder, key = found
    new = _slip(key, chance) if chance.random() < 0.6 else chance.choice(words)
    items = [(new if each == key else each, value) for each, value in holder.items()]
    holder.clear()
    holder.update(items)


def _slip(word: str, chance: random.Random) -> str:
    at = chance.randrange(len(word)) if word else 0
    return word[:at] + chance.choice(("", "x", word[at : at + 1].upper())) + word[at + 1 :]


def _added(files: Files, chance: random.Random) -> None:
    """Something is there that doesn't belong there."""
    name = chance.choice((REGISTRY, REGISTRY, AGENT))
    if not isinstance(files.get(name), dict):
        return
    holders: dict[str, list[Any]] = {"": [files[name]]}
    for pointer, holder, key in _places(files[name]):
        holders.setdefault(_SHAPE.sub(r"\1/*", pointer), []).append(holder[key])
    where = chance.choice([shape for shape in _ADDED if shape in holders])
    holder = chance.choice(holders[where])
    if isinstance(holder, dict):
        key, value = chance.choice(_ADDED[where])
        holder[key] = copy.deepcopy(value)


def _intent(files: Files, chance: random.Random) -> None:
    """An intent is in one place of its contract only: the gate, the enum or the transitions."""
    steps = gated(files)
    if not steps:
        return
    step, intent = chance.choice(steps), chance.choice(_WORDS[:11])
    place = chance.randrange(3)
    if place != 0:
        step["structuredGate"]["allowedIntents"].append(intent)
    if place != 1:
        for enum in enums(files, step):
            enum.append(intent)


def _contract(files: Files, chance: random.Random) -> None:
    """An intent more, or one less, in gate and enum alike; its transition is of the kind that fits, or not there."""
    steps = gated(files)
    if not steps:
        return
    step = chance.choice(steps)
    rules, intent = step.get("transitions"), chance.choice(_WORDS[:8])
    for listed in (step["structuredGate"]["allowedIntents"], *enums(files, step)):
        if intent in listed:
            listed.remove(intent)
        else:
            listed.append(intent)
    if isinstance(rules, dict) and chance.random() < 0.6:
        targets = (None, "nowhere", step.get("stepId"), *(each.get("stepId") for each in steps))
        cases = {"fine": chance.choice(targets), "default": chance.choice(targets)}
        rule = {"target": chance.choice(targets)}
        rules[intent] = chance.choice((rule, rule, {"condition": "status", "targets": cases}))


def _schema(files: Files, chance: random.Random) -> None:
    """A schema refers to another: to itself, twice to one, to a file that is there or not, out of the project."""
    names = [name for name in files if "/schemas/" in name and isinstance(files[name], dict)]
    found = _place(files[chance.choice(names)], chance) if names else None
    if found is None:
        return
    holder, key = found
    ref = chance.choice(
        ("#/initial.issue", "#/none", "none.json#/a", "../../../x.json#/a", "https://x.org/a.json", "#")
    )
    if isinstance(holder, dict):
        files[names[0]]["shared"] = {"type": "object"}
        twice = {"properties": {"a": {"$ref": "#/shared"}, "b": {"$ref": "#/shared"}}}
        value = {"$ref": ref} if chance.random() < 0.6 else {"allOf": [holder[key], twice]}
        if isinstance(holder[key], dict):
            holder[key] = value


def _without_file(files: Files, chance: random.Random) -> None:
    """A file doesn't exist."""
    name = chance.choice([name for name in files if name != REGISTRY])
    del files[name]


def _text(files: Files, chance: random.Random) -> None:
    """A prompt wants something that it doesn't get."""
    names = [name for name in files if name.startswith(PROMPTS)]
    if names:
        name = chance.choice(names)
        files[name] = str(files[name]) + chance.choice(("{uv-none}", "{input_text}", "{uv-iteration}", "{uv-status}"))


def _broken(files: Files, chance: random.Random) -> None:
    """A file is not JSON."""
    name = _json_file(files, chance)
    if name and name != REGISTRY:
        text = json.dumps(files[name])
        files[name] = chance.choice((text[:-1], "", "[]", "null", text.replace(":", "", 1)))


def _elsewhere(files: Files, chance: random.Random) -> None:
    """A file has another name."""
    name = chance.choice([name for name in files if name.startswith(HOME) and name != REGISTRY])
    files[name.replace(".", "-old.", 2)] = files.pop(name)


def _needs_text(files: Files, chance: random.Random) -> None:
    """A step says that it reads the input text, or variables that nothing gives."""
    steps = list(steps_of(files).values())
    if steps:
        step = chance.choice(steps)
        step.update(chance.choice(({"usesStdin": True}, {"uvVariables": ["none"]}, {"uvVariables": ["iteration"]})))


_KINDS: dict[Mistake, int] = {
    _value: 30,
    _key: 8,
    _added: 10,
    _intent: 5,
    _contract: 8,
    _schema: 4,
    _without_file: 5,
    _text: 3,
    _broken: 2,
    _elsewhere: 1,
    _needs_text: 2,
    **SHAPES,
    **ODD_SHAPES,
}

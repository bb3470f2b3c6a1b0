"""Which format a registry is in (formats.md): a mark must hold for more than half of the steps that could carry it."""

import re
from collections.abc import Collection, Iterable
from typing import Any

from stepflow_gui.text.document import ParsedFile

_HASH_ID = re.compile(r"s_[0-9a-f]{4,8}\Z")
_SIDES = {"initial", "continuation"}  # of an entry that is a pair
_NEWER_WORDS = {"closing", "handoff"}
_MARKS = {"c2", "kind", "address", "check", "prompt", "structuredGate", "transitions"}  # of formats without promptPath


def detect(document: ParsedFile) -> str | None:
    """The id of the registry's format; None where it is not a registry at all (no object with steps)."""
    root = document.root.value if document.root else None
    if document.is_yaml:
        from stepflow_gui.formats.takt.detect import is_piece, is_script  # registries are JSON
        from stepflow_gui.formats.takt.homes import is_home

        at_home = document.root is not None and is_home(document.path) and not is_script(root)
        return "takt" if at_home or is_piece(root) else None
    if not isinstance(root, dict):
        return None
    steps = root.get("steps")
    if not isinstance(steps, dict):
        return None
    bodies = {key: step for key, step in steps.items() if isinstance(step, dict) and not key.startswith("section.")}
    gated = {key: step for key, step in bodies.items() if isinstance(step.get("structuredGate"), dict)}
    if shaped := _by_shape(root, bodies):
        return shaped
    if len(gated) * 2 >= len(bodies):  # a tie, as in a registry just begun, goes to the formats with gates
        return _of_gates(root, bodies, gated)
    return _without_gates(root, bodies)


def _by_shape(root: dict[str, Any], bodies: dict[str, dict[str, Any]]) -> str | None:
    steps = bodies.values()
    if _most("kind" in step or "address" in step for step in steps):
        return "adt-kind-address"
    if _by_path(steps):
        return "prompt-path"
    mapping = root.get("entryStepMapping")
    if isinstance(mapping, dict) and _most(
        isinstance(each, dict) and _SIDES & each.keys() for each in mapping.values()
    ):
        return "entry-pair"
    flow = root.get("flow")
    if isinstance(flow, dict) and flow and all(isinstance(value, list) for value in flow.values()):
        return "flow-array"
    if _most(bool(_HASH_ID.match(key)) or ("check" in step and "prompt" in step) for key, step in bodies.items()):
        return "checks"
    return None


def _by_path(steps: Collection[dict[str, Any]]) -> bool:
    """Whether prompts are named by their path. Half of the steps are enough where the others show no other format."""
    named = sum("promptPath" in step and "c2" not in step for step in steps)
    others = (step for step in steps if "promptPath" not in step)
    return named * 2 > len(steps) or (0 < named * 2 == len(steps) and not any(_MARKS & step.keys() for step in others))


def _of_gates(root: dict[str, Any], bodies: dict[str, dict[str, Any]], gated: dict[str, dict[str, Any]]) -> str:
    if _complete(gated):
        return "complete"
    with_key = sum("fallbackKey" in step for step in bodies.values())
    if "userPromptsBase" in root or "schemasBase" in root or with_key * 2 >= len(bodies):
        return "closing"
    return "c3l"


def _complete(gated: dict[str, dict[str, Any]]) -> bool:
    older = ["complete" in _words(step) for step in gated.values()]
    newer = [
        bool(_NEWER_WORDS & _words(step)) or "stepKind" in step or key.startswith("closure.")
        for key, step in gated.items()
    ]
    return _most(older) and not _most(newer) and sum(older) > sum(newer)


def _words(step: dict[str, Any]) -> set[str]:
    intents = step["structuredGate"].get("allowedIntents")
    rules = step.get("transitions")
    listed = [intent for intent in intents if isinstance(intent, str)] if isinstance(intents, list) else []
    return {*listed, *(rules if isinstance(rules, dict) else ())}


def _without_gates(root: dict[str, Any], bodies: dict[str, dict[str, Any]]) -> str:
    inner = [step for key, step in bodies.items() if step.get("c2") != "closure" and not key.startswith("closure.")]
    if _most(isinstance(step.get("transitions"), dict) and bool(step["transitions"]) for step in inner):
        return "transitions-only"
    if "completionSteps" in root or "completionPatterns" in root:
        return "c3l-completion"
    if _most("fallbackKey" in step for step in bodies.values()):
        return "c3l-flat"
    # Work that is followed by a closure step is connected with it, though what connects them may be broken.
    begins = bool(root.get("entryStep") or root.get("entryStepMapping"))
    return "transitions-only" if begins and 0 < len(inner) < len(bodies) else "gateless"


def _most(marks: Iterable[object]) -> bool:
    listed = [bool(mark) for mark in marks]
    return sum(listed) * 2 > len(listed)

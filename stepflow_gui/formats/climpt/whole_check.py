"""What climpt 1.14 checks of a registry at each start, in its order, and Boot's rules over the agent (climpt-1.14, 5).

Each check gives all its problems under one code; the first that finds any ends the start.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.adaptation_chain import chain_elements, is_chain_element
from stepflow_gui.formats.climpt.lookup import is_odd_path
from stepflow_gui.formats.climpt.vocabulary import KIND_OF_C2, PERMISSION_MODES
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

_ROOT = ("agentId", "version", "c1")
_ADDRESS = ("c1", "c2", "c3", "edition")
_FORBIDDEN = ("stepKind", "c2", "c3", "edition", "adaptation")  # at a step's root
_KINDS = frozenset(KIND_OF_C2.values())
_C3 = re.compile(r"[a-z]+(-[a-z]+)*", re.ASCII)


class StartRefusal(NamedTuple):
    """Why climpt starts no run: upstream's code or Boot's rule, in words, and where it is."""

    code: str
    message: str
    pointer: str | None
    step: str | None = None


def form_faults(flow: Flow) -> Iterator[StartRefusal]:
    """SR-VALID-005: fields of the root, kind, address, and what they can't be combined with."""
    root = flow.document.root.value if flow.document.root else None
    top: dict[str, Any] = root if isinstance(root, dict) else {}
    for key in _ROOT:
        if not _is_text(top.get(key)):
            yield _error("SR-VALID-005", _("The registry has no “{key}”.").format(key=key), f"/{key}")
    if not isinstance(top.get("steps"), dict | list):
        yield _error("SR-VALID-005", _("The registry has no “{key}”.").format(key="steps"), "/steps")
    for step in flow.steps.values():
        yield from _form_of(step)
    for odd in flow.odd_steps:
        yield _error("SR-VALID-005", _("{step} is not an object.").format(step=odd.value), odd.pointer, odd.value)


def _form_of(step: Step) -> Iterator[StartRefusal]:
    raw = step.raw
    if not isinstance(raw.get("kind"), str) or raw["kind"] not in _KINDS:
        yield _of_step("SR-VALID-005", _("{step} has no kind: work, verification or closure."), step, "kind")
    address = raw.get("address")
    if not isinstance(address, dict):
        yield _of_step("SR-VALID-005", _("{step} has no address."), step, "address")
    else:
        lacking = [key for key in _ADDRESS if not _is_text(address.get(key))]
        if "adaptation" in address and not _is_text(address["adaptation"]):
            lacking.append("adaptation")
        for key in lacking:
            message = _("The address of {step} has no text as “{key}”.")
            yield _of_step("SR-VALID-005", message, step, "address", key, key=key)
    for key in _FORBIDDEN:
        if key in raw:
            message = _("{step} may not have “{key}” beside kind and address.")
            yield _of_step("SR-VALID-005", message, step, key, key=key)


def structure_faults(flow: Flow) -> Iterator[StartRefusal]:
    """SR-VALID-004: what earlier climpts asked for on request only."""
    for step in flow.steps.values():
        raw = step.raw
        if raw.get("stepId") != step.id:
            yield _of_step("SR-VALID-004", _("The stepId of {step} isn't its key."), step, "stepId")
        if not _is_text(raw.get("name")):
            yield _of_step("SR-VALID-004", _("{step} has no name."), step, "name")
        if step.c3 is not None and not _C3.fullmatch(step.c3.value):
            message = _("The c3 of {step} isn't in lower-case-with-hyphens.")
            yield _of_step("SR-VALID-004", message, step, "address", "c3")
        if not isinstance(raw.get("uvVariables"), list):
            yield _of_step("SR-VALID-004", _("uvVariables of {step} is not a list."), step, "uvVariables")
        if not isinstance(raw.get("usesStdin"), bool):
            yield _of_step("SR-VALID-004", _("usesStdin of {step} is not true or false."), step, "usesStdin")
        if isinstance(raw.get("structuredGate"), dict) and not raw.get("transitions") and raw.get("transitions") != {}:
            yield _of_step("SR-VALID-004", _("{step} has a gate and no transitions."), step, "transitions")
        if raw.get("permissionMode") is not None and raw["permissionMode"] not in tuple(PERMISSION_MODES):
            yield _of_step(
                "SR-VALID-004", _("The permissionMode of {step} is not one of the known modes."), step, "permissionMode"
            )


def pair_faults(flow: Flow) -> Iterator[StartRefusal]:
    """SR-ENTRY-003: values of entryStepMapping that are not pair of steps."""
    root = flow.document.root.value if flow.document.root else None
    mapping = root.get("entryStepMapping") if isinstance(root, dict) else None
    for key, value in mapping.items() if isinstance(mapping, dict) else ():
        sides = [value.get(side) if isinstance(value, dict) else None for side in ("initial", "continuation")]
        if not all(isinstance(side, str) and side in flow.steps for side in sides):
            message = _("The entry for {verdict} is not a pair of steps (initial and continuation).").format(
                verdict=key
            )
            yield _error("SR-ENTRY-003", message, join("/entryStepMapping", key))


def boot_faults(flow: Flow) -> Iterator[StartRefusal]:
    """What the commands refuse before a run that the loader has taken; `code` is Boot's rule."""
    if not any(entry.target for entry in flow.entries):
        yield _error("A3", _("No entry names an existing step."), "/entryStepMapping")
    steps = flow.steps.values()
    for step in steps:
        file = step.schema_ref.file if step.schema_ref else None
        if file is not None and is_odd_path(file.value):
            message = _("The schema file of {step} is absolute, or holds “..”.")
            yield _of_step("A5", message, step, "outputSchemaRef", "file")
        retry = step.raw.get("retry")
        retry = retry if isinstance(retry, dict) else {}
        if step.kind == "closure" and step.c3 and step.c3.value == "polling" and retry.get("postLLMConditions"):
            yield _of_step("A8", _("{step} polls and has conditions of its own."), step, "retry")
        rules = step.raw.get("transitions")
        rules = rules if isinstance(rules, dict) else {}
        for intent, rule in rules.items():
            target = rule.get("target") if isinstance(rule, dict) else None
            if target is not None and not (isinstance(target, str) and target in flow.steps):
                message = _("The target of “{intent}” of {step} doesn't exist.")
                yield _of_step("S2", message, step, "transitions", intent, intent=intent)
        for allowed in step.gate.intents if step.gate else ():
            if allowed.value not in rules:
                message = _("{step} allows “{intent}” and has no transition for it.")
                yield _of_step("S3", message, step, "transitions", intent=allowed.value)
        ref = step.raw.get("outputSchemaRef")
        if isinstance(ref, dict) and not _is_text(ref.get("schema")):
            yield _of_step("S4", _("The schema name of {step} is empty."), step, "outputSchemaRef", "schema")
        on_failure = retry.get("onFailure")
        if isinstance(on_failure, dict) and on_failure.get("patternRef"):
            message = _("The patternRef of {step} is looked up in agent.json, which has no failure patterns.")
            yield _of_step("S7", message, step, "retry", "onFailure", "patternRef")
        yield from _chain_faults(step)
    if not any(step.kind == "closure" for step in steps):
        yield _error("S5", _("No step is of kind closure."), "/steps")


def _chain_faults(step: Step) -> Iterator[StartRefusal]:
    chain = step.raw.get("adaptationChain")
    if chain is not None and not isinstance(chain, list | str):
        yield _of_step("S9", _("The adaptationChain of {step} is not a list."), step, "adaptationChain")
    for index, element in enumerate(chain_elements(chain)):
        if not is_chain_element(element):
            message = _("An element of the adaptationChain of {step} is not a valid file name.")
            yield _of_step("S9", message, step, "adaptationChain", str(index))


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(value)


def _of_step(code: str, message: str, step: Step, *keys: str, **names: str) -> StartRefusal:
    return _error(code, message.format(step=step.id, **names), join(step.pointer, *keys), step.id)


def _error(code: str, message: str, pointer: str | None, step: str | None = None) -> StartRefusal:
    return StartRefusal(code, message, pointer, step)

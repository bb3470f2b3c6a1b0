"""Corrupt an answer on purpose, to see how the runner handles the mistakes that models make."""

import copy
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import ABSENT, index_of, text_of, value_at
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.text.json.tree import JsonValue

Name = Literal[
    "missing_intent", "alias", "wrong_case", "unknown_word", "not_allowed", "wrong_step_id", "no_output", "query_error"
]
_NO_INTENT = "maybe"  # a word that no runner knows


class Breakage(NamedTuple):
    """A corruption of an answer. `answered` None: it doesn't apply to this step; `why` gives the reason."""

    name: Name
    label: str
    answered: Answered | None
    why: str = ""


def breakages(flow: Flow, step: Step, answer: JsonValue, era: Era) -> tuple[Breakage, ...]:
    """Every corruption, made from the current answer."""
    making = _Making(flow, step, answer, era)
    silent = (
        Breakage("no_output", _("No structured output"), Answered(None, (_NO_OUTPUT,))),
        Breakage("query_error", _("The query fails"), Answered(None, failed=_("failed on purpose"))),
    )
    if not era.gates:
        return (
            Breakage("missing_intent", _("Without a result"), Answered({"message": _NO_OUTPUT})),
            Breakage("wrong_case", _("Result in capitals"), Answered({"result": "OK"})),
            Breakage("unknown_word", _("A word outside the results"), Answered({"result": _NO_INTENT})),
            *silent,
        )
    return (
        making.of("missing_intent", _("Without an intent"), making.without_intent()),
        making.of("alias", _("Intent by an alias"), making.alias()),
        making.of("wrong_case", _("Intent in capitals"), making.capitals()),
        making.of("unknown_word", _("A word that is not an intent"), making.answer_with(_NO_INTENT)),
        making.of("not_allowed", _("An intent that isn't allowed"), making.not_allowed()),
        making.of("wrong_step_id", _("stepId of another step"), making.other_id()),
        *silent,
    )


_NO_OUTPUT = "…"  # what the model writes in place of it


def intent_path(step: Step, era: Era) -> str | None:
    """The dotted path at which the runner looks for the intent; None where it looks nowhere."""
    if era.closure_loop and step.kind == "closure":
        return "next_action.action"
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, Mapping):
        return None
    field = gate.get("intentField")
    if era.empty_field_is_absent and not field:
        return era.guessed_fields[0] if era.guessed_fields else None
    return field if isinstance(field, str) else None


class _Making:
    """Broken copies of one answer."""

    def __init__(self, flow: Flow, step: Step, answer: JsonValue, era: Era) -> None:
        self._flow = flow
        self._step = step
        self._answer: dict[str, Any] = answer if isinstance(answer, dict) else {"stepId": step.id}
        self._era = era
        self._path = intent_path(step, era)
        gate = step.raw.get("structuredGate")
        allowed = gate.get("allowedIntents") if isinstance(gate, Mapping) else None
        self._allowed = [each for each in allowed if isinstance(each, str)] if isinstance(allowed, list) else []

    def of(self, name: Name, label: str, answer: dict[str, Any] | str) -> Breakage:
        """A corruption, with the corrupted answer or why there is none."""
        if isinstance(answer, str):
            return Breakage(name, label, None, answer)
        return Breakage(name, label, Answered(answer))

    def without_intent(self) -> dict[str, Any] | str:
        """The answer without its intent."""
        if self._path is None:
            return self._no_gate()
        broken = copy.deepcopy(self._answer)
        *keys, last = self._path.split(".")
        holder = value_at(broken, ".".join(keys)) if keys else broken
        if isinstance(holder, dict):
            holder.pop(last, None)
        elif isinstance(holder, list) and (index := index_of(last)) is not None and index < len(holder):
            del holder[index:]
        return broken

    def alias(self) -> dict[str, Any] | str:
        """Another word for the intent given, or for one that is allowed."""
        given = self._given()
        for intent in dict.fromkeys([*([given] if given else []), *self._allowed]):
            word = next((word for word, means in self._era.words.items() if means == intent != word), None)
            if word is not None:
                return self.answer_with(word)
        return _("No intent of this step has an alias.")

    def capitals(self) -> dict[str, Any] | str:
        """The intent given, in capitals."""
        intent = self._given() or next(iter(self._allowed), None)
        return self.answer_with(intent.upper()) if intent else self._no_gate()

    def not_allowed(self) -> dict[str, Any] | str:
        """An intent that the runner knows and the gate doesn't list."""
        known = dict.fromkeys(self._era.words.values())
        usable = {*self._allowed, *self._era.always_allowed}
        other = next((intent for intent in known if intent not in usable), None)
        return self.answer_with(other) if other else _("This step allows every intent.")

    def other_id(self) -> dict[str, Any] | str:
        """The answer calls itself another step's."""
        other = next((each for each in self._flow.steps if each != self._step.id), None)
        return {**self._answer, "stepId": other if other is not None else f"{self._step.id}.other"}

    def answer_with(self, word: str) -> dict[str, Any] | str:
        """The answer with another word for the intent."""
        if self._path is None:
            return self._no_gate()
        broken = copy.deepcopy(self._answer)
        holder: Any = broken
        *keys, last = self._path.split(".")
        for key in keys:
            holder = _inside(holder, key)
            if holder is None:
                return _("Another value of the answer conflicts with “{path}”.").format(path=self._path)
        if isinstance(holder, dict):
            holder[last] = word
        elif isinstance(holder, list) and (index := index_of(last)) is not None and index <= len(holder):
            holder[index : index + 1] = [word]
        return broken

    def _given(self) -> str | None:
        value = value_at(self._answer, self._path) if self._path is not None else ABSENT
        if value is None or value is ABSENT:
            return None
        return self._era.words.get(text_of(value).lower())

    def _no_gate(self) -> str:
        return _("The gate of {step} doesn't say where the intent is.").format(step=self._step.id)


def _inside(holder: object, key: str) -> object:
    """What is at a key of an object, made where nothing is; an item of a list; None where neither can be."""
    if isinstance(holder, dict):
        if not isinstance(holder.get(key), dict | list):
            holder[key] = {}
        return holder[key]
    index = index_of(key)
    return holder[index] if isinstance(holder, list) and index is not None and index < len(holder) else None

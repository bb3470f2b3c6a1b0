"""Builds the answer that means what a person picked: a manual run passes the same gate and router as any other."""

from itertools import pairwise
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import index_of
from stepflow_gui.run.machine.gate import interpret
from stepflow_gui.run.machine.route import case_of, condition_of
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true

Answer = dict[str, JsonValue]


class Pick(NamedTuple):
    """The answer that a person wants of a step: an intent or an alias, its condition's case, the target of a jump."""

    intent: str
    case: str | None = None
    target: str | None = None


RAN, OK, NG = Pick("done"), Pick("ok"), Pick("ng")  # in flows with checks: of a step, and of its check


class PickRefusal(NamedTuple):
    """Why no answer can mean what was picked."""

    message: str


def answer_for(step: Step, pick: Pick, era: Era) -> Answer | PickRefusal:
    """An answer to a step that its gate reads as the pick; where the gate can't read it out of any, why."""
    if era.checks is not None:
        return _of_check(step, pick)
    answer: Answer = {"stepId": step.id}
    if era.closure_loop and step.kind == "closure":  # read as written, past the gate
        return answer | {"next_action": {"action": pick.intent}}
    gate = step.raw.get("structuredGate")
    if isinstance(gate, dict):
        for path, value in (
            (_intent_field(gate, era), pick.intent),
            _case_place(step, gate, pick._replace(intent=_meant(pick, era))),
            _target_place(step, gate, pick),
        ):
            if isinstance(path, PickRefusal):
                return path
            if path is not None and not put(answer, path, value):
                return _overlap(step, path)
    return _checked(step, pick, era, answer)


def check_answer(*, passed: bool, message: str = "") -> Answer:
    """An answer to a check."""
    return {"result": (OK if passed else NG).intent} | ({"message": message} if message else {})


def _of_check(step: Step, pick: Pick) -> Answer | PickRefusal:
    if pick == RAN:
        return {}
    if pick in {OK, NG}:
        return check_answer(passed=pick == OK)
    message = _("The check of {step} says “ok” or “ng”, not “{intent}”.")
    return PickRefusal(message.format(step=step.id, intent=pick.intent))


def _intent_field(gate: dict[str, Any], era: Era) -> str | PickRefusal | None:
    field = gate.get("intentField")
    if era.empty_field_is_absent and not is_true(field):
        return era.guessed_fields[0] if era.guessed_fields else None
    return field if isinstance(field, str) else None


def _case_place(step: Step, gate: dict[str, Any], pick: Pick) -> tuple[str | PickRefusal | None, str]:
    """Where the condition's value must be for the handoff to collect it. `default` is met by its absence."""
    if pick.case is None or pick.case == "default":
        return None, ""
    condition = condition_of(step, pick.intent)
    fields = gate.get("handoffFields")
    paths = [path for path in fields if isinstance(path, str)] if isinstance(fields, list) else []
    # of several with one last segment the later wins
    path = next((path for path in reversed(paths) if path.rpartition(".")[2] == condition), None)
    if path is not None:
        return path, pick.case
    message = _(
        "No answer can carry “{condition}”: handoffFields of {step} doesn't list it. Only “default” is reached."
    )
    return PickRefusal(message.format(condition=condition, step=step.id)), ""


def _target_place(step: Step, gate: dict[str, Any], pick: Pick) -> tuple[str | PickRefusal | None, str]:
    if pick.target is None:
        return None, ""
    field = gate.get("targetField")
    if isinstance(field, str) and field:
        return field, pick.target
    message = _("No answer can name the step to jump to: the gate of {step} has no targetField.")
    return PickRefusal(message.format(step=step.id)), ""


def put(answer: Answer, path: str, value: str) -> bool:
    """Place a value at a dotted path; False where another value is in the way."""
    keys = path.split(".")
    holder: JsonValue = answer
    for key, following in pairwise(keys):
        holder = _below(holder, key, [] if index_of(following) == 0 else {})
        if holder is None:
            return False
    return _below(holder, keys[-1], value) is value


def _below(holder: JsonValue, key: str, fresh: JsonValue) -> JsonValue:
    """The value under a key, `fresh` where there was none; None where the holder can't have that key."""
    if isinstance(holder, dict):
        return holder.setdefault(key, fresh)
    index = index_of(key)
    if not isinstance(holder, list) or index is None or index > len(holder):
        return None
    if index == len(holder):
        holder.append(fresh)
    return holder[index]


def _checked(step: Step, pick: Pick, era: Era, answer: Answer) -> Answer | PickRefusal:
    """The answer, if the gate reads it as it was meant."""
    read = interpret(step, answer, era)
    if isinstance(read, RunError):
        return PickRefusal(read.message)
    if read.intent != _meant(pick, era) or read.target != pick.target:
        return _unreadable(step, pick)
    if pick.case is not None and case_of(step, read.intent, read.handoff) != pick.case:
        return _unreadable(step, pick)
    return answer


def _meant(pick: Pick, era: Era) -> str:
    """The intent of a pick, which may be given by an alias."""
    return era.words.get(pick.intent.lower(), pick.intent)


def _overlap(step: Step, path: str) -> PickRefusal:
    message = _("No answer can carry this: “{path}” in the gate of {step} overlaps another of its paths.")
    return PickRefusal(message.format(path=path, step=step.id))


def _unreadable(step: Step, pick: Pick) -> PickRefusal:
    message = _("No answer of {step} can say this: its gate would read “{intent}” otherwise.")
    return PickRefusal(message.format(step=step.id, intent=pick.intent))

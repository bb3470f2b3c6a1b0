"""The options that an explorer tries at a place: every intent, alias and case, broken answers, validator results."""

import copy
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.run.javascript.values import ABSENT, index_of, value_at
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.closure_checks import validators_of
from stepflow_gui.run.machine.gate import interpret
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import NG, OK, RAN, Pick, PickRefusal, answer_for, check_answer, put
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered, Event, NotAsked, ProgramEnded, State, Validated
from stepflow_gui.run.machine.verdict import DEFAULT_KEYWORD, Verdict
from stepflow_gui.run.validators.judging import ValidatorFault, wanted
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true

Kind = Literal["intent", "check", "word", "verdict", "broken", "validator", "program", "schema"]
UNKNOWN_WORD = "no-such-intent"
FAILURE = "failed"
CHECK_WORDS = (("pass", OK), (True, OK), ("fail", NG), (False, NG))  # values of a check's `result` that mean the same
SPOKEN = "…"  # what the model writes beside its answer, for runners that want a text
HANDED = "…"  # the value of a handoff key that a later step needs


class AnswerOption(NamedTuple):
    """Something that can happen: an answer, the result of a validator or of a program, or that a step isn't asked.

    `pick` is the intent that an answer means, `word` the alias that it uses for it, `flaw` what is wrong with a
    broken one: no_output, no_intent, no_result, unknown_word, not_allowed, no_handoff.
    """

    event: Event
    kind: Kind
    pick: Pick | None = None
    word: str | None = None
    flaw: str | None = None
    bare: bool = True  # the answer contains only its pick

    @property
    def sound(self) -> bool:
        """Whether a model that keeps to the step's schema could give it."""
        return self.kind != "broken"


class AnswerOptions:
    """All that can happen, by step; made once for each, as it doesn't depend on the rest of a state."""

    def __init__(self, machine: Machine, never_asked: Mapping[str, NotAsked]) -> None:
        self._machine = machine
        self._never_asked = never_asked
        self._needed = needed_keys(machine)
        self._answers: dict[str, tuple[AnswerOption, ...]] = {}

    def at(self, state: State) -> tuple[AnswerOption, ...]:
        """What can happen in a state; () where it waits for nothing."""
        match state.waits:
            case "validator":
                return self._of_validator(state)
            case "program":
                return _PROGRAM
            case "answer" if self._machine.era.checks is not None:
                return _RAN
            case "check":
                return CHECKED
            case "answer" if state.step is not None and state.step in self._never_asked:
                return (AnswerOption(self._never_asked[state.step], "schema"),)
            case "answer" if state.step is not None:
                found = self._answers.get(state.step)
                if found is None:
                    found = self._answers[state.step] = tuple(self._of_step(state.step))
                return found
        return ()

    def _of_validator(self, state: State) -> tuple[AnswerOption, ...]:
        machine, request = self._machine, self._machine.validator(state)
        if request is not None:
            want = wanted(validators_of(machine.flow), request.validator, request.params, machine.era)
            if isinstance(want, ValidatorFault):  # it can't be run, whatever is simulated
                return (AnswerOption(Validated(passed=False, fault=want.message), "validator"),)
        return _VALIDATED

    def _of_step(self, at: str) -> Iterator[AnswerOption]:
        machine = self._machine
        step = machine.flow.steps.get(at)
        if step is None:
            return
        seen: set[tuple[str, str | None]] = set()
        for choice in choices(machine.flow, at, machine.era):
            pick = choice.pick
            if choice.refusal is not None:
                continue
            option = self._picked(step, pick)
            if option is None:
                continue
            yield option
            if (pick.intent, pick.case) in seen:  # another target of the same jump
                continue
            seen.add((pick.intent, pick.case))
            yield from self._with_verdict(option)
            if pick.case is None or pick.case == "default":
                yield from self._in_other_words(step, option)
            if not option.bare:
                bare = answer_for(step, pick, machine.era)
                yield AnswerOption(Answered(bare), "broken", pick, flaw="no_handoff")
        yield from self._broken(step)

    def _picked(self, step: Step, pick: Pick) -> AnswerOption | None:
        answer = answer_for(step, pick, self._machine.era)
        if isinstance(answer, PickRefusal):
            return None
        bare = True
        for path in self._handed(step):
            if value_at(answer, path) is ABSENT and put(answer, path, HANDED):
                bare = False
        return AnswerOption(Answered(answer), "intent", pick, bare=bare)

    def _handed(self, step: Step) -> list[str]:
        """The paths of what this step hands over to inputs that can't do without it."""
        keys = {key for source, key in self._needed if source == step.id}
        gate = step.raw.get("structuredGate")
        fields = gate.get("handoffFields") if isinstance(gate, dict) else None
        paths = [path for path in fields if isinstance(path, str)] if isinstance(fields, list) else []
        return [path for path in paths if path.rpartition(".")[2] in keys]

    def _with_verdict(self, option: AnswerOption) -> Iterator[AnswerOption]:
        """The same answer with the agent's own verdict reached, where answers or the outside decide on it."""
        assert isinstance(option.event, Answered)
        event = fulfilled(self._machine.verdict, option.event)
        if event != option.event:
            yield option._replace(event=event, kind="verdict", bare=option.bare and event.answer == option.event.answer)

    def _in_other_words(self, step: Step, option: AnswerOption) -> Iterator[AnswerOption]:
        era, event, pick = self._machine.era, option.event, option.pick
        assert isinstance(event, Answered)
        assert pick is not None
        read = interpret(step, event.answer, era)
        if isinstance(read, RunError) or read.field is None or value_at(event.answer, read.field) != pick.intent:
            return
        for word, intent in era.words.items():
            if intent == pick.intent and word != intent:
                answer = copy.deepcopy(event.answer)
                if _set(answer, read.field, word):
                    yield AnswerOption(event._replace(answer=answer), "word", pick, word, bare=False)

    def _broken(self, step: Step) -> Iterator[AnswerOption]:
        era = self._machine.era
        empty: dict[str, JsonValue] = {"stepId": step.id}
        yield AnswerOption(Answered(None), "broken", flaw="no_output")
        yield AnswerOption(Answered(empty), "broken", flaw="no_intent", bare=False)
        gate = step.raw.get("structuredGate")
        field = gate.get("intentField") if isinstance(gate, dict) else None
        if not isinstance(field, str) or not field:
            return
        allowed = gate.get("allowedIntents") if isinstance(gate, dict) else None
        listed = allowed if isinstance(allowed, list | str) else []
        others = (word for word in era.words.values() if word not in listed and word not in era.always_allowed)
        for word, flaw in ((UNKNOWN_WORD, "unknown_word"), (next(others, None), "not_allowed")):
            answer = dict(empty)
            if word is not None and put(answer, field, word):
                yield AnswerOption(Answered(answer), "broken", word=word, flaw=flaw, bare=False)


def needed_keys(machine: Machine) -> frozenset[tuple[str, str]]:
    """Step and handoff key of each required input: other handoff values don't change any path."""
    found = set()
    for inputs in machine.config.inputs.values():
        for declared in inputs.values() if isinstance(inputs, dict) else ():
            if not isinstance(declared, dict) or not is_true(declared.get("required")) or "default" in declared:
                continue
            source = declared.get("from")
            if isinstance(source, str):
                step, _dot, key = source.rpartition(".")
                found.add((step, key))
    return frozenset(found)


def read_steps(machine: Machine) -> frozenset[str]:
    """The steps whose handoff an input reads; what others leave changes nothing."""
    found = set()
    for inputs in machine.config.inputs.values():
        for declared in inputs.values() if isinstance(inputs, dict) else ():
            source = declared.get("from") if isinstance(declared, dict) else None
            if isinstance(source, str):
                found.add(source.rpartition(".")[0])
    return frozenset(found)


def fulfilled(verdict: Verdict, event: Answered) -> Answered:
    """The answer changed so that the verdict holds; the same where answers don't decide on it."""
    answer = event.answer
    match verdict.type:
        case "poll:state" | "meta:custom":
            return event._replace(verdict_reached=True)
        case "detect:keyword":
            keyword = verdict.config.get("verdictKeyword")
            keyword = keyword if isinstance(keyword, str) else DEFAULT_KEYWORD
            return event._replace(texts=(*(event.texts or ()), keyword))
        case "detect:graph" if isinstance(answer, dict):
            return event._replace(answer={**answer, "complete": True})
        case "detect:structured" if isinstance(answer, dict):
            return event._replace(answer={**_signal(verdict), **answer})
        case "meta:composite":
            for member in verdict.members:
                event = fulfilled(member, event)
    return event


def _signal(verdict: Verdict) -> dict[str, JsonValue]:
    wanted, required = verdict.config.get("signalType"), verdict.config.get("requiredFields")
    signal: dict[str, JsonValue] = {"type": wanted} if isinstance(wanted, str) else {"result": "complete"}
    if isinstance(required, list):
        signal |= {field: HANDED for field in required if isinstance(field, str) and field not in signal}
    elif isinstance(required, dict):
        signal |= required
    return signal


def _set(answer: JsonValue, path: str, value: str) -> bool:
    """Change the value at a path that is there; False where it isn't."""
    head, _dot, last = path.rpartition(".")
    holder = value_at(answer, head) if head else answer
    if isinstance(holder, dict) and last in holder:
        holder[last] = value
        return True
    index = index_of(last)
    if isinstance(holder, list) and index is not None and index < len(holder):
        holder[index] = value
        return True
    return False


_VALIDATED = (
    AnswerOption(Validated(passed=True), "validator"),
    AnswerOption(Validated(passed=False, error=FAILURE), "validator"),
)
_RAN = (AnswerOption(Answered(None, (SPOKEN,)), "intent", RAN),)
CHECKED = (
    *(AnswerOption(Answered(check_answer(passed=pick == OK)), "check", pick) for pick in (OK, NG)),
    *(AnswerOption(Answered({"result": word}), "word", pick, str(word)) for word, pick in CHECK_WORDS),
    AnswerOption(Answered(None), "broken", flaw="no_output"),
    AnswerOption(Answered(None, (SPOKEN,)), "broken", flaw="no_result"),
    AnswerOption(Answered({"result": OK.intent.upper()}), "broken", word=OK.intent.upper(), flaw="unknown_word"),
)
_PROGRAM = (AnswerOption(ProgramEnded(0), "program"), AnswerOption(ProgramEnded(1), "program"))

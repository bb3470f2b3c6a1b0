"""Answers at random, from a seed: any intent, alias and case that a step can answer; the same on every machine."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

from stepflow_gui.formats.schema_keywords import is_closed, properties
from stepflow_gui.messages import _
from stepflow_gui.run.effects import Commands, NoAnswer, ResponderQuery
from stepflow_gui.run.machine.choices import choices
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import Answer, Pick, PickRefusal, answer_for, check_answer
from stepflow_gui.run.machine.state import Answered, ProgramEnded, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.machine.verdict import DEFAULT_KEYWORD
from stepflow_gui.run.validators.command_result import CommandResult

T = TypeVar("T")
_ABORTS_ONE_IN = 8  # how seldom the words open to any step are used; else hardly a run would get far
_VERDICT_ONE_IN = 8  # how seldom what ends a run from outside holds
_FAILS_ONE_IN = 4  # how seldom a validator fails


class RandomResponder:
    """Answers at random. The answer depends on the seed and on the run's position, so going back changes nothing.

    It is the run's `Commands` as well: validators pass three times of four. Files and programs are left to `commands`.
    """

    costs_money = False

    def __init__(self, machine: Machine, seed: int, commands: Commands, *, fails: bool = True) -> None:
        self._machine = machine
        self._seed = seed
        self._commands = commands
        self._fails = fails  # whether validators may fail
        self._picks: dict[str, list[Pick]] = {}
        self.exists = commands.exists
        self.command = commands.command

    @property
    def name(self) -> str:
        """What users call it."""
        return _("random")

    def answer(self, asked: "ResponderQuery | None", state: State) -> Answered | NoAnswer:
        """One of the answers that the step can give, without fields that its output schema rules out."""
        at, machine = state.step, self._machine
        assert at is not None
        if machine.era.checks is not None:
            return self._of_check(state)
        picks = self._picks_of(at)
        if not picks:
            message = _("No answer of {step} can mean anything that its gate allows.")
            return NoAnswer("misfit", message.format(step=at))
        going_on = [pick for pick in picks if pick.intent not in machine.era.always_allowed]
        if going_on and not self._chance(_ABORTS_ONE_IN, state, "abort"):
            picks = going_on
        pick = self._one(picks, state, "pick")
        words = [word for word, intent in machine.era.words.items() if intent == pick.intent and word != intent]
        answer = self._answer(at, pick, words, state)
        if asked is not None and asked.schema is not None:
            answer = {"stepId": at, **_within(asked.schema, answer)}
        texts: tuple[str, ...] | None = None
        verdict_reached = self._chance(_VERDICT_ONE_IN, state, "verdict")
        if verdict_reached and machine.verdict.type == "detect:keyword":
            keyword = machine.verdict.config.get("verdictKeyword", DEFAULT_KEYWORD)
            texts = (str(keyword),)
        return Answered(answer, texts, verdict_reached and machine.verdict.is_external)

    def _of_check(self, state: State) -> Answered:
        """A step has run; its check passes three times of four."""
        if state.waits == "answer":
            return Answered(None)
        passed = not self._chance(_FAILS_ONE_IN, state, "check")
        return Answered(check_answer(passed=passed, message="" if passed else _("failed at random")))

    def preset_result(self, request: RunValidator, state: State) -> Validated | CommandResult | NoAnswer | None:
        """Passes, or fails one time of four."""
        if not self._fails:
            return self._commands.preset_result(request, state)
        failed = self._chance(_FAILS_ONE_IN, state, f"validator {request.number} {request.before}")
        return Validated(passed=not failed, error=_("failed at random") if failed else "")

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """As the commands have it."""
        return self._commands.program(request)

    def _picks_of(self, at: str) -> "list[Pick]":
        found = self._picks.get(at)
        if found is None:
            offered = choices(self._machine.flow, at, self._machine.era)
            found = self._picks[at] = [choice.pick for choice in offered if choice.refusal is None]
        return found

    def _answer(self, at: str, pick: "Pick", words: list[str], state: State) -> Answer:
        """The answer that means a pick, half of the time by an alias."""
        step, era = self._machine.flow.steps[at], self._machine.era
        if words and self._chance(2, state, "alias"):
            by_alias = answer_for(step, pick._replace(intent=self._one(words, state, "word")), era)
            if not isinstance(by_alias, PickRefusal):
                return by_alias
        answer = answer_for(step, pick, era)
        assert not isinstance(answer, PickRefusal)  # only possible picks are offered
        return answer

    def _one(self, of: Sequence[T], state: State, what: str) -> T:
        return of[self._number(state, what) % len(of)]

    def _chance(self, one_in: int, state: State, what: str) -> bool:
        return self._number(state, what) % one_in == 0

    def _number(self, state: State, what: str) -> int:
        text = f"{self._seed}/{state.iteration}/{state.step}/{what}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def _within(schema: Mapping[str, Any], answer: Answer) -> Answer:
    """The answer without the fields that a schema rules out: a model that keeps to it never gives them."""
    known = properties(schema)
    kept = {}
    for key, value in answer.items():
        inner = known.get(key)
        if key in known or not is_closed(schema):
            kept[key] = _within(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return kept

"""A manual run in the terminal: choices by number, answers as JSON, and steps back."""

import json
from typing import TYPE_CHECKING

from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.run.agent_run import AgentRun, Listener
from stepflow_gui.run.effects import Commands, NoAnswer
from stepflow_gui.run.host.host import HostEvent, Ran
from stepflow_gui.run.machine.choices import Choice, offered
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import PickRefusal, answer_for
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import (
    START,
    Answered,
    Event,
    NotAsked,
    ProgramEnded,
    RunProgram,
    RunValidator,
    State,
    Stopped,
    Validated,
)
from stepflow_gui.run.machine.transitions import pending
from stepflow_gui.run.validators.command_result import CommandResult

if TYPE_CHECKING:
    from stepflow_gui.run.effects import ResponderQuery

_QUIT = frozenset({"q", "quit"})
_BACK = frozenset({"b", "back"})
_STEPPED_BACK = NoAnswer("back", "", retryable=True)
_ASK_AGAIN = NoAnswer("anew", "", retryable=True)  # from the second question of a step back to its first
_LONGEST = 12  # lines of a prompt that are shown


def run_by_hand(run: AgentRun, responder: "HandResponder", listener: Listener) -> tuple[Ran, list[HostEvent]]:
    """Run an agent whose user can step back, and answer again after an answer that stops the run.

    `listener` is called for every event, also for those undone; the list holds those that remain in the end.
    """
    machine = run.machine
    kept: list[HostEvent] = []
    state, asked = START, None
    event: Event = run.start
    while True:
        before = state
        state, effects = machine.step(state, event)
        assert state.last is not None
        stopped = next((effect for effect in effects if isinstance(effect, Stopped)), None)
        if kept and kept[-1].entry.error is not None:
            kept.pop()  # that answer was replaced
        kept.append(HostEvent(state.last, state, effects, asked))
        listener(kept[-1])
        unasked = before is START or isinstance(event, NotAsked)  # else another answer may go on
        if state.outcome is not None or (stopped is not None and unasked):
            return Ran((), state, stopped), kept
        if stopped is not None:
            print(printable(stopped.error.message))
        while True:
            effect = pending(machine.config, state)
            assert effect is not None
            result = run.host.carry_out(state, effect, responder, responder)
            if not isinstance(result, NoAnswer):
                event, asked = result
                break
            if result is _ASK_AGAIN:
                continue
            if result.kind != _STEPPED_BACK.kind:
                return Ran((), state, stopped, None if stopped else result), kept
            if len(kept) > 1:
                kept.pop()
                state, stopped = kept[-1].state, None


class HandResponder:
    """Asks at the terminal. It is the run's `Commands` as well: `ask_validators` asks how each goes."""

    costs_money = False

    def __init__(self, machine: Machine, commands: Commands, *, ask_validators: bool) -> None:
        self._machine = machine
        self._commands = commands
        self._ask_validators = ask_validators
        self.command = commands.command
        self.exists = commands.exists

    @property
    def name(self) -> str:
        """What users call it."""
        return _("manual")

    def answer(self, asked: "ResponderQuery", state: State) -> Answered | NoAnswer:
        """Show the possible answers and read the choice."""
        at, config = asked.query.step, self._machine.config
        print()
        heading = _("{number}. {step}").format(number=state.iteration, step=at)
        print(printable(_("{where}: its check").format(where=heading) if asked.query.check else heading))
        for line in (asked.prompt.text or "").splitlines()[:_LONGEST]:
            print(printable(f"  │ {line}"))
        offers = offered(config, state)
        for number, choice in enumerate(offers, 1):
            print(printable(f"  {number}) {_choice_text(choice)}"))
        while True:
            word = _read_line(_("Number, answer as JSON, b (back) or q (quit): "))
            if word in _BACK:
                return _STEPPED_BACK
            if word is None or word in _QUIT:
                return NoAnswer("cancelled", _("The run was quit at {step}.").format(step=at))
            answer = self._parse_answer(at, word, offers)
            if not isinstance(answer, PickRefusal):
                holds = self._external_state(at)
                return holds if isinstance(holds, NoAnswer) else answer._replace(verdict_reached=holds)
            print(printable(answer.message))

    def preset_result(self, request: RunValidator, state: State) -> Validated | CommandResult | NoAnswer | None:
        """Ask whether a validator passes, if validators are to be asked."""
        if not self._ask_validators:
            return self._commands.preset_result(request, state)
        print(printable(_("Validator {name}: {command}").format(name=request.validator, command=request.command)))
        while True:
            word = _read_line(_("p (passes), f (fails), b (back) or q (quit): "))
            if word in _BACK:
                return _STEPPED_BACK
            if word is None or word in _QUIT:
                return NoAnswer("cancelled", _("The run was quit at {step}.").format(step=state.step))
            if word in {"p", ""}:
                return Validated(passed=True)
            if word.startswith("f"):
                return Validated(passed=False, error=word[1:].strip() or _("failed as requested"))

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """As the commands have it."""
        return self._commands.program(request)

    def _parse_answer(self, at: str, word: str, offers: list[Choice]) -> Answered | PickRefusal:
        named = [choice for choice in offers if choice.intent == word]
        by_number = word.isdecimal() and 1 <= int(word) <= len(offers)
        if by_number or len(named) == 1:
            choice = offers[int(word) - 1] if by_number else named[0]
            answer = answer_for(self._machine.flow.steps[at], choice.pick, self._machine.era)
            return answer if isinstance(answer, PickRefusal) else Answered(answer)
        try:
            if not word.isdecimal():
                return Answered(json.loads(word))
        except (ValueError, RecursionError):
            if not self._machine.era.gates and " " in word:  # what the model wrote, or a result and its message
                return _check_answer(word, offers)
        return PickRefusal(
            _("“{word}” is not a number or an intent of the list, and not valid JSON.").format(word=word)
        )

    def _external_state(self, at: str) -> bool | NoAnswer:
        """Whether what is outside, which the verdict looks at, holds now; stepping back asks the step again."""
        verdict = self._machine.verdict
        if not verdict.is_external or not self._machine.era.gates:
            return False
        question = _("Is the verdict {type} reached now? y (yes), n (no), b (back) or q (quit): ").format(
            type=verdict.type
        )
        while True:
            word = _read_line(question)
            if word in _BACK:
                return _ASK_AGAIN
            if word is None or word in _QUIT:
                return NoAnswer("cancelled", _("The run was quit at {step}.").format(step=at))
            if word[:1].lower() in {"y", "n"}:
                return word[:1].lower() == "y"


def _check_answer(words: str, offers: list[Choice]) -> Answered:
    result, _blank, message = words.partition(" ")
    if any(choice.intent == result for choice in offers):
        return Answered({"result": result, "message": message.strip()})
    return Answered(None, (words,))


def _choice_text(choice: Choice) -> str:
    case = f" ({choice.pick.case})" if choice.pick.case is not None else ""
    if choice.refusal is not None:
        return f"{choice.intent}{case} – {choice.refusal}"
    if isinstance(choice.transition, RunError):
        return f"{choice.intent}{case} – {choice.transition.message}"
    if isinstance(choice.transition, Routed) and choice.transition.how == "check":
        return f"{choice.intent} → {_('its check')}"
    return f"{choice.intent}{case} → {choice.next_step or _('end')}"


def _read_line(question: str) -> str | None:
    """What is typed; None at the end of input."""
    try:
        return input(printable(question)).strip()
    except EOFError:
        print()
        return None

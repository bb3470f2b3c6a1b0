"""Answers a run by hand in the terminal: picks by number, JSON as it is typed."""

import json
from typing import TYPE_CHECKING

from stepflow_gui.lint.report.printable import printable
from stepflow_gui.messages import _
from stepflow_gui.run.choices import Choice, choices
from stepflow_gui.run.commands import Commands
from stepflow_gui.run.machine import Machine
from stepflow_gui.run.problem import RunError
from stepflow_gui.run.responders.manual import Refusal, answer_for
from stepflow_gui.run.responders.responder import NoAnswer
from stepflow_gui.run.state import Answered, ProgramEnded, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.validators.command_result import CommandResult

if TYPE_CHECKING:
    from stepflow_gui.run.host import Asked

_QUIT = frozenset({"q", "quit"})
_LONGEST = 12  # lines of a prompt that are shown


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
        return _("by hand")

    def answer(self, asked: "Asked", state: State) -> Answered | NoAnswer:
        """Show what can be said, and take what is picked."""
        at = asked.query.step
        print()
        print(printable(_("{number}. {step}").format(number=state.iteration, step=at)))
        for line in (asked.prompt.text or "").splitlines()[:_LONGEST]:
            print(printable(f"  │ {line}"))
        offered = choices(self._machine.flow, at, self._machine.era)
        for number, choice in enumerate(offered, 1):
            print(printable(f"  {number}) {_told(choice)}"))
        while True:
            word = _typed(_("a number, an answer in JSON, or q: "))
            if word is None or word in _QUIT:
                return NoAnswer("cancelled", _("The run was left at {step}.").format(step=at))
            said = self._said(at, word, offered)
            if not isinstance(said, Refusal):
                return said._replace(told=self._told(said))
            print(printable(said.message))

    def foretold(self, request: RunValidator, state: State) -> Validated | CommandResult | NoAnswer | None:
        """Ask whether a validator passes, if validators are to be asked."""
        if not self._ask_validators:
            return self._commands.foretold(request, state)
        print(printable(_("Validator {name}: {command}").format(name=request.validator, command=request.command)))
        while True:
            word = _typed(_("p it passes, f it fails, or q: "))
            if word is None or word in _QUIT:
                return NoAnswer("cancelled", _("The run was left at {step}.").format(step=state.step))
            if word in {"p", ""}:
                return Validated(passed=True)
            if word.startswith("f"):
                return Validated(passed=False, error=word[1:].strip() or _("failed as wished"))

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """As the commands have it."""
        return self._commands.program(request)

    def _said(self, at: str, word: str, offered: list[Choice]) -> Answered | Refusal:
        if word.isdigit() and 1 <= int(word) <= len(offered):
            choice = offered[int(word) - 1]
            answer = answer_for(self._machine.flow.steps[at], choice.pick, self._machine.era)
            return answer if isinstance(answer, Refusal) else Answered(answer)
        try:
            if not word.isdigit():
                return Answered(json.loads(word))
        except (ValueError, RecursionError):
            pass
        return Refusal(_("“{word}” is neither one of the numbers nor JSON.").format(word=word))

    def _told(self, _said: Answered) -> bool:
        """Whether what is outside, which the verdict looks at, holds now."""
        verdict = self._machine.verdict
        if not verdict.is_external:
            return False
        return (_typed(_("does the verdict {type} hold now? y or n: ").format(type=verdict.type)) or "n").startswith(
            "y"
        )


def _told(choice: Choice) -> str:
    case = f" ({choice.pick.case})" if choice.pick.case is not None else ""
    if choice.refusal is not None:
        return f"{choice.intent}{case} – {choice.refusal}"
    if isinstance(choice.way, RunError):
        return f"{choice.intent}{case} – {choice.way.message}"
    return f"{choice.intent}{case} → {choice.leads_to or _('end')}"


def _typed(question: str) -> str | None:
    """What is typed; None at the end of input."""
    try:
        return input(printable(question)).strip()
    except EOFError:
        print()
        return None

"""Answers a run from a script: steps, and as `Commands` the validators and programs that it speaks of."""

from collections.abc import Sequence

from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.messages import _
from stepflow_gui.run.effects import Commands, NoAnswer, ResponderQuery
from stepflow_gui.run.machine.picks import PickRefusal, answer_for
from stepflow_gui.run.machine.state import Answered, ProgramEnded, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.responders.script import ScriptAnswer, ScriptCheck, ScriptLine, ScriptOutput, ScriptValidated
from stepflow_gui.run.responders.script_turns import ScriptTurns, moment_of
from stepflow_gui.run.validators.command_result import CommandResult


class ScriptResponder:
    """Follows one run through a script; asked again for an earlier state, it goes back with it.

    It is the run's `Commands` as well: validators and programs without a line are left to `commands`. `file` is named
    in messages.
    """

    costs_money = False

    def __init__(
        self, lines: Sequence[ScriptLine], flow: Flow, era: Era, commands: Commands, file: str | None = None
    ) -> None:
        self._lines = lines
        self._flow = flow
        self._era = era
        self._commands = commands
        self._file = file
        self._turns = ScriptTurns(lines)
        self.exists = commands.exists
        self.command = commands.command

    @property
    def name(self) -> str:
        """What users call it."""
        return _("script")

    @property
    def unused(self) -> list[ScriptLine]:
        """The lines that were never taken."""
        return self._turns.unused

    def answer(self, _asked: "ResponderQuery | None", state: State) -> Answered | NoAnswer:
        """The answer of the line whose turn it is."""
        at = state.step
        assert at is not None
        if self._era.checks is not None:
            return self._of_check(state, at) if state.waits == "check" else self._ran(state, at)
        moment, name = moment_of(state), f"step {at}"
        self._turns.rewind(moment)

        def fits(line: ScriptLine) -> bool:
            return isinstance(line, ScriptAnswer) and line.step in {None, at}

        index = self._turns.find(name, fits, fits)
        if index is None:
            message = _("The script ends, but {step} waits for an answer. Add a line for it.")
            return self._no("ended", message.format(step=at))
        line = self._lines[index]
        if not isinstance(line, ScriptAnswer):
            return self._not_of_a_step(line, at)
        if line.step is not None and line.step != at:
            message = _("Line {line} of the script answers “{given}”, but {step} was asked.")
            return self._no("misfit", message.format(line=line.line, given=line.step, step=at))
        answered = self._answered(line, at)
        if isinstance(answered, Answered):
            self._turns.take(moment, name, index)
        return answered

    def _of_check(self, state: State, at: str) -> Answered | NoAnswer:
        moment, name = moment_of(state), f"check {at}"
        self._turns.rewind(moment)

        def fits(line: ScriptLine) -> bool:
            return isinstance(line, ScriptCheck) and line.step in {None, at}

        index = self._turns.find(name, fits, fits)
        if index is None:
            message = _("The script ends, but the check of {step} waits for an answer. Add a line for it.")
            return self._no("ended", message.format(step=at))
        line = self._lines[index]
        if isinstance(line, ScriptCheck) and fits(line):
            self._turns.take(moment, name, index)
            return Answered(line.answer, line.texts)
        if isinstance(line, ScriptCheck):
            message = _("Line {line} of the script answers the check of “{given}”, but {step} was asked.")
            return self._no("misfit", message.format(line=line.line, given=line.step, step=at))
        message = _("Line {line} of the script answers no check, but that of {step} waits for an answer.")
        return self._no("misfit", message.format(line=line.line, step=at))

    def _ran(self, state: State, at: str) -> Answered | NoAnswer:
        """The line's answer for the run of a step; without one it has run."""
        moment, name = moment_of(state), f"step {at}"
        self._turns.rewind(moment)

        def fits(line: ScriptLine) -> bool:
            return isinstance(line, ScriptAnswer) and line.pick is None and line.step in {None, at}

        index = self._turns.find(name, fits, fits)
        line = None if index is None else self._lines[index]
        if not isinstance(line, ScriptAnswer) or not fits(line):
            self._turns.take(moment, name, None)
            return Answered(None)
        self._turns.take(moment, name, index)
        return Answered(line.answer, line.texts, failed=line.failed)

    def preset_result(self, request: RunValidator, state: State) -> Validated | CommandResult | NoAnswer | None:
        """The result in the line whose turn it is; that of the commands, where no line is for the validator."""
        moment, name = moment_of(state), f"validator {request.validator}"
        self._turns.rewind(moment)
        index = self._turns.find(name, lambda line: self._is_of(line, request), lambda line: self._is_of(line, request))
        line = None if index is None else self._lines[index]
        if (
            isinstance(line, ScriptAnswer | ScriptCheck)
            or line is None
            or (isinstance(line, ScriptOutput) and not line.validator)
        ):
            self._turns.take(moment, name, None)
            return self._commands.preset_result(request, state)
        if not self._is_of(line, request):
            message = _("Line {line} of the script is about validator “{given}”, but “{validator}” runs.")
            message = message.format(line=line.line, given=line.validator, validator=request.validator)
            return self._no("misfit", message)
        self._turns.take(moment, name, index)
        if isinstance(line, ScriptOutput):
            return CommandResult(line.exit_code, line.stdout, line.stderr)
        return Validated(line.passed, line.error, line.params, line.recoverable)

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """The end of the program by the script's line; by the commands, where there is none."""
        moment, name = (request.iteration, "program", -1), f"step {request.step}"
        self._turns.rewind(moment)

        def fits(line: ScriptLine) -> bool:
            return isinstance(line, ScriptOutput) and not line.validator and line.step in {None, request.step}

        index = self._turns.find(name, fits, fits)
        line = None if index is None else self._lines[index]
        if not isinstance(line, ScriptOutput) or not fits(line):
            self._turns.take(moment, name, None)
            return self._commands.program(request)
        self._turns.take(moment, name, index)
        return ProgramEnded(line.exit_code, line.stdout)

    @staticmethod
    def _is_of(line: ScriptLine, request: RunValidator) -> bool:
        if isinstance(line, ScriptValidated):
            return line.validator in {None, request.validator}
        return isinstance(line, ScriptOutput) and line.validator == request.validator

    def _answered(self, line: ScriptAnswer, at: str) -> Answered | NoAnswer:
        result = Answered(line.answer, line.texts, line.verdict_reached, failed=line.failed)
        step = self._flow.steps.get(at)
        if line.pick is None or step is None:
            return result
        answer = answer_for(step, line.pick, self._era)
        if isinstance(answer, PickRefusal):
            message = _("Line {line} of the script: {reason}").format(line=line.line, reason=answer.message)
            return self._no("misfit", message)
        return result._replace(answer=answer)

    def _not_of_a_step(self, line: ScriptCheck | ScriptValidated | ScriptOutput, at: str) -> NoAnswer:
        if isinstance(line, ScriptOutput) and not line.validator:
            message = _("Line {line} of the script is about a program, but {step} waits for an answer.")
        elif isinstance(line, ScriptCheck):
            message = _("Line {line} of the script answers a check, but {step} has none.")
        else:
            message = _("Line {line} of the script is about a validator, but {step} waits for an answer.")
        return self._no("misfit", message.format(line=line.line, step=at))

    def _no(self, kind: str, message: str) -> NoAnswer:
        return NoAnswer(kind, f"{self._file}: {message}" if self._file else message)

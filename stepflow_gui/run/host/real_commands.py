"""Commands that are run on this machine, for folders that the user trusts."""

import threading
from pathlib import Path

from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.host.process import ProcessLimits, ProcessResult, run_program
from stepflow_gui.run.machine.state import ProgramEnded, RunProgram, RunValidator, State
from stepflow_gui.run.validators.command_result import CommandResult
from stepflow_gui.text.files.presence import exists


class RealCommands:
    """Runs commands in a folder, the run's working directory. `cancel` ends the one that runs, from any thread."""

    def __init__(self, folder: Path, limits: ProcessLimits | None = None) -> None:
        self._folder = folder
        self._limits = limits or ProcessLimits()
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """End the command that runs; the run stays where it is."""
        self._cancelled.set()

    def preset_result(self, _request: RunValidator, _state: State) -> None:
        """Nothing is known before."""

    def command(self, text: str) -> CommandResult | NoAnswer:
        """Run a shell command."""
        ended = self._run(["sh", "-c", text], self._limits)
        if isinstance(ended, NoAnswer):
            return ended
        if ended.why == "timeout":
            return self._overdue(text, self._limits)
        return CommandResult(ended.exit_code, ended.stdout, ended.stderr)

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return exists(self._folder / path)

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """Run the program of a closure step, as long as the registry lets it."""
        limits = self._limits._replace(seconds=request.program.timeout / 1000)
        ended = self._run([request.program.command, *request.args], limits)
        if isinstance(ended, NoAnswer):
            return ended
        if ended.why == "missing":
            message = _("“{program}” can't be started ({reason}).")
            return ProgramEnded(-1, failed=message.format(program=request.program.command, reason=ended.stderr))
        if ended.why == "timeout":
            message = _("“{program}” was ended after {seconds} s, its limit.")
            seconds = f"{limits.seconds:g}"
            return ProgramEnded(-1, failed=message.format(program=request.program.command, seconds=seconds))
        return ProgramEnded(ended.exit_code, ended.stdout)

    def _run(self, arguments: list[str], limits: ProcessLimits) -> ProcessResult | NoAnswer:
        self._cancelled.clear()
        ended = run_program(arguments, self._folder, limits, self._cancelled)
        if ended.why == "cancelled":
            return NoAnswer("cancelled", _("The command was cancelled. Run it again, or step back."), retryable=True)
        return ended

    @staticmethod
    def _overdue(text: str, limits: ProcessLimits) -> NoAnswer:
        message = _(
            "“{command}” was ended after {seconds} s. Run it again with more time, enter the result yourself, or "
            "step back."
        )
        return NoAnswer("timeout", message.format(command=text, seconds=f"{limits.seconds:g}"), retryable=True)

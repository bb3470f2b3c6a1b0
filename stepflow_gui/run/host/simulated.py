"""Commands that are not run: every validator passes, but for those that are to fail."""

from collections.abc import Mapping

from stepflow_gui.run.machine.state import ProgramEnded, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.validators.command_result import CommandResult


class Simulated:
    """Touches nothing. `failing`: validators that fail, with the text that they are to have written."""

    def __init__(self, failing: Mapping[str, str] | None = None) -> None:
        self._failing = failing or {}

    def preset_result(self, request: RunValidator, _state: State) -> Validated:
        """Passes or fails as configured."""
        error = self._failing.get(request.validator)
        return Validated(passed=True) if error is None else Validated(passed=False, error=error)

    def command(self, _text: str) -> CommandResult:
        """A command that wrote nothing and succeeded."""
        return CommandResult()

    def exists(self, _path: str) -> bool:
        """Every file is taken to be there."""
        return True

    def program(self, _request: RunProgram) -> ProgramEnded:
        """A program that wrote nothing and succeeded."""
        return ProgramEnded(0)

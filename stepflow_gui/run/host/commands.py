"""What a run does on the machine it runs on: the commands of validators, and programs in place of a closure's query."""

from typing import Protocol

from stepflow_gui.run.machine.state import ProgramEnded, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.responders.responder import NoAnswer
from stepflow_gui.run.validators.command_result import CommandResult


class Commands(Protocol):
    """Carries commands out, simulates them, or refuses to. A `NoAnswer` leaves the run where it is."""

    def foretold(self, request: RunValidator, state: State) -> Validated | CommandResult | NoAnswer | None:
        """How a validator goes without being run; a `CommandResult` is judged as if it had been. None: run it."""

    def command(self, text: str) -> CommandResult | NoAnswer:
        """What a shell command leaves, run by `sh -c` in the working directory."""

    def exists(self, path: str) -> bool | NoAnswer:
        """Whether a file is there, from the working directory."""

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """How a closure step's program ended."""

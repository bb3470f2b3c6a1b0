"""What a run asks of the outside, and from which part: the protocols between its host, responders and commands.

A responder answers the steps: a person, a script, a trace or a model. It is synchronous and knows nothing of a window.
One that has no answer returns a `NoAnswer`, which isn't an event: the run stays where it is, can be stepped back, and
can go on with the same responder or with another. Commands run, simulate or refuse what validators and closures start.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from stepflow_gui.run.machine.state import Answered, ProgramEnded, Query, RunProgram, RunValidator, State, Validated
from stepflow_gui.run.prompts.prompt_result import PromptResult
from stepflow_gui.run.validators.command_result import CommandResult

BY_HAND = "by_hand"  # the kind of a NoAnswer that isn't worth a word: the person is to answer


class ResponderQuery(NamedTuple):
    """A query as it goes to whoever answers. `schema`: what the answer must follow; None where there is none."""

    query: Query
    prompt: PromptResult
    schema: Mapping[str, Any] | None
    model: str
    permission_mode: str


class NoAnswer(NamedTuple):
    """Why a step has no answer, or a validator no result.

    `kind`: "ended" (nothing is left to answer with), "misfit" (what there is doesn't fit the run), "cancelled",
    "refused", "no_key", "network", "untrusted" and the like. `message` describes the problem and what to do about it.
    `retryable`: asking once more may help.
    """

    kind: str
    message: str
    retryable: bool = False


@runtime_checkable
class Responder(Protocol):
    """Answers steps. `name` is shown to users; `costs_money`: each answer is paid for."""

    @property
    def name(self) -> str:
        """What users call it."""

    @property
    def costs_money(self) -> bool:
        """Whether its answers are paid for, so a user is asked before a run."""

    def answer(self, asked: ResponderQuery, state: State) -> Answered | NoAnswer:
        """The answer to a step that is asked in this state. May block; may be asked again for the same state."""


@runtime_checkable
class Cancellable(Protocol):
    """A responder whose answer can be cancelled."""

    def cancel(self) -> None:
        """Call off the answer that is waited for, from any thread: it returns a `NoAnswer` of kind "cancelled"."""


class Commands(Protocol):
    """Carries commands out, simulates them, or refuses to. A `NoAnswer` leaves the run where it is."""

    def preset_result(self, request: RunValidator, state: State) -> Validated | CommandResult | NoAnswer | None:
        """How a validator goes without being run; a `CommandResult` is judged as if it had been. None: run it."""

    def command(self, text: str) -> CommandResult | NoAnswer:
        """What a shell command leaves, run by `sh -c` in the working directory."""

    def exists(self, path: str) -> bool | NoAnswer:
        """Whether a file is there, from the working directory."""

    def program(self, request: RunProgram) -> ProgramEnded | NoAnswer:
        """How a closure step's program ended."""


class Effects(Protocol):
    """The effects of a run outside it: carried out, simulated, or scripted."""

    def answer(self, asked: ResponderQuery) -> Answered:
        """The answer to a step."""

    def command(self, command: str) -> CommandResult:
        """What a validator's shell command leaves."""

    def exists(self, path: str) -> bool:
        """Whether a file is there, from the working directory."""

    def program(self, request: RunProgram) -> ProgramEnded:
        """How a closure step's program ended."""

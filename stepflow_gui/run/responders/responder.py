"""Who answers the steps of a run: the protocol that a person, a script, a trace and a model have in common.

A responder is synchronous and knows nothing of a window. One that has no answer says so with a `NoAnswer`, which is no
event: the run stays where it is, can be stepped back, and can go on with the same responder or with another.
"""

from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from stepflow_gui.run.machine.state import Answered, State

if TYPE_CHECKING:
    from stepflow_gui.run.host.host import ResponderQuery

BY_HAND = "by_hand"  # the kind of a NoAnswer that isn't worth a word: the person is to answer


class NoAnswer(NamedTuple):
    """Why a step has no answer, or a validator no result.

    `kind`: "ended" (nothing is left to answer with), "misfit" (what there is doesn't fit the run), "cancelled",
    "refused", "no_key", "network", "untrusted" and the like. `message` says in words what is wrong and what to do.
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
        """Whether its answers are paid for, so that a user is asked before a run."""

    def answer(self, asked: "ResponderQuery", state: State) -> Answered | NoAnswer:
        """The answer to a step that is asked in this state. May block; may be asked again for the same state."""


@runtime_checkable
class Cancellable(Protocol):
    """A responder whose answer can be called off."""

    def cancel(self) -> None:
        """Call off the answer that is waited for, from any thread: it returns a `NoAnswer` of kind "cancelled"."""

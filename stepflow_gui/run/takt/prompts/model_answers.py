"""A model of Anthropic as a piece's agents and judges: prompts as they are put together, no tools, nothing written.

Each session of the piece is a conversation of its own; a refreshed one starts over. Conductors and the AI judge are
asked apart from those.
"""

from collections.abc import Iterable
from typing import NamedTuple

from stepflow_gui.run.effects import BY_HAND, NoAnswer
from stepflow_gui.run.host.permissions import DEFAULT_MODEL
from stepflow_gui.run.machine.answer_text import answer_in
from stepflow_gui.run.responders.anthropic_asking import Listener, ModelClient
from stepflow_gui.run.responders.anthropic_costs import Spent
from stepflow_gui.run.responders.anthropic_failures import unusable
from stepflow_gui.run.responders.anthropic_job import ModelQuery
from stepflow_gui.run.responders.anthropic_key import Key
from stepflow_gui.run.responders.anthropic_progress import Exchanged
from stepflow_gui.run.responders.anthropic_reply import answer_of
from stepflow_gui.run.responders.anthropic_request import Exchange
from stepflow_gui.run.responders.anthropic_responder import over_budget
from stepflow_gui.run.responders.anthropic_settings import ModelSettings
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece, called_steps, everyone
from stepflow_gui.run.takt.machine.state import Entered, Event, Extended, JudgeReply, PieceState, Replied, UserInput
from stepflow_gui.run.takt.machine.tags import judge_index
from stepflow_gui.run.takt.prompts.prompt_builder import compose

Session = tuple[str, int]
_IN_SESSION = frozenset({"agent", "report", "consult"})


class _Turn(NamedTuple):
    """A turn of a conversation, and the event that it became."""

    session: Session
    turn: Exchange
    event: Event


class ModelAnswers:
    """Answers by a model. Without a `person` no one is asked, and no further iterations are granted.

    `max_cost`: US dollars after which nothing more is asked; `key` None: the environment's or the keyring's. `apart`:
    ask in a process of its own, so a window never blocks. Questions can be cancelled by `cancel`.
    """

    def __init__(
        self,
        settings: ModelSettings,
        listener: Listener,
        *,
        max_cost: float | None = None,
        key: Key | None = None,
        apart: bool = False,
        person: bool = False,
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._max_cost = max_cost
        self._asking = ModelClient(settings, listener, key=key, apart=apart)
        self._person = person
        self._turns: list[_Turn] = []
        self.spent = Spent()

    def cancel(self) -> None:
        """Call off the answer that is waited for, from any thread."""
        self._asking.cancel()

    def go_on_from(self, happened: Iterable[Event | None]) -> None:
        """Forget the answers in events that the run has undone."""
        kept = {id(event) for event in happened}
        self._turns = [turn_of for turn_of in self._turns if id(turn_of.event) in kept]

    def next_event(self, machine: PieceMachine, state: PieceState) -> Event | NoAnswer:
        """The next event in a state that isn't the end; the reason why there is none, where a model gave no answer."""
        if state.waits != "calls" and self._person:
            return NoAnswer(BY_HAND, "", retryable=True)
        if state.waits == "input":
            return UserInput(None, possible=False)
        if state.waits == "limit":
            return Extended(0)
        call = machine.calls(state)[0]
        if machine.callee(state, call.task) is not None:
            return Entered(call.task)
        movement = machine.asked_of(state, call)
        session = movement.session_key, state.sessions.get(movement.session_key, 0)
        prompt = compose(machine, state, call)
        finding = ModelQuery(
            step=call.task,
            model=model_of(self._settings, movement.model),
            prompt=prompt.text,
            system=prompt.system,
            talk=tuple(turn_of.turn for turn_of in self._turns if turn_of.session == session)
            if call.kind in _IN_SESSION
            else (),
            schema=None,
        )
        text = self._asked(finding, state)
        if isinstance(text, NoAnswer):
            return text
        event: Event = Replied(call.task, text)
        if call.kind == "judge":
            event = JudgeReply(call.task, judge_index(text))
        elif call.kind == "agent" and movement.structured is not None:
            event = Replied(call.task, text, structured=answer_in(text))
        if call.kind in _IN_SESSION:
            self._turns.append(_Turn(session, Exchange(finding.prompt, text), event))
        return event

    def _asked(self, finding: ModelQuery, state: PieceState) -> str | NoAnswer:
        refused = over_budget(self._settings, finding.model, self.spent, self._max_cost)
        if refused is not None:
            return refused
        done = self._asking.ask(finding)
        if isinstance(done, NoAnswer):
            return done
        reply, mode = done
        cost = self._settings.cost(finding.model, reply.usage)
        self.spent = self.spent.plus(reply.usage, cost)
        self._listener(Exchanged(finding.step, state.iteration, finding.model, mode, reply.usage, cost, ()))
        broken = unusable(reply, finding.model, self._settings.max_tokens)
        return answer_of(reply, mode).full_text if broken is None else broken


def model_of(settings: ModelSettings, named: str | None) -> str:
    """The id of the model that a movement asks for; the usual one where it asks for none."""
    return settings.model_of(named or DEFAULT_MODEL)


def models_of(settings: ModelSettings, piece: Piece) -> list[str]:
    """The models that a piece may ask, each once."""
    movements = [*everyone(piece), *(step for _name, step in called_steps(piece))]
    return list(dict.fromkeys(model_of(settings, movement.model) for movement in movements))

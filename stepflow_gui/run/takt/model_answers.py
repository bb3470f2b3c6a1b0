"""A model of Anthropic as a piece's agents and judges: prompts as they are put together, no tools, nothing written.

Each session of the piece is a conversation of its own; a refreshed one begins anew. Conductors and the AI judge are
asked apart from those.
"""

from collections.abc import Callable

from stepflow_gui.run.permissions import DEFAULT_MODEL
from stepflow_gui.run.responders.anthropic_costs import Spent
from stepflow_gui.run.responders.anthropic_failures import unusable
from stepflow_gui.run.responders.anthropic_job import Finding, Job, ask
from stepflow_gui.run.responders.anthropic_key import Key, find_key
from stepflow_gui.run.responders.anthropic_progress import Exchanged, Progress
from stepflow_gui.run.responders.anthropic_reply import answer_of
from stepflow_gui.run.responders.anthropic_request import Turn
from stepflow_gui.run.responders.anthropic_responder import over_budget
from stepflow_gui.run.responders.anthropic_settings import Settings
from stepflow_gui.run.responders.responder import NoAnswer
from stepflow_gui.run.takt.machine import PieceMachine
from stepflow_gui.run.takt.piece import Piece
from stepflow_gui.run.takt.prompting import compose
from stepflow_gui.run.takt.state import Call, Event, Extended, Input, Judged, Replied, State
from stepflow_gui.run.takt.tags import judge_index

Session = tuple[str, int]
_IN_SESSION = frozenset({"agent", "report", "consult"})


class ModelAnswers:
    """Who answers by a model; the person is never there, and no further iterations are granted.

    `max_cost`: US dollars after which nothing more is asked; `key` None: the environment's or the keyring's.
    """

    def __init__(
        self,
        settings: Settings,
        listener: Callable[[Progress], None],
        *,
        max_cost: float | None = None,
        key: Key | None = None,
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._max_cost = max_cost
        self._key = key
        self._talks: dict[Session, list[Turn]] = {}
        self.spent = Spent()

    def next_event(self, machine: PieceMachine, state: State) -> Event | NoAnswer:
        """What comes next in a state that isn't the end; why nobody can say, where a model gave no answer."""
        if state.waits == "input":
            return Input(None, possible=False)
        if state.waits == "limit":
            return Extended(0)
        call = machine.calls(state)[0]
        text = self._asked(machine, state, call)
        if isinstance(text, NoAnswer):
            return text
        return Judged(call.task, judge_index(text)) if call.kind == "judge" else Replied(call.task, text)

    def _asked(self, machine: PieceMachine, state: State, call: Call) -> str | NoAnswer:
        movement = machine.asked_of(state, call)
        model = model_of(self._settings, movement.model)
        refused = over_budget(self._settings, model, self.spent, self._max_cost)
        if refused is not None:
            return refused
        prompt = compose(machine, state, call)
        key = movement.session_key, state.sessions.get(movement.session_key, 0)
        talk = self._talks.setdefault(key, []) if call.kind in _IN_SESSION else []
        finding = Finding(
            step=call.task, model=model, prompt=prompt.text, system=prompt.system, talk=tuple(talk), schema=None
        )
        job = Job(self._listener)
        done = job.run(lambda: ask(job, finding, self._settings, True, self._key or find_key()))
        if isinstance(done, NoAnswer):
            return done
        reply, way = done
        cost = self._settings.cost(model, reply.usage)
        self.spent = self.spent.plus(reply.usage, cost)
        self._listener(Exchanged(call.task, state.iteration, model, way, reply.usage, cost, ()))
        broken = unusable(reply, model, self._settings.max_tokens)
        if broken is not None:
            return broken
        said = answer_of(reply, way).said
        talk.append(Turn(finding.prompt, said))
        return said


def model_of(settings: Settings, named: str | None) -> str:
    """The id of the model that a movement asks for; the usual one where it asks for none."""
    return settings.model_of(named or DEFAULT_MODEL)


def models_of(settings: Settings, piece: Piece) -> list[str]:
    """The models that a piece may ask, each once."""
    movements = [each for movement in piece.movements.values() for each in (movement, *movement.subs)]
    movements += [monitor.judge for monitor in piece.monitors]
    return list(dict.fromkeys(model_of(settings, movement.model) for movement in movements))

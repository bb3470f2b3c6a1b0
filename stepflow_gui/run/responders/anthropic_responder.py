"""Answers by a model at the Messages API: a person's key and settings, the step's prompts, no tools but the answer.

An answer that breaks the step's schema goes into the run anyway, with its errors shown: upstream's runner never
checks what it is given either, its gate judges (runtime-semantics 4 and 5). A refusal, an answer that was cut off and a
failed connection are not answers: the run stays where it is.
"""

import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer, ResponderQuery
from stepflow_gui.run.machine.answer_text import answer_in
from stepflow_gui.run.machine.state import Answered, State
from stepflow_gui.run.responders.anthropic_asking import Listener, ModelClient
from stepflow_gui.run.responders.anthropic_costs import Spent
from stepflow_gui.run.responders.anthropic_failures import unusable
from stepflow_gui.run.responders.anthropic_job import ModelQuery
from stepflow_gui.run.responders.anthropic_key import Key
from stepflow_gui.run.responders.anthropic_progress import Exchanged, Progress
from stepflow_gui.run.responders.anthropic_reply import ModelReplyAnswer, answer_of
from stepflow_gui.run.responders.anthropic_request import Exchange
from stepflow_gui.run.responders.anthropic_settings import ModelSettings
from stepflow_gui.run.schema_errors import breaches


class _Talk(NamedTuple):
    """A turn of a conversation, and the session that it went on from."""

    before: str | None
    turn: Exchange


class AnthropicResponder:
    """Asks a model. `listener` is notified of the progress, on a thread of its own.

    `max_cost`: US dollars after which nothing more is asked. `key` None: the environment's or the keyring's, looked up
    at each answer. A run that was stepped back goes on with the conversation as it was there. `apart`: ask in a process
    of its own, so a window is never held up.
    """

    costs_money = True

    def __init__(
        self,
        settings: ModelSettings,
        *,
        system: str | None = None,
        key: Key | None = None,
        listener: Listener | None = None,
        stream: bool = True,
        max_cost: float | None = None,
        apart: bool = False,
    ) -> None:
        self._settings = settings
        self._system = system
        self._listener = listener or _unheard
        self._asking = ModelClient(settings, self._listener, key=key, stream=stream, apart=apart)
        self._max_cost = max_cost
        self._talks: dict[str, _Talk] = {}
        self._spent = Spent()
        self._last: Exchanged | None = None

    @property
    def name(self) -> str:
        """What users call it."""
        return _("Anthropic")

    @property
    def spent(self) -> Spent:
        """What all answers so far took."""
        return self._spent

    @property
    def last(self) -> Exchanged | None:
        """The latest answer: its model, tokens, cost, and where it breaks the schema."""
        return self._last

    def cancel(self) -> None:
        """Call off the answer that is waited for, from any thread: it returns at once."""
        self._asking.cancel()

    def answer(self, asked: ResponderQuery, state: State) -> Answered | NoAnswer:
        """Ask the model and wait for its answer."""
        model = self._settings.model_of(asked.model)
        refused = self._refused(asked, model)
        if refused is not None:
            return refused
        assert asked.prompt.text is not None
        finding = ModelQuery(
            step=asked.query.step,
            model=model,
            prompt=asked.prompt.text,
            system=self._system,
            talk=self._talk(state),
            schema=asked.schema,
        )
        done = self._asking.ask(finding)
        if isinstance(done, NoAnswer):
            return done
        reply, mode = done
        answer = answer_of(reply, mode)
        cost = self._settings.cost(model, reply.usage)
        self._spent = self._spent.plus(reply.usage, cost)
        broken = unusable(reply, model, self._settings.max_tokens)
        exchanged = Exchanged(
            asked.query.step,
            asked.query.iteration,
            model,
            mode,
            reply.usage,
            cost,
            () if broken else _broken(asked.schema, answer),
        )
        self._last = exchanged
        self._listener(exchanged)
        if broken is not None:
            return broken
        session = self._kept(state, Exchange(finding.prompt, answer.full_text))
        return Answered(answer.value, answer.texts, session=session)

    def _refused(self, asked: ResponderQuery, model: str) -> NoAnswer | None:
        if not (asked.prompt.text or "").strip():
            message = _("A model can't be asked for {step}: {reason}. Fix that, or answer it yourself.")
            return NoAnswer("no_prompt", message.format(step=asked.query.step, reason=_why_no_prompt(asked)))
        return over_budget(self._settings, model, self._spent, self._max_cost)

    def _talk(self, state: State) -> tuple[Exchange, ...]:
        """The conversation that a state goes on from, oldest first; none where it was another responder's."""
        if self._settings.conversation == "fresh":
            return ()
        turns: list[Exchange] = []
        at = state.memory.session
        while at is not None and (talk := self._talks.get(at)) is not None:
            turns.append(talk.turn)
            at = talk.before
        return tuple(reversed(turns))

    def _kept(self, state: State, turn: Exchange) -> str | None:
        if not turn.answered:
            return state.memory.session
        session = uuid.uuid4().hex
        self._talks[session] = _Talk(state.memory.session, turn)
        return session


def over_budget(settings: ModelSettings, model: str, spent: Spent, max_cost: float | None) -> NoAnswer | None:
    """Why a model isn't asked any more: the limit is reached, or can't be kept; None where it may be."""
    if max_cost is None:
        return None
    if settings.known(model).price is None or spent.cost is None:
        message = _("The price of {model} is unknown, so no limit of cost can be kept. Add it to anthropic.toml.")
        return NoAnswer("no_price", message.format(model=model))
    if spent.cost >= max_cost:
        message = _("The answers so far have cost ${cost:.4f}; the limit is ${limit:.4f}.")
        return NoAnswer("budget", message.format(cost=spent.cost, limit=max_cost))
    return None


def _why_no_prompt(asked: ResponderQuery) -> str:
    """Why the prompt couldn't be made: the first reason other than a missing file, if there is one."""
    missing = _("no such file")
    reasons = [tried.why for tried in asked.prompt.tried if tried.why]
    if asked.prompt.text is not None or not reasons:
        return _("its prompt is empty") if asked.prompt.text is not None else _("it has no prompt")
    unreadable = next((reason for reason in reasons if reason != missing), None)
    return unreadable or _("it has no prompt file")


def _broken(schema: Mapping[str, Any] | None, answer: ModelReplyAnswer) -> tuple[Any, ...]:
    """Where the answer that the run will read breaks its schema; what isn't structured is looked for in the text."""
    if schema is None:
        return ()
    value = answer.value
    if value is None and answer.texts:
        value = answer_in(answer.texts[-1])
    return () if value is None else breaches(schema, value)


def _unheard(_progress: Progress) -> None:
    """Ignore the progress."""

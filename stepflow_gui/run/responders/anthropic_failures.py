"""What went wrong with a request to the Messages API, in words, and whether trying again may help."""

import email.utils
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.responders.anthropic_reply import Reply

RATE_LIMIT = "rate_limit"
_LONGEST_WAIT = 60.0  # seconds that a run waits by itself (runtime-semantics 4)
_TOO_LONG = 300.0  # seconds: when the server asks for more, a person decides
_TRANSPORT = ("httpx", "httpcore", "h11", "h2", "anyio")  # whose errors come through where a stream breaks off


class RequestFailure(NamedTuple):
    """Why an attempt failed. `again`: the next may succeed, after `wait` seconds where the server names them."""

    kind: str
    message: str
    again: bool = False
    wait: float | None = None
    refusal: str = ""  # the API's own words for a request that it can't take

    @property
    def no_answer(self) -> NoAnswer:
        """The result for the run where nothing more is tried."""
        return NoAnswer(self.kind, self.message, retryable=self.again)


def failure_of(problem: Exception, model: str) -> RequestFailure:
    """What an exception of the library means. The API's words may be quoted in it: hide the key in what is shown."""
    status = getattr(problem, "status_code", None)
    if isinstance(status, int):
        return _refused(problem, status, model)
    name = type(problem).__name__
    if "Timeout" in name:
        return RequestFailure("timeout", _("The Messages API didn't answer in time. Try again."), again=True)
    connection = name == "APIConnectionError" or type(problem).__module__.startswith(_TRANSPORT)
    if connection or isinstance(problem, OSError):
        message = _("The connection to the Messages API failed. Look at your network, then ask again.")
        return RequestFailure("network", message, again=True)
    message = _("The answer of the Messages API can't be read ({reason}).").format(reason=name)
    return RequestFailure("unreadable", message, again=isinstance(problem, ValueError))


def broken_off() -> RequestFailure:
    """The stream ended in the middle of a reply."""
    return RequestFailure(
        "network", _("The server closed the connection before the answer was complete. Ask again."), again=True
    )


def pause_before(attempt: int, failure: RequestFailure, pace: float = 1.0) -> float | None:
    """Seconds to wait after a failed attempt, from 1; None where it would be so long that a person should decide.

    The server's own wish first; else 5 s doubled each time at a rate limit, as upstream waits, and 1 s doubled
    at other failures, both times `pace`.
    """
    if failure.wait is not None:
        return None if failure.wait > _TOO_LONG else max(failure.wait, 0.0)
    first = 5.0 if failure.kind == RATE_LIMIT else 1.0
    return float(min(first * 2 ** (attempt - 1), _LONGEST_WAIT)) * pace


def unusable(reply: Reply, model: str, max_tokens: int) -> NoAnswer | None:
    """Why a reply is not an answer: refused, or cut off; None for one that may be read."""
    if reply.stop == "refusal":
        if reply.why:
            message = _("The model refuses to answer: {reason} Change the prompt, or answer yourself.")
            return NoAnswer("refused", message.format(reason=reply.why))
        return NoAnswer("refused", _("The model refuses to answer. Change the prompt, or answer yourself."))
    if reply.stop == "max_tokens":
        message = _(
            "The answer was cut off after {count} tokens. Set max_tokens higher in anthropic.toml, or ask again."
        )
        return NoAnswer("max_tokens", message.format(count=max_tokens), retryable=True)
    if reply.stop == "model_context_window_exceeded":
        message = _("The conversation is longer than {model} can read. Set conversation to “fresh” in anthropic.toml.")
        return NoAnswer("context", message.format(model=model))
    return None


def _refused(problem: Any, status: int, model: str) -> RequestFailure:
    words = _words(problem)
    headers = problem.response.headers if hasattr(problem, "response") else {}
    type_ = _field(problem, "type") or ""
    if status == 429 or type_ == "rate_limit_error":
        message = _("The Messages API accepts no more requests for now (rate limit).")
        return RequestFailure(RATE_LIMIT, message, _may_retry(headers), _retry_after(headers))
    if status in {408, 409} or status >= 500 or type_ in {"overloaded_error", "api_error", "timeout_error"}:
        overloaded = status == 529 or type_ == "overloaded_error"
        message = (
            _("The Messages API is overloaded. Try again later.")
            if overloaded
            else _("The Messages API reports a server error ({status}). Try again later.").format(status=status)
        )
        return RequestFailure(
            "overloaded" if overloaded else "server", message, _may_retry(headers), _retry_after(headers)
        )
    if status in _KINDS:
        return RequestFailure(_KINDS[status], _in_words(status, model, words))
    message = _("The Messages API rejected the request: “{reason}”").format(reason=words or status)
    return RequestFailure("bad_request", message, refusal=words)


_KINDS = {401: "bad_key", 402: "no_credit", 403: "forbidden", 404: "no_model", 413: "too_large"}


def _in_words(status: int, model: str, words: str) -> str:
    match status:
        case 401:
            return _("The API key was rejected. Correct it in the environment or the keyring.")
        case 402:
            return _("The account of the key has no credit: “{reason}”").format(reason=words)
        case 403:
            return _("The key may not do this: “{reason}”").format(reason=words)
        case 404:
            return _("The Messages API has no model “{model}”. Correct it in anthropic.toml.").format(model=model)
    return _("The prompts are longer than the Messages API takes.")


def _words(problem: Any) -> str:
    words = _field(problem, "message")
    return words if words is not None else ""


def _field(problem: Any, name: str) -> str | None:
    body = getattr(problem, "body", None)
    error = body.get("error") if isinstance(body, Mapping) else None
    value = error.get(name) if isinstance(error, Mapping) else None
    return value if isinstance(value, str) else None


def _may_retry(headers: Mapping[str, str]) -> bool:
    return headers.get("x-should-retry") != "false"


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from the header in any of its forms."""
    given = headers.get("retry-after")
    if given is None:
        return None
    try:
        seconds = float(given)
    except ValueError:
        when = email.utils.parsedate_tz(given)
        return None if when is None else max(email.utils.mktime_tz(when) - time.time(), 0.0)
    return seconds if 0 <= seconds < float("inf") else None

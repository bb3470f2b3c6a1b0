"""What goes wrong: it is reported, tried again where that may help, can be cancelled, and never shows the key."""

import logging
import pickle
import threading
import time
from typing import Any

import pytest

from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.responders.anthropic_key import Key
from stepflow_gui.run.responders.anthropic_progress import AttemptStarted, Delta, Exchanged, Waiting
from stepflow_gui.run.responders.anthropic_settings import ModelSettings
from tests.run.anthropic.asking import GOOD, NOWHERE, SECRET, Heard, asked, responder
from tests.run.anthropic.messages_api import Api, answers, drops, errs_in_stream, fails, hangs, says

streams = pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
SOON = 0.2  # seconds in which a cancelled answer returns


def refused(given: Answered | NoAnswer) -> NoAnswer:
    assert isinstance(given, NoAnswer)
    assert given.message.endswith((".", "”"))
    return given


@streams
def test_a_refusal(api: Api, stream: bool) -> None:
    details = {"stop_details": {"type": "refusal", "category": None, "explanation": "That is harmful."}}
    api.replies = [says("", stop="refusal", **details)]
    model = responder(api, stream=stream)
    given = refused(model.answer(asked(), NOWHERE))
    assert given.kind == "refused"
    assert not given.retryable
    assert "That is harmful." in given.message
    assert model.spent.usage.input == 1000, "it is paid for"


@streams
def test_an_answer_that_is_cut_off(api: Api, stream: bool) -> None:
    api.replies = [says('{"stepId": "ini', stop="max_tokens")]
    given = refused(responder(api, stream=stream, max_tokens=7).answer(asked(), NOWHERE))
    assert given.kind == "max_tokens"
    assert given.retryable
    assert "7 tokens" in given.message
    assert api.requests[0]["max_tokens"] == 7


@streams
def test_a_rate_limit_waits_as_long_as_the_server_demands(api: Api, stream: bool) -> None:
    api.replies = [fails(429, "rate_limit_error", retry_after="0.3"), answers(GOOD)]
    heard = Heard()
    assert isinstance(responder(api, heard, stream=stream).answer(asked(), NOWHERE), Answered)
    assert api.times[1] - api.times[0] >= 0.3
    waiting: Waiting = heard.of(Waiting)[0]
    assert waiting.seconds == 0.3
    assert "rate limit" in waiting.message
    assert "Attempt 2 of 5" in waiting.message


def test_a_rate_limit_that_lasts_too_long_is_left_to_the_person(api: Api) -> None:
    api.replies = [fails(429, "rate_limit_error", retry_after="3600")]
    given = refused(responder(api).answer(asked(), NOWHERE))
    assert (given.kind, given.retryable) == ("rate_limit", True)
    assert "60 minutes" in given.message
    assert len(api.requests) == 1


def test_without_a_wish_of_the_server_a_rate_limit_waits_as_upstream_does(api: Api) -> None:
    api.replies = [fails(429, "rate_limit_error")]
    heard = Heard()
    given = refused(responder(api, heard).answer(asked(), NOWHERE))
    assert [each.seconds for each in heard.of(Waiting)] == [0.05, 0.1, 0.2, 0.4]  # hundredths of 5, 10, 20, 40 s
    assert "5 attempts" in given.message


@streams
@pytest.mark.parametrize("status", [500, 529])
def test_an_error_of_the_server_is_tried_again(api: Api, stream: bool, status: int) -> None:
    api.replies = [fails(status, "api_error"), fails(status, "api_error"), answers(GOOD)]
    given = responder(api, stream=stream).answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert len(api.requests) == 3


def test_an_error_of_the_server_that_stays_is_reported(api: Api) -> None:
    api.replies = [fails(500, "api_error")]
    given = refused(responder(api, attempts=2).answer(asked(), NOWHERE))
    assert (given.kind, given.retryable) == ("server", True)
    assert "2 attempts" in given.message


def test_the_server_may_forbid_another_attempt(api: Api) -> None:
    api.replies = [fails(500, "api_error", x_should_retry="false")]
    refused(responder(api).answer(asked(), NOWHERE))
    assert len(api.requests) == 1


def test_an_overload_in_the_middle_of_a_stream_is_tried_again(api: Api) -> None:
    api.replies = [errs_in_stream, answers(GOOD)]
    assert isinstance(responder(api).answer(asked(), NOWHERE), Answered)


@streams
def test_a_dropped_connection_is_tried_again_from_the_beginning(api: Api, stream: bool) -> None:
    api.replies = [drops, answers(GOOD)]
    heard = Heard()
    given = responder(api, heard, stream=stream).answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer == GOOD
    begins = [at for at, each in enumerate(heard) if isinstance(each, AttemptStarted)]
    assert len(begins) == 2, "so that the window clears what came before"
    assert "".join(each.text for each in heard[begins[1] :] if isinstance(each, Delta)).startswith('{"stepId"')


def test_no_network(api: Api) -> None:
    url = api.url
    api.shutdown()
    api.server_close()
    given = refused(responder(api, attempts=2, base_url=url).answer(asked(), NOWHERE))
    assert (given.kind, given.retryable) == ("network", True)


@pytest.mark.parametrize(
    ("status", "type_", "kind"),
    [
        (401, "authentication_error", "bad_key"),
        (402, "billing_error", "no_credit"),
        (403, "permission_error", "forbidden"),
        (404, "not_found_error", "no_model"),
        (413, "request_too_large", "too_large"),
        (400, "invalid_request_error", "bad_request"),
    ],
)
def test_what_another_attempt_cant_help_is_reported_at_once(api: Api, status: int, type_: str, kind: str) -> None:
    api.replies = [fails(status, type_, "words of the server")]
    given = refused(responder(api).answer(asked(), NOWHERE))
    assert (given.kind, given.retryable) == (kind, False)
    assert len(api.requests) == 1


@streams
def test_a_slow_answer_is_cancelled_at_once(api: Api, stream: bool) -> None:
    api.replies = [hangs, answers(GOOD)]
    model = responder(api, stream=stream)
    given: list[Any] = []
    asking = threading.Thread(target=lambda: given.append(model.answer(asked(), NOWHERE)))
    asking.start()
    while not api.requests:
        time.sleep(0.01)
    time.sleep(0.05)
    began = time.perf_counter()
    model.cancel()
    asking.join(5)
    assert time.perf_counter() - began < SOON
    assert refused(given[0]).kind == "cancelled"
    assert given[0].retryable
    assert isinstance(model.answer(asked(), NOWHERE), Answered), "it can be asked again"


def test_a_wait_between_attempts_is_cancelled_at_once(api: Api) -> None:
    api.replies = [fails(429, "rate_limit_error", retry_after="60")]
    heard = Heard()
    model = responder(api, heard)
    threading.Timer(0.3, model.cancel).start()
    began = time.perf_counter()
    assert refused(model.answer(asked(), NOWHERE)).kind == "cancelled"
    assert time.perf_counter() - began < 30
    told = len(heard)
    time.sleep(0.05)
    assert len(heard) == told


def test_nothing_to_cancel_is_fine(api: Api) -> None:
    api.replies = [answers(GOOD)]
    model = responder(api)
    model.cancel()
    assert isinstance(model.answer(asked(), NOWHERE), Answered)
    model.cancel()


def test_a_server_that_never_answers_runs_out_of_time(api: Api) -> None:
    api.replies = [hangs]
    given = refused(responder(api, attempts=1, timeout=0.2, stream=False).answer(asked(), NOWHERE))
    assert (given.kind, given.retryable) == ("timeout", True)


def test_without_a_key_nothing_is_sent_and_its_place_is_named(api: Api) -> None:
    given = refused(responder(api, key=None).answer(asked(), NOWHERE))
    assert given.kind == "no_key"
    assert "ANTHROPIC_API_KEY" in given.message
    assert not api.requests


def test_the_key_may_come_while_the_run_waits(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    api.replies = [answers(GOOD)]
    model = responder(api, key=None)
    refused(model.answer(asked(), NOWHERE))
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    assert isinstance(model.answer(asked(), NOWHERE), Answered)
    assert any(SECRET in value for value in api.headers[0].values())


def test_a_missing_library_names_what_to_install(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "anthropic", None)
    given = refused(responder(api).answer(asked(), NOWHERE))
    assert given.kind == "no_library"
    assert "stepflow-gui[llm]" in given.message


def test_a_redirect_isnt_followed_with_the_key(api: Api) -> None:
    api.replies = [lambda handler, _asked: handler.send_json(307, {}, {"location": api.url + "/elsewhere"})]
    refused(responder(api).answer(asked(), NOWHERE))
    assert len(api.requests) == 1


@pytest.mark.parametrize("stream", [True, False])
def test_the_key_is_seen_nowhere(api: Api, stream: bool, caplog: pytest.LogCaptureFixture) -> None:
    """A server that quotes the key, one that drops, a good answer: no message, log, event or repr has it."""
    caplog.set_level(logging.DEBUG)
    quoting = f"invalid x-api-key: {SECRET}"
    api.replies = [
        drops,
        fails(401, "authentication_error", quoting),
        fails(403, "e", quoting),
        fails(400, "e", quoting),
    ]
    api.replies += [answers(GOOD)]
    heard = Heard()
    model = responder(api, heard, stream=stream)
    given = [model.answer(asked(), NOWHERE) for _round in range(4)]
    assert isinstance(given[-1], Answered)
    shown = [repr(each) for each in (*given, *heard, model.last, vars(model))]
    shown += [record.getMessage() + repr(record.exc_info) + repr(record.args) for record in caplog.records]
    assert heard.of(Exchanged)
    assert caplog.records, "the libraries do log at this level"
    assert not [text for text in shown if SECRET in text]


def test_a_key_shows_itself_nowhere() -> None:
    key = Key(SECRET, "environment")
    assert SECRET not in f"{key} {key!r} {[key]} {ModelSettings({})}"
    with pytest.raises(TypeError):
        pickle.dumps(key)

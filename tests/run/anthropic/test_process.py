"""Asking in a process of its own: the same answers, cancelled at once, restarted where it died."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.messages import use_language
from stepflow_gui.run.effects import NoAnswer
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.responders.anthropic_process import model_process
from stepflow_gui.run.responders.anthropic_progress import AttemptStarted, Delta, Exchanged
from tests.run.anthropic.asking import GOOD, NOWHERE, SECRET, Heard, asked, responder
from tests.run.anthropic.messages_api import Api, answers, fails, hangs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _ended() -> Iterator[None]:
    yield
    model_process().close()


def test_an_answer_comes_with_its_progress(api: Api) -> None:
    api.replies = [answers(GOOD)]
    heard = Heard()
    model = responder(api, heard, apart=True)
    given = model.answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer == GOOD
    assert [type(each) for each in heard if not isinstance(each, Delta)] == [AttemptStarted, Exchanged]
    assert "".join(each.text for each in heard.of(Delta)).startswith('{"stepId"')
    assert model.spent.cost


def test_failures_are_reported_in_the_language_in_use(api: Api) -> None:
    use_language("ja")
    api.replies = [fails(404, "not_found_error")]
    given = responder(api, apart=True).answer(asked(), NOWHERE)
    assert isinstance(given, NoAnswer)
    assert "ありません" in given.message


def test_a_slow_answer_is_cancelled_at_once_and_the_next_comes(api: Api) -> None:
    api.replies = [hangs, answers(GOOD)]
    model = responder(api, apart=True)
    given: list[Answered | NoAnswer] = []
    asking = threading.Thread(target=lambda: given.append(model.answer(asked(), NOWHERE)))
    asking.start()
    while not api.requests:
        time.sleep(0.01)
    began = time.perf_counter()
    model.cancel()
    asking.join(5)
    assert time.perf_counter() - began < 0.2
    assert isinstance(given[0], NoAnswer)
    assert given[0].kind == "cancelled"
    assert isinstance(model.answer(asked(), NOWHERE), Answered)


def test_where_the_process_dies_the_run_stays_and_can_ask_again(api: Api) -> None:
    api.replies = [hangs, answers(GOOD)]
    model = responder(api, apart=True)
    given: list[Answered | NoAnswer] = []
    asking = threading.Thread(target=lambda: given.append(model.answer(asked(), NOWHERE)))
    asking.start()
    while not api.requests:
        time.sleep(0.01)
    process = model_process()._process
    assert process is not None
    process.kill()
    asking.join(5)
    assert isinstance(given[0], NoAnswer)
    assert (given[0].kind, given[0].retryable) == ("failed", True)
    assert isinstance(model.answer(asked(), NOWHERE), Answered)


def test_the_key_is_no_argument_of_the_process(api: Api) -> None:
    api.replies = [answers(GOOD)]
    responder(api, apart=True).answer(asked(), NOWHERE)
    process = model_process()._process
    assert process is not None
    proc = Path("/proc") / str(process.pid)
    if not proc.is_dir():
        pytest.skip("this system has no /proc")
    assert SECRET.encode() not in (proc / "cmdline").read_bytes() + (proc / "environ").read_bytes()

"""Good answers, in each form that they can be requested in, streamed and not."""

import json
from typing import Any

import pytest

from stepflow_gui.run.effects import Cancellable, NoAnswer
from stepflow_gui.run.machine.state import Answered, Memory, State
from stepflow_gui.run.prompts.prompt_result import TriedPath
from stepflow_gui.run.responders.anthropic_progress import AttemptStarted, Delta, Exchanged
from tests.run.anthropic.asking import GOOD, LOOSE, NOWHERE, SECRET, STRICT, Heard, asked, responder
from tests.run.anthropic.messages_api import Api, answers, calls, fails, message, no_json, says, text

streams = pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])


@streams
def test_a_strict_schema_goes_to_structured_outputs(api: Api, stream: bool) -> None:
    api.replies = [answers(GOOD)]
    heard = Heard()
    given = responder(api, heard, stream=stream, system="You are careful.").answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer == GOOD
    assert given.texts == (json.dumps(GOOD),)
    sent = api.requests[0]
    assert sent["output_config"] == {"format": {"type": "json_schema", "schema": STRICT}}
    assert sent["system"] == "You are careful."
    assert sent["messages"] == [{"role": "user", "content": "Look at issue 7."}]
    assert sent["model"] == "claude-opus-5-5"
    assert "tools" not in sent
    assert bool(sent.get("stream")) is stream
    assert json.loads("".join(each.text for each in heard.of(Delta))) == GOOD


@streams
def test_a_schema_that_cant_be_strict_goes_to_a_forced_tool(api: Api, stream: bool) -> None:
    api.replies = [calls(GOOD, text("I looked."))]
    given = responder(api, stream=stream).answer(asked(LOOSE, model="sonnet"), NOWHERE)
    assert isinstance(given, Answered)
    assert (given.answer, given.texts) == (GOOD, ("I looked.",))
    sent = api.requests[0]
    assert sent["tool_choice"] == {"type": "tool", "name": "answer", "disable_parallel_tool_use": True}
    assert [tool["name"] for tool in sent["tools"]] == ["answer"]
    assert sent["tools"][0]["input_schema"] == LOOSE
    assert "output_config" not in sent


def test_a_model_that_cant_be_forced_is_asked_to_call_the_tool(api: Api) -> None:
    api.replies = [calls(GOOD)]
    given = responder(api, system="You are careful.").answer(asked(LOOSE, model="opus"), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer == GOOD
    assert given.texts, "upstream's runs need a word of the model to be a success"
    sent = api.requests[0]
    assert sent["tool_choice"]["type"] == "auto"
    assert sent["system"].startswith("You are careful.\n\n")
    assert "“answer”" in sent["system"]


def test_where_the_api_refuses_a_forced_tool_the_model_is_asked(api: Api) -> None:
    refusal = fails(400, "invalid_request_error", "tool_choice: forcing a tool isn't supported by this model")
    api.replies = [refusal, calls(GOOD)]
    heard = Heard()
    given = responder(api, heard).answer(asked(LOOSE, model="sonnet"), NOWHERE)
    assert isinstance(given, Answered)
    assert [each.mode for each in heard.of(AttemptStarted)] == ["forced_tool", "tool"]
    assert [each.attempt for each in heard.of(AttemptStarted)] == [1, 1]


def test_where_the_api_refuses_a_schema_a_tool_takes_the_answer(api: Api) -> None:
    refusal = fails(400, "invalid_request_error", "output_config.format.schema: grammar is too large")
    api.replies = [refusal, calls(GOOD)]
    given = responder(api).answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer == GOOD
    assert "output_config" not in api.requests[1]


def test_a_schema_that_no_tool_takes_is_reported_in_words(api: Api) -> None:
    api.replies = [says("Here:\n```json\n[1]\n```")]
    given = responder(api).answer(asked({"type": "array", "maxItems": 3, "$schema": "…"}), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer is None, "the host looks for it in the text, as upstream does"
    assert '{"type": "array", "maxItems": 3}' in api.requests[0]["system"]


def test_without_a_schema_the_model_answers_freely(api: Api) -> None:
    api.replies = [message({"type": "thinking", "thinking": "Hm.", "signature": "s"}, text("Done."), text("Really."))]
    given = responder(api).answer(asked(None), NOWHERE)
    assert isinstance(given, Answered)
    assert (given.answer, given.texts) == (None, ("Done.", "Really."))
    assert set(api.requests[0]) == {"model", "max_tokens", "messages", "stream"}


@streams
def test_an_answer_that_breaks_the_schema_goes_into_the_run_and_is_reported(api: Api, stream: bool) -> None:
    wrong = {"stepId": "initial.issue", "next_action": {"action": "go on"}}
    api.replies = [answers(wrong)]
    heard = Heard()
    model = responder(api, heard, stream=stream)
    given = model.answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert given.answer == wrong, "the gate judges it"
    exchanged: Exchanged = heard.of(Exchanged)[0]
    assert exchanged is model.last
    assert [breach.pointer for breach in exchanged.breaches] == ["/next_action/action"]
    assert '"next", "repeat"' in exchanged.breaches[0].message


def test_words_instead_of_json_go_into_the_run_as_words(api: Api) -> None:
    api.replies = [says("I can't say that in JSON.")]
    given = responder(api).answer(asked(), NOWHERE)
    assert isinstance(given, Answered)
    assert (given.answer, given.texts) == (None, ("I can't say that in JSON.",))


@streams
def test_a_page_instead_of_an_answer_is_no_answer(api: Api, stream: bool) -> None:
    api.replies = [no_json]
    given = responder(api, stream=stream, attempts=1).answer(asked(), NOWHERE)
    assert isinstance(given, NoAnswer)
    assert given.kind in {"unreadable", "network"}


def test_tokens_and_cost_are_counted(api: Api) -> None:
    api.replies = [answers(GOOD, usage={"cache_read_input_tokens": 10_000})]
    model = responder(api)
    model.answer(asked(), NOWHERE)
    model.answer(asked(model="haiku"), NOWHERE)
    assert model.spent.answers == 2
    assert model.spent.usage.output == 400
    assert model.spent.usage.cache_read == 20_000
    opus = (1000 * 4 + 200 * 20 + 10_000 * 0.2) / 1e6
    haiku = (1000 * 0.1 + 200 * 0.5 + 10_000 * 0.01) / 1e6
    assert model.spent.cost == pytest.approx(opus + haiku)


def test_a_long_prompt_costs_what_long_ones_cost(api: Api) -> None:
    api.replies = [answers(GOOD, usage={"input_tokens": 200_000})]
    model = responder(api)
    model.answer(asked(model="haiku"), NOWHERE)
    assert model.spent.cost == pytest.approx((200_000 * 0.5 + 200 * 2.5) / 1e6)


def test_a_model_without_a_price_costs_something_unknown(api: Api) -> None:
    api.replies = [answers(GOOD)]
    model = responder(api, names={"opus": "claude-of-tomorrow"})
    model.answer(asked(), NOWHERE)
    assert api.requests[0]["model"] == "claude-of-tomorrow"
    assert model.spent.cost is None
    assert model.spent.usage.input == 1000


def test_a_limit_of_cost_is_kept(api: Api) -> None:
    api.replies = [answers(GOOD)]
    model = responder(api, max_cost=0.01)
    given = [model.answer(asked(), NOWHERE) for _round in range(3)]
    assert isinstance(given[1], Answered)  # it begins below the limit
    assert isinstance(given[2], NoAnswer)
    assert given[2].kind == "budget"
    assert len(api.requests) == 2


def test_a_limit_of_cost_needs_a_price(api: Api) -> None:
    given = responder(api, max_cost=1.0, names={"opus": "claude-of-tomorrow"}).answer(asked(), NOWHERE)
    assert isinstance(given, NoAnswer)
    assert given.kind == "no_price"
    assert not api.requests


def _after(given: Answered | NoAnswer) -> State:
    assert isinstance(given, Answered)
    return State(memory=Memory(session=given.session))


def test_the_conversation_goes_on_and_follows_a_step_back(api: Api) -> None:
    api.replies = [answers(GOOD)]
    model = responder(api)
    first = model.answer(asked(prompt="One"), NOWHERE)
    second = model.answer(asked(prompt="Two"), _after(first))
    model.answer(asked(prompt="Three"), _after(second))
    model.answer(asked(prompt="Two, otherwise"), _after(first))
    told = [[each["content"] for each in sent["messages"]] for sent in api.requests]
    said = json.dumps(GOOD)
    assert told == [["One"], ["One", said, "Two"], ["One", said, "Two", said, "Three"], ["One", said, "Two, otherwise"]]


def test_a_fresh_conversation_at_each_step_can_be_chosen(api: Api) -> None:
    api.replies = [answers(GOOD)]
    model = responder(api, conversation="fresh")
    model.answer(asked(prompt="Two"), _after(model.answer(asked(prompt="One"), NOWHERE)))
    assert len(api.requests[1]["messages"]) == 1


def test_a_step_without_a_prompt_asks_nothing(api: Api) -> None:
    for prompt in (None, " \n"):
        given = responder(api).answer(asked(prompt=prompt), NOWHERE)
        assert isinstance(given, NoAnswer)
        assert given.kind == "no_prompt"
    assert not api.requests


def test_why_a_prompt_cant_be_made_is_reported(api: Api) -> None:
    tried = (
        TriedPath("a.md", "no such file"),
        TriedPath("b.md", "the variable “issue” has no value"),
        TriedPath("key", "no such key"),
    )
    question = asked(prompt=None)
    given = responder(api).answer(question._replace(prompt=question.prompt._replace(tried=tried)), NOWHERE)
    assert isinstance(given, NoAnswer)
    assert "the variable “issue” has no value" in given.message
    given = responder(api).answer(question._replace(prompt=question.prompt._replace(tried=tried[:1])), NOWHERE)
    assert isinstance(given, NoAnswer)
    assert "no prompt file" in given.message


def test_it_is_a_responder_that_costs_and_can_be_cancelled(api: Api) -> None:
    model: Any = responder(api)
    assert model.costs_money
    assert isinstance(model, Cancellable)
    assert SECRET not in repr(vars(model))

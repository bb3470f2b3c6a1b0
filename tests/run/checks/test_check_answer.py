"""The answer to a check, read as upstream reads it: a fenced block, the whole text, words, else a failure."""

import pytest

from stepflow_gui.run.machine.check_answer import read_check
from stepflow_gui.text.json.tree import JsonValue


@pytest.mark.parametrize(
    ("text", "passed", "where"),
    [
        ('```json\n{"result": "ok", "message": "m"}\n```', True, "fence"),
        ('Done.\n```json\n{"result": false}\n```\nand ```json\n{"result": "ok"}\n```', False, "fence"),
        ('{"result": "pass"}', True, "whole"),
        ('  {"result": true}\n', True, "whole"),
        ('{"result": "OK"}', False, "whole"),
        ('{"result": "PASS"}', False, "whole"),
        ('{"result": 1}', False, "whole"),
        ('{"message": "ok"}', False, "whole"),
        ('"ok"', False, "whole"),
        ("null", False, "whole"),
        ('All fine: {"result": "ok"}', True, "words"),
        ('{"result":"ng"} or {"result": "ok"}', True, "words"),
        ("Result: OK", True, "words"),
        ("result: ng, sadly", False, "words"),
        ("ok", False, "nowhere"),
        ("result:ok", False, "nowhere"),
        ("", False, "nowhere"),
        ('```json\n{"result": "ok",}\n```', True, "words"),
        ('```\n{"result": "ok"}\n```', True, "words"),
    ],
)
def test_a_text_is_read(text: str, passed: bool, where: str) -> None:
    found = read_check(None, ("what was said before", text))
    assert (found.passed, found.where) == (passed, where)


def test_no_text_at_all_is_a_failure() -> None:
    assert read_check(None, ()) == (False, "", "nowhere", read_check(None, ()).raw)


@pytest.mark.parametrize(
    ("value", "passed", "message"),
    [
        ({"result": "ok", "message": "fine"}, True, "fine"),
        ({"result": "ng", "message": 3}, False, ""),
        ({"result": ["ok"]}, False, ""),
        ({}, False, ""),
        ("ok", False, ""),
    ],
)
def test_a_value_that_is_given_counts_before_the_text(value: JsonValue, passed: bool, message: str) -> None:
    found = read_check(value, ('{"result": "ok"}',))
    assert (found.passed, found.message, found.where) == (passed, message, "value")


def test_what_the_model_wrote_is_the_message_where_words_decide() -> None:
    assert read_check(None, ("Two tests fail. result: ng\n",)).message == "Two tests fail. result: ng"

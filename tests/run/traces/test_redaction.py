"""What is taken out of what is written down, and what isn't."""

import time
from pathlib import Path

import pytest

from stepflow_gui.run.traces.redaction import REMOVED, Redactor, is_secret_name

REDACTOR = Redactor({"MY_TOKEN": "hunter2hunter2", "SHORT_TOKEN": "abc", "EDITOR": "vim"}, Path("/srv/people/ann"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("it is hunter2hunter2!", f"it is {REMOVED}!"),
        ("abc vim", "abc vim"),
        ("sk-ant-api03-" + "a" * 30, REMOVED),
        ("push with ghp_" + "A1" * 18, f"push with {REMOVED}"),
        ("AKIAABCDEFGHIJKLMNOP", REMOVED),
        ("Authorization: Bearer abcdef.ghijk", f"Authorization: Bearer {REMOVED}"),
        ("https://ann:letmein1@example.com/x", f"https://ann:{REMOVED}@example.com/x"),
        ("password=swordfish1 user=ann", f"password={REMOVED} user=ann"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK", REMOVED),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- end", f"{REMOVED} end"),
        ("/srv/people/ann/code/a.py", "~/code/a.py"),
        ("/srv/people/anna/a.py", "/srv/people/anna/a.py"),
        ("see /home/bob/x and /Users/eve", "see ~/x and ~"),
        (r"C:\Users\Eve\x", r"~\x"),
        ("the /homework and /usr/home", "the /homework and /usr/home"),
        ("a key, a token and a secret", "a key, a token and a secret"),
    ],
)
def test_texts(before: str, after: str) -> None:
    assert REDACTOR.text(before) == after


@pytest.mark.parametrize(
    "name", ["API_KEY", "apiKey", "api-key", "GITHUB_TOKEN", "PGPASSWORD", "client_secret", "x_auth_key"]
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["key", "issue_key", "tokens", "author", "next_action", "keyword", "monkey", "", "status"]
)
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


def test_values_keep_their_form() -> None:
    value = {"a": [1, None, "hunter2hunter2"], "password": "x", "token": 3, "deep": {"apiKey": ["y"]}}
    assert REDACTOR.value(value) == {
        "a": [1, None, REMOVED],
        "password": REMOVED,
        "token": 3,
        "deep": {"apiKey": ["y"]},
    }


@pytest.mark.parametrize(
    "part", ["a-", "eyJ", "://a", "sk-", "-----BEGIN PRIVATE KEY", "token=", "/home/a", "x", "password"]
)
def test_long_texts_take_no_long_time(part: str) -> None:
    def taken(length: int) -> float:
        began = time.process_time()
        REDACTOR.text(part * (length // len(part)))
        return time.process_time() - began

    assert taken(400_000) < 40 * max(min(taken(40_000) for _each in range(3)), 0.002)

"""A model is coder and judge of a TAKT piece in the window: trusted first, received, cancelled, limited in its cost."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.run.takt.machine.state import Replied
from tests.gui.runs.piece.conftest import PieceBench, opened
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import HANGS, Api, Handler, fails, hangs, says
from tests.run.takt.pieces import PARALLEL, TWO


def fitting(handler: Handler, asked: dict[str, Any]) -> None:
    """Gives the first tag that is offered, else some work."""
    prompt = str(asked["messages"][-1]["content"])
    tag = re.search(r"\[[A-Z_]+:1\]", prompt)
    says(tag[0] if tag else "All of it is done.")(handler, asked)


@pytest.fixture
def bench(window: MainWindow, tmp_path: Path, api: Api) -> PieceBench:
    """A piece in which a model is to answer, in a folder that isn't trusted yet."""
    api.replies = [fitting]
    bench = opened(window, tmp_path, TWO)
    bench.setup(who="anthropic", task="mend it")
    return bench


def waited(bench: PieceBench, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not bench.control.busy)


def spent(bench: PieceBench) -> str:
    return "\n".join(label.text() for label in bench.control.pages.model.widget.findChildren(QLabel))


def test_nothing_is_sent_before_the_folder_is_trusted_then_it_is_led_to_its_end(
    bench: PieceBench, qtbot: QtBot, api: Api
) -> None:
    bench.do("run-start")
    assert "Trust this folder first" in bench.note
    assert api.requests == []
    bench.window.trust.toggle()
    bench.do("run-start")
    waited(bench, qtbot)
    assert bench.title == "The piece is complete."
    assert bench.run.state.reports == {"notes.md": "All of it is done."}
    qtbot.waitUntil(lambda: "answers: " in spent(bench))
    first, report, judge = api.requests[:3]
    assert "mend it, run 1 of 1" in first["messages"][-1]["content"]
    assert [turn["role"] for turn in report["messages"]] == ["user", "assistant", "user"], "in the same session"
    assert len(judge["messages"]) == 1, "a conductor is asked apart"
    assert all("tools" not in request for request in api.requests)


def test_what_was_taken_back_is_no_longer_in_the_conversation(bench: PieceBench, qtbot: QtBot, api: Api) -> None:
    bench.window.trust.toggle()
    bench.do("run-step")
    bench.do("run-step")
    waited(bench, qtbot)
    assert bench.run.state.movement == "check"
    asked = len(api.requests)
    bench.do("run-back")
    bench.control.debugger.happens(lambda run: run.send(Replied("work", "by hand")))
    bench.do("run-step")
    waited(bench, qtbot)
    assert len(api.requests[asked]["messages"]) == 1


def test_a_slow_model_is_cancelled_and_the_run_goes_on_by_hand(bench: PieceBench, qtbot: QtBot, api: Api) -> None:
    api.replies = [hangs, fitting]
    bench.window.trust.toggle()
    bench.do("run-start")
    qtbot.waitUntil(lambda: bool(api.requests))
    began = time.perf_counter()
    bench.do("run-pause")
    qtbot.waitUntil(lambda: not bench.control.busy)
    assert time.perf_counter() - began < HANGS / 2
    bench.setup(who="me")
    bench.press("done")
    assert bench.run.state.movement == "check"


def test_the_limit_of_cost_holds_and_failures_are_reported_without_the_key(
    bench: PieceBench, qtbot: QtBot, api: Api
) -> None:
    bench.window.trust.toggle()
    bench.setup(max_cost=0.001)
    bench.do("run-start")
    waited(bench, qtbot)
    assert "the limit is $0.0010" in bench.note
    assert len(api.requests) == 1
    api.replies = [fails(401, "authentication_error", f"bad {SECRET}")]
    bench.setup(max_cost=None)
    bench.do("run-start")
    waited(bench, qtbot)
    assert "key was rejected" in bench.note
    assert SECRET not in bench.note


def test_the_person_is_asked_though_a_model_works(window: MainWindow, tmp_path: Path, qtbot: QtBot, api: Api) -> None:
    api.replies = [fitting]
    asking = "{condition: good, next: work, requires_user_input: true}"
    bench = opened(window, tmp_path, TWO.replace("{condition: good, next: COMPLETE}", asking))
    window.trust.toggle()
    bench.setup(who="anthropic")
    bench.do("run-start")
    waited(bench, qtbot)
    assert bench.offered() == ["Answer", "No answer"]
    assert bench.title == "check asks the user"


def test_sub_steps_and_the_judge_of_a_cycle_are_asked_too(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, api: Api
) -> None:
    api.replies = [fitting]
    text = PARALLEL.replace('all("approved")', 'all("needs_fix")').replace('any("needs_fix")', 'any("approved")')
    bench = opened(window, tmp_path, text)
    window.trust.toggle()
    bench.setup(who="anthropic")
    bench.control.toggle_breakpoint("_loop_judge_reviewers_fix")
    bench.do("run-start")
    waited(bench, qtbot)
    assert bench.note == "Paused at a breakpoint: _loop_judge_reviewers_fix"

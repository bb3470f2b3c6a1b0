"""Answers in a window: filled in by hand, or by a model that is received, cancelled and paid for."""

import os
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton

from stepflow_gui.gui.runs.answer_form.form import AnswerForm
from stepflow_gui.gui.runs.panel.model_answer import ModelAnswer
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.responders.anthropic_process import model_process
from tests.gui.runs.conftest import Bench
from tests.gui.shown import in_run
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import HANGS, Api, fails, hangs
from tests.run.anthropic.test_agent import sensible


def form(bench: Bench) -> AnswerForm:
    return in_run(bench.panel, AnswerForm)[0]


def press(widget: AnswerForm, text: str) -> None:
    button = next(each for each in widget.findChildren(QPushButton) if each.text() == text and each.isVisible())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def test_a_step_is_answered_in_the_form(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    bench.press("Fill In")
    assert form(bench).isVisible()
    box = next(each for each in form(bench).findChildren(QPlainTextEdit) if each.accessibleName() == "summary")
    QTest.keyClicks(box, "Understood")
    press(form(bench), "Answer")
    assert bench.run.state.step == "continuation.issue"
    answered = bench.run.trace[-1].event
    assert isinstance(answered, Answered)
    assert answered.answer["summary"] == "Understood"
    bench.do("run-back")
    assert bench.run.state.step == "initial.issue"
    draft = form(bench).draft
    assert draft is not None
    assert draft.value["summary"] == "Understood", "it is still there"


def test_a_broken_answer_stops_the_run_as_announced(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    bench.press("Fill In")
    draft = form(bench).draft
    assert draft is not None
    draft.break_it(next(way for way in draft.breakages if way.name == "not_allowed"))
    preset_result = form(bench)._will.whole
    press(form(bench), "Answer")
    assert bench.run.state.error is not None
    assert bench.run.state.error.message == preset_result


@pytest.fixture
def asking(bench: Bench, example: Path, api: Api) -> Bench:
    """A window in which a model is to answer, in a folder that is trusted."""
    api.replies = [sensible]
    bench.open(example)
    bench.window.trust.toggle()
    bench.setup(who="anthropic", args="issue=7")
    return bench


def said(bench: Bench) -> str:
    model = in_run(bench.panel, ModelAnswer)[0]
    return "\n".join(label.text() for label in model.findChildren(QLabel))


def test_a_model_answers_a_run_to_its_end_and_reports_the_usage(asking: Bench) -> None:
    asking.do("run-start")
    asking.wait(40000)
    assert asking.run.state.outcome is not None
    assert asking.run.state.outcome.success
    asking.qtbot.waitUntil(lambda: "3 answers: 3,000 tokens sent, 600 received, $0.0120" in said(asking))
    model = in_run(asking.panel, ModelAnswer)[0]
    assert '"closure.issue"' in model._text.toPlainText()


def test_a_model_that_is_slow_is_cancelled_and_the_run_goes_on_by_hand(asking: Bench, api: Api) -> None:
    api.replies = [hangs, sensible]
    asking.do("run-start")
    asking.qtbot.waitUntil(lambda: bool(api.requests))
    assert asking.window.desk.actions["run-pause"].isEnabled(), "though nothing has happened since it began"
    began = time.perf_counter()
    asking.do("run-pause")
    asking.wait()
    assert time.perf_counter() - began < HANGS / 2
    assert asking.run.state.waits == "answer"
    asking.setup(who="me")
    asking.press("next")
    assert asking.run.state.step == "continuation.issue"


def test_what_keeps_a_model_from_answering_is_reported_and_the_run_stays(asking: Bench, api: Api) -> None:
    api.replies = [fails(401, "authentication_error", f"bad {SECRET}")]
    asking.do("run-start")
    asking.wait(40000)
    assert "key was rejected" in asking.note
    assert SECRET not in asking.note
    assert asking.run.state.step == "initial.issue"


def test_a_limit_of_cost_ends_the_asking(asking: Bench, api: Api) -> None:
    asking.setup(max_cost=0.001)
    asking.do("run-start")
    asking.wait(40000)
    assert "the limit is $0.0010" in asking.note
    assert len(api.requests) == 1


@pytest.mark.slow
def test_the_window_isnt_held_up_while_a_model_is_asked(asking: Bench, api: Api) -> None:
    """The library is loaded meanwhile, in a process of its own: a thread would hold all up for 0.1 s and more."""

    model_process().close()
    api.replies = [hangs]
    asking.do("run-step")  # the run begins; nothing is asked yet
    before = os.times()
    asking.do("run-start")
    asking.qtbot.waitUntil(lambda: bool(api.requests))
    after = os.times()
    assert asking.control.busy
    asking.do("run-stop")
    model_process().close()
    of_window = after.user + after.system - before.user - before.system
    of_process = os.times().children_user - before.children_user
    assert of_window < of_process / 2

"""A model's output is seen as it comes, with what it costs, from whatever thread it is received."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.runs.panel.model_answer import ModelAnswer
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.run.responders.anthropic_costs import Usage
from stepflow_gui.run.responders.anthropic_progress import AttemptStarted, Delta, Exchanged, Progress, Waiting
from stepflow_gui.run.schema_errors import Breach

Hear = Callable[..., None]


@pytest.fixture
def shown(qtbot: QtBot) -> ModelAnswer:
    widget = ModelAnswer(Theme(dark=False))
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    widget.show()
    return widget


@pytest.fixture
def hear(shown: ModelAnswer, qtbot: QtBot) -> Hear:
    """Has the widget hear progress from another thread, and waits until it is shown."""

    def heard(*progress: Progress) -> None:
        def tell() -> None:
            for each in progress:
                shown.hearing.receive(each)

        thread = threading.Thread(target=tell)
        thread.start()
        thread.join()
        qtbot.wait(80)

    return heard


def text(widget: ModelAnswer) -> str:
    return widget.findChildren(QPlainTextEdit)[0].toPlainText()


def labels(widget: ModelAnswer) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


ASKING = AttemptStarted("initial.issue", "claude-x", "format", 1, 5)
DONE = Exchanged("initial.issue", 1, "claude-x", "format", Usage(1200, 200), 0.0088)


def test_words_are_seen_as_they_come(shown: ModelAnswer, hear: Hear) -> None:
    assert "No model has answered yet" in labels(shown)
    hear(ASKING)
    assert "initial.issue – claude-x" in labels(shown)
    assert "Waiting for the model" in labels(shown)
    hear(Delta("json", '{"a"'), Delta("json", ": 1}"))
    assert text(shown) == '{"a": 1}'
    assert "Waiting" not in labels(shown)


def test_another_attempt_begins_with_nothing(shown: ModelAnswer, hear: Hear) -> None:
    hear(ASKING, Delta("json", "half"), Waiting(2.0, "Attempt 2 of 5 begins in 2 s."))
    assert "begins in 2 s" in labels(shown)
    hear(ASKING._replace(attempt=2))
    assert text(shown) == ""
    assert "Attempt 2 of 5" in labels(shown)


def test_costs_are_summed(shown: ModelAnswer, hear: Hear) -> None:
    hear(ASKING, DONE, ASKING, DONE)
    assert "2 answers: 2,400 tokens sent, 400 received, $0.0176" in labels(shown)
    hear(DONE._replace(cost=None))
    assert "cost unknown" in labels(shown)
    shown.start_over()
    assert "answers" not in labels(shown)


def test_what_breaks_the_schema_is_reported(shown: ModelAnswer, hear: Hear) -> None:
    hear(ASKING, DONE._replace(breaches=(Breach("/next_action", "“action” is required.", "required"),)))
    assert "/next_action: “action” is required." in labels(shown)

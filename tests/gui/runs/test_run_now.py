"""Where the run is: what is offered stays where it was first seen."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.runs.panel.now import AnswerOffer, RunNow, Status
from stepflow_gui.gui.widgets.application import make_application

FEW = ["next  →  continuation.issue", "abort  →  end"]
MANY = ["next  →  continuation.issue", "repeat  →  continuation.issue", "handoff  →  closure.issue", *FEW, "Fill In…"]
DETAIL = "Pick the intent that the model would answer here."


def places(now: RunNow) -> list[QPoint]:
    return [each.mapTo(now, QPoint()) for each in now.offers.findChildren(QPushButton) if each.isVisible()]


@pytest.mark.parametrize("labels", [(FEW, MANY), (MANY, FEW)], ids=["more", "fewer"])
def test_what_is_offered_does_not_move_once_it_can_be_seen(qtbot: QtBot, labels: tuple[list[str], list[str]]) -> None:
    """A scroll bar that comes takes width, and a line of text above the offers more height."""
    make_application()
    now = RunNow()
    qtbot.addWidget(now)
    now.show()
    for width in range(250, 450, 10):
        now.resize(width, 160)
        for each in labels:
            now.show_status(Status("continuation.issue", DETAIL))
            now.show_offers([AnswerOffer(label, label) for label in each])
            first = places(now)
            QApplication.processEvents()
            QApplication.processEvents()
            assert places(now) == first, width

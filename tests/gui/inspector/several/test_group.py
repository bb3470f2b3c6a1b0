"""A selected group in the inspector: its name, what comes in and goes out, its members, and what is done with it."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.several.group import GroupHead
from stepflow_gui.gui.inspector.several.view import SeveralSteps
from tests.gui.inspector.test_contract import opened

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
STEPS = ["initial.issue", "continuation.issue"]


def grouped(qtbot: QtBot, window: MainWindow, folder: Path) -> tuple[Document, GroupHead]:
    """The example with a manual group of two steps, which is selected."""
    document = opened(qtbot, window, folder)
    window.on_canvas.groups.make(STEPS, "Work")
    window.canvas.choose_group("hand Work")
    found = window.inspector.findChild(GroupHead)
    assert isinstance(found, GroupHead)
    qtbot.waitUntil(found.isVisible)
    return document, found


def button(head: GroupHead, text: str) -> QPushButton:
    return next(each for each in head.findChildren(QPushButton) if each.text() == text)


def texts(window: MainWindow) -> set[str]:
    return {label.text() for label in window.inspector.findChildren(QLabel) if label.isVisible()}


def test_a_group_is_shown_with_its_members_and_transitions(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    _document, head = grouped(qtbot, window, example)
    assert {"Work", "group  ·  2 steps · 1 entry"} <= texts(window)
    assert "handoff ×1" in texts(window)
    members = window.inspector.findChild(SeveralSteps)
    assert isinstance(members, SeveralSteps)
    assert [chip.text() for chip in members.findChildren(QPushButton, "stepChip")] == STEPS
    assert not members.form.isVisible()
    members.picked.emit(STEPS[1])
    qtbot.waitUntil(head.isHidden)
    assert window.canvas.graph.selected == STEPS[1]


def test_it_is_folded_unfolded_and_ungrouped_there(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    document, head = grouped(qtbot, window, example)
    button(head, "Fold").click()
    assert window.canvas.folding.is_folded("hand Work")
    qtbot.waitUntil(lambda: any(each.text() == "Unfold" for each in head.findChildren(QPushButton)))
    button(head, "Unfold").click()
    assert not window.canvas.folding.is_folded("hand Work")
    button(head, "Ungroup").click()
    assert not window.canvas.graph.groups.cards
    qtbot.waitUntil(head.isHidden)
    document.undo()
    assert window.canvas.graph.groups.cards


def test_a_group_that_follows_from_the_flow_cannot_be_ungrouped(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    opened(qtbot, window, example)
    window.desk.actions["group-by-stage"].trigger()
    window.canvas.choose_group(window.canvas.folding.keys[0])
    head = window.inspector.findChild(GroupHead)
    assert isinstance(head, GroupHead)
    qtbot.waitUntil(head.isVisible)
    assert [each.text() for each in head.findChildren(QPushButton) if each.isVisible()] == ["Fold", "Zoom to Group"]

"""The commonest jobs in a real window: xdotool moves the X server's pointer and presses its keys.

`test_real_window.py` runs this file in a process of its own on the display; it isn't collected otherwise.
"""

import json
import subprocess
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QPushButton, QWidget

from tests.gui.canvas.hand import node_point, pill_point
from tests.gui.editing.conftest import Desk, example, own_desk
from tests.gui.shown import in_run

__all__ = ["example", "own_desk"]


@pytest.fixture
def desk(own_desk: Desk) -> Desk:
    """A window on the display for each job."""
    return own_desk


class Hands:
    """The pointer and the keyboard of the display."""

    def __init__(self, at: Desk) -> None:
        self.desk = at
        self.tool("windowfocus", "--sync", str(int(at.window.winId())))  # as a window manager would
        at.qtbot.waitUntil(at.window.isActiveWindow)

    def tool(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], check=True, capture_output=True)
        self.desk.qtbot.wait(15)

    def point(self, widget: QWidget, at: QPoint) -> None:
        there = widget.mapToGlobal(at)
        if QCursor.pos() == there:  # `--sync` would wait 15 seconds for a move
            return
        self.tool("mousemove", "--sync", str(there.x()), str(there.y()))

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        self._wait_for_rest(widget)
        self.point(widget, at if at is not None else widget.rect().center())
        self.tool("click", "1")

    def _wait_for_rest(self, widget: QWidget) -> None:
        """A person clicks what they see: what is still being arranged has its place first."""
        places: list[QRect] = []

        def rests() -> bool:
            places.append(QRect(widget.mapToGlobal(QPoint()), widget.size()))
            return len(places) > 2 and places[-1] == places[-2]

        self.desk.qtbot.waitUntil(rests)

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        self.point(widget, start)
        self.tool("mousedown", "1")
        for share in range(1, 9):
            self.point(widget, start + (end - start) * share / 8)
        self.tool("mouseup", "1")

    def keys(self, *keys: str) -> None:
        self.tool("key", "--clearmodifiers", "--delay", "12", *keys)

    def type(self, text: str) -> None:
        self.tool("type", "--delay", "12", text)


@pytest.fixture
def hands(desk: Desk) -> Hands:
    return Hands(desk)


def steps(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.text())["steps"]
    return found


def runs(desk: Desk, step: str) -> bool:
    return step in desk.canvas.graph.run.active


def test_connect_two_steps_and_undo(hands: Hands, desk: Desk) -> None:
    before, canvas = desk.text(), desk.canvas
    start = pill_point(canvas, "continuation.issue", "next")
    hands.drag(canvas.viewport(), start, node_point(canvas, "initial.issue"))
    desk.qtbot.waitUntil(lambda: desk.history == ["Connect “next” of continuation.issue to initial.issue"])
    assert steps(desk)["continuation.issue"]["transitions"]["next"] == {"target": "initial.issue"}
    hands.keys("ctrl+z")
    desk.qtbot.waitUntil(lambda: desk.text() == before)


def test_a_target_that_is_not_allowed_takes_no_drop(hands: Hands, desk: Desk) -> None:
    before, canvas = desk.text(), desk.canvas
    start = pill_point(canvas, "continuation.issue", "next")
    hands.drag(canvas.viewport(), start, node_point(canvas, "closure.issue"))
    assert (desk.text(), desk.history) == (before, [])


def test_fix_an_enum_mismatch_in_the_contract(hands: Hands, desk: Desk) -> None:
    schema = next(desk.document.path.parent.rglob("issue.schema.json"))
    saved = schema.read_text("utf-8")
    broken = saved.replace('"next", "repeat", "handoff"', '"next", "repeat"')
    assert broken != saved
    schema.write_text(broken, "utf-8")
    desk.document.check_disk()
    desk.settle()
    hands.click(desk.canvas.viewport(), node_point(desk.canvas, "continuation.issue"))
    desk.qtbot.waitUntil(lambda: desk.document.selected_step == "continuation.issue")
    assert any(found.severity == "error" for found in desk.document.diagnostics)
    gap = next(each for each in desk.window.inspector.findChildren(QPushButton, "contractGap") if each.isVisible())
    assert gap.text() == "+ handoff"
    hands.click(gap)
    desk.qtbot.waitUntil(lambda: '"handoff"' in desk.text(schema))
    desk.settle()
    assert not any(found.severity == "error" for found in desk.document.diagnostics)
    assert len(desk.history) == 1
    hands.keys("ctrl+s")
    desk.qtbot.waitUntil(lambda: '"handoff"' in schema.read_text("utf-8"))


def test_rename_a_step_where_it_stands(hands: Hands, desk: Desk) -> None:
    before = desk.texts()
    hands.click(desk.canvas.viewport(), node_point(desk.canvas, "continuation.issue"))
    hands.keys("F2")
    hands.type("continuation.work")
    hands.keys("Return")
    desk.qtbot.waitUntil(lambda: "continuation.work" in steps(desk))
    assert steps(desk)["initial.issue"]["transitions"]["next"] == {"target": "continuation.work"}
    assert "continuation.issue" not in steps(desk)
    hands.keys("ctrl+z")
    desk.qtbot.waitUntil(lambda: desk.texts() == before)


def test_step_through_a_run(hands: Hands, desk: Desk) -> None:
    hands.keys("F5")
    run = desk.window.runs.agent if desk.window.document is not None else None
    assert run is not None
    desk.qtbot.waitUntil(lambda: desk.canvas.graph.run.active == frozenset({"initial.issue"}))
    for intent, then in (("next", "continuation.issue"), ("handoff", "closure.issue")):
        offered = next(
            button
            for button in in_run(desk.window.run_panel, QPushButton)
            if button.isVisible() and button.text().startswith(intent)
        )
        hands.click(offered)
        desk.qtbot.waitUntil(partial(runs, desk, then))
    hands.keys("ctrl+shift+F10")
    desk.qtbot.waitUntil(partial(runs, desk, "continuation.issue"))


def test_undo_everything_after_a_save(hands: Hands, desk: Desk) -> None:
    files = {path: path.read_bytes() for path in desk.document.last_valid.root.rglob("*") if path.is_file()}
    viewport = desk.canvas.viewport()
    at = node_point(desk.canvas, "closure.issue")
    hands.drag(viewport, at, at + QPoint(60, 30))
    hands.keys("ctrl+d")
    hands.keys("ctrl+Right", "ctrl+Right")
    hands.keys("Delete")
    hands.keys("ctrl+3", "ctrl+Home", "Return", "space", "ctrl+1")
    hands.keys("ctrl+s")
    desk.qtbot.waitUntil(lambda: not desk.document.dirty)
    assert desk.document.path.read_bytes() != files[desk.document.path]
    assert len(desk.history) >= 5
    for _time in range(len(desk.history)):
        hands.keys("ctrl+z")
    desk.qtbot.waitUntil(lambda: desk.history == [])
    hands.keys("ctrl+s")
    desk.qtbot.waitUntil(lambda: desk.document.path.read_bytes() == files[desk.document.path])
    left = {path: path.read_bytes() for path in files}
    assert left == files

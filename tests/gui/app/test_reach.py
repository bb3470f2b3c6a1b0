"""How much of the program one key and one picked intent run through: what hasn't changed or isn't seen is left alone.

Counted are modules of the package that are entered, on all threads; what the linter's rules do is not, nor what a
timer does in the meantime.
"""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

import stepflow_gui
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import shown_window
from tests.gui.silent import Silent

ROOT = Path(stepflow_gui.__file__).parent
MOST_FOR_A_KEY = 183  # half of what it was before features declared what they show
MOST_FOR_A_PICK = 65
OF_TIMERS = frozenset({"gui/document/gc_control.py", "gui/widgets/tab_order.py"})


class Entered:
    """Notes the modules whose code is called, on every thread that starts after this one is in use."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._root = f"{ROOT}/"

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(self._root):
            module = file.removeprefix(self._root)
            if module not in self.modules and module not in OF_TIMERS and not _in_a_rule(frame):
                self.modules.add(module)


def _in_a_rule(frame: FrameType | None) -> bool:
    while frame is not None:
        if "/lint/rules/" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


@pytest.fixture
def entered() -> Iterator[Entered]:
    noted = Entered()
    threading.setprofile(noted)
    sys.setprofile(noted)
    yield noted
    sys.setprofile(None)
    threading.setprofile(None)


@pytest.fixture
def window(entered: Entered, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    del entered  # threads that start from here on are counted
    example = copy_example(into=tmp_path / "project")
    with shown_window(qtbot, tmp_path, Silent(), (1400, 900)) as shown:
        assert shown.open(example)
        settle(qtbot, shown)
        yield shown


def settle(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)
    QApplication.processEvents()


def test_one_key_in_the_source(window: MainWindow, entered: Entered, qtbot: QtBot) -> None:
    editor = window.source.editor
    editor.setFocus()
    cursor = editor.textCursor()
    cursor.setPosition(editor.toPlainText().index('"target": "') + len('"target": "'))
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, Qt.Key.Key_X)  # the first one loads and begins what later ones find there
    settle(qtbot, window)
    entered.modules.clear()
    QTest.keyClick(editor, Qt.Key.Key_Y)
    settle(qtbot, window)
    assert {"gui/source/editor.py", "gui/document/document.py", "lint/engine/engine.py"} <= entered.modules
    assert "gui/canvas/items/node_item.py" in entered.modules  # with its badge
    assert len(entered.modules) <= MOST_FOR_A_KEY, "\n".join(sorted(entered.modules))


def test_one_picked_intent(window: MainWindow, entered: Entered, qtbot: QtBot) -> None:
    window.desk.actions["run-step"].trigger()
    qtbot.waitUntil(lambda: bool(picks(window)))
    for last in (False, True):  # the first one loads and begins what later ones find there
        entered.modules.clear()
        before = window.canvas.graph.run
        QTest.mouseClick(picks(window)[0], Qt.MouseButton.LeftButton)
        assert window.canvas.graph.run != before  # at once
        QApplication.processEvents()
        if not last:
            qtbot.wait(200)  # milliseconds in which the dot runs along the edge
    assert {"run/machine/machine.py", "run/machine/gate.py", "run/machine/route.py"} <= entered.modules
    assert "gui/canvas/items/node_item.py" in entered.modules  # which is marked
    assert len(entered.modules) <= MOST_FOR_A_PICK, "\n".join(sorted(entered.modules))


def picks(window: MainWindow) -> list[QAbstractButton]:
    buttons = window.run_panel.now.widget.findChildren(QAbstractButton)
    return [button for button in buttons if button.isVisible() and button.text().startswith(("next", "handoff"))]

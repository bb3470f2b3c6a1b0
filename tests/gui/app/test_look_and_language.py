"""Another look or language changes colours and words, and nothing of what the person looks at."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolBar
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import shown_window
from tests.gui.silent import Silent


@pytest.mark.parametrize("change", ["look", "language"])
def test_caret_and_view_stay(qtbot: QtBot, tmp_path: Path, change: str) -> None:
    example = copy_example(into=tmp_path / "project")
    with shown_window(qtbot, tmp_path, Silent()) as window:
        assert window.open(example)
        settle(qtbot, window)
        assert window.document is not None
        window.document.select("closure.issue", "link")
        editor = window.source.editor
        cursor = editor.textCursor()
        cursor.setPosition(5)
        editor.setTextCursor(cursor)
        window.canvas.zoom_to(2.0)
        before = window.canvas.mapToScene(0, 0)
        sizes = [bar.size() for bar in window.findChildren(QToolBar)]
        if change == "look":
            window.set_look("dark")
            settle(qtbot, window)
            assert [bar.size() for bar in window.findChildren(QToolBar)] == sizes
        else:
            window.set_language("ja")
        settle(qtbot, window)
        assert editor.textCursor().position() == 5
        assert window.canvas.mapToScene(0, 0) == before


def settle(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)

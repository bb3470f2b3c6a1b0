"""A window with the example agent open, for editing it by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.source import Source
from tests.gui.shown import emptied, shown_window
from tests.gui.silent import Silent


class Desk:
    """The window with what the tests ask of it again and again."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        assert window.document is not None
        self.qtbot = qtbot
        self.window = window
        self.document = window.document
        self.canvas = window.canvas
        self.editing = window.on_canvas.editing
        self.menu = window.on_canvas.menu

    def settle(self) -> None:
        """Wait until all is read and linted."""
        document, canvas = self.document, self.canvas
        self.qtbot.waitUntil(lambda: document.linted and document.parsed and not canvas.is_building)

    def text(self, path: Path | None = None) -> str:
        """What a file holds in the window; the registry without a path."""
        source = self.document.source(path)
        assert isinstance(source, Source)
        return source.text

    def texts(self) -> tuple[str, str]:
        """The registry and the layout file."""
        return self.text(), self.text(self.document.layout_path)

    @property
    def history(self) -> list[str]:
        """The titles of the entries that can be undone."""
        stack = self.document.stack
        return [stack.text(number) for number in range(stack.index())]

    def undo_all(self) -> None:
        """Take everything back."""
        while self.document.stack.canUndo():
            self.document.undo()


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return copy_example(into=tmp_path / "project")


@pytest.fixture
def desk(qtbot: QtBot, kept: MainWindow, example: Path) -> Iterator[Desk]:
    """The file's window with the example; what a test changes of the window beside it, it changes back."""
    with emptied(kept, size=(1400, 900)) as window:
        assert window.open(example)
        made = Desk(qtbot, window)
        made.settle()
        window.room.show_view("flow")  # dragging needs room
        QApplication.processEvents()
        window.canvas.fit()
        yield made


@pytest.fixture
def own_desk(qtbot: QtBot, tmp_path: Path, example: Path) -> Iterator[Desk]:
    """A window for one test, which leaves it otherwise than it was."""
    with shown_window(qtbot, tmp_path, Silent(), (1400, 900)) as window:
        assert window.open(example)
        made = Desk(qtbot, window)
        made.settle()
        window.room.show_view("flow")  # dragging needs room
        QApplication.processEvents()
        window.canvas.fit()
        yield made

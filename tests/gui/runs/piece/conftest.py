"""A window with a piece in it, for runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.runs.piece.control import PieceControl
from stepflow_gui.run.takt.session import PieceRun
from tests.gui.shown import emptied


class PieceBench:
    """A window with a piece, and what a person does in it."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.panel = window.run_panel

    @property
    def control(self) -> PieceControl:
        leading = self.window.runs.control
        assert isinstance(leading, PieceControl)
        return leading

    @property
    def run(self) -> PieceRun:
        assert self.control.run is not None
        return self.control.run

    def do(self, action: str) -> None:
        self.window.desk.actions[action].trigger()
        QApplication.processEvents()

    def offered(self) -> list[str]:
        buttons = self.panel.now.widget.offers.findChildren(QPushButton)
        return [button.text() for button in buttons if button.isVisibleTo(self.panel.now.widget.offers)]

    def named(self) -> list[str]:
        """What is offered, the rules of sub-steps with the name of theirs before them."""
        buttons = self.panel.now.widget.offers.findChildren(QPushButton)
        return [
            each.accessibleName() or each.text() for each in buttons if each.isVisibleTo(self.panel.now.widget.offers)
        ]

    def press(self, text: str) -> None:
        buttons = self.panel.now.widget.offers.findChildren(QPushButton)
        here = [button for button in buttons if button.isVisibleTo(self.panel.now.widget.offers)]
        next(each for each in here if text in {each.text().partition("  →  ")[0], each.accessibleName()}).click()
        QApplication.processEvents()

    @property
    def title(self) -> str:
        return self.panel.now.widget.title.whole

    @property
    def note(self) -> str:
        return self.panel.now.widget.note.text()

    def setup(self, **chosen: object) -> None:
        form = self.control.setup.widget
        form.show_setup(form.setup._replace(**chosen))  # type: ignore[arg-type]
        form.changed.emit(form.setup)

    def subs(self, step: str) -> dict[str, str]:
        """The text of the rows of sub-steps on the canvas."""
        item = self.window.canvas.graph.step_item(step)
        assert item is not None
        return {mark.name: mark.result or mark.state for mark in item.sub_marks}

    def write(self, text: str) -> None:
        self.panel.now.widget._wrote.setText(text)


@pytest.fixture
def window(qtbot: QtBot, kept: MainWindow) -> Iterator[MainWindow]:
    with emptied(kept) as window:
        yield window


def opened(window: MainWindow, folder: Path, text: str) -> PieceBench:
    file = folder / ".takt" / "pieces" / "piece.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert window.open(file)
    return PieceBench(window)

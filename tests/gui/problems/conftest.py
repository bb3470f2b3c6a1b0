"""A problems panel in a shown window, with the document that it shows."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.selection import Reveal
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.text.source import Source
from tests.gui.shown import shown_panel

LEFT = Qt.MouseButton.LeftButton


class Bench:
    """A panel in a shown window, with the document it shows."""

    def __init__(self, document: Document, panel: ProblemsPanel) -> None:
        self.document = document
        self.panel = panel
        self.list = panel.list
        self.shown: list[Reveal] = []
        document.reveal_asked.connect(self.shown.append)

    @property
    def text(self) -> str:
        source = self.document.source()
        assert isinstance(source, Source)
        return source.text

    def rows(self) -> list[Diagnostic]:
        return self.panel._model.rows

    def row_of(self, code: str) -> int:
        return [found.code for found in self.rows()].index(code)

    def point(self, row: int, button: int | None = None) -> QPoint:
        """A point on a row's message, or on one of its buttons."""
        index = self.panel._model.index(row)
        self.list.scrollTo(index)
        area = self.list.visualRect(index)
        shape = self.list.delegate.shape(self.rows()[row], area.width())
        box = shape.message if button is None else shape.buttons[button]
        return area.topLeft() + box.center()

    def click(self, row: int, button: int | None = None) -> None:
        QTest.mouseClick(self.list.viewport(), LEFT, pos=self.point(row, button))


Make = Callable[[Path], Bench]


@pytest.fixture
def bench(qtbot: QtBot) -> Make:
    def make(path: Path) -> Bench:
        panel = ProblemsPanel(Theme(dark=False))
        document = shown_panel(qtbot, panel, path, (640, 300))
        panel.list.setFocus()
        qtbot.waitUntil(lambda: document.linted)
        return Bench(document, panel)

    return make


@pytest.fixture
def broken(bench: Make, checkout: Path, tmp_path: Path) -> Bench:
    """The example with five mistakes."""
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow-broken", tmp_path / "agent")
    return bench(tmp_path / "agent")

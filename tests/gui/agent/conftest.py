"""A window with the example agent and the form of its agent.json in front."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.agent.page import AgentPage
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import difference
from tests.gui.editing.conftest import Desk
from tests.gui.shown import emptied


class AgentDesk(Desk):
    """The window, what its agent.json holds, and the rows of the form."""

    file: Path

    @property
    def page(self) -> AgentPage:
        page = self.window.agent.page
        assert page is not None
        return page

    @property
    def value(self) -> Any:
        return json.loads(self.text(self.file))

    def write(self, value: Any) -> None:
        """Another text of agent.json, as if it were typed into the source."""
        text = value if isinstance(value, str) else json.dumps(value, indent=2) + "\n"
        assert self.document.apply({self.file: difference(self.text(self.file), text)}, "Type", "test") is None
        self.settle()

    def row(self, pointer: str) -> FormRow:
        found = [row for view in self.page.views for row in view.rows if row.line.pointer == pointer]
        assert len(found) == 1, [row.line.pointer for view in self.page.views for row in view.rows]
        return found[0]

    def changed_lines(self, before: str) -> int:
        lines = before.split("\n")
        return sum(line not in lines for line in self.text(self.file).split("\n"))


@pytest.fixture
def desk(qtbot: QtBot, kept: MainWindow, tmp_path: Path) -> Iterator[AgentDesk]:
    folder = copy_example(into=tmp_path / "project")
    with emptied(kept, size=(1400, 900)) as window:
        assert window.open(folder)
        made = AgentDesk(qtbot, window)
        made.file = next(folder.rglob("agent.json"))
        made.settle()
        qtbot.waitUntil(window.isActiveWindow)
        window.desk.actions["focus-agent"].trigger()
        yield made

"""A window with an agent in it, for runs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.runs.run_control import RunControl
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.run.session import Run
from tests.gui.shown import emptied, in_run, shown_window
from tests.gui.silent import Silent
from tests.run.flows import registry, step


class Bench:
    """A window, and what a person does in it."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot = qtbot
        self.window = window
        self.panel = window.run_panel

    @property
    def control(self) -> RunControl:
        return self.window.runs.agent

    @property
    def run(self) -> Run:
        run = self.control.run
        assert run is not None
        return run

    @property
    def title(self) -> str:
        return self.panel.now.widget.title.whole

    @property
    def note(self) -> str:
        return self.panel.now.widget.note.text()

    def open(self, path: Path) -> None:
        assert self.window.open(path)
        document = self.window.document
        assert document is not None
        self.qtbot.waitUntil(lambda: document.linted and not self.window.canvas.is_building)

    def do(self, action: str) -> None:
        self.window.desk.actions[action].trigger()
        QApplication.processEvents()

    def press(self, start: str) -> None:
        if not self.panel.now.isVisible():  # what is picked stands at the right while a run is looked at
            self.window.layouts.turn_to("debug")
            self.panel.show_page(self.panel.now)
        for button in in_run(self.panel, QPushButton):
            if button.isVisible() and button.text().startswith(start) and button.isEnabled():
                button.click()
                QApplication.processEvents()
                return
        raise AssertionError(f"no button {start}")

    def setup(self, **chosen: object) -> None:
        form = self.panel.setup_form.widget
        form.show_setup(form.setup._replace(**chosen))  # type: ignore[arg-type]
        form.changed.emit(form.setup)

    def wait(self, timeout: int = 60_000) -> None:
        self.qtbot.waitUntil(lambda: not self.control.busy, timeout=timeout)

    def rows(self, page: str) -> list[str]:
        """What a page's table shows, a text a row."""
        tables = {
            "trace": self.panel.trace.widget.rows,
            "context": self.panel.data.widget.context,
            "watches": self.panel.data.widget.watches,
            "checks": self.panel.checks.widget.rows,
            "breakpoints": self.panel.breakpoints.widget.rows,
            "compare": self.panel.compare.widget.rows,
            "tried": self.panel.prompt.widget.tried,
            "variables": self.panel.prompt.widget.variables,
        }
        rows = tables[page]
        return ["  ".join(cell.text for cell in rows.row(at).cells) for at in range(rows.rowCount())]


@pytest.fixture
def bench(qtbot: QtBot, kept: MainWindow) -> Iterator[Bench]:
    """The file's window with nothing open; what a test changes of the window beside runs, it changes back."""
    with emptied(kept, size=(1600, 1000)) as window:
        yield Bench(qtbot, window)


@pytest.fixture
def own_bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    """A window for one test, which needs a new one or leaves it otherwise than it was."""
    with shown_window(qtbot, tmp_path, Silent(), (1600, 1000)) as window:
        yield Bench(qtbot, window)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return copy_example(into=tmp_path / "project")


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a registry as an agent of its own and gives its folder."""

    def make(content: dict[str, object], verdict: dict[str, object] | None = None) -> Path:
        folder = tmp_path / "agents" / ".agent" / "demo"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "steps_registry.json").write_text(json.dumps(content, indent=2), "utf-8")
        agent = {"version": "1.0.0", "name": "demo", "displayName": "Demo", "description": "d", "parameters": {}}
        agent["runner"] = {
            "flow": {"systemPromptPath": "p.md", "prompts": {"registry": "steps_registry.json"}},
            "verdict": verdict or {"type": "detect:keyword", "config": {"maxIterations": 100_000}},
        }
        (folder / "agent.json").write_text(json.dumps(agent), "utf-8")
        return folder

    return make


def endless() -> dict[str, object]:
    """Two steps that go to each other for as long as one likes."""
    return registry(
        step("initial.a", "work", next="continuation.b", repeat="initial.a"),
        step("continuation.b", "work", next="initial.a", repeat="continuation.b"),
    )

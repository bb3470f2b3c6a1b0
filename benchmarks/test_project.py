"""A repository of 500 agents in the window: shown, checked beside it, and the window keeps its pace."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6.QtWidgets", reason="needs the window")

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from benchmarks.agents import sound_registry, write_made
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.live_lint import prepare_threads
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.project.view import ProjectView
from stepflow_gui.gui.widgets.application import make_application

AGENTS = 500
STEPS = 10
SHOWN = 3.0  # seconds until all agents stand in the tree
LONGEST = 0.25  # seconds that the window may not answer
CANCELLED = 1.0  # seconds from the button until nothing is checked any more


def write_repository(folder: Path, agents: int, steps: int = STEPS) -> Path:
    """Write a repository with that many agents, ten services a group."""
    (folder / ".git").mkdir(parents=True)
    for number in range(agents):
        write_made(folder / f"group{number // 10}" / f"service{number}", sound_registry(steps, number))
    return folder


class Watched:
    """A shell with a tick that tells how long the window didn't answer."""

    def __init__(self, folder: Path) -> None:
        self.application = make_application()
        prepare_threads()
        self.shell = Shell(Settings(folder / "settings.ini"))
        self.shell.show()
        self.longest = 0.0
        self._last = time.perf_counter()
        self._tick = QTimer()
        self._tick.timeout.connect(self._note)
        self._tick.start(1)

    def _note(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._last)
        self._last = now

    def until(self, ready: Callable[[], bool]) -> float:
        """Let the window work until something holds; gives the seconds."""
        start = time.perf_counter()
        while not ready():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            assert time.perf_counter() < start + 300
        return time.perf_counter() - start

    @property
    def view(self) -> ProjectView:
        """The project."""
        assert self.shell.project.view is not None
        return self.shell.project.view


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A window with nothing in it."""
    made = Watched(tmp_path)
    yield made
    made.shell.close()


def test_five_hundred_agents(watched: Watched, tmp_path: Path) -> None:
    """Shown in three seconds; checking is called off and taken up again while only problems are listed."""
    root = write_repository(tmp_path / "repository", AGENTS)
    later = time.perf_counter() + 0.5
    watched.until(lambda: time.perf_counter() > later)
    watched.longest = 0.0
    start = time.perf_counter()
    assert watched.shell.open(root)
    view = watched.view
    watched.until(lambda: len(view.model.rows) == AGENTS)
    watched.until(lambda: view.panel.tree.visualRect(view.model.index(0, 0)).isValid())
    shown = time.perf_counter() - start
    watched.until(lambda: view.checked > AGENTS // 10)
    view.panel.foot.button.click()
    cancelled = watched.until(lambda: view.at_rest)
    done = view.checked
    view.panel.foot.button.click()
    view.panel.only_problems.setChecked(True)  # so that rows come and go
    watched.until(lambda: view.at_rest and view.checked == AGENTS)
    checked = time.perf_counter() - start
    sys.stdout.write(
        f"\n{AGENTS} agents: shown {shown:.2f} s, checked {checked:.1f} s (cancelled after {done}, in"
        f" {1000 * cancelled:.0f} ms), longest without an answer {1000 * watched.longest:.0f} ms"
    )
    assert shown <= SHOWN
    assert cancelled <= CANCELLED
    assert watched.longest <= LONGEST

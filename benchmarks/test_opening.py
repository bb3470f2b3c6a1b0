"""Opening large flows, and changing looks: how long the window's thread works without letting an event through.

Printed are milliseconds of that thread's processor time, so that other programs and threads don't count; what is
asserted are ratios of the same run.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6.QtWidgets", reason="needs the window")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from benchmarks.agents import write_agent
from benchmarks.event_loop import EventLoop
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application

SIZES = (1000, 3000, 5000)
LIMIT = 2.0  # times as long as opening 21 steps, whose panels and pages are the same
LIMIT_LOOK = 1.5  # times as long with six tabs as with one
TABS = 5  # beside the one of 200 steps


class Watchdog:
    """The longest time that the window's thread worked between two events of a timer."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.thread_time()
        self._timer = QTimer()
        self._timer.timeout.connect(self._look)
        self._timer.start(1)

    def _look(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now

    def begin(self) -> None:
        """Forget what was."""
        self._look()
        self.longest = 0.0

    def end(self) -> float:
        """Seconds of the longest call since."""
        self._look()
        return self.longest


class Desk(EventLoop):
    """A shell in which agents are opened."""

    def __init__(self, folder: Path) -> None:
        self.application = make_application()
        self.shell = Shell(Settings(folder / "settings.ini"))
        self.shell.resize(1400, 900)
        self.shell.show()
        self.watchdog = Watchdog()
        self.rest()

    def open(self, agent: Path) -> float:
        """Seconds of the longest call of the window's thread while an agent is opened, linted and drawn."""
        self.watchdog.begin()
        assert self.shell.open(agent)
        self.until(self._is_open)
        self.rest()
        return self.watchdog.end()

    def _is_open(self) -> bool:
        window = self.shell.current
        document = window.document
        return (
            document is not None
            and document.linted
            and bool(window.canvas.graph.nodes)
            and not window.canvas.is_building
        )

    def switch(self, change: Callable[[], object]) -> float:
        """Seconds of the window's thread for a change of looks, until it is painted."""
        self.rest()
        start = time.thread_time()
        change()
        QApplication.processEvents()
        return time.thread_time() - start

    def close(self) -> None:
        """Take the shell away."""
        for window in self.shell.windows:
            window.discard_changes = True
        self.shell.close()
        self.shell.deleteLater()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A shell without an agent."""
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("steps", SIZES)
def test_opening_lets_events_through(desk: Desk, tmp_path: Path, steps: int) -> None:
    """A large flow holds the window up hardly longer than a small one, whose panels are built at once."""
    desk.open(write_agent(tmp_path / "first", 21))  # what is loaded with the first agent is loaded
    small = desk.open(write_agent(tmp_path / "small", 21))
    large = desk.open(write_agent(tmp_path / "large", steps))
    sys.stdout.write(f"\n{steps} steps: longest call {1000 * large:.0f} ms, of 21 steps {1000 * small:.0f} ms\n")
    assert large <= LIMIT * small


def test_looks_of_six_tabs(desk: Desk, tmp_path: Path) -> None:
    """Theme and language are shown in the tab in front; hidden tabs take them when they are turned to."""
    looks = ("dark", "light") * 3
    desk.open(write_agent(tmp_path / "large", 200))
    widgets = len(desk.shell.current.findChildren(QWidget))
    window = desk.shell.current
    one = min(desk.switch(partial(window.set_look, look)) for look in looks)
    for number in range(TABS):
        desk.open(write_agent(tmp_path / str(number), 21))
    desk.shell.turn_to(window)
    six = min(desk.switch(partial(window.set_look, look)) for look in looks)
    language = min(desk.switch(partial(window.set_language, word)) for word in ("ja", "en") * 3)
    turned = desk.switch(partial(desk.shell.turn, 1))
    sys.stdout.write(
        f"\ntheme: one tab {1000 * one:.0f} ms, six tabs {1000 * six:.0f} ms; language {1000 * language:.0f} ms;"
        f" a tab that catches up {1000 * turned:.0f} ms; {widgets} widgets a tab\n"
    )
    assert six <= LIMIT_LOOK * one

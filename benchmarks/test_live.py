"""The window while somebody writes: from a key to the step's badge and to the graph, and a drag beside the linter."""

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median, quantiles

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6.QtWidgets", reason="needs the window")

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.agents import write_agent
from benchmarks.event_loop import EventLoop
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.live_lint import prepare_threads
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application

KEYS = 15
FRAMES = 200
LIMITS = {200: 0.050, 1000: 0.100}  # seconds from a key to the badge


class Live(EventLoop):
    """A window on an agent, with its middle step selected, whose badge follows what is written."""

    def __init__(self, folder: Path, agent: Path, painted: list[None]) -> None:
        self.painted = painted
        self.application = make_application()
        prepare_threads()
        self.window = MainWindow(Settings(folder / "settings.ini"))
        self.window.resize(1400, 900)
        self.window.show()
        assert self.window.open(agent)
        self._tick = QTimer()  # so that waiting for events ends now and then
        self._tick.start(1)
        self.until(lambda: self.window.opening is None)  # a large file is read on a thread
        assert self.window.document is not None
        self.document: Document = self.window.document
        self.until(self._is_shown)
        steps = list(self.document.folder.flow.steps)
        self.step = steps[len(steps) // 2]
        self.document.select(self.step, "canvas")
        self.rest()

    def _is_shown(self) -> bool:
        canvas = self.window.canvas
        return self.document.linted and bool(canvas.graph.nodes) and not canvas.is_building

    def caret_at(self, offset: int) -> None:
        """Put the caret of the source panel before an offset of the registry."""
        editor = self.window.source.editor
        editor.setFocus()
        cursor = editor.textCursor()
        cursor.setPosition(editor.mapping.position(offset))
        editor.setTextCursor(cursor)
        self.rest()

    def badge(self) -> object:
        """What the step's badge counts."""
        return self.window.canvas.graph.counts.get(self.step)

    def type_keys(self) -> tuple[float, float]:
        """Seconds from a key to the graph and to the badge, medians."""
        graphs: list[float] = []
        badges: list[float] = []
        shown: list[float] = []
        self.document.flow_changed.connect(lambda: shown.append(time.perf_counter()))
        for number in range(KEYS):
            before, version = self.badge(), self.document.version
            shown.clear()
            start = time.perf_counter()
            QTest.keyClick(self.window.source.editor, Qt.Key.Key_Backspace if number % 2 else Qt.Key.Key_X)
            self.until(partial(self._has_another_badge, before, version))
            badges.append(time.perf_counter() - start)
            self.until(lambda: self.document.parsed)
            graphs.append(shown[-1] - start)
            self.rest()
        sys.stdout.write(f"\nthe quickest: graph {1000 * min(graphs):.0f} ms, badge {1000 * min(badges):.0f} ms")
        return median(graphs), median(badges)

    def _has_another_badge(self, before: object, version: int) -> bool:
        return self.document.version > version and self.document.linted and self.badge() != before

    def drag(self, busy: bool) -> float:
        """The 95th percentile of a frame, in seconds, while a step is dragged, beside the linter or not."""
        view = self.window.canvas
        self.rest()
        view.select_step(self.step, reveal=True)
        self.rest()
        at = view.mapFromScene(view.graph.step_frames()[self.step].center())
        port = view.viewport()
        QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=at)
        frames = []
        least = QApplication.startDragDistance()  # a shorter first move would drag nothing, and nothing be painted
        for number in range(FRAMES):
            if busy and self.document.linted:
                self.document.lint_again()
            start, before = time.perf_counter(), len(self.painted)
            QTest.mouseMove(port, at + QPoint(least + number % 40, least + number % 25))
            while len(self.painted) == before:
                QApplication.processEvents()
                assert time.perf_counter() < start + 60
            frames.append(time.perf_counter() - start)
        QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at)
        return quantiles(frames, n=20)[-1]

    def close(self) -> None:
        """Take the window away; what was written is given up."""
        self._tick.stop()
        if self.window.document is not None:
            self.window.document.close()
            self.window.document = None
        self.window.hide()
        self.window.deleteLater()


@pytest.fixture
def live(request: pytest.FixtureRequest, tmp_path: Path, painted: list[None]) -> Iterator[Live]:
    """A window on as many steps as the test says."""
    made = Live(tmp_path, write_agent(tmp_path, request.param), painted)
    yield made
    made.close()


@pytest.mark.parametrize("live", LIMITS, indirect=True, ids=str)
@pytest.mark.parametrize("where", ["a name", "a target"])
def test_from_key_to_badge(live: Live, where: str, request: pytest.FixtureRequest) -> None:
    """A letter more and less in the step's own id, and in a target, which changes the graph as well."""
    step = live.document.folder.flow.steps[live.step]
    target = next((rule.target for rule in step.transitions if rule.target and rule.target.value != step.id), None)
    text = step.step_id if where == "a name" else target
    assert text is not None
    live.caret_at(text.span.end - 1)
    graph, badge = live.type_keys()
    steps = len(live.document.folder.flow.steps)
    sys.stdout.write(f"\n{steps} steps, {where}: graph {1000 * graph:.0f} ms, badge {1000 * badge:.0f} ms\n")
    assert badge <= LIMITS[steps], request.node.name


@pytest.mark.parametrize("live", [1000], indirect=True, ids=str)
def test_a_drag_beside_the_linter(live: Live) -> None:
    """A frame takes at most one and a half times as long as without."""
    live.drag(busy=False)
    idle, busy = live.drag(busy=False), live.drag(busy=True)
    sys.stdout.write(f"\n95 of 100 frames: {1000 * idle:.1f} ms idle, {1000 * busy:.1f} ms beside the linter\n")
    assert busy <= 1.5 * idle

"""Takes the pictures for the docs: `python packaging/screenshots.py [--agent AGENT] [FOLDER]`.

The pictures `job-….png` show the commonest jobs, done by mouse and keys in the bundled example, and `tour.png` moves
through several. With an AGENT the window is taken with it too, as `window-….png`. FOLDER is where they go
(docs/images).
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import moving_picture
from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example

WINDOW = (1280, 800)
JOB = (1080, 680)
TOUR = (1120, 700)
STEP = "continuation.issue"
_COLOURS = 256
_LEFT, _NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
_RGB = QImage.Format.Format_RGB32


def main() -> int:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", type=Path, help="the agent that the pictures of the whole window show")
    parser.add_argument("folder", type=Path, nargs="?", default=Path("docs/images"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    application = make_application()
    for language in messages.LANGUAGES:
        messages.use_language(language)
        tongue = "" if language == "en" else f"-{language}"
        for name, job in JOBS.items():
            with tempfile.TemporaryDirectory() as kept, _window(application, Path(kept), "light", JOB) as window:
                _open(application, window, copy_example(into=Path(kept)))
                window.canvas.fit()
                job(window)
                _wait(application, window)
                _keep(window, given.folder / f"job-{name}{tongue}.png")
                window.canvas.cancel_drag()
        with tempfile.TemporaryDirectory() as kept, _window(application, Path(kept), "light", TOUR) as window:
            _open(application, window, copy_example(into=Path(kept)))
            window.canvas.fit()
            moving_picture.write(list(_tour(application, window)), given.folder / f"tour{tongue}.png")
        for look in ("light", "dark") if given.agent is not None else ():
            with tempfile.TemporaryDirectory() as kept, _window(application, Path(kept), look, WINDOW) as window:
                _open(application, window, given.agent)
                _run(window, 1)
                _wait(application, window)
                _keep(window, given.folder / f"window-{look}{tongue}.png")
    return 0


# The jobs


def _connect(window: MainWindow) -> None:
    canvas = window.canvas
    start = _pill(canvas, STEP, "next")
    frame = canvas.graph.step_frames()["initial.issue"]
    end = canvas.mapFromScene(frame.topLeft() + QPointF(40, 40))
    _mouse(canvas, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT)
    for share in range(1, 9):
        _mouse(canvas, QEvent.Type.MouseMove, start + (end - start) * share / 8, _NONE, _LEFT)


def _contract(window: MainWindow) -> None:
    assert window.document is not None
    schema = next(window.document.last_valid.root.rglob("issue.schema.json"))
    text = schema.read_text("utf-8")
    schema.write_text(text.replace('"next", "repeat", "handoff"', '"next", "repeat"'), "utf-8")
    window.document.check_disk()
    window.canvas.choose_step(STEP)


def _rename(window: MainWindow) -> None:
    window.canvas.choose_step(STEP)
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_F2)
    field = QApplication.focusWidget()
    assert field is not None
    QTest.keyClicks(field, "continuation.repair")


def _run(window: MainWindow, moves: int) -> None:
    window.runs.agent.start()
    run = window.runs.agent.run
    for _move in range(moves):
        if run is not None and run.choices():
            run.choose(run.choices()[-1] if moves > 1 else run.choices()[0])


def _debug(window: MainWindow) -> None:
    _run(window, 1)
    run = window.runs.agent.run if window.document is not None else None
    if run is not None:
        run.choose(next(choice for choice in run.choices() if "handoff" in str(choice)))


def _undo(window: MainWindow) -> None:
    canvas = window.canvas
    canvas.choose_step("closure.issue")
    canvas.setFocus()
    for key, held in (
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
    ):
        QTest.keyClick(canvas, key, held)
    window.desk.actions["undo"].trigger()
    window.desk.show_output(window.navigation.history)


def _tour(application: QApplication, window: MainWindow) -> Iterator[moving_picture.Frame]:
    """An intent is dragged to another step and the change undone; then a run goes through the flow."""

    def shown(stays: int) -> moving_picture.Frame:
        _wait(application, window)
        return moving_picture.Frame(window.grab().toImage(), stays)

    canvas = window.canvas
    yield shown(1500)
    start = _pill(canvas, STEP, "handoff")
    end = canvas.mapFromScene(canvas.graph.step_frames()["initial.issue"].topLeft() + QPointF(40, 40))
    _mouse(canvas, QEvent.Type.MouseButtonPress, start, _LEFT, _LEFT)
    for share in range(1, 9):
        _mouse(canvas, QEvent.Type.MouseMove, start + (end - start) * share / 8, _NONE, _LEFT)
        yield shown(120)
    yield shown(600)
    _mouse(canvas, QEvent.Type.MouseButtonRelease, end, _LEFT, _NONE)
    yield shown(2200)
    window.desk.actions["undo"].trigger()
    yield shown(1200)
    window.runs.agent.start()
    yield shown(1200)
    run = window.runs.agent.run
    assert run is not None
    for wanted in ("next", "handoff", "closing"):
        run.choose(next(choice for choice in run.choices() if wanted in str(choice)))
        yield shown(1500)
    while run.validator is not None:
        run.validated(passed=True)
        yield shown(1500)
    yield shown(1500)


JOBS: dict[str, Callable[[MainWindow], None]] = {
    "connect": _connect,
    "contract": _contract,
    "rename": _rename,
    "run": _debug,
    "undo": _undo,
}


# The window


@contextmanager
def _window(application: QApplication, kept: Path, look: str, size: tuple[int, int]) -> Iterator[MainWindow]:
    settings = Settings(kept / "settings.ini")
    settings.look = look
    settings.language = messages.language()
    shell = Shell(settings)
    window = shell.current
    shell.resize(*size)
    shell.show()
    shell.activateWindow()
    application.processEvents()
    yield window
    if window.document is not None:
        window.document.keep_mine()
        while window.document.stack.canUndo():
            window.document.undo()
    shell.close()


def _open(application: QApplication, window: MainWindow, agent: Path) -> None:
    window.open(agent)
    _wait(application, window)


def _pill(canvas: GraphView, step: str, intent: str) -> QPoint:
    item = canvas.graph.step_item(step)
    assert item is not None
    pill = next(pill for pill in item.measured.pills if pill.intent == intent)
    return canvas.mapFromScene(item.pos() + pill.rect.center())


def _mouse(canvas: GraphView, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    there = QPointF(canvas.viewport().mapToGlobal(at))
    event = QMouseEvent(kind, QPointF(at), there, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas.viewport(), event)


def _keep(window: MainWindow, target: Path) -> None:
    """Save a picture with its commonest colours alone: a third of the bytes, and no difference that is seen."""
    image = window.grab().toImage().convertToFormat(_RGB)
    found = Counter(memoryview(image.constBits()).cast("I").tolist()).most_common(_COLOURS)
    image.convertToFormat(
        QImage.Format.Format_Indexed8,
        [colour | 0xFF000000 for colour, _count in found],
        Qt.ImageConversionFlag.AvoidDither,
    ).save(str(target))


def _wait(application: QApplication, window: MainWindow) -> None:
    end = time.monotonic() + 20
    quiet = time.monotonic() + 1.0
    while time.monotonic() < end:
        application.processEvents()
        done = window.document is None or (window.document.linted and not window.canvas.is_building)
        if done and time.monotonic() > quiet:
            return
        time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main())

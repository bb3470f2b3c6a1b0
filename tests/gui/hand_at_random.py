"""A person who does anything in any order in the program's window, by a seed, and counts what there is."""

import gc
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.fuzz.mutations import mutated

_ANY = (  # actions that need nothing but the window
    *("undo", "undo", "redo", "go-anywhere", "step-files", "palette", "jump-back", "jump-forth", "fit", "zoom-in"),
    *("zoom-out", "zoom-reset", "zoom-selection", "tidy", "versions", "minimap", "follow", "validation-layer", "save"),
    *("next-problem", "next-problem", "previous-problem", "fix-problem", "explain-problem", "suppress-problem"),
    *("fix-safe", "focus-canvas", "focus-inspector", "focus-source", "focus-problems", "focus-run", "focus-agent"),
    *(
        "choose-verdict",
        "next-panel",
        "previous-panel",
        "reduce-motion",
        "log",
        "reload",
        "canvas-only",
        "bottom-panel",
    ),
    *("side-panel", "inspector", "next-view", "word-wrap", "problems-by-rule", "problems-by-step", "select-all"),
)
_RUN = (
    *("run-start", "run-start", "run-pause", "run-step", "run-step", "run-step", "run-back", "run-to-here", "run-fork"),
    *("run-breakpoint", "run-restart", "run-stop"),
)
_DIALOGS = ("new-agent", "shortcuts", "about", "convert", "tour")
_KEYS = (
    *(Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Left),
    *(Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_A, Qt.Key.Key_QuoteDbl),
)
_TEXTS = ("x", "語", '"a"', "{", "\n", " ", "")
_MOST_TABS = 4
_MOST_NAMES = 4


class RandomHand:
    """`act(n)` is the n-th gesture of the seed, whatever came before it; `rest` closes everything opened."""

    def __init__(self, qtbot: QtBot, shell: Shell, agents: Sequence[Path], repository: Path, seed: int) -> None:
        self._qtbot = qtbot
        self._shell = shell
        self._agents = agents
        self._repository = repository
        self._seed = seed
        self._files = {file: file.read_bytes() for file in repository.rglob("*") if file.is_file()}
        self._chance = random.Random(seed)
        self.done: list[str] = []
        self._gestures: list[tuple[int, Callable[[], object]]] = [
            (3, self.open),
            (2, self.close),
            (4, self.turn),
            (1, self.move_tab),
            (2, self.show_project),
            (1, self.close_project),
            (5, self.use_project),
            (12, self.select),
            (10, self.click_canvas),
            (8, self.edit),
            (10, self.type),
            (10, self.press),
            (6, self.dock),
            (3, self.output),
            (20, self.act_any),
            (14, self.act_run),
            (1, self.dialog),
            (1, self.speak),
            (1, self.look),
            (6, self.wait),
            (4, self.change_on_disk),
        ]

    @property
    def window(self) -> MainWindow:
        """What is in front."""
        return self._shell.current

    def act(self, number: int) -> None:
        """Make one gesture."""
        self._chance = random.Random(f"{self._seed}/{number}")
        weights, gestures = zip(*self._gestures, strict=True)
        (gesture,) = self._chance.choices(gestures, weights)
        self.done.append(gesture.__name__)
        gesture()
        QCoreApplication.processEvents()
        self.dismiss()

    def rest(self) -> Counter[str]:
        """Close everything, and a window in which much was opened for one that is new. Gives what is left, by kind."""
        self.dismiss()
        shell = self._shell
        shell.project.show(self._repository)
        shell.project.close()
        while shell.current.document is not None or len(shell.windows) > 1:
            shell.close_tab(0)
        for file, content in self._files.items():  # what was saved would be seen in the forms
            file.write_bytes(content)
        for path in self._agents:  # all, so that those opened lately are the same
            shell.open(path)
            for dock in self.window.docks:  # what is hidden builds no forms
                dock.show()
        for _path in self._agents:
            shell.close_tab(0)
        shell.current.set_language("en")
        shell.current.set_look("light")
        self._qtbot.wait(300)
        for _round in range(2):
            gc.collect()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        left = Counter(map(_kind, QApplication.allWidgets()))
        left.update(f"thread {thread.name}" for thread in threading.enumerate())
        timers = [timer for timer in shell.findChildren(QTimer) if timer.isActive()]
        left.update(f"timer of {type(timer.parent()).__name__}" for timer in timers)
        left["timers in all"] = len(shell.findChildren(QTimer))
        return left

    def dismiss(self) -> None:
        """Close menus, popups and dialogs."""
        for _depth in range(5):
            over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
            if over is None:
                return
            over.close()
            QCoreApplication.processEvents()

    # Gestures

    def open(self) -> None:
        if len(self._shell.windows) >= _MOST_TABS:
            self.close()
        self._shell.open(self._chance.choice(self._agents))

    def close(self) -> None:
        self._shell.close_tab(self._chance.randrange(self._shell.tabs.count()))

    def turn(self) -> None:
        self._shell.turn(self._chance.choice((1, -1)))

    def move_tab(self) -> None:
        count = self._shell.tabs.count()
        self._shell.tabs.moveTab(self._chance.randrange(count), self._chance.randrange(count))

    def show_project(self) -> None:
        self._shell.open(self._repository)

    def close_project(self) -> None:
        self.window.desk.actions["close-project"].trigger()

    def use_project(self) -> None:
        view = self._shell.project.view
        if view is None or view.root is None:
            self.window.desk.actions["focus-project"].trigger()
            return
        panel, tree = view.panel, view.panel.tree
        match self._chance.randrange(7):
            case 0:
                panel.field.setText(self._chance.choice(("", "a", "issue", "zzz")))
            case 1:
                panel.only_problems.toggle()
            case 2:
                panel.sorting.menu().actions()[self._chance.randrange(3)].trigger()
            case 3:
                view.look()
            case 4:
                view.cancel()
            case 5:
                view.go_on()
            case _:
                row = tree.model().index(self._chance.randrange(3), 0)
                if row.isValid():
                    tree.expand(row)
                    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(row).center())

    def select(self) -> None:
        document = self.window.document
        if document is not None:
            steps = [None, *document.last_valid.flow.steps]
            document.select(self._chance.choice(steps), self._chance.choice(("canvas", "outline", "link")))

    def click_canvas(self) -> None:
        port = self.window.canvas.viewport()
        at = QPoint(self._chance.randrange(max(1, port.width())), self._chance.randrange(max(1, port.height())))
        match self._chance.randrange(6):
            case 0:
                QTest.mouseDClick(port, Qt.MouseButton.LeftButton, pos=at)
            case 1:
                QTest.mouseClick(port, Qt.MouseButton.RightButton, pos=at)
            case 2:
                QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=at)
                QTest.mouseMove(port, at + QPoint(20, 10))
                QTest.mouseMove(port, at + QPoint(60, 40))
                QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=at + QPoint(60, 40))
            case _:
                QTest.mouseClick(port, Qt.MouseButton.LeftButton, pos=at)

    def edit(self) -> None:
        document = self.window.document
        if document is None:
            return
        path = self._chance.choice([text.path for text in document.texts])
        source = document.source(path)
        if isinstance(source, Source):
            start = self._chance.randint(0, len(source.text))
            end = min(len(source.text), start + self._chance.choice((0, 0, 3, 40)))
            document.apply({path: [TextEdit(start, end, self._chance.choice(_TEXTS))]}, "Put", "canvas")
            if self._chance.random() < 0.8:  # a text that stays broken hides most of the window's work
                document.undo()

    def type(self) -> None:
        editor = self.window.source.focus_widget
        editor.setFocus()
        for _number in range(self._chance.randint(1, 4)):
            QTest.keyClicks(editor, self._chance.choice(('"', "a", ",", "{", "st")))

    def press(self) -> None:
        focus = QApplication.focusWidget()
        if focus is not None:
            QTest.keyClick(focus, self._chance.choice(_KEYS))

    def dock(self) -> None:
        self._chance.choice(self.window.docks).toggleViewAction().trigger()

    def output(self) -> None:
        output = self.window.output
        output.setCurrentIndex(self._chance.randrange(output.count()))
        for pages in (self.window.run_panel.pages, self.window.run_panel.right):
            pages.setCurrentIndex(self._chance.randrange(max(1, pages.count())))
        for view in output.currentWidget().findChildren(QAbstractItemView)[:1]:
            QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 10))

    def act_any(self) -> None:
        self.window.desk.actions[self._chance.choice(_ANY)].trigger()

    def act_run(self) -> None:
        self.window.desk.actions[self._chance.choice(_RUN)].trigger()

    def dialog(self) -> None:
        self.window.desk.actions[self._chance.choice(_DIALOGS)].trigger()
        QCoreApplication.processEvents()

    def speak(self) -> None:
        self.window.set_language(self._chance.choice(("en", "ja")))

    def look(self) -> None:
        self.window.set_look(self._chance.choice(("light", "dark")))

    def change_on_disk(self) -> None:
        """Another program writes a file, takes it away, or brings it back as it was."""
        file = self._chance.choice(sorted(self._files))
        kept = self._files[file]
        match self._chance.randrange(4):
            case 0:
                file.unlink(missing_ok=True)
            case 1:
                file.write_bytes(kept)
            case _:
                text = mutated(kept.decode("utf-8"), file.name, self._chance)
                file.write_bytes(text.encode("utf-8", "surrogatepass"))

    def wait(self) -> None:
        self._qtbot.wait(self._chance.choice((1, 20, 60)))


def _kind(widget: QWidget) -> str:
    """A widget by its class and those of what it is in."""
    names = [widget.metaObject().className()]  # Qt's own, too, which Python calls QWidget
    above = widget.parentWidget()
    while above is not None and len(names) < _MOST_NAMES:
        names.append(above.metaObject().className())
        above = above.parentWidget()
    return " in ".join(names)

"""Presses the keys of the menus in a whole window."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.source import Source
from tests.gui.silent import Silent

STEP = "continuation.issue"

W = TypeVar("W", bound=QWidget)


class Asked(Silent):
    """Answers file dialogs with a path, and notes that it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: Path | None = None

    def open_folder(self) -> Path | None:
        self.asked.append("folder")
        return self.answer

    def open_log(self) -> Path | None:
        return None

    def open_file(self) -> Path | None:
        self.asked.append("file")
        return self.answer

    def save_file(self, title: str, name: str) -> Path | None:
        del title, name
        self.asked.append("save")
        return self.answer


X_NAMES = {
    "Del": "Delete",
    "Ins": "Insert",
    "Esc": "Escape",
    ".": "period",
    ",": "comma",
    "-": "minus",
    "/": "slash",
    "=": "equal",
    "Enter": "KP_Enter",
    "": "plus",
}


def x_name(keys: str) -> str:
    """What xdotool calls keys: `Ctrl+Shift+.` is `ctrl+shift+period`."""
    *modifiers, key = keys.replace("++", "+").split("+")
    name = X_NAMES.get(key, key.lower() if len(key) == 1 else key)
    return "+".join([*(modifier.lower() for modifier in modifiers), name])


def _xdotool(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True, capture_output=True)


class Hands:
    """Presses keys in whatever has the keyboard."""

    def __init__(self, qtbot: QtBot, shell: Shell, asked: Asked) -> None:
        self.qtbot = qtbot
        self.shell = shell
        self.asked = asked
        self.on_display = QGuiApplication.platformName() == "xcb"  # as the end-to-end tests run these

    @property
    def window(self) -> MainWindow:
        return self.shell.current

    @property
    def document(self) -> Document:
        assert self.window.document is not None
        return self.window.document

    @property
    def text(self) -> str:
        source = self.document.source()
        assert isinstance(source, Source)
        return source.text

    @property
    def view(self) -> str:
        return self.window.room.view

    @property
    def status(self) -> str:
        return self.window.status.text

    def settle(self) -> None:
        document, canvas = self.document, self.window.canvas
        self.qtbot.waitUntil(lambda: document.linted and document.parsed and not canvas.is_building)
        QApplication.processEvents()

    def press(self, *keys: str) -> None:
        """Each of the keys as a person presses them, such as `Ctrl+K` and then `Ctrl+O`."""
        for key in keys:
            if self.on_display:
                _xdotool("key", "--clearmodifiers", "--delay", "12", x_name(key))
                self.qtbot.wait(60)
                continue
            popup = QApplication.activePopupWidget()
            focused = (popup.focusWidget() or popup) if popup is not None else QApplication.focusWidget()
            assert focused is not None
            QTest.keySequence(focused, QKeySequence(key))
            QApplication.processEvents()

    def on_canvas(self, *steps: str) -> None:
        self.activate()
        self.window.desk.show_page(self.window.canvas)
        self.window.canvas.setFocus()
        if steps:
            self.window.canvas.choose_steps(list(steps), steps[0])
        QApplication.processEvents()

    def in_source(self, at: str = "", shift: int = 0) -> None:
        self.window.room.show_source()
        editor = self.window.source.editor
        editor.setFocus()
        editor.place_caret(self.text.index(at) + shift if at else 0)
        QApplication.processEvents()

    def popup(self, kind: type[W]) -> W:
        found = QApplication.activePopupWidget()
        assert isinstance(found, kind), found
        return found

    def close_dialog(self) -> None:
        self.dialog().close()
        self.activate()

    def activate(self) -> None:
        """Have the window in front, as a window manager does once a dialog or popup is closed."""
        if self.on_display:  # where no window manager does it
            _xdotool("windowfocus", "--sync", str(int(self.shell.winId())))
        self.shell.activateWindow()
        self.qtbot.waitUntil(lambda: self.shell.isActiveWindow() and QApplication.focusWidget() is not None)

    def dialog(self) -> QDialog:
        found = QApplication.activeModalWidget() or next(
            each for each in self.window.findChildren(QDialog) if each.isVisible()
        )
        assert isinstance(found, QDialog)
        return found


@pytest.fixture
def hands(qtbot: QtBot, tmp_path: Path) -> Iterator[Hands]:
    make_application()
    asked = Asked()
    shell = Shell(Settings(tmp_path / "settings.ini"), None, lambda: asked)
    qtbot.addWidget(shell)
    shell.resize(1400, 900)
    shell.show()
    qtbot.waitExposed(shell)
    made = Hands(qtbot, shell, asked)
    made.activate()
    (registry,) = copy_example(into=tmp_path / "project").rglob("steps_registry.json")
    assert shell.open(registry)
    shell.current.bottom_dock.show()
    made.settle()
    made.on_canvas()
    yield made
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    shell.close()
    messages.use_language("en")

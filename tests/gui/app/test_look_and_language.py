"""Another look or language changes colours and words, and nothing of what the person looks at."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QColorDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QToolBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import difference
from stepflow_gui.text.source import Source
from tests.gui.shown import shown_window
from tests.gui.silent import Silent

START = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox
from stepflow_gui.gui.app.main import make_application, run
application = make_application()

timer = QTimer()
timer.timeout.connect(application.quit)
timer.start(20)
run([], sys.argv[1])
question = QMessageBox(QMessageBox.Icon.NoIcon, "", "", QMessageBox.StandardButton.Save)
print(question.button(QMessageBox.StandardButton.Save).text())
"""


@pytest.mark.parametrize("change", ["look", "language"])
def test_caret_and_view_stay(qtbot: QtBot, tmp_path: Path, change: str) -> None:
    example = copy_example(into=tmp_path / "project")
    with shown_window(qtbot, tmp_path, Silent()) as window:
        assert window.open(example)
        settle(qtbot, window)
        assert window.document is not None
        window.document.select("closure.issue", "link")
        editor = window.source.editor
        cursor = editor.textCursor()
        cursor.setPosition(5)
        editor.setTextCursor(cursor)
        window.canvas.zoom_to(2.0)
        before = window.canvas.mapToScene(0, 0)
        sizes = [bar.size() for bar in window.findChildren(QToolBar)]
        if change == "look":
            window.set_look("dark")
            settle(qtbot, window)
            assert [bar.size() for bar in window.findChildren(QToolBar)] == sizes
        else:
            window.set_language("ja")
        settle(qtbot, window)
        assert editor.textCursor().position() == 5
        assert window.canvas.mapToScene(0, 0) == before


def test_no_text_stays_in_the_old_language(qtbot: QtBot, tmp_path: Path) -> None:
    example = copy_example(into=tmp_path / "project")
    with shown_window(qtbot, tmp_path, Silent()) as window:
        window.settings.take_hint("panels")
        assert window.open(example)
        settle(qtbot, window)
        document = window.document
        assert document is not None
        text = document.source()
        assert isinstance(text, Source)
        document.apply({document.path: difference(text.text, text.text.replace('"c2"', '"c22"'))}, "Typing", "source")
        settle(qtbot, window)
        assert "SF" in window.status.text, "the new problem"
        window.canvas.hint_changed.emit("where the pointer is")
        window.desk.notices.done(messages._("Typing"))
        window.set_language("ja")
        settle(qtbot, window)
        qtbot.wait(20)
        assert not window.status.text, "neither what was done before, nor findings that are known"
        window.status._kept.timeout.emit()
        assert not window.status.text
        shown = [each for each in window.findChildren(QWidget) if each.isVisibleTo(window)]
        old = {name for each in shown if (name := each.accessibleName()) and is_another(name)}
        assert not old


def is_another(english: str) -> bool:
    """Whether a text has a translation: not a word of the file that happens to be a message."""
    return " " not in english and english[0].isupper() and messages._(english) != english


def settle(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)


def test_dialogs_and_menus_of_qt_are_in_the_chosen_language(qtbot: QtBot, tmp_path: Path) -> None:
    with shown_window(qtbot, tmp_path, Silent()) as window:
        english = texts_of_qt(qtbot)
        assert {"&Look in:", "Files of &type:", "Cancel", "Select All", "&Add to Custom Colors"} <= english
        window.set_language("ja")
        japanese = texts_of_qt(qtbot)
        assert {
            "場所(&L):",
            "ファイルの種類(&T):",
            "キャンセル",
            "すべてを選択",
            "カスタムカラーに追加(&A)",
        } <= japanese
        assert english & japanese <= {"OK", "&HTML:", "", "\n"}, "all that is shown is translated"
        window.set_language("en")
        assert texts_of_qt(qtbot) == english


@pytest.mark.parametrize(("language", "save"), [("ja", "保存"), ("en", "Save")])
def test_qt_has_the_chosen_language_from_the_start_on(language: str, save: str, tmp_path: Path) -> None:
    folders = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"), str(tmp_path))
    other = "en_US.UTF-8" if language == "ja" else "ja_JP.UTF-8"
    ran = subprocess.run(
        [sys.executable, "-c", START, language],
        env=os.environ | folders | {"LANG": other, "LC_ALL": other},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    assert ran.stdout.strip() == save


def texts_of_qt(qtbot: QtBot) -> set[str]:
    """What Qt itself writes in a file dialog, the buttons of a question, a colour dialog and the menu of a field."""
    files = QFileDialog()
    files.setOption(QFileDialog.Option.DontUseNativeDialog)
    question = QMessageBox()
    question.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
    colours = QColorDialog()
    colours.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
    field = QLineEdit()
    widgets: tuple[QWidget, ...] = (files, question, colours, field)
    for widget in widgets:
        qtbot.addWidget(widget)
    files.show()
    menu = field.createStandardContextMenu()
    qtbot.addWidget(menu)
    found = {action.text().partition("\t")[0] for action in menu.actions()}
    for widget in widgets[:-1]:
        found |= {label.text() for label in widget.findChildren(QLabel)}
        found |= {button.text() for button in widget.findChildren(QAbstractButton)}
    return found

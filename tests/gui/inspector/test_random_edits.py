"""Random edits in the forms of real files: undo all gives the identical text, redo anyway end."""

import json
import random
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.forms.text_edit import FormTextEdit
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.widgets.editors import Segments
from tests.gui.inspector.test_forms import form, text

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing|propagateSizeHints)")
ORDINARY, FULL = 20, 60  # edits of a file
WORDS = ("", "issue", "a-b", "日本語 “x”", "initial.issue", "5", "(end)", '{"a": [1]}', "[", "next", "default", "true")


def enter(chance: random.Random, editor: object) -> None:
    if isinstance(editor, FormLineEdit):
        editor.setText(chance.choice(WORDS))
        editor.setModified(True)
        QTest.keyClick(editor, Qt.Key.Key_Return)
    elif isinstance(editor, FormTextEdit):
        editor.setPlainText(chance.choice(WORDS))
        QTest.keyClick(editor, Qt.Key.Key_Return)
    elif isinstance(editor, Segments):
        QTest.mouseClick(chance.choice(editor.stops()), Qt.MouseButton.LeftButton)


def choose(chance: random.Random, view: FormView) -> None:
    menus = [menu for menu in view.findChildren(QMenu) if menu.isVisible()]
    actions = [action for menu in menus for action in menu.actions() if action.isEnabled() and action.text()]
    if actions:
        chance.choice(actions).trigger()
    for menu in menus:
        menu.close()


def edit_something(chance: random.Random, view: FormView) -> None:
    row: FormRow = chance.choice(view.rows)
    match chance.randrange(6):
        case 0 if not row.menu_button.isHidden():
            row.menu_button.click()
            choose(chance, view)
        case 1 if row.add_button is not None and not row.add_button.isHidden():
            row.add_button.click()
            choose(chance, view)
            if row.new_key is not None:
                enter(chance, row.new_key)
        case 2 if row.key_editor is not None:
            enter(chance, row.key_editor)
        case 3 if row.line.heads and not row.shown.title:
            view.fold(row)
        case _:
            enter(chance, row.editor)


def settle(qtbot: QtBot, window: MainWindow, document: Document) -> None:
    qtbot.waitUntil(lambda: document.linted and not window.canvas.is_building)


def check(document: Document, window: MainWindow, chance: random.Random, edits: int) -> int:
    before = text(document)
    steps = [None, *document.last_valid.flow.steps]
    for number in range(edits):
        if number % 6 == 0:
            document.select(chance.choice(steps), "test")
        edit_something(chance, form(window))
        json.loads(text(document))
    end = text(document)
    done = document.stack.index()
    while document.stack.canUndo():
        document.undo()
    assert text(document) == before
    while document.stack.canRedo():
        document.redo()
    assert text(document) == end
    return done


@pytest.mark.slow
def test_random_edits_of_real_files_can_all_be_taken_back(
    qtbot: QtBot, window: MainWindow, example: Path, corpus: Path, tmp_path: Path, full: bool
) -> None:
    edits = FULL if full else ORDINARY
    folders = [example]
    for name in ("iterator", "reviewer", "builtin-iterator"):
        latest = max(each for each in (corpus / "climpt" / name).iterdir() if each.is_dir())
        folders.append(shutil.copytree(latest, tmp_path / name))
    done = 0
    for number, folder in enumerate(folders):
        assert window.open(folder)
        document = window.document
        assert document is not None
        settle(qtbot, window, document)
        done += check(document, window, random.Random(number), edits)
        while document.stack.canUndo():  # nothing is unsaved when the next is opened
            document.undo()
    assert done > edits

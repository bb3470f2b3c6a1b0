"""Text that an input method composes, in the source and in the fields of the find bar, while the linter runs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.text.edit import TextEdit
from tests.gui.source.bench import CTRL, SMALL, Bench


def compose(widget: QWidget, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(widget, event)


def test_each_commit_is_linted_and_no_preedit_is(small: Bench, qtbot: QtBot) -> None:
    versions: list[int] = []
    small.document.diagnostics_changed.connect(lambda: versions.append(small.document.version))
    small.put_caret(small.text.index('A"'))
    for preedit, commit in (("こう", ""), ("こうもく", ""), ("", "項目"), ("め", ""), ("", "目")):
        small.compose(preedit, commit)
        before = small.document.version
        qtbot.waitUntil(lambda: small.document.linted)
        assert small.document.version == before  # linting writes nothing
        assert small.editor.composing == bool(preedit)
    assert small.text == SMALL.replace('"A"', '"項目目A"')
    assert small.document.version == 2
    small.check()


def test_a_change_elsewhere_while_composing_loses_neither(small: Bench) -> None:
    small.put_caret(small.text.index('A"'))
    small.compose("にほん")
    small.document.apply({small.document.path: [TextEdit(0, 0, "\n")]}, "Put", "canvas")
    small.compose("", "日本")
    assert small.text.startswith("\n")
    assert "日本" in small.text
    small.check()


def test_an_abandoned_preedit_leaves_the_text_alone(small: Bench) -> None:
    small.put_caret(small.text.index('A"'))
    small.compose("にほん")
    small.compose("")
    assert small.text == SMALL
    assert small.document.stack.count() == 0
    small.check()


def test_composing_in_a_prompts_tab(example: Bench, qtbot: QtBot) -> None:
    prompt = next(
        path for path in example.document.last_valid.files_below(example.document.path.parent) if path.suffix == ".md"
    )
    before = prompt.read_text()
    example.panel.show_file(prompt)
    example.put_caret(len(before))
    example.compose("しけん")
    example.compose("", "試験🙂")
    qtbot.waitUntil(lambda: example.document.linted)
    assert example.editor.mapping.source.text == before + "試験🙂"
    assert example.editor.mapping.in_step()
    example.document.undo()
    assert example.editor.mapping.source.text == before


@pytest.mark.parametrize("key", [Qt.Key.Key_F, Qt.Key.Key_H])
def test_the_find_field_takes_japanese_while_the_linter_runs(small: Bench, qtbot: QtBot, key: Qt.Key) -> None:
    small.put_caret(0)
    small.press(key, CTRL)
    bar = small.panel.find_bar.widget
    compose(bar.field, "ご")
    assert bar._count.text() == ""  # what is being composed isn't looked for
    small.document.lint_again()
    qtbot.waitUntil(lambda: small.document.linted)
    compose(bar.field, "語")
    assert bar.field.hasFocus()
    compose(bar.field, "", "語")
    assert bar.field.text() == "語"
    assert bar._count.text() == "1 of 1"
    assert small.editor.textCursor().selectedText() == "語"
    assert bar.field.hasFocus()
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert small.editor.hasFocus()
    small.check()


def test_the_replacement_takes_japanese(small: Bench) -> None:
    small.put_caret(0)
    small.press(Qt.Key.Key_H, CTRL)
    bar = small.panel.find_bar.widget
    compose(bar.field, "", "語")
    bar.by.setFocus()
    compose(bar.by, "ことば")
    compose(bar.by, "", "言葉")
    QTest.keyClick(bar.by, Qt.Key.Key_Return)
    assert small.text == SMALL.replace("語", "言葉")
    small.check()

"""Texts that are one line or very long: shown, gone through and changed without what Qt can't lay out in time."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.source.mapping import LONGEST, cut, has_long_line
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.json.lines import in_lines
from stepflow_gui.text.source import Span
from tests.gui.source.bench import CTRL, Bench

STEPS = {f"step.{number}": {"name": f"語🙂 {number}", "transitions": {}, "c2": []} for number in range(4000)}
MINIFIED = json.dumps({"steps": STEPS}, ensure_ascii=False)


@pytest.fixture
def minified(bench: Callable[[Path], Bench], tmp_path: Path) -> Bench:
    (tmp_path / "steps_registry.json").write_text(MINIFIED + "\n", encoding="utf-8")
    return bench(tmp_path)


def test_a_minified_text_is_shown_in_part_and_reports_it(minified: Bench) -> None:
    assert len(MINIFIED) > 3 * LONGEST
    assert minified.editor.document().characterCount() < LONGEST
    assert minified.panel.head.part.isVisible()
    assert minified.panel.head.breaking.isVisible()
    minified.check()
    minified.type("x")
    minified.press(Qt.Key.Key_Return)
    minified.press(Qt.Key.Key_Tab)
    minified.press(Qt.Key.Key_Delete)
    minified.press(Qt.Key.Key_V, CTRL)
    minified.compose("", "日本")
    assert minified.text == MINIFIED + "\n"
    minified.check()


def test_all_of_it_is_copied(minified: Bench) -> None:
    minified.press(Qt.Key.Key_A, CTRL)
    minified.press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == MINIFIED + "\n"


def test_changes_from_elsewhere_reach_it(minified: Bench) -> None:
    at = MINIFIED.index('"step.3999"')
    minified.document.apply({minified.document.path: [TextEdit(at, at + 11, '"step.last"')]}, "Rename", "canvas")
    assert "step.last" in minified.text
    minified.check()
    minified.document.apply({minified.document.path: [TextEdit(0, 0, "\n")]}, "Put", "canvas")
    minified.check()
    minified.document.undo()
    minified.document.undo()
    assert minified.text == MINIFIED + "\n"
    minified.check()


def test_a_place_that_isnt_shown_is_gone_to_as_near_as_can_be(minified: Bench) -> None:
    at = MINIFIED.index('"step.3999"')
    minified.document.reveal(minified.document.path, Span(at, at + 11))
    assert not minified.editor.textCursor().hasSelection()
    minified.document.reveal(minified.document.path, Span(1, 8))
    assert minified.editor.textCursor().selectedText() == '"steps"'


@pytest.mark.slow
def test_broken_into_lines_it_can_be_typed_in_and_taken_back(minified: Bench, qtbot: QtBot) -> None:
    QTest.mouseClick(minified.panel.head.breaking, Qt.MouseButton.LeftButton)
    assert json.loads(minified.text) == {"steps": STEPS}
    assert not minified.panel.head.part.isVisible()
    minified.check()
    minified.put_caret(1)
    minified.type(" ")
    assert minified.text.startswith("{ \n")
    minified.check()
    minified.press(Qt.Key.Key_Z, CTRL)
    minified.press(Qt.Key.Key_Z, CTRL)
    assert minified.text == MINIFIED + "\n"
    assert minified.panel.head.part.isVisible()
    minified.check()
    qtbot.waitUntil(lambda: minified.document.linted)


def test_replacing_reaches_what_is_not_shown(minified: Bench) -> None:
    minified.press(Qt.Key.Key_H, CTRL)
    bar = minified.panel.find_bar.widget
    bar.field.setText('"step.3999"')
    assert bar._count.text() == "1 of 1"
    bar.by.setText('"step.last"')
    bar.replace_all()
    assert minified.text == MINIFIED.replace('"step.3999"', '"step.last"') + "\n"
    minified.check()


def test_five_megabytes_are_typed_in_and_only_what_is_seen_is_coloured(
    bench: Callable[[Path], Bench], tmp_path: Path
) -> None:
    text = json.dumps({"steps": {f"step.{number}": {"name": "x" * 800} for number in range(6000)}}, indent=2)
    assert len(text) > 5_000_000
    (tmp_path / "steps_registry.json").write_text(text)
    big = bench(tmp_path)
    big.put_caret(text.index('"step.3000"') + 1)
    big.type("a")
    assert '"astep.3000"' in big.text
    qt_document = big.editor.document()
    big.editor.verticalScrollBar().setValue(qt_document.blockCount() // 4)
    coloured, block = 0, qt_document.firstBlock()
    while block.isValid():
        coloured += bool(block.layout().formats())
        block = block.next()
    assert 0 < coloured < 200
    big.press(Qt.Key.Key_F, CTRL)
    big.panel.find_bar.widget.field.setText('"step.5999"')
    assert big.editor.textCursor().selectedText() == '"step.5999"'
    big.check()


def test_a_line_that_grows_too_long_by_pasting_is_shown_in_part(small: Bench) -> None:
    QGuiApplication.clipboard().setText("x" * (LONGEST + 1))
    small.put_caret(1)
    small.press(Qt.Key.Key_V, CTRL)
    assert small.panel.head.part.isVisible()
    small.check()
    small.press(Qt.Key.Key_Z, CTRL)
    assert not small.panel.head.part.isVisible()
    small.check()
    small.type(" ")
    small.check()


def test_broken_text_is_not_broken_into_lines(small: Bench) -> None:
    QGuiApplication.clipboard().setText("x" * (LONGEST + 1))
    small.put_caret(1)
    small.press(Qt.Key.Key_V, CTRL)
    before = small.text
    QTest.mouseClick(small.panel.head.breaking, Qt.MouseButton.LeftButton)
    assert small.text == before
    assert small.panel.head.note.isVisible()


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_only_lines_that_are_too_long_count(end: str) -> None:
    fits, long = "x" * LONGEST, "x" * (LONGEST + 1)
    assert not has_long_line(end.join([fits] * 4))
    assert has_long_line(end.join([fits, long, "y"]))
    assert has_long_line(long)
    assert cut(f"{fits}\n{long}\n") == f"{fits}\n{'x' * 10_000}…\n"


def test_lines_change_nothing_but_white_space() -> None:
    text = '{"a": [1,{"b":[]}, {}],\n"c":"x , {y} \\" :", "d":1.50E+2}'
    assert in_lines(text) == (
        '{\n  "a": [\n    1,\n    {\n      "b": []\n    },\n    {}\n  ],\n  "c": "x , {y} \\" :",\n  "d": 1.50E+2\n}\n'
    )
    assert in_lines(in_lines(text)) == in_lines(text)

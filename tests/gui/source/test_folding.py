"""Lines that are indented further are folded away, and come back where the caret or a change needs them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Span
from tests.gui.source.bench import Bench
from tests.gui.source.conftest import Make

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
PIECE = """\
name: small
max_iterations: 5
movements:
  - name: plan

    instruction: |
      Plan it.

      Well.
    rules:
      - condition: done
        next: COMPLETE

  - name: other
    rules:
      - condition: done
        next: plan
"""


@pytest.fixture
def piece(bench: Make, tmp_path: Path) -> Bench:
    path = tmp_path / ".takt" / "pieces" / "small.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(PIECE)
    return bench(path)


def shown(bench: Bench) -> str:
    """The lines that are seen."""
    block, lines = bench.editor.document().firstBlock(), []
    while block.isValid():
        if block.isVisible():
            lines.append(block.text())
        block = block.next()
    return "\n".join(lines)


def caret_in(bench: Bench, text: str) -> None:
    bench.put_caret(bench.editor.mapping.source.text.index(text))


def test_a_line_is_folded_with_those_that_are_indented_further(piece: Bench) -> None:
    caret_in(piece, "Well")
    piece.press(Qt.Key.Key_BraceLeft, CTRL_SHIFT)
    assert shown(piece) == PIECE.replace("      Plan it.\n\n      Well.\n", "")
    piece.press(Qt.Key.Key_BraceLeft, CTRL_SHIFT)  # what is around it
    head, rest = PIECE.index("\n    instruction"), PIECE.index("\n  - name: other")
    assert shown(piece) == PIECE[:head].rstrip("\n") + "\n" + PIECE[rest:]
    piece.press(Qt.Key.Key_BraceRight, CTRL_SHIFT)
    assert shown(piece) == PIECE
    piece.check()


def test_everything_is_folded_and_unfolded(piece: Bench, example: Bench) -> None:
    piece.editor.folding.fold_all()
    assert shown(piece) == "name: small\nmax_iterations: 5\nmovements:\n"
    piece.editor.folding.unfold_all()
    assert shown(piece) == PIECE
    example.editor.folding.fold_all()
    text = shown(example)
    assert text.splitlines()[0] == "{"
    assert {len(line) - len(line.lstrip()) for line in text.splitlines()} == {0, 2}
    assert '"steps": {\n  }' in text


def test_what_is_gone_to_is_unfolded(piece: Bench) -> None:
    piece.editor.folding.fold_all()
    at = PIECE.index("next: plan")
    piece.editor.reveal(Span(at, at + 4))
    assert shown(piece) == PIECE
    assert piece.editor.viewport().rect().intersects(piece.editor.cursorRect())


def test_a_change_from_elsewhere_is_seen(piece: Bench, qtbot: QtBot) -> None:
    piece.editor.folding.fold_all()
    at = PIECE.index("COMPLETE")
    piece.document.apply({piece.document.path: [TextEdit(at, at + 8, "other\n")]}, "Change", "test")
    qtbot.waitUntil(lambda: "next: other" in shown(piece))
    assert shown(piece) == piece.text
    piece.document.undo()
    assert piece.text == PIECE


def test_typing_at_the_head_keeps_it_folded_and_nothing_of_the_text_is_lost(piece: Bench) -> None:
    caret_in(piece, "movements:")
    piece.press(Qt.Key.Key_BraceLeft, CTRL_SHIFT)
    before = shown(piece)
    piece.press(Qt.Key.Key_End)
    piece.type(" # x")
    assert piece.text == PIECE.replace("movements:", "movements: # x")
    assert shown(piece) == before.replace("movements:", "movements: # x")
    piece.check()


def test_the_sign_beside_the_number_folds(piece: Bench) -> None:
    gutter, editor = piece.panel.gutter, piece.editor
    block = editor.document().findBlockByNumber(2)
    top = round(editor.blockBoundingGeometry(block).translated(editor.contentOffset()).center().y())
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(gutter.width() - 18, top))
    assert editor.folding.is_folded(block)
    assert [each.blockNumber() for each, _top, _height in editor.visible_lines()] == [0, 1, 2, 17]
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(gutter.width() - 18, top))
    assert shown(piece) == PIECE
    QTest.mouseClick(gutter, Qt.MouseButton.LeftButton, pos=QPoint(20, top))  # the number
    assert editor.textCursor().selectedText().startswith("movements:")


def test_findings_in_a_fold_are_at_its_head(example: Bench, qtbot: QtBot) -> None:
    text = example.text
    at = text.index('"stepKind": "work"')
    head = text.count("\n", 0, text.index('"steps": {'))
    example.document.apply({example.document.path: [TextEdit(at, at + 18, '"stepKind": "wok"')]}, "Break", "test")
    qtbot.waitUntil(lambda: any(at <= mark.start < at + 20 for mark in example.editor.marks))
    example.editor.folding.fold_all()
    assert head in example.editor.line_severities()

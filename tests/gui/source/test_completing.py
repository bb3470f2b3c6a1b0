"""The list of completions: two columns, keys, what it shows, its place, and that it never gets in the way."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.project.assist.completion import Completion
from stepflow_gui.text.source import Span
from tests.gui.source.bench import CTRL, Bench
from tests.gui.source.conftest import Make


def caret_in(bench: Bench, before: str, after: str) -> None:
    bench.editor.reveal(Span(0, 0))
    text = bench.editor.mapping.source.text
    bench.put_caret(text.index(before + after) + len(before))


def asked(bench: Bench) -> list[str]:
    bench.press(Qt.Key.Key_Space, CTRL)
    return bench.panel.assist.completing.labels()


def test_the_list_stays_inside_the_window_and_reports_the_rest_below(example: Bench) -> None:
    completing = example.panel.assist.completing
    long = "What it is for, said at such length that no column could hold it, however wide somebody makes the window"
    items = [Completion(f"name{number}", long if number == 3 else "short", "x", 1) for number in range(40)]
    completing.list.list(items, "na", QRect(300, 200, 2, 14))
    box = completing.list.geometry()
    assert example.panel.window().rect().contains(box)
    assert completing.list.details == ""
    completing.list.step(3)
    assert completing.list.details == long
    assert example.panel.window().rect().contains(completing.list.geometry())
    completing.list.page(1)
    assert completing.list.row == 11
    completing.list.step(-12)
    assert completing.list.row == 39  # around
    completing.list.page(1)
    assert completing.list.row == 39
    completing.close()


def test_low_in_the_window_the_list_opens_upwards(example: Bench) -> None:
    completing = example.panel.assist.completing
    items = [Completion(f"name{number}", "", "x", 1) for number in range(9)]
    bottom = example.editor.viewport().height() - 14
    completing.list.list(items, "", QRect(20, bottom, 2, 14))
    line = example.editor.viewport().mapTo(example.panel.window(), QRect(20, bottom, 2, 14).topLeft())
    assert completing.list.geometry().bottom() <= line.y()
    completing.close()


def test_a_mouse_click_takes_a_row(example: Bench) -> None:
    caret_in(example, '"stepKind": "', "work")
    labels = asked(example)
    assert labels == ["work", "verification", "closure"]
    view = example.panel.assist.completing.list.view
    row = view.visualRect(view.model().index(2, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert '"stepKind": "closure"' in example.text
    assert example.editor.hasFocus()
    example.check()


def test_typing_goes_on_and_the_list_follows(example: Bench, qtbot: QtBot) -> None:
    completing = example.panel.assist.completing
    caret_in(example, '"stepKind": "work",', "\n")
    example.press(Qt.Key.Key_Return)
    example.type('"m')
    qtbot.waitUntil(lambda: completing.is_open)
    assert "model" in completing.labels()
    example.type("odel")
    qtbot.waitUntil(lambda: completing.labels() == ["model"])
    example.press(Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: completing.labels() == ["model"])
    example.press(Qt.Key.Key_Tab)
    assert '"model": "",' in example.text
    json.loads(example.text)
    example.check()


def test_fast_typing_under_live_lint_loses_no_key(example: Bench, qtbot: QtBot) -> None:
    caret_in(example, '"name": "', "Understand")
    before = example.text
    at = example.editor.caret
    word = "the quick brown fox jumps over " * 6
    for sign in word:
        example.type(sign)
    qtbot.waitUntil(lambda: example.document.linted)
    assert example.text == before[:at] + word + before[at:]
    example.check()


def test_what_is_written_is_one_entry_of_the_history(example: Bench) -> None:
    caret_in(example, '"stepKind": "work",', "\n")
    example.press(Qt.Key.Key_Return)
    count, before = example.document.stack.count(), example.text
    labels = asked(example)
    example.panel.assist.completing.list.step(labels.index("inputs"))
    example.press(Qt.Key.Key_Return)
    assert example.document.stack.count() == count + 1
    example.document.undo()
    assert example.text == before


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Left, Qt.Key.Key_Home])
def test_the_list_goes_and_nothing_is_written(example: Bench, key: Qt.Key) -> None:
    caret_in(example, '"stepKind": "', "work")
    before = example.text
    assert asked(example)
    example.press(key)
    assert not example.panel.assist.completing.is_open
    assert example.text == before


def test_japanese_input_closes_the_list_and_is_left_alone(example: Bench, qtbot: QtBot) -> None:
    completing = example.panel.assist.completing
    caret_in(example, '"name": "', "Understand")
    example.type("n")
    example.compose("にほ")
    qtbot.wait(120)
    assert not completing.is_open
    example.press(Qt.Key.Key_Space, CTRL)
    assert not completing.is_open
    example.compose("", "日本")
    assert '"name": "n日本Understand' in example.text
    example.check()


def test_another_text_takes_the_list_away(example: Bench) -> None:
    caret_in(example, '"stepKind": "', "work")
    assert asked(example)
    example.document.reveal(example.document.path.parent / "agent.json", Span(0, 0))
    assert not example.panel.assist.completing.is_open


def test_the_configuration_and_prompts_are_completed_by_their_own_rules(example: Bench) -> None:
    config = example.document.folder.root / "stepflow.toml"
    example.document.reveal(config, Span(0, 0))
    example.press(Qt.Key.Key_A, CTRL)
    example.press(Qt.Key.Key_Delete)
    assert "fallback-keys" in asked(example)
    example.press(Qt.Key.Key_Escape)
    example.type("sel")
    assert asked(example)[:2] == ["select", "extend-select"]
    example.press(Qt.Key.Key_Return)
    assert example.editor.mapping.source.text == "select = []"
    example.type('"SF301')
    example.press(Qt.Key.Key_Space, CTRL)  # only one fits, in the quotes that are there
    assert example.editor.mapping.source.text == 'select = ["SF301"]'
    prompt = example.document.path.parent / "prompts" / "steps" / "initial" / "issue" / "f_default.md"
    example.document.reveal(prompt, Span(0, 0))
    example.put_caret(0)
    example.type("{uv-iss")
    example.press(Qt.Key.Key_Space, CTRL)
    assert example.editor.mapping.source.text.startswith("{uv-issue}")


def test_the_list_comes_and_follows_though_the_editor_changes_its_size(example: Bench, qtbot: QtBot) -> None:
    completing = example.panel.assist.completing
    caret_in(example, '"stepKind": "work",', "\n")
    example.press(Qt.Key.Key_Return)
    example.type('"m')
    example.panel.resize(480, 380)  # before the list is there
    qtbot.waitUntil(lambda: completing.is_open)
    before = completing.list.geometry()
    example.editor.verticalScrollBar().setValue(example.editor.verticalScrollBar().value() + 1)
    qtbot.waitUntil(lambda: completing.list.geometry() != before)
    assert completing.is_open
    example.editor.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: not completing.is_open)


def test_a_piece_is_completed_while_it_is_written(bench: Make, tmp_path: Path) -> None:
    path = tmp_path / ".takt" / "pieces" / "small.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(
        "name: small\nmax_iterations: 5\nmovements:\n  - name: plan\n"
        "    rules:\n      - condition: done\n        next: \n"
    )
    piece = bench(path)
    caret_in(piece, "next: ", "")
    assert asked(piece) == ["plan", "COMPLETE", "ABORT"]
    piece.type("CO")
    piece.press(Qt.Key.Key_Return)
    assert piece.text.endswith("next: COMPLETE\n")
    piece.press(Qt.Key.Key_Return)
    piece.type("app")
    asked(piece)  # there is only one
    assert piece.text.endswith("next: COMPLETE\n        appendix: \n")
    piece.check()

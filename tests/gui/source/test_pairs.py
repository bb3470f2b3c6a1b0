"""Brackets and quotes in pairs: as a table of what a key does, and with real keys in the panel."""

import json
import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stepflow_gui.gui.source.languages.json_lexer import json_parts
from stepflow_gui.gui.source.languages.pairs import Pairs
from stepflow_gui.gui.source.languages.toml_lexer import toml_parts
from stepflow_gui.text.source import Span
from tests.gui.source.bench import SMALL, Bench

JSON = Pairs(json_parts, '{["')
TOML = Pairs(toml_parts, "{[\"'")
_K = Qt.Key
KEYS: list[str | Qt.Key] = [
    *('"', "{", "}", "[", "]", ":", ",", "a", "\\", " "),
    *(
        _K.Key_Backspace,
        _K.Key_Backspace,
        _K.Key_Delete,
        _K.Key_Return,
        _K.Key_Left,
        _K.Key_Right,
        _K.Key_Up,
        _K.Key_Down,
    ),
]


@pytest.mark.parametrize(
    ("pairs", "sign", "line", "does"),
    [
        (JSON, "{", "|", "close"),
        (JSON, "[", '"a": |', "close"),
        (JSON, '"', "[|]", "close"),
        (JSON, '"', "|,", "close"),
        (JSON, '"', '"abc|"', "skip"),
        (JSON, '"', '"a|bc"', "nothing"),
        (JSON, '"', '"abc\\|"', "nothing"),
        (JSON, '"', "|abc", "nothing"),
        (JSON, '"', '"abc|', "nothing"),  # the other end of what is open
        (JSON, "{", '"a|"', "nothing"),
        (JSON, "[", "|1", "nothing"),
        (JSON, "'", "|", "nothing"),
        (JSON, "x", "|", "nothing"),
        (TOML, "'", "a = |", "close"),
        (TOML, "'", "a = 'x|'", "skip"),
        (TOML, '"', "a = 'x|'", "nothing"),
    ],
)
def test_what_a_sign_does(pairs: Pairs, sign: str, line: str, does: str) -> None:
    at = line.index("|")
    assert pairs.typed(sign, line.replace("|", "", 1), at, closed_here=False).does == does


def test_only_what_came_along_is_stepped_over() -> None:
    assert JSON.typed("]", "[]", 1, closed_here=True).does == "skip"
    assert JSON.typed("]", "[]", 1, closed_here=False).does == "nothing"


@pytest.mark.parametrize(
    ("line", "both"), [("[|]", True), ('"|"', True), ('"a|"', False), ("{|]", False), ('"[|]"', False), ("|[]", False)]
)
def test_backspace_takes_an_empty_pair(line: str, both: bool) -> None:
    assert JSON.erased(line.replace("|", "", 1), line.index("|")) is both


def test_a_member_is_typed_without_looking_at_what_comes_along(small: Bench) -> None:
    small.put_caret(small.text.index('"A"}') + 3)
    small.type(', "list": ["x", {"y": [1]}]')
    assert '{"name": "A", "list": ["x", {"y": [1]}]}' in small.text
    json.loads(small.text)
    small.check()
    assert small.document.stack.count() == 1  # a burst like any other
    small.document.undo()
    assert small.text == SMALL
    small.check()


def test_undo_takes_both_halves(small: Bench) -> None:
    small.put_caret(small.text.index('"A"}') + 3)
    small.type("[")
    assert '"A"[]}' in small.text
    small.press(Qt.Key.Key_Backspace)
    assert small.text == SMALL
    while small.document.stack.canUndo():
        small.document.undo()
    assert small.text == SMALL
    small.check()


def test_a_half_is_not_stepped_over_once_it_is_another(small: Bench) -> None:
    small.put_caret(1)
    small.type("[")
    small.press(Qt.Key.Key_Delete)
    small.type("]")
    assert small.text.startswith("{[]\n")
    small.check()


def test_a_crlf_file_and_wide_signs(crlf: Bench) -> None:
    crlf.put_caret(crlf.text.index("🙂") + 1)
    crlf.type('"')  # steps over
    crlf.type(', "x": {')
    assert '"語🙂", "x": {}}' in crlf.text
    crlf.check()


def test_enter_between_what_came_along(small: Bench) -> None:
    small.put_caret(small.text.index('"A"}') + 3)
    small.type(', "x": {')
    small.press(Qt.Key.Key_Return)
    assert '"x": {\n      \n    }}' in small.text
    small.check()


def test_in_a_text_for_people_nothing_comes_along(example: Bench) -> None:
    prompt = example.document.path.parent / "prompts" / "system.md"
    example.document.reveal(prompt, Span(0, 0))
    example.editor.setFocus()
    QTest.keyClicks(example.editor, '{"[')
    assert example.editor.mapping.source.text.startswith('{"[')
    assert not example.editor.mapping.source.text.startswith('{"[]')


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("fixture", ["small", "crlf"])
def test_whatever_is_pressed_text_and_editor_stay_one_and_undo_goes_back(
    fixture: str, seed: int, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(seed)
    bench: Bench = request.getfixturevalue(fixture)
    before = bench.text
    bench.put_caret(chance.randrange(len(before)))
    for _ in range(120):
        press = chance.choice(KEYS)
        if isinstance(press, str):
            bench.type(press)
        else:
            bench.press(press)
        bench.panel.assist.completing.close()
    bench.check()
    while bench.document.stack.canUndo():
        bench.document.undo()
    assert bench.text == before
    bench.check()

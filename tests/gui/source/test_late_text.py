"""A large text is laid out once it is seen, or asked for; edits and marks made before are there then."""

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.source import mapping
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.source import Source

TEXT = "\n".join(f"line {number}" for number in range(50))


@pytest.fixture
def editor(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> SourceEditor:
    """One that nobody sees, for which that text is large."""
    monkeypatch.setattr(mapping, "_LARGE", 40)
    made = SourceEditor(Theme(dark=False))
    qtbot.addWidget(made)
    made.show_text(Source(TEXT))
    return made


def test_it_is_there_when_it_is_seen(editor: SourceEditor) -> None:
    shown: list[str] = []
    editor.shown.connect(lambda: shown.append(editor.toPlainText()))
    assert (editor.is_waiting, editor.toPlainText(), editor.caret) == (True, "", 0)
    editor.show()
    assert not editor.is_waiting
    assert editor.toPlainText() == TEXT
    assert shown == [TEXT]


def test_it_is_there_when_it_is_asked_for(editor: SourceEditor) -> None:
    assert editor.mapping.source.text == TEXT
    assert editor.toPlainText() == TEXT
    assert not editor.is_waiting


def test_edits_made_before_are_in_it(editor: SourceEditor) -> None:
    edits = [TextEdit(0, 4, "first"), TextEdit(7, 7, "!")]
    after = apply(TEXT, edits)
    editor.apply_edits(edits, Source(after))
    assert editor.is_waiting
    editor.show()
    assert editor.toPlainText() == after


def test_a_text_that_became_small_is_shown_at_once(editor: SourceEditor) -> None:
    editor.apply_edits([TextEdit(3, len(TEXT), "")], Source("lin"))
    assert not editor.is_waiting
    assert editor.toPlainText() == "lin"


def test_another_text_takes_its_place(editor: SourceEditor) -> None:
    editor.show_text(Source("small"))
    editor.show()
    assert editor.toPlainText() == "small"

"""Texts of the agent's other files in the source panel."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from stepflow_gui.text.source import Source, Span
from tests.gui.panels_source.bench import CTRL, Bench


def test_a_place_in_another_file_of_the_agent_is_shown_and_edited_there(iterator: Bench) -> None:
    registry = iterator.text
    schema = iterator.session.path.parent / "schemas" / "issue.schema.json"
    before = schema.read_text()
    at = before.index('"repeat"')
    iterator.session.reveal(schema, Span(at, at + len('"repeat"')))
    assert iterator.editor.textCursor().selectedText() == '"repeat"'
    assert iterator.panel._back.isVisible()
    assert iterator.panel._place.text() == f"issue.schema.json:{before.count(chr(10), 0, at) + 1}"
    iterator.type('"again"')
    source = iterator.session.source(schema)
    assert isinstance(source, Source)
    assert source.text == f'{before[:at]}"again"{before[at + len(chr(34) + "repeat" + chr(34)) :]}'
    assert iterator.text == registry
    iterator.press(Qt.Key.Key_Z, CTRL)
    iterator.press(Qt.Key.Key_Z, CTRL)
    assert not iterator.session.dirty
    assert iterator.editor.mapping.source.text == before
    # a place in the registry, or the button, leads back
    QTest.mouseClick(iterator.panel._back, Qt.MouseButton.LeftButton)
    iterator.check()
    assert not iterator.panel._back.isVisible()
    iterator.type(" ")
    assert iterator.text == f" {registry}"


def test_a_place_in_a_file_that_cannot_be_read_leaves_what_is_shown(iterator: Bench) -> None:
    iterator.session.reveal(iterator.session.path.parent / "schemas" / "none.json", Span(0, 1))
    iterator.session.reveal(Path("/etc/passwd"), Span(0, 1))
    iterator.check()
    assert not iterator.panel._back.isVisible()


def test_the_caret_in_another_file_selects_no_step(iterator: Bench, qtbot: QtBot) -> None:
    iterator.session.select("initial.polling", "test")
    schema = iterator.session.path.parent / "schemas" / "issue.schema.json"
    iterator.session.reveal(schema, Span(300, 300))
    iterator.put_caret(2000)
    qtbot.wait(20)
    assert iterator.session.selected_step == "initial.polling"

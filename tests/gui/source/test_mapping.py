"""Text and document stay in step, whatever the file's line ends and signs are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from stepflow_gui.gui.source.mapping import Mapping, line_end, shown
from stepflow_gui.text import edit
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.sampling import examples

pytestmark = pytest.mark.usefixtures("qapp")

SIGNS = ["a", "b", "\n", "\r", "\r\n", "語", "🙂", "\u2028", "\u2029", "\t", "\u00a0", "\0"]
TEXT = st.lists(st.sampled_from(SIGNS), max_size=25).map("".join)


def mapping_of(text: str) -> Mapping:
    document = QTextDocument()
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    mapping = Mapping(document)
    mapping.apply_edits([TextEdit(0, 0, text)], Source(text))
    return mapping


@given(TEXT)
def test_a_document_shows_every_text(text: str) -> None:
    mapping = mapping_of(text)
    assert mapping.in_step()
    assert mapping.document.blockCount() == mapping.source.line_count


@given(TEXT)
def test_positions_and_offsets_agree(text: str) -> None:
    mapping = mapping_of(text)
    for offset in range(len(text) + 1):
        if not (offset and text[offset - 1] == "\r" and text[offset : offset + 1] == "\n"):
            assert mapping.offset(mapping.position(offset)) == offset


@given(TEXT, st.data())
def test_edits_of_the_text_reach_the_document(text: str, data: st.DataObject) -> None:
    mapping = mapping_of(text)
    for _again in range(3):
        before = mapping.source.text
        start = data.draw(st.integers(0, len(before)))
        edits = [TextEdit(start, data.draw(st.integers(start, len(before))), data.draw(TEXT))]
        mapping.apply_edits(edits, Source(edit.apply(before, edits)))
        assert mapping.in_step()


@settings(max_examples=examples(200))
@given(TEXT, st.data())
def test_changes_of_the_document_reach_the_text(text: str, data: st.DataObject) -> None:
    mapping = mapping_of(text)
    document = mapping.document
    document.setUndoRedoEnabled(False)
    heard: list[tuple[int, int, int]] = []
    document.contentsChange.connect(lambda position, removed, added: heard.append((position, removed, added)))
    for _again in range(3):
        cursor = QTextCursor(document)
        offsets = st.integers(0, len(mapping.source.text))  # the caret never stands inside an emoji
        ends = sorted([mapping.position(data.draw(offsets)), mapping.position(data.draw(offsets))])
        cursor.setPosition(ends[0])
        cursor.setPosition(ends[1], QTextCursor.MoveMode.KeepAnchor)
        heard.clear()
        cursor.insertText(data.draw(st.text(alphabet="ab\n語🙂", max_size=5)))
        for position, removed, added in heard:
            change = mapping.edit_of(position, removed, added)
            if change is not None:
                mapping.take(Source(edit.apply(mapping.source.text, [change])))
        assert mapping.in_step()


def test_a_new_line_ends_as_the_others() -> None:
    mapping = mapping_of("{\r\n  1\r\n}")
    QTextCursor(mapping.document).insertText("\n")
    assert mapping.edit_of(0, 0, 1) == TextEdit(0, 0, "\r\n")


def test_what_did_not_change_is_no_edit() -> None:
    mapping = mapping_of("{\r\n  🙂\n}")
    assert mapping.edit_of(0, 8, 8) is None


@pytest.mark.parametrize(("text", "end"), [("", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n"), ("a\rb", "\r")])
def test_line_end(text: str, end: str) -> None:
    assert line_end(text) == end


def test_signs_that_qt_takes_for_its_own_have_stand_ins() -> None:
    assert shown("a\u2028b\u2029c\rd\r\ne\0") == "a␤b␤c\nd\ne␀"

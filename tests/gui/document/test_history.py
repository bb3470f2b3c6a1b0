"""One history over all texts: what merges, what comes back, what counts as saved."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stepflow_gui.gui.document import history
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.history import joined_edits
from stepflow_gui.text import edit
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.sampling import examples

from .conftest import Open


def text_of(document: Document, path: Path | None = None) -> str:
    source = document.source(path)
    assert isinstance(source, Source)
    return source.text


def typed(document: Document, start: int, text: str, gone: int = 0) -> None:
    document.apply({document.path: [TextEdit(start, start + gone, text)]}, "Typing", "source", typing=True)


def test_an_edit_changes_the_text_and_undo_gives_back_the_same_bytes(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    before = (iterator / "steps_registry.json").read_bytes()
    at = text_of(document).index('"continuation.issue"')
    document.apply({document.path: [TextEdit(at, at, "x"), TextEdit(0, 0, "\n")]}, "Change", "canvas")
    assert text_of(document).startswith("\n{")
    assert document.stack.undoText() == "Change"
    after = document.source()
    document.undo()
    assert document.source().encode() == before  # type: ignore[union-attr]
    document.redo()
    assert document.source().text == after.text  # type: ignore[union-attr]


def test_one_command_spans_registry_and_schema(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    told: list[tuple[Path, str]] = []
    document.text_changed.connect(lambda path, _edits, origin: told.append((path, origin)))
    document.apply({document.path: [TextEdit(0, 0, " ")], schema: [TextEdit(0, 0, "\n")]}, "Both", "fix")
    assert document.stack.count() == 1
    assert text_of(document, schema) == "\n" + schema.read_text()
    document.undo()
    assert text_of(document, schema) == schema.read_text()
    assert told == [(document.path, "fix"), (schema, "fix"), (document.path, "undo"), (schema, "undo")]
    assert not document.dirty


def test_typing_is_one_entry(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    before = text_of(document)
    for index, letter in enumerate("日本語🙂x"):
        typed(document, 10 + index, letter)
    assert document.stack.count() == 1
    document.undo()
    assert text_of(document) == before
    document.redo()
    assert text_of(document)[10:15] == "日本語🙂x"


def test_erasing_backwards_and_forwards_are_entries_of_their_own(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    before = text_of(document)
    typed(document, 3, "ab")
    typed(document, 4, "", 1)
    typed(document, 3, "", 1)
    typed(document, 2, "", 1)
    typed(document, 2, "", 1)
    assert document.stack.count() == 2
    document.undo()
    assert text_of(document)[3:5] == "ab"
    document.undo()
    assert text_of(document) == before


@pytest.mark.parametrize("breaker", ["jump", "line", "save", "pause", "elsewhere"])
def test_a_burst_ends(breaker: str, iterator: Path, open_document: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    document = open_document(iterator)
    typed(document, 1, "a")
    after = 2
    if breaker == "jump":
        document.end_burst()
    elif breaker == "line":
        typed(document, 2, "\n")
        after = 3
    elif breaker == "save":
        document.save()
    elif breaker == "pause":
        monkeypatch.setattr(history, "BURST_PAUSE", -1)
    else:
        after = 1
    count = document.stack.count()
    typed(document, after, "b")
    assert document.stack.count() == count + 1


def test_dirty_follows_the_text(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    turns: list[bool] = []
    document.dirty_changed.connect(lambda: turns.append(document.dirty))
    typed(document, 1, "a")
    document.undo()
    document.redo()
    document.save()
    assert turns == [True, False, True, False]
    assert document.stack.isClean()
    document.undo()
    assert document.dirty
    assert not document.stack.isClean()


def test_a_listener_may_change_the_text_again(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    before = text_of(document)

    def again(_path: Path, _edits: object, origin: str) -> None:
        if origin == "first":
            document.apply({document.path: [TextEdit(0, 0, "2")]}, "Second", "second")

    document.text_changed.connect(again)
    document.apply({document.path: [TextEdit(0, 0, "1")]}, "First", "first")
    assert text_of(document) == "21" + before
    document.undo()
    document.undo()
    assert text_of(document) == before


def test_overlapping_edits_are_refused_and_change_nothing(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    with pytest.raises(ValueError, match="overlap"):
        document.apply({document.path: [TextEdit(0, 3, ""), TextEdit(2, 4, "")]}, "Bad", "test")
    assert document.stack.count() == 0
    assert not document.dirty


LETTERS = st.text(alphabet="ab\n🙂", max_size=3)


@given(st.text(alphabet="xyz\n", max_size=8), st.data())
def test_joined_edits_do_what_the_two_did(text: str, data: st.DataObject) -> None:
    def draw(within: str) -> TextEdit:
        start = data.draw(st.integers(0, len(within)))
        return TextEdit(start, data.draw(st.integers(start, len(within))), data.draw(LETTERS))

    first = draw(text)
    middle = edit.apply(text, [first])
    then = draw(middle)
    end = edit.apply(middle, [then])
    joined = joined_edits(first, text[first.start : first.end], then, middle[then.start : then.end])
    if joined is not None:
        assert edit.apply(text, [joined[0]]) == end
        assert edit.apply(end, [joined[1]]) == text


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_undo_all_gives_the_start_and_redo_all_the_end(
    data: st.DataObject, iterator: Path, open_document: Open
) -> None:
    document = open_document(iterator)
    before = text_of(document)
    caret = 5
    for _round in range(data.draw(st.integers(1, 25))):
        act = data.draw(st.sampled_from(["type", "erase", "delete", "jump", "fix", "undo", "redo"]))
        if act == "type":
            letter = data.draw(st.sampled_from(["a", "語", "🙂", "\n"]))
            typed(document, caret, letter)
            caret += 1
        elif act in {"erase", "delete"}:
            caret -= act == "erase" and caret > 0
            typed(document, caret, "", 1)
        elif act == "jump":
            caret = data.draw(st.integers(0, len(text_of(document)) - 40))
            document.end_burst()
        elif act == "fix":
            document.apply({document.path: [TextEdit(2, 9, "é"), TextEdit(20, 20, "…")]}, "Fix", "fix")
        else:
            document.undo() if act == "undo" else document.redo()
            document.end_burst()
    end = text_of(document)
    at = document.stack.index()
    while document.stack.canUndo():
        document.undo()
    assert text_of(document) == before
    while document.stack.index() < at:
        document.redo()
    assert text_of(document) == end
    document.close()

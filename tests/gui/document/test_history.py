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

from .conftest import Open


def text_of(session: Document, path: Path | None = None) -> str:
    source = session.source(path)
    assert isinstance(source, Source)
    return source.text


def typed(session: Document, start: int, text: str, gone: int = 0) -> None:
    session.apply({session.path: [TextEdit(start, start + gone, text)]}, "Typing", "source", typing=True)


def test_an_edit_changes_the_text_and_undo_gives_back_the_same_bytes(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    before = (iterator / "steps_registry.json").read_bytes()
    at = text_of(session).index('"continuation.issue"')
    session.apply({session.path: [TextEdit(at, at, "x"), TextEdit(0, 0, "\n")]}, "Change", "canvas")
    assert text_of(session).startswith("\n{")
    assert session.stack.undoText() == "Change"
    after = session.source()
    session.undo()
    assert session.source().encode() == before  # type: ignore[union-attr]
    session.redo()
    assert session.source().text == after.text  # type: ignore[union-attr]


def test_one_command_spans_registry_and_schema(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    told: list[tuple[Path, str]] = []
    session.text_changed.connect(lambda path, _edits, origin: told.append((path, origin)))
    session.apply({session.path: [TextEdit(0, 0, " ")], schema: [TextEdit(0, 0, "\n")]}, "Both", "fix")
    assert session.stack.count() == 1
    assert text_of(session, schema) == "\n" + schema.read_text()
    session.undo()
    assert text_of(session, schema) == schema.read_text()
    assert told == [(session.path, "fix"), (schema, "fix"), (session.path, "undo"), (schema, "undo")]
    assert not session.dirty


def test_typing_is_one_entry(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    before = text_of(session)
    for index, letter in enumerate("日本語🙂x"):
        typed(session, 10 + index, letter)
    assert session.stack.count() == 1
    session.undo()
    assert text_of(session) == before
    session.redo()
    assert text_of(session)[10:15] == "日本語🙂x"


def test_erasing_backwards_and_forwards_are_entries_of_their_own(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    before = text_of(session)
    typed(session, 3, "ab")
    typed(session, 4, "", 1)
    typed(session, 3, "", 1)
    typed(session, 2, "", 1)
    typed(session, 2, "", 1)
    assert session.stack.count() == 2
    session.undo()
    assert text_of(session)[3:5] == "ab"
    session.undo()
    assert text_of(session) == before


@pytest.mark.parametrize("breaker", ["jump", "line", "save", "pause", "elsewhere"])
def test_a_burst_ends(breaker: str, iterator: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session(iterator)
    typed(session, 1, "a")
    after = 2
    if breaker == "jump":
        session.end_burst()
    elif breaker == "line":
        typed(session, 2, "\n")
        after = 3
    elif breaker == "save":
        session.save()
    elif breaker == "pause":
        monkeypatch.setattr(history, "BURST_PAUSE", -1)
    else:
        after = 1
    count = session.stack.count()
    typed(session, after, "b")
    assert session.stack.count() == count + 1


def test_dirty_follows_the_text(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    turns: list[bool] = []
    session.dirty_changed.connect(lambda: turns.append(session.dirty))
    typed(session, 1, "a")
    session.undo()
    session.redo()
    session.save()
    assert turns == [True, False, True, False]
    assert session.stack.isClean()
    session.undo()
    assert session.dirty
    assert not session.stack.isClean()


def test_a_listener_may_change_the_text_again(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    before = text_of(session)

    def again(_path: Path, _edits: object, origin: str) -> None:
        if origin == "first":
            session.apply({session.path: [TextEdit(0, 0, "2")]}, "Second", "second")

    session.text_changed.connect(again)
    session.apply({session.path: [TextEdit(0, 0, "1")]}, "First", "first")
    assert text_of(session) == "21" + before
    session.undo()
    session.undo()
    assert text_of(session) == before


def test_overlapping_edits_are_refused_and_change_nothing(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    with pytest.raises(ValueError, match="overlap"):
        session.apply({session.path: [TextEdit(0, 3, ""), TextEdit(2, 4, "")]}, "Bad", "test")
    assert session.stack.count() == 0
    assert not session.dirty


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


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_undo_all_gives_the_start_and_redo_all_the_end(data: st.DataObject, iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    before = text_of(session)
    caret = 5
    for _round in range(data.draw(st.integers(1, 25))):
        act = data.draw(st.sampled_from(["type", "erase", "delete", "jump", "fix", "undo", "redo"]))
        if act == "type":
            letter = data.draw(st.sampled_from(["a", "語", "🙂", "\n"]))
            typed(session, caret, letter)
            caret += 1
        elif act in {"erase", "delete"}:
            caret -= act == "erase" and caret > 0
            typed(session, caret, "", 1)
        elif act == "jump":
            caret = data.draw(st.integers(0, len(text_of(session)) - 40))
            session.end_burst()
        elif act == "fix":
            session.apply({session.path: [TextEdit(2, 9, "é"), TextEdit(20, 20, "…")]}, "Fix", "fix")
        else:
            session.undo() if act == "undo" else session.redo()
            session.end_burst()
    end = text_of(session)
    at = session.stack.index()
    while session.stack.canUndo():
        session.undo()
    assert text_of(session) == before
    while session.stack.index() < at:
        session.redo()
    assert text_of(session) == end
    session.close()

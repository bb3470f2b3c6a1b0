"""Saving, and what other programs do to the files meanwhile."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem, Saved, SaveFailed
from stepflow_gui.text.source import Source

from .conftest import Open


def put(session: Document, text: str, path: Path | None = None) -> None:
    session.apply({path or session.path: [TextEdit(0, 0, text)]}, "Put", "test")


def text_of(session: Document, path: Path | None = None) -> str:
    source = session.source(path)
    assert isinstance(source, Source)
    return source.text


def test_saving_writes_every_changed_file_and_no_other(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    before = {path: path.read_bytes() for path in iterator.rglob("*") if path.is_file()}
    session.apply({session.path: [TextEdit(0, 0, "\n")], schema: [TextEdit(0, 0, " ")]}, "Both", "test")
    assert isinstance(session.save(), Saved)
    before[session.path] = b"\n" + before[session.path]
    before[schema] = b" " + before[schema]
    assert {path: path.read_bytes() for path in iterator.rglob("*") if path.is_file()} == before
    assert not session.dirty


def test_a_mark_and_crlf_survive_a_save(tmp_path: Path, open_session: Open) -> None:
    registry = tmp_path / "steps_registry.json"
    registry.write_bytes('\ufeff{\r\n"steps": {}}\r\n'.encode())
    session = open_session(tmp_path)
    put(session, " ")
    session.save()
    assert registry.read_bytes() == '\ufeff {\r\n"steps": {}}\r\n'.encode()


def test_a_change_on_disk_is_not_overwritten(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    put(session, "\n")
    session.path.write_text("{}")
    result = session.save()
    assert isinstance(result, ChangedOnDisk)
    assert result.path == session.path
    assert session.path.read_text() == "{}"
    assert session.dirty
    assert isinstance(session.save(overwrite=True), Saved)
    assert session.path.read_text() == text_of(session)
    assert not session.dirty


def test_nothing_is_written_where_one_of_two_files_changed(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    before = session.path.read_bytes()
    session.apply({session.path: [TextEdit(0, 0, "\n")], schema: [TextEdit(0, 0, " ")]}, "Both", "test")
    schema.write_text("{}")
    assert isinstance(session.save(), ChangedOnDisk)
    assert session.path.read_bytes() == before


def test_overwriting_leaves_files_alone_that_were_not_changed_here(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    put(session, " ", schema)
    session.undo()
    put(session, "\n")
    schema.write_text("{}")
    assert isinstance(session.save(overwrite=True), Saved)
    assert schema.read_text() == "{}"


def test_a_removed_file_is_told(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    put(session, "\n")
    session.path.unlink()
    result = session.save()
    assert isinstance(result, ChangedOnDisk)
    assert result.removed
    assert isinstance(session.save(overwrite=True), Saved)
    assert session.path.is_file()


def test_what_cannot_be_written_is_told(iterator: Path, open_session: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session(iterator)
    put(session, "\n")

    def full(*_args: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = session.save()
    assert isinstance(result, SaveFailed)
    assert session.dirty


def test_reloading_is_undoable(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    put(session, "\n")
    mine = text_of(session)
    session.path.write_bytes("\ufeff{}".encode())
    assert session.reload() is None
    assert text_of(session) == "{}"
    assert not session.dirty
    session.undo()
    assert text_of(session) == mine
    assert session.dirty
    session.redo()
    session.save()
    assert session.path.read_bytes() == "\ufeff{}".encode()


def test_a_reload_taken_back_asks_before_it_writes_over_the_file(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    mine = text_of(session)
    session.path.write_text("{}")
    session.reload()
    session.undo()
    assert text_of(session) == mine
    assert session.unsaved  # somebody wanted this text
    assert isinstance(session.save(), ChangedOnDisk)
    session.redo()
    assert not session.unsaved
    put(session, " ")
    assert isinstance(session.save(), Saved)
    session.undo()
    session.undo()
    assert isinstance(session.save(), Saved)  # what is on disk is our own
    assert session.path.read_text() == mine


def test_reloading_what_is_gone_keeps_the_text(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    mine = text_of(session)
    session.path.unlink()
    assert isinstance(session.reload(), ReadProblem)
    assert text_of(session) == mine


def test_a_change_on_disk_is_told_once(iterator: Path, open_session: Open) -> None:
    session = open_session(iterator)
    heard: list[Path] = []
    session.disk_changed.connect(heard.append)
    session.check_disk()
    assert heard == []
    session.path.write_text("{}")
    session.check_disk()
    session.check_disk()
    assert heard == [session.path]
    assert session.dirty  # the window's text isn't the file's any more


def test_a_change_on_disk_is_seen_without_asking(iterator: Path, open_session: Open, qtbot: QtBot) -> None:
    session = open_session(iterator)
    with qtbot.waitSignal(session.disk_changed, timeout=5000):
        beside = session.path.with_suffix(".new")
        beside.write_text("{}")
        beside.replace(session.path)


def test_saving_is_no_change_on_disk(iterator: Path, open_session: Open, qtbot: QtBot) -> None:
    session = open_session(iterator)
    heard: list[Path] = []
    session.disk_changed.connect(heard.append)
    put(session, "\n")
    session.save()
    qtbot.wait(400)
    assert heard == []


def test_a_schema_changed_by_another_program_is_read_again(iterator: Path, open_session: Open, qtbot: QtBot) -> None:
    session = open_session(iterator)
    qtbot.waitUntil(lambda: session.linted)
    before = session.diagnostics
    schema = iterator / "schemas" / "issue.schema.json"
    schema.write_text(schema.read_text().replace('"handoff"', '"handover"'))
    session.check_disk()
    assert not session.linted
    qtbot.waitUntil(lambda: session.linted)
    assert session.diagnostics != before
    assert not session.dirty
    assert not session.stack.canUndo()

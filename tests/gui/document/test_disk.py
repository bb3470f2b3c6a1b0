"""Saving, and what other programs do to the files meanwhile."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.open_texts import on_disk
from stepflow_gui.gui.document.save_errors import save_trouble
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem, Saved, SaveFailed
from stepflow_gui.text.source import Source

from .conftest import Open


def put(document: Document, text: str, path: Path | None = None) -> None:
    document.apply({path or document.path: [TextEdit(0, 0, text)]}, "Put", "test")


def text_of(document: Document, path: Path | None = None) -> str:
    source = document.source(path)
    assert isinstance(source, Source)
    return source.text


def test_saving_writes_every_changed_file_and_no_other(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    before = {path: path.read_bytes() for path in iterator.rglob("*") if path.is_file()}
    document.apply({document.path: [TextEdit(0, 0, "\n")], schema: [TextEdit(0, 0, " ")]}, "Both", "test")
    assert isinstance(document.save(), Saved)
    before[document.path] = b"\n" + before[document.path]
    before[schema] = b" " + before[schema]
    assert {path: path.read_bytes() for path in iterator.rglob("*") if path.is_file()} == before
    assert not document.dirty


def test_a_mark_and_crlf_survive_a_save(tmp_path: Path, open_document: Open) -> None:
    registry = tmp_path / "steps_registry.json"
    registry.write_bytes('\ufeff{\r\n"steps": {}}\r\n'.encode())
    document = open_document(tmp_path)
    put(document, " ")
    document.save()
    assert registry.read_bytes() == '\ufeff {\r\n"steps": {}}\r\n'.encode()


def test_a_change_on_disk_is_not_overwritten(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    put(document, "\n")
    document.path.write_text("{}")
    result = document.save()
    assert isinstance(result, ChangedOnDisk)
    assert result.path == document.path
    assert document.path.read_text() == "{}"
    assert document.dirty
    assert isinstance(document.save(on_disk(document.path)), Saved)
    assert document.path.read_text() == text_of(document)
    assert not document.dirty


def test_nothing_is_written_where_one_of_two_files_changed(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    before = document.path.read_bytes()
    document.apply({document.path: [TextEdit(0, 0, "\n")], schema: [TextEdit(0, 0, " ")]}, "Both", "test")
    schema.write_text("{}")
    assert isinstance(document.save(), ChangedOnDisk)
    assert document.path.read_bytes() == before


def test_what_comes_after_the_question_is_not_written_over(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    document.apply({document.path: [TextEdit(0, 0, "\n")], schema: [TextEdit(0, 0, " ")]}, "Both", "test")
    document.path.write_text("{}")
    over = on_disk(document.path)
    schema.write_text("{}")
    assert document.save(over) == ChangedOnDisk(schema, removed=False)
    document.path.write_text("[]")
    assert document.save({**over, **on_disk(schema)}) == ChangedOnDisk(document.path, removed=False)
    assert isinstance(document.save({**on_disk(document.path), **on_disk(schema)}), Saved)
    assert document.path.read_text() == text_of(document)
    assert schema.read_text() == text_of(document, schema)


def test_overwriting_leaves_files_alone_that_were_not_changed_here(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    schema = iterator / "schemas" / "issue.schema.json"
    put(document, " ", schema)
    document.undo()
    put(document, "\n")
    schema.write_text("{}")
    assert isinstance(document.save(on_disk(document.path)), Saved)
    assert schema.read_text() == "{}"


def test_a_removed_file_is_reported(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    put(document, "\n")
    document.path.unlink()
    result = document.save()
    assert isinstance(result, ChangedOnDisk)
    assert result.removed
    assert isinstance(document.save(on_disk(document.path)), Saved)
    assert document.path.is_file()


def test_what_cannot_be_written_is_reported(
    iterator: Path, open_document: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = open_document(iterator)
    put(document, "\n")

    def full(*_args: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = document.save()
    assert isinstance(result, SaveFailed)
    assert document.dirty


def test_reloading_is_undoable(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    put(document, "\n")
    mine = text_of(document)
    document.path.write_bytes("\ufeff{}".encode())
    assert document.reload() is None
    assert text_of(document) == "{}"
    assert not document.dirty
    document.undo()
    assert text_of(document) == mine
    assert document.dirty
    document.redo()
    document.save()
    assert document.path.read_bytes() == "\ufeff{}".encode()


def test_a_reload_taken_back_asks_before_it_writes_over_the_file(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    mine = text_of(document)
    document.path.write_text("{}")
    document.reload()
    document.undo()
    assert text_of(document) == mine
    assert document.unsaved  # somebody wanted this text
    assert isinstance(document.save(), ChangedOnDisk)
    document.redo()
    assert not document.unsaved
    put(document, " ")
    assert isinstance(document.save(), Saved)
    document.undo()
    document.undo()
    assert isinstance(document.save(), Saved)  # what is on disk is our own
    assert document.path.read_text() == mine


def test_reloading_what_is_gone_keeps_the_text(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    mine = text_of(document)
    document.path.unlink()
    assert isinstance(document.reload(), ReadProblem)
    assert text_of(document) == mine


def test_a_change_on_disk_is_reported_once(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    heard: list[Path] = []
    document.disk_changed.connect(heard.append)
    document.check_disk()
    assert heard == []
    document.path.write_text("{}")
    document.check_disk()
    document.check_disk()
    assert heard == [document.path]
    assert document.dirty  # the window's text isn't the file's any more


def test_a_change_on_disk_is_seen_without_asking(iterator: Path, open_document: Open, qtbot: QtBot) -> None:
    document = open_document(iterator)
    with qtbot.waitSignal(document.disk_changed):
        beside = document.path.with_suffix(".new")
        beside.write_text("{}")
        beside.replace(document.path)


def test_saving_is_no_change_on_disk(iterator: Path, open_document: Open, qtbot: QtBot) -> None:
    document = open_document(iterator)
    heard: list[Path] = []
    document.disk_changed.connect(heard.append)
    put(document, "\n")
    document.save()
    qtbot.wait(400)
    assert heard == []


def test_a_schema_changed_by_another_program_is_read_again(iterator: Path, open_document: Open, qtbot: QtBot) -> None:
    document = open_document(iterator)
    qtbot.waitUntil(lambda: document.linted)
    before = document.diagnostics
    schema = iterator / "schemas" / "issue.schema.json"
    schema.write_text(schema.read_text().replace('"handoff"', '"handover"'))
    document.check_disk()
    assert not document.linted
    qtbot.waitUntil(lambda: document.linted)
    assert document.diagnostics != before
    assert not document.dirty
    assert not document.stack.canUndo()


def test_a_file_outside_the_project_behind_a_link_is_not_saved(
    iterator: Path, tmp_path: Path, open_document: Open
) -> None:
    (iterator.parent / "stepflow.toml").write_text("")
    outside = tmp_path.parent / f"{tmp_path.name}-outside.json"
    outside.write_bytes((iterator / "steps_registry.json").read_bytes())
    before = outside.read_bytes()
    document = open_document(iterator / "steps_registry.json")
    (iterator / "steps_registry.json").unlink()
    (iterator / "steps_registry.json").symlink_to(outside)
    put(document, "\n")
    result = document.save()
    assert isinstance(result, SaveFailed)
    assert result.reason == "it lies outside the project, through a link"
    assert "outside the project" in save_trouble(result)
    assert isinstance(document.save(on_disk(document.path)), SaveFailed)
    assert outside.read_bytes() == before
    assert document.dirty
    outside.unlink()


def test_what_a_save_left_that_was_cut_off_goes_once_the_agent_is_opened(iterator: Path, open_document: Open) -> None:
    left = iterator / ".steps_registry.json.0123456789ab.tmp"
    left.write_text("half")
    open_document(iterator)
    assert not left.exists()


def test_a_file_that_came_meanwhile_is_not_written_over(iterator: Path, open_document: Open) -> None:
    document = open_document(iterator)
    new = iterator / "prompts" / "new" / "f_default.md"
    put(document, "mine", new)
    new.parent.mkdir(parents=True)
    new.write_text("theirs")
    assert document.save() == ChangedOnDisk(new, removed=False)
    assert new.read_text() == "theirs"

"""Changes made here and by another program: both stay, a conflict is decided afterwards, and undo takes it all back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.three_way_merge import ThreeWayMerge, Undecided
from stepflow_gui.text.edit import difference
from stepflow_gui.text.files.journal import Unsaved, digest
from stepflow_gui.text.files.store import ChangedOnDisk, ReadProblem
from stepflow_gui.text.json.edit import set_value
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from tests.gui.document.conftest import Open

STEP = "initial.issue"
NAME = join("/steps", STEP, "name")


def write(document: Document, text: str, path: Path | None = None) -> None:
    path = path or document.path
    document.apply({path: difference(text_of(document, path), text)}, "write", "source")


def text_of(document: Document, path: Path | None = None) -> str:
    source = document.source(path)
    assert isinstance(source, Source)
    return source.text


def with_value(text: str, pointer: str, value: Any) -> str:
    tree = read_json(Source(text))
    (edit,) = set_value(tree, pointer, value)
    return text[: edit.start] + edit.text + text[edit.end :]


@pytest.fixture
def document(open_document: Open, iterator: Path) -> Document:
    return open_document(iterator)


def both_changed(document: Document, mine: str, theirs: str) -> ThreeWayMerge:
    write(document, with_value(text_of(document), NAME, mine))
    document.path.write_text(with_value(document.path.read_text(), NAME, theirs))
    merging = ThreeWayMerge(document)
    assert merging.with_disk() is None
    return merging


def test_changes_of_both_are_there_as_one_entry(document: Document) -> None:
    on_disk = with_value(document.path.read_text(), "/version", "9.9.9")
    mine = with_value(text_of(document), NAME, "mine")
    write(document, mine)
    document.path.write_text(on_disk)
    merging = ThreeWayMerge(document)
    told: list[int] = []
    merging.changed.connect(lambda: told.append(1))
    assert merging.with_disk() is None
    assert told
    assert text_of(document) == with_value(on_disk, NAME, "mine")
    assert document.path.read_text() == on_disk  # nothing is written without a save
    assert merging.conflicts == []
    assert document.unsaved
    document.undo()
    assert text_of(document) == mine
    document.redo()
    document.save()
    assert document.path.read_text() == with_value(on_disk, NAME, "mine")


def test_a_conflict_keeps_mine_until_the_other_side_is_taken(document: Document) -> None:
    merging = both_changed(document, "mine", "theirs")
    (undecided,) = merging.conflicts
    assert (undecided.conflict.pointer, undecided.side) == (NAME, "ours")
    assert (undecided.conflict.ours, undecided.conflict.theirs) == ('"mine"', '"theirs"')
    write(document, with_value(text_of(document), "/version", "written meanwhile"))
    merging.choose(undecided, "theirs")
    steps = json.loads(text_of(document))
    assert steps["steps"][STEP]["name"] == "theirs"
    assert steps["version"] == "written meanwhile"
    assert [each.side for each in merging.conflicts] == ["theirs"]
    document.undo()
    assert json.loads(text_of(document))["steps"][STEP]["name"] == "mine"
    assert [each.side for each in merging.conflicts] == ["ours"]
    merging.choose(merging.conflicts[0], "theirs")
    merging.choose(merging.conflicts[0], "ours")
    assert merging.conflicts[0].side == "ours"
    write(document, with_value(text_of(document), NAME, "neither"))
    assert merging.conflicts[0].side is None
    merging.choose(merging.conflicts[0], "theirs")
    assert json.loads(text_of(document))["steps"][STEP]["name"] == "theirs"
    merging.finish()
    assert merging.conflicts == []


def test_the_conflicts_go_where_the_merge_is_taken_back(document: Document) -> None:
    merging = both_changed(document, "mine", "theirs")
    document.undo()
    assert merging.conflicts == []
    assert json.loads(text_of(document))["steps"][STEP]["name"] == "mine"
    assert isinstance(document.save(), ChangedOnDisk)  # what the other wrote isn't in the text any more


def test_a_file_that_is_gone_can_t_be_merged(document: Document) -> None:
    write(document, with_value(text_of(document), NAME, "mine"))
    document.path.unlink()
    before = text_of(document)
    problem = ThreeWayMerge(document).with_disk()
    assert isinstance(problem, ReadProblem)
    assert problem.kind == "missing"
    assert text_of(document) == before


def test_a_broken_text_is_merged_by_lines(document: Document) -> None:
    lines = text_of(document).split("\n")
    write(document, "\n".join([*lines[:3], "{ broken", *lines[3:]]))
    document.path.write_text("\n".join([*lines[:-5], "theirs", *lines[-5:]]))
    merging = ThreeWayMerge(document)
    assert merging.with_disk() is None
    assert text_of(document) == "\n".join([*lines[:3], "{ broken", *lines[3:-5], "theirs", *lines[-5:]])


def test_conflicts_of_lines_can_be_decided(document: Document) -> None:
    before = text_of(document)
    write(document, "mine\n" + before)
    document.path.write_text("theirs\n" + before)
    merging = ThreeWayMerge(document)
    assert merging.with_disk() is None
    (undecided,) = merging.conflicts
    assert (undecided.conflict.place, undecided.side) == ("line 1", "ours")
    merging.choose(undecided, "theirs")
    assert text_of(document) == "theirs\n" + before
    assert merging.conflicts[0].side == "theirs"


Left = Callable[[Document, str], Unsaved]


def left(document: Document, mine: str, *, base: bool = True) -> Unsaved:
    was = Source(document.path.read_text())
    text = Source(with_value(was.text, NAME, mine))
    return Unsaved(document.path, text, digest(was), was if base else None, document.path)


def test_unsaved_changes_come_back_as_one_entry(document: Document) -> None:
    before = text_of(document)
    merging = ThreeWayMerge(document)
    assert merging.with_unsaved([left(document, "mine")]) == []
    assert text_of(document) == with_value(before, NAME, "mine")
    assert document.unsaved
    document.undo()
    assert text_of(document) == before
    assert not document.unsaved


def test_unsaved_changes_of_a_file_that_changed_since_are_merged(open_document: Open, iterator: Path) -> None:
    first = open_document(iterator)
    unsaved = left(first, "mine")
    on_disk = with_value(first.path.read_text(), "/version", "9.9.9")
    first.path.write_text(with_value(on_disk, NAME, "theirs"))
    document = open_document(iterator)
    merging = ThreeWayMerge(document)
    assert merging.with_unsaved([unsaved]) == []
    assert text_of(document) == with_value(on_disk, NAME, "mine")
    (undecided,) = merging.conflicts
    merging.choose(undecided, "theirs")
    assert not document.unsaved


def test_without_the_text_of_that_time_the_unsaved_one_stands_for_the_whole_file(document: Document) -> None:
    unsaved = left(document, "mine", base=False)
    ThreeWayMerge(document).with_unsaved([unsaved])
    assert text_of(document) == unsaved.source.text


def test_files_that_cant_be_read_are_reported(document: Document, tmp_path: Path) -> None:
    gone = Unsaved(tmp_path / "elsewhere.json", Source("{}"), None, None, document.path)
    assert ThreeWayMerge(document).with_unsaved([gone, left(document, "mine")]) == [gone.path]
    assert json.loads(text_of(document))["steps"][STEP]["name"] == "mine"


def test_undecided_names_its_file(document: Document) -> None:
    merging = both_changed(document, "mine", "theirs")
    assert [type(each) for each in merging.conflicts] == [Undecided]
    assert merging.conflicts[0].path == document.path

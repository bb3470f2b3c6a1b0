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
from stepflow_gui.text.json.tree import read_json
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Source
from tests.gui.document.conftest import Open

STEP = "initial.issue"
NAME = join("/steps", STEP, "name")


def write(session: Document, text: str, path: Path | None = None) -> None:
    path = path or session.path
    session.apply({path: difference(text_of(session, path), text)}, "write", "source")


def text_of(session: Document, path: Path | None = None) -> str:
    source = session.source(path)
    assert isinstance(source, Source)
    return source.text


def with_value(text: str, pointer: str, value: Any) -> str:
    tree = read_json(Source(text))
    (edit,) = set_value(tree, pointer, value)
    return text[: edit.start] + edit.text + text[edit.end :]


@pytest.fixture
def session(open_session: Open, iterator: Path) -> Document:
    return open_session(iterator)


def both_changed(session: Document, mine: str, theirs: str) -> ThreeWayMerge:
    write(session, with_value(text_of(session), NAME, mine))
    session.path.write_text(with_value(session.path.read_text(), NAME, theirs))
    merging = ThreeWayMerge(session)
    assert merging.with_disk() is None
    return merging


def test_changes_of_both_are_there_as_one_entry(session: Document) -> None:
    on_disk = with_value(session.path.read_text(), "/version", "9.9.9")
    mine = with_value(text_of(session), NAME, "mine")
    write(session, mine)
    session.path.write_text(on_disk)
    merging = ThreeWayMerge(session)
    told: list[int] = []
    merging.changed.connect(lambda: told.append(1))
    assert merging.with_disk() is None
    assert told
    assert text_of(session) == with_value(on_disk, NAME, "mine")
    assert session.path.read_text() == on_disk  # nothing is written without a save
    assert merging.conflicts == []
    assert session.unsaved
    session.undo()
    assert text_of(session) == mine
    session.redo()
    session.save()
    assert session.path.read_text() == with_value(on_disk, NAME, "mine")


def test_a_conflict_keeps_mine_until_the_other_side_is_taken(session: Document) -> None:
    merging = both_changed(session, "mine", "theirs")
    (undecided,) = merging.conflicts
    assert (undecided.conflict.pointer, undecided.side) == (NAME, "ours")
    assert (undecided.conflict.ours, undecided.conflict.theirs) == ('"mine"', '"theirs"')
    write(session, with_value(text_of(session), "/version", "written meanwhile"))
    merging.choose(undecided, "theirs")
    steps = json.loads(text_of(session))
    assert steps["steps"][STEP]["name"] == "theirs"
    assert steps["version"] == "written meanwhile"
    assert [each.side for each in merging.conflicts] == ["theirs"]
    session.undo()
    assert json.loads(text_of(session))["steps"][STEP]["name"] == "mine"
    assert [each.side for each in merging.conflicts] == ["ours"]
    merging.choose(merging.conflicts[0], "theirs")
    merging.choose(merging.conflicts[0], "ours")
    assert merging.conflicts[0].side == "ours"
    write(session, with_value(text_of(session), NAME, "neither"))
    assert merging.conflicts[0].side is None
    merging.choose(merging.conflicts[0], "theirs")
    assert json.loads(text_of(session))["steps"][STEP]["name"] == "theirs"
    merging.finish()
    assert merging.conflicts == []


def test_the_conflicts_go_where_the_merge_is_taken_back(session: Document) -> None:
    merging = both_changed(session, "mine", "theirs")
    session.undo()
    assert merging.conflicts == []
    assert json.loads(text_of(session))["steps"][STEP]["name"] == "mine"
    assert isinstance(session.save(), ChangedOnDisk)  # what the other wrote isn't in the text any more


def test_a_file_that_is_gone_can_t_be_merged(session: Document) -> None:
    write(session, with_value(text_of(session), NAME, "mine"))
    session.path.unlink()
    before = text_of(session)
    problem = ThreeWayMerge(session).with_disk()
    assert isinstance(problem, ReadProblem)
    assert problem.kind == "missing"
    assert text_of(session) == before


def test_a_broken_text_is_merged_by_lines(session: Document) -> None:
    lines = text_of(session).split("\n")
    write(session, "\n".join([*lines[:3], "{ broken", *lines[3:]]))
    session.path.write_text("\n".join([*lines[:-5], "theirs", *lines[-5:]]))
    merging = ThreeWayMerge(session)
    assert merging.with_disk() is None
    assert text_of(session) == "\n".join([*lines[:3], "{ broken", *lines[3:-5], "theirs", *lines[-5:]])


def test_conflicts_of_lines_can_be_decided(session: Document) -> None:
    before = text_of(session)
    write(session, "mine\n" + before)
    session.path.write_text("theirs\n" + before)
    merging = ThreeWayMerge(session)
    assert merging.with_disk() is None
    (undecided,) = merging.conflicts
    assert (undecided.conflict.place, undecided.side) == ("line 1", "ours")
    merging.choose(undecided, "theirs")
    assert text_of(session) == "theirs\n" + before
    assert merging.conflicts[0].side == "theirs"


Left = Callable[[Document, str], Unsaved]


def left(session: Document, mine: str, *, base: bool = True) -> Unsaved:
    was = Source(session.path.read_text())
    text = Source(with_value(was.text, NAME, mine))
    return Unsaved(session.path, text, digest(was), was if base else None, session.path)


def test_unsaved_changes_come_back_as_one_entry(session: Document) -> None:
    before = text_of(session)
    merging = ThreeWayMerge(session)
    assert merging.with_unsaved([left(session, "mine")]) == []
    assert text_of(session) == with_value(before, NAME, "mine")
    assert session.unsaved
    session.undo()
    assert text_of(session) == before
    assert not session.unsaved


def test_unsaved_changes_of_a_file_that_changed_since_are_merged(open_session: Open, iterator: Path) -> None:
    first = open_session(iterator)
    unsaved = left(first, "mine")
    on_disk = with_value(first.path.read_text(), "/version", "9.9.9")
    first.path.write_text(with_value(on_disk, NAME, "theirs"))
    session = open_session(iterator)
    merging = ThreeWayMerge(session)
    assert merging.with_unsaved([unsaved]) == []
    assert text_of(session) == with_value(on_disk, NAME, "mine")
    (undecided,) = merging.conflicts
    merging.choose(undecided, "theirs")
    assert not session.unsaved


def test_without_the_text_of_that_time_the_unsaved_one_stands_for_the_whole_file(session: Document) -> None:
    unsaved = left(session, "mine", base=False)
    ThreeWayMerge(session).with_unsaved([unsaved])
    assert text_of(session) == unsaved.source.text


def test_files_that_cant_be_read_are_told(session: Document, tmp_path: Path) -> None:
    gone = Unsaved(tmp_path / "elsewhere.json", Source("{}"), None, None, session.path)
    assert ThreeWayMerge(session).with_unsaved([gone, left(session, "mine")]) == [gone.path]
    assert json.loads(text_of(session))["steps"][STEP]["name"] == "mine"


def test_undecided_names_its_file(session: Document) -> None:
    merging = both_changed(session, "mine", "theirs")
    assert [type(each) for each in merging.conflicts] == [Undecided]
    assert merging.conflicts[0].path == session.path

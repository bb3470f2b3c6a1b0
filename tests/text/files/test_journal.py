"""The journal: what a program that died had not saved is found by the next one, and by no other."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stepflow_gui.text.files.journal import Journal, Unsaved, digest
from stepflow_gui.text.source import Source
from tests.full_disk import REASON, full_disk

EDIT_AND_DIE = """
import os, signal, sys
from pathlib import Path
from stepflow_gui.text.files.journal import Journal
from stepflow_gui.text.source import Source
from stepflow_gui.text.files.store import read

folder, path, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
journal = Journal(folder)
base = read(path)
assert journal.note(path, base.with_text("first"), base) is None
assert journal.note(path, base.with_text("{\\ud800 é unsaved"), base) is None
if how == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
if how == "close":
    journal.close()
if how == "forget":
    journal.forget(path)
    os._exit(0)
print("ready", flush=True)
sys.stdin.read()
"""


def run(folder: Path, path: Path, how: str) -> None:
    command = [sys.executable, "-c", EDIT_AND_DIE, str(folder), str(path), how]
    subprocess.run(command, input="", text=True, check=how != "kill", capture_output=True)


def file_in(folder: Path) -> Path:
    path = folder / "steps_registry.json"
    path.write_bytes(b"\xef\xbb\xbf{}\r\n")
    return path


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_what_a_killed_program_had_not_saved_is_found(tmp_path: Path) -> None:
    path = file_in(tmp_path)
    run(tmp_path / "journal", path, "kill")
    journal = Journal(tmp_path / "journal")
    (left,) = journal.left()
    assert left.path == path
    assert left.source.text == "{\ud800 é unsaved"
    assert left.source.bom
    assert left.read_as == digest(Source("{}\r\n", bom=True))
    assert left.fits
    assert left.base is not None
    assert (left.base.text, left.base.bom) == ("{}\r\n", True)
    path.write_text("theirs")
    assert not left.fits
    assert len(journal.left()) == 1  # looking takes nothing away
    journal.discard_left(journal.left()[0])
    assert journal.left() == []
    assert list((tmp_path / "journal").iterdir()) == []


@pytest.mark.parametrize("how", ["close", "forget"])
def test_what_was_saved_or_ended_well_is_not(tmp_path: Path, how: str) -> None:
    run(tmp_path / "journal", file_in(tmp_path), how)
    assert Journal(tmp_path / "journal").left() == []


def test_what_a_running_program_has_not_saved_is_its_own(tmp_path: Path) -> None:
    path = file_in(tmp_path)
    command = [sys.executable, "-c", EDIT_AND_DIE, str(tmp_path / "journal"), str(path), "wait"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        journal = Journal(tmp_path / "journal")
        assert journal.left() == []
        journal.discard_left()
        running.kill()
    assert [entry.path for entry in journal.left()] == [path]


def test_two_journals_of_one_program_keep_apart(tmp_path: Path) -> None:
    first, second = Journal(tmp_path), Journal(tmp_path)
    assert first.note(Path("a.json"), Source("1"), None) is None
    assert second.left() == []
    assert second.note(Path("a.json"), Source("2"), None) is None
    second.close()
    assert first.left() == []
    first.close()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_not_there_fits_while_it_isnt(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    unsaved = Unsaved(path, Source("{}"), None)
    assert unsaved.fits
    path.write_text("")
    assert not unsaved.fits


def test_what_the_file_held_is_kept_beside_it_and_goes_with_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.note(Path("a.json"), Source("mine"), Source("was"))
    (base,) = tmp_path.glob("*/*.base")
    os.utime(base, (0, 0))
    journal.note(Path("a.json"), Source("mine, too"), Source("was"))
    assert base.stat().st_mtime == 0  # once is enough
    journal.note(Path("a.json"), Source("mine, too"), Source("theirs"))
    assert base.read_text() == "theirs"
    journal.forget(Path("a.json"))
    assert not list(tmp_path.glob("*/*.base"))
    journal.note(Path("a.json"), Source("mine"), Source("was"))
    journal.close()
    assert list(tmp_path.iterdir()) == []


def test_the_texts_that_programs_left_of_a_file_are_found_apart_the_newest_first(tmp_path: Path) -> None:
    for number, text in enumerate(["old", "new", "older"]):
        journal = Journal(tmp_path)
        journal.note(Path("a.json"), Source(text), None, Path("steps_registry.json"))
        (entry,) = journal._mine.glob("*.json")
        os.utime(entry, (100, [100, 300, 200][number]))
        assert journal._lock is not None
        journal._lock.close()  # as when it is killed
    journal = Journal(tmp_path)
    left = journal.left()
    assert [(each.source.text, each.when) for each in left] == [("new", 300), ("older", 200), ("old", 100)]
    assert {each.opened for each in left} == {Path("steps_registry.json")}
    journal.discard_left(left[1])
    assert [each.source.text for each in journal.left()] == ["new", "old"]
    journal.discard_left()
    assert journal.left() == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize("damage", [None, b"another text", b"\xff"])
def test_a_text_whose_base_is_lost_is_found_all_the_same(tmp_path: Path, damage: bytes | None) -> None:
    run(tmp_path / "journal", file_in(tmp_path), "kill")
    (base,) = (tmp_path / "journal").glob("*/*.base")
    base.unlink() if damage is None else base.write_bytes(damage)
    (left,) = Journal(tmp_path / "journal").left()
    assert left.base is None
    assert left.source.text == "{\ud800 é unsaved"


def test_the_same_text_is_written_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.note(Path("a.json"), Source("1"), None)
    (entry,) = tmp_path.glob("*/*.json")
    os.utime(entry, (0, 0))
    journal.note(Path("a.json"), Source("1"), None)
    assert entry.stat().st_mtime == 0
    journal.note(Path("a.json"), Source("2"), None)
    assert entry.stat().st_mtime > 0
    journal.close()


def test_a_journal_that_cant_be_written_reports_it_and_blocks_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "journal"
    blocked.write_text("a file, no folder")
    journal = Journal(blocked)
    assert journal.note(Path("a.json"), Source("1"), None) == os.strerror(20)
    journal.forget(Path("a.json"))
    assert journal.left() == []
    journal.discard_left()
    journal.close()
    assert blocked.read_text() == "a file, no folder"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version": 2}', b'{"version": 1}', b"\xff"])
def test_entries_that_make_no_sense_are_passed_over(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "abandoned").mkdir()
    (tmp_path / "abandoned" / "lock").touch()
    (tmp_path / "abandoned" / "entry.json").write_bytes(content)
    assert Journal(tmp_path).left() == []


DAMAGE = {
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "NUL": b'{"version":1,"path":"\\u0000","text":"","bom":false,"read_as":null}',
    "NUL in what was opened": b'{"version":1,"path":"a","opened":"b\\u0000","text":"","bom":false,"read_as":null}',
    "path": b'{"version":1,"path":7,"text":"","bom":false,"read_as":null}',
}


@pytest.mark.parametrize("damage", [*DAMAGE, "pipe", "device", "base pipe"])
def test_a_damaged_entry_hides_no_other(tmp_path: Path, damage: str) -> None:
    journal = Journal(tmp_path / "journal")
    for name in ("a.json", "b.json"):
        journal.note(tmp_path / name, Source(name), Source("was"))
    journal.leave()
    entry = journal._entry(tmp_path / "a.json")
    hurt = entry.with_suffix(".base") if damage == "base pipe" else entry
    hurt.unlink()
    if damage == "device":
        hurt.symlink_to("/dev/zero")
    elif damage.endswith("pipe"):
        os.mkfifo(hurt)
    else:
        hurt.write_bytes(DAMAGE[damage])
    found = Journal(tmp_path / "journal").left()
    assert [each.source.text for each in found] == (["a.json", "b.json"] if damage == "base pipe" else ["b.json"])


def test_what_came_in_the_place_of_a_file_keeps_no_one_waiting(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    os.mkfifo(path)
    assert not Unsaved(path, Source("mine"), None).fits
    path.unlink()
    path.symlink_to("/dev/zero")
    assert not Unsaved(path, Source("mine"), digest(Source(""))).fits
    assert not Unsaved(Path("a\0b"), Source("mine"), None).fits


def test_a_full_disk_keeps_what_was_noted_before(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.json", tmp_path / "journal"
    journal = Journal(folder)
    assert journal.note(path, Source("first"), None) is None
    with full_disk():
        assert journal.note(path, Source("second"), None) == REASON
    journal.leave()
    assert [each.source.text for each in Journal(folder).left()] == ["first"]
    assert not list(folder.rglob("*.tmp"))

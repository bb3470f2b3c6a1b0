"""What is unsaved is in the journal a moment later, goes with a save, and comes back after a kill."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.journal import Journal
from stepflow_gui.text.source import Source
from tests.gui.document.conftest import Open


@pytest.fixture
def recovery(qtbot: QtBot, tmp_path: Path) -> Iterator[Recovery]:
    made = Recovery(tmp_path / "journal")
    yield made
    made.close()


def write(document: Document, text: str = " ") -> None:
    document.apply({document.path: [TextEdit(0, 0, text)]}, "write", "source", typing=True)


def held(tmp_path: Path) -> list[str]:
    """What the journal's folder has on disk, of programs that still run as well."""
    return [path.read_text() for path in sorted((tmp_path / "journal").glob("*/*.json"))]


def test_what_is_unsaved_is_kept_a_moment_later_and_goes_with_the_save(
    qtbot: QtBot, recovery: Recovery, open_document: Open, iterator: Path, tmp_path: Path
) -> None:
    document = open_document(iterator)
    recovery.follow(document)
    write(document)
    qtbot.waitUntil(lambda: len(held(tmp_path)) == 1)
    document.undo()  # nothing is unsaved any more
    qtbot.waitUntil(lambda: not held(tmp_path))
    document.redo()
    qtbot.waitUntil(lambda: len(held(tmp_path)) == 1)
    document.save()
    recovery.settle()
    assert not held(tmp_path)


def test_a_session_that_was_closed_leaves_nothing(
    recovery: Recovery, open_document: Open, iterator: Path, tmp_path: Path
) -> None:
    document = open_document(iterator)
    recovery.follow(document)
    write(document)
    recovery.note()
    recovery.settle()
    assert held(tmp_path)
    recovery.leave(document)
    recovery.settle()
    assert not held(tmp_path)
    recovery.leave(document)  # twice is once


def test_a_journal_that_cant_be_written_is_reported_once(
    qtbot: QtBot, open_document: Open, iterator: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    recovery = Recovery(tmp_path / "file" / "journal")
    document = open_document(iterator)
    recovery.follow(document)
    told: list[str] = []
    recovery.failed.connect(told.append)
    for _time in range(2):
        write(document)
        recovery.note()
        recovery.settle()
    qtbot.waitUntil(lambda: bool(told))
    assert told == [os.strerror(20)]
    recovery.close()


WRITE_AND_WAIT = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.document import Document
from stepflow_gui.text.edit import TextEdit

application = QApplication([])
document = Document.open(Path(sys.argv[1]))
recovery = Recovery(Path(sys.argv[2]))
recovery.follow(document)
document.apply({document.path: [TextEdit(0, 0, "  ")]}, "write", "source")
recovery.note()
recovery.settle()
print("ready", flush=True)
application.exec()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_what_a_killed_program_had_not_saved_is_found_by_the_next(
    recovery: Recovery, open_document: Open, iterator: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", WRITE_AND_WAIT, str(iterator), str(tmp_path / "journal")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        assert recovery.left() == []  # it still runs
        running.kill()
    document = open_document(iterator)
    (left,) = recovery.left(document.path)
    assert left.source.text.startswith("  ")
    assert left.base is not None
    assert left.base.text == document.path.read_text()
    assert recovery.left(iterator) == []
    recovery.discard([left])
    assert recovery.left() == []
    assert Journal(tmp_path / "journal").left() == []


def test_what_the_file_holds_by_now_is_not_offered(recovery: Recovery, tmp_path: Path) -> None:
    for name, text in (("saved.json", "mine"), ("other.json", "theirs")):
        (tmp_path / name).write_text(text)
        journal = Journal(tmp_path / "journal")
        assert journal.note(tmp_path / name, Source("mine"), Source("was")) is None
        journal.leave()
    assert [left.path.name for left in recovery.left()] == ["other.json"]
    assert [left.path.name for left in Journal(tmp_path / "journal").left()] == ["other.json"]

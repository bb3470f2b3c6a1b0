"""Before any typing: files that can't be written are marked so, and those open in another program as well."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.project.open_marks import OpenMarks
from stepflow_gui.text.edit import TextEdit
from tests.gui.silent import Silent
from tests.permissions import permissions_that_bind

OTHER = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.document import Document
from stepflow_gui.project.open_marks import OpenMarks
from stepflow_gui.text.edit import TextEdit

application = QApplication([])
registry = Path(sys.argv[1])
marks = OpenMarks(Path(sys.argv[3]))
marks.mark(registry)
recovery = Recovery(Path(sys.argv[2]), marks=marks)
document = Document.open(registry)
recovery.follow(document)
document.apply({document.path: [TextEdit(0, 0, "  ")]}, "write", "source")
recovery.note()
recovery.settle()
print("ready", flush=True)
sys.stdin.readline()
recovery.close()
document.close()
"""


class Names(Silent):
    """Names the folder for a copy."""

    copy: Path | None = None

    def save_file(self, title: str, name: str) -> Path | None:
        del title, name
        return Names.copy


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """The registry of the bundled example."""
    (found,) = copy_example(into=tmp_path / "project").rglob("steps_registry.json")
    return found


@pytest.fixture
def recovery(qtbot: QtBot, tmp_path: Path) -> Iterator[Recovery]:
    made = Recovery(tmp_path / "unsaved", marks=OpenMarks(tmp_path / "open"))
    yield made
    made.close()


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path, recovery: Recovery, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    made = Shell(Settings(tmp_path / "settings.ini"), recovery, Names)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def type_something(shell: Shell) -> None:
    document = shell.current.document
    assert document is not None
    document.apply({document.path: [TextEdit(0, 0, " ")]}, "write", "source")


@pytest.mark.parametrize("barred", ["file", "folder"])
def test_what_cant_be_written_is_reported_when_opened_and_can_be_copied(
    shell: Shell, registry: Path, tmp_path: Path, qtbot: QtBot, barred: str
) -> None:
    closed = registry if barred == "file" else registry.parent
    mode = closed.stat().st_mode
    with permissions_that_bind(tmp_path):
        closed.chmod(0o444 if barred == "file" else 0o555)
        try:
            assert shell.open(registry)
            window = shell.current
            assert window.outside.signs.read_only == [registry]
            assert "read-only" in window.banner.text
            assert ("folder" in window.banner.text) is (barred == "folder")
            assert not window.outside.signs.lock.isHidden()
            assert "read-only" in shell.windowTitle()
            assert not shell.tabs.tabIcon(0).isNull()
            type_something(shell)
            assert not window.save()
            Names.copy = tmp_path / "copy"
            window.desk.actions["save-copy"].trigger()
            copy = shell.current.document
            assert copy is not None
            assert copy.path.is_relative_to(tmp_path / "copy")
            assert copy.path.read_text().startswith(" ")
            assert len(list((tmp_path / "copy").rglob("*.md"))) == len(list((tmp_path / "project").rglob("*.md")))
            assert shell.current.outside.signs.read_only == []
            assert shell.current.save()
            assert not registry.read_text().startswith(" ")
        finally:
            closed.chmod(mode)
    qtbot.waitUntil(lambda: window.outside.signs.read_only == [])  # reported by the file system
    assert window.outside.signs.lock.isHidden()
    assert shell.tabs.tabIcon(0).isNull()
    assert window.save()


def test_what_becomes_a_link_out_of_the_project_is_not_saved(shell: Shell, registry: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    assert shell.open(registry)
    type_something(shell)
    registry.rename(outside)
    registry.symlink_to(outside)
    before = outside.read_bytes()
    assert not shell.current.save()
    assert "outside the project" in shell.current.banner.text
    assert outside.read_bytes() == before


def test_places_of_steps_in_a_read_only_project_are_kept_elsewhere(
    shell: Shell, registry: Path, tmp_path: Path
) -> None:
    mode = registry.parent.stat().st_mode
    with permissions_that_bind(tmp_path):
        registry.parent.chmod(0o555)
        try:
            shell.open(registry)
            document = shell.current.document
            assert document is not None
            assert document.layout_path.is_relative_to(tmp_path / "data")
            shell.current.canvas.move_items(("initial.issue",), shell.current.canvas.graph.sceneRect().bottomRight())
            shell.current.canvas.settle_moved(("initial.issue",))
            placed = shell.current.canvas.positions()["initial.issue"]
            assert shell.current.save()
            assert document.layout_path.is_file()
            shell.close_tab(0)
            shell.open(registry)
            assert shell.current.canvas.positions()["initial.issue"] == placed
        finally:
            registry.parent.chmod(mode)
    shell.close_tab(0)
    shell.open(registry)  # writable now: what was kept is still in use, and a move goes beside the registry
    document = shell.current.document
    assert document is not None
    assert document.layout_path.is_relative_to(registry.parent)
    assert shell.current.canvas.positions()["initial.issue"] == placed


def test_two_programs_with_the_same_file_know_of_each_other_and_keep_their_own(
    shell: Shell, registry: Path, tmp_path: Path, recovery: Recovery, qtbot: QtBot
) -> None:
    assert shell.open(registry)
    signs = shell.current.outside.signs
    assert signs.twice.isHidden()
    command = [sys.executable, "-c", OTHER, str(registry), str(tmp_path / "unsaved"), str(tmp_path / "open")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        qtbot.waitUntil(lambda: str(other.pid) in shell.current.banner.text)
        assert not signs.twice.isHidden()
        assert sorted(OpenMarks(tmp_path / "open").others(registry)) == sorted([other.pid, os.getpid()])
        type_something(shell)
        recovery.note()
        recovery.settle()
        assert len(list((tmp_path / "unsaved").glob("*/*.json"))) == 2
        assert recovery.left() == []  # that of the other isn't ours to recover
        assert shell.current.save()
        recovery.settle()
        assert len(list((tmp_path / "unsaved").glob("*/*.json"))) == 1  # nor to delete
        other.kill()
    (left,) = recovery.left(registry)
    assert left.source.text.startswith("  ")
    timer = shell.current.findChild(QTimer, "openTwice")
    assert timer is not None
    timer.setInterval(20)
    qtbot.waitUntil(signs.twice.isHidden)  # though nothing on disk shows it, nor a window that comes to the front
    assert not shell.current.banner.isVisible()
    assert not timer.isActive()


def test_a_program_that_ends_with_unsaved_texts_keeps_them(
    shell: Shell, registry: Path, tmp_path: Path, recovery: Recovery
) -> None:
    shell.open(registry)
    type_something(shell)
    recovery.close()
    assert len(Recovery(tmp_path / "unsaved").left(registry)) == 1

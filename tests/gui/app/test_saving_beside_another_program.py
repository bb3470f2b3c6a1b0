"""The window saves while another program writes the same file again and again: nothing is lost unasked."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.saving_all import save_all
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.prompts import OnConflict
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.source import Source
from tests.gui.silent import Silent

from . import rewriting

SECONDS = 0.7


class Reloads(Silent):
    """Takes what is on disk where there is a conflict."""

    def changed_on_disk(self, path: Path) -> OnConflict:
        del path
        return OnConflict.RELOAD


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Reloads)
    qtbot.addWidget(made)
    yield made
    made.close()


def text_of(document: Document) -> str:
    source = document.source()
    assert isinstance(source, Source)
    return source.text


@pytest.mark.slow
@pytest.mark.parametrize("way", ["renamed", "written", "slowly"])
def test_nothing_of_another_program_is_lost_unasked(way: str, shell: Shell, tmp_path: Path) -> None:
    """By Save and by Save All in turn; the way is how the other program writes."""
    path = tmp_path / "steps_registry.json"
    path.write_text("theirs 0")
    shell.open(path)
    document = shell.current.document
    assert document is not None
    command = [sys.executable, rewriting.__file__, str(path), way, str(SECONDS)]
    saved: set[int] = set()
    number = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        while other.poll() is None:
            number += 1
            before = text_of(document)
            known = before.split("|")[1] if before.startswith("ours ") else before
            text = f"ours {number}|{known}|"
            document.apply({path: [TextEdit(0, len(before), text)]}, "Write", "test")
            done = save_all(shell) if number % 2 else shell.current.save()
            if done and text_of(document) == text:  # else it was reloaded
                saved.add(number)
        assert other.stdout is not None
        unknown = set(json.loads(other.stdout.read()))
    assert number
    assert not saved & unknown

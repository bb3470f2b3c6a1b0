"""A quick fix may begin a file that isn't there: an entry of the history as any other, on disk with the next save."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.files.store import Saved


@pytest.fixture
def document(qtbot: QtBot, tmp_path: Path) -> Iterator[Document]:
    folder = copy_example(into=tmp_path)
    shutil.rmtree(next(folder.rglob("closure")))
    opened = Document.open(folder)
    assert isinstance(opened, Document)
    qtbot.waitUntil(lambda: opened.linted)
    yield opened
    opened.close()


def test_a_prompt_is_begun_taken_back_and_saved(document: Document, qtbot: QtBot) -> None:
    found = next(each for each in document.diagnostics if each.code == "SF506")
    path = found.fixes[0].edits[0].file
    assert document.apply_fix(found.fixes[0]) is None
    qtbot.waitUntil(lambda: document.linted and all(each.code != "SF506" for each in document.diagnostics))
    assert document.unsaved
    document.undo()
    assert not document.unsaved
    assert isinstance(document.save(), Saved)
    assert not path.parent.exists()
    document.redo()
    assert isinstance(document.save(), Saved)
    assert path.read_text("utf-8").endswith("# Check and close\n\n{uv-issue}\n")

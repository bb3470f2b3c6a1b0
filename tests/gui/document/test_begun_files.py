"""A quick fix may begin a file that doesn't exist: an entry of the history as any other, on disk with the next save."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document
from stepflow_gui.lint.diagnostic import Fix
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import Saved
from stepflow_gui.text.source import Source


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


@pytest.fixture
def misspelt(qtbot: QtBot, tmp_path: Path) -> Iterator[Document]:
    folder = copy_example(into=tmp_path)
    agent = next(folder.rglob("agent.json"))
    agent.write_text(agent.read_text("utf-8").replace('"version"', '"verzion"'), "utf-8")
    opened = Document.open(folder)
    assert isinstance(opened, Document)
    qtbot.waitUntil(lambda: opened.linted)
    yield opened
    opened.close()


def test_a_fix_isnt_made_in_a_text_that_the_linter_didnt_read(misspelt: Document, qtbot: QtBot) -> None:
    """Its offsets count in the text as it was: another program changed the file, which isn't open here."""
    agent = misspelt.path.parent / "agent.json"
    longer = "\n\n" + agent.read_text("utf-8")
    agent.write_text(longer, "utf-8")  # the linter reads it with the next change, the window when it gets the focus
    misspelt.apply({misspelt.path: [TextEdit(0, 0, "\n")]}, "Put", "test")
    qtbot.waitUntil(lambda: misspelt.linted)
    assert misspelt.apply_fix(_fixes_in(agent, misspelt)[0]) is None
    assert misspelt.stack.count() == 1
    qtbot.waitUntil(lambda: misspelt.linted)
    misspelt.apply_fix(_fixes_in(agent, misspelt)[0])
    text = misspelt.source(agent)
    assert isinstance(text, Source)
    assert text.text == longer.replace('"verzion"', '"version"')


def _fixes_in(file: Path, document: Document) -> list[Fix]:
    return [fix for each in document.diagnostics for fix in each.fixes if fix.edits[0].file == file]

"""A real agent, copied where it may be changed, and documents that are closed in the end."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.document.document import Document

Open = Callable[[Path], Document]


@pytest.fixture
def iterator(corpus: Path, tmp_path: Path) -> Path:
    """The folder of upstream's iterator agent, 21 steps."""
    folder = tmp_path / "iterator"
    shutil.copytree(corpus / "climpt" / "iterator" / "031-06e570d", folder)
    return folder


@pytest.fixture
def open_document(qtbot: QtBot) -> Iterator[Open]:
    """Opens documents and closes them when the test ends."""
    opened: list[Document] = []

    def open_it(path: Path) -> Document:
        document = Document.open(path)
        assert isinstance(document, Document)
        opened.append(document)
        return document

    yield open_it
    for document in opened:
        document.close()

"""Source panels on small and real registries."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.project.creating.example import copy_example
from tests.gui.shown import shown_panel
from tests.gui.source.bench import SMALL, Bench

Make = Callable[[Path], Bench]


@pytest.fixture
def bench(qtbot: QtBot) -> Make:
    def make(path: Path) -> Bench:
        panel = SourcePanel(Theme(dark=False))
        document = shown_panel(qtbot, panel, path, (480, 400))
        panel.editor.setFocus()
        qtbot.waitUntil(panel.editor.hasFocus)
        return Bench(document, panel)

    return make


@pytest.fixture
def small(bench: Make, tmp_path: Path) -> Bench:
    (tmp_path / "steps_registry.json").write_text(SMALL)
    return bench(tmp_path)


@pytest.fixture
def crlf(bench: Make, tmp_path: Path) -> Bench:
    (tmp_path / "steps_registry.json").write_bytes(SMALL.replace("\n", "\r\n").encode())
    return bench(tmp_path)


@pytest.fixture
def iterator(bench: Make, corpus: Path, tmp_path: Path) -> Bench:
    shutil.copytree(corpus / "climpt" / "iterator" / "031-06e570d", tmp_path / "iterator")
    return bench(tmp_path / "iterator")


@pytest.fixture
def example(bench: Make, tmp_path: Path) -> Bench:
    """The bundled agent, which has prompts of one name and a configuration."""
    return bench(copy_example(into=tmp_path / "example"))

"""A shell beside a repository of three agents."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui import messages
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.project.tree import TreeNode
from stepflow_gui.gui.project.view import ProjectView
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.project.creating.example import copy_example
from tests.gui.silent import Silent

LONG = 60_000  # milliseconds that a busy machine may take


class Beside:
    """The shell, with what the tests ask of it again and again."""

    def __init__(self, qtbot: QtBot, root: Path, shell: Shell) -> None:
        self.qtbot = qtbot
        self.root = root
        self.shell = shell

    @property
    def view(self) -> ProjectView:
        assert self.shell.project.view is not None
        return self.shell.project.view

    def rest(self) -> None:
        """Wait until all that there is is checked."""
        view = self.view
        self.qtbot.waitUntil(
            lambda: bool(view.model.agents) and view.at_rest and all(a.health for a in view.model.agents.values()),
        )

    def registry(self, name: str) -> Path:
        return next((self.root / name).rglob("steps_registry.json"))

    def node(self, name: str, file: str = "") -> TreeNode:
        """The row of an agent, or of a file of it."""
        key = self.registry(name)
        index = self.view.model.find(key, key.parent / file if file else None)
        node = self.view.model.node(index)
        assert node is not None
        return node


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name in ("billing", "docs", "webapp"):
        copy_example(into=root / name)
    (root / ".git").mkdir()
    shutil.rmtree(next((root / "billing").rglob("closure")))
    return root


@pytest.fixture
def shell(qtbot: QtBot, tmp_path: Path) -> Iterator[Shell]:
    make_application()
    before = messages.language()
    made = Shell(Settings(tmp_path / "settings.ini"), None, Silent)
    qtbot.addWidget(made)
    made.resize(1100, 700)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close()
    messages.use_language(before)


@pytest.fixture
def beside(qtbot: QtBot, repository: Path, shell: Shell) -> Beside:
    return Beside(qtbot, repository, shell)

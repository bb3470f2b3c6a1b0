"""Garbage of windows is freed in their thread alone; and what tests in which a model answers have in common."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.widgets.application import translate_qt
from stepflow_gui.run.responders.anthropic_process import model_process
from tests.gui.patience import wait_patiently
from tests.gui.shown import kept_window
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import Api, serving

wait_patiently()


@pytest.fixture(scope="module", autouse=True)
def _all_garbage_freed() -> Iterator[None]:
    yield
    gc.collect()
    gc.freeze()  # what is left stays, such as syntax trees that other files keep: it took two seconds a file to go over
    gc.enable()


@pytest.fixture(autouse=True)
def _garbage_freed_in_this_thread(_all_garbage_freed: None) -> Iterator[None]:
    """Python's collector runs in any thread, that in which xdist listens too; a Qt object freed there is a crash."""
    gc.disable()
    yield
    gc.collect(1)


@pytest.fixture(autouse=True)
def _qt_in_english() -> Iterator[None]:
    """A test that changes the language changes that of Qt's dialogs for itself alone."""
    yield
    application = QApplication.instance()
    if application is not None and application.findChild(QTranslator) is not None:
        translate_qt("en")


@pytest.fixture(scope="module")
def kept(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """The window of the file's tests, which they take by `emptied`."""
    with kept_window(tmp_path_factory.mktemp("window")) as window:
        yield window


@pytest.fixture(scope="session")
def _ended() -> Iterator[None]:
    """The process that asks a model takes two seconds of work to begin: it serves all tests."""
    yield
    model_process().close()


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, _ended: None) -> Iterator[Api]:
    """A server that is Anthropic for this test."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    with serving() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server

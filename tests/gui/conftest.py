"""What tests of windows in which a model answers have in common."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.run.responders.anthropic_process import model_process
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import Api, serving


def _undress(kept: str) -> None:
    """Take the look off that a test left; not the `kept` one: dressing the application is dear."""
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    if isinstance(application, QApplication) and application.styleSheet() not in ("", kept):
        application.setStyleSheet("")


@pytest.fixture(autouse=True)
def _light() -> Iterator[None]:
    """A test that changes the look changes it for itself alone; the light one stays for the next of the file."""
    yield
    _undress(kept=Theme(dark=False).style_sheet())


@pytest.fixture(autouse=True, scope="module")
def _plain() -> Iterator[None]:
    """Whether a test runs alone or behind another file, the application has no look when the file starts."""
    yield
    _undress(kept="")


@pytest.fixture(scope="module")
def _ended() -> Iterator[None]:
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

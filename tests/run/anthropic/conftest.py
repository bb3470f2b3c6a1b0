"""The server, and an environment in which no key and no setting of a person is found."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from stepflow_gui.run.responders import anthropic_key
from tests.run.anthropic.messages_api import Api, serving


@pytest.fixture
def api() -> Iterator[Api]:
    with serving() as server:
        yield server


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(anthropic_key, "_keyring", lambda: None)

"""Fixtures of the command line's tests: an agent on disk, the command run in this process or in one of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import catalogue
from stepflow_gui import messages
from stepflow_gui.cli.main import main
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import changed
from stepflow_gui.run.responders import anthropic_key
from tests.run.anthropic.asking import SECRET
from tests.run.anthropic.messages_api import Api, serving
from tests.run.anthropic.test_agent import sensible


class Ran(NamedTuple):
    """The exit code of a command and what it printed."""

    code: int
    out: str
    err: str


_STEP = "/steps/initial.issue"
ALIASES = {
    f"{_STEP}/structuredGate/allowedIntents": ["continue", "repeat"],
    f"{_STEP}/transitions": {"continue": {"target": "continuation.issue"}, "repeat": {"target": "initial.issue"}},
    "issue.schema.json#/initial.issue/properties/next_action/properties/action/enum": ["continue", "repeat"],
}
"""Changes to the example: aliases for intents in registry and schema, which safe fixes settle."""

Run = Callable[..., Ran]
Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English, no display, whatever the tests are started from; the language is put back."""
    for name in ("STEPFLOW_LANG", "STEPFLOW_DEBUG", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    yield
    messages.use_language("en")


@pytest.fixture
def write_agent(tmp_path: Path) -> Write:
    """Write the example agent with changes to a folder below the test's own; gives the folder."""

    def written(name: str = "agent", changes: Mapping[str, Any] | None = None) -> Path:
        folder = tmp_path / name
        for file, text in files_of(changed(changes)).items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(text.encode("utf-8", "backslashreplace"))
        return folder

    return written


@pytest.fixture(scope="session")
def japanese_catalogue(checkout: Path) -> None:
    """The compiled catalogue, as a build makes it."""
    catalogue.compile_catalogue(checkout)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process."""

    def ran(*arguments: str | Path) -> Ran:
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return ran


@pytest.fixture
def spawn(checkout: Path) -> Run:
    """Run the command, or other Python code, in a process of its own."""

    def spawned(
        *arguments: str | Path, code: str = "", environment: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Ran:
        start = ["-c", code] if code else ["-m", "stepflow_gui"]
        done = subprocess.run(
            [sys.executable, *start, *map(str, arguments)],
            capture_output=True,
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(checkout), **(environment or {})},
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    return spawned


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Api]:
    """A server that is Anthropic for this test."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setattr(anthropic_key, "_keyring", lambda: None)
    with serving() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        server.replies = [sensible]
        yield server

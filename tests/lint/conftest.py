"""Fixtures of the linter's tests: example agents written to disk, and linted."""

import gettext
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from babel.messages.mofile import write_mo

import catalogue
from stepflow_gui import messages
from stepflow_gui.lint.config.settings import LintSettings
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.examples.agent import files_of
from stepflow_gui.lint.examples.example import Example, changed
from stepflow_gui.lint.examples.piece import FILE
from stepflow_gui.project.agent_folder import AgentFolder, open_agent

Open = Callable[..., AgentFolder]
Lint = Callable[..., list[Diagnostic]]


@pytest.fixture
def open_example(tmp_path: Path) -> Open:
    """Write an example's files as an agent of a project, and open it. Takes an Example, or its changes."""

    def opened(example: Example | Mapping[str, Any] | None = None) -> AgentFolder:
        written = files_of(example if isinstance(example, Example) else changed(example))
        folder = tmp_path / ".agent" / "issue-flow"
        for name, text in written.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))  # lone surrogates as escapes
        agent = open_agent(folder / (FILE if FILE in written else "steps_registry.json"))
        assert isinstance(agent, AgentFolder)
        return agent

    return opened


@pytest.fixture
def lint_example(open_example: Open) -> Lint:
    """Lint an example, or the example agent with changes."""

    def linted(
        example: Example | Mapping[str, Any] | None = None, settings: LintSettings | None = None
    ) -> list[Diagnostic]:
        return lint(open_example(example), settings)

    return linted


@pytest.fixture(scope="session")
def _in_japanese() -> gettext.GNUTranslations:
    merged, wrong = catalogue.translations("ja")
    assert not wrong
    compiled = io.BytesIO()
    write_mo(compiled, merged)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@pytest.fixture
def japanese(_in_japanese: gettext.GNUTranslations) -> Iterator[None]:
    """Japanese texts, from the sources of the catalogue: no build is needed."""
    messages.use_translations(_in_japanese)
    yield
    messages.use_language("en")

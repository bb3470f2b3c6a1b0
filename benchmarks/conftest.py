"""What the benchmarks read, a real registry and made-up ones; and the file that their figures go to."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.figures import Figures


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--figures", type=Path, help="write what the benchmarks print to this file, as a table")


def pytest_configure(config: pytest.Config) -> None:
    """Begin to collect figures, if they are to be written."""
    file = config.getoption("--figures")
    if file is not None:
        config.pluginmanager.register(Figures(file))


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """The folder of `--corpus`."""
    return Path(request.config.getoption("--corpus"))


@pytest.fixture(scope="session")
def iterator_text(corpus: Path) -> str:
    """A real registry of 21 steps and about 28 KB."""
    found = sorted(corpus.glob("climpt/iterator/*/steps_registry.json"))
    if not found:
        pytest.skip(f"no data: {corpus} holds no iterator registry")
    return max(found, key=lambda path: path.stat().st_size).read_text("utf-8")


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Grows whenever a canvas has been painted."""
    pytest.importorskip("PySide6.QtWidgets", reason="needs the window")
    from stepflow_gui.gui.canvas.view import GraphView

    seen: list[None] = []
    paint = GraphView.paintEvent

    def noted(view: GraphView, event: Any) -> None:
        paint(view, event)
        seen.append(None)

    monkeypatch.setattr(GraphView, "paintEvent", noted)
    return seen

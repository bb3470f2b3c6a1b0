"""What the benchmarks read: a real registry and made-up ones."""

from pathlib import Path
from typing import Any

import pytest


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

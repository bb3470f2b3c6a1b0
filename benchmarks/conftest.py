"""What the benchmarks read: a real registry and made-up ones."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """The folder of `--corpus`."""
    return Path(request.config.getoption("--corpus", default=SHARED / "corpus"))


@pytest.fixture(scope="session")
def iterator_text(corpus: Path) -> str:
    """A real registry of 21 steps and about 28 KB."""
    found = sorted(corpus.glob("climpt/iterator/*/steps_registry.json"))
    if not found:
        pytest.skip(f"no data: {corpus} holds no iterator registry")
    return max(found, key=lambda path: path.stat().st_size).read_text("utf-8")

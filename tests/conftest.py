"""Options and fixtures that all tests share: where the corpus and the conformance data lie."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--corpus", type=Path, default=SHARED / "corpus", help="real files (default ../shared/corpus)")
    parser.addoption(
        "--conformance", type=Path, default=SHARED / "conformance", help="cases (default ../shared/conformance)"
    )


def _folder(request: pytest.FixtureRequest, option: str) -> Path:
    folder = request.config.getoption(option)
    assert isinstance(folder, Path)
    if not folder.is_dir():
        pytest.skip(f"no data: {option} {folder} is no folder")
    return folder.resolve()


@pytest.fixture(scope="session")
def corpus(request: pytest.FixtureRequest) -> Path:
    """The folder of real registries and pieces."""
    return _folder(request, "--corpus")


@pytest.fixture(scope="session")
def conformance(request: pytest.FixtureRequest) -> Path:
    """The folder of cases produced by running upstream."""
    return _folder(request, "--conformance")

"""The options of tests and benchmarks: where the real data are."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent / "shared"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    parser.addoption("--corpus", type=Path, default=SHARED / "corpus", help="real files (default ../shared/corpus)")
    parser.addoption(
        "--conformance", type=Path, default=SHARED / "conformance", help="cases (default ../shared/conformance)"
    )
    parser.addoption("--full", action="store_true", help="sweeps look at every real file, not at a sample (slow)")

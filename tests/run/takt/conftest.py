"""A project for runs of pieces."""

from pathlib import Path

import pytest

from tests.run.takt.projects import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project without files yet."""
    return Project(tmp_path)

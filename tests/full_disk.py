"""A disk on which no file grows: the system itself refuses every write, also those of closing a file."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

REASON = "File too large"
"""The system's word for it; a disk that is full says otherwise, at the same places."""


@contextmanager
def full_disk() -> Iterator[None]:
    """As long as it lasts, no file of this process grows; pipes take all. Skips where that can't be set."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

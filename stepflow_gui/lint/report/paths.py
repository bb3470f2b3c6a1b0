"""Paths as reports show them."""

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1000)  # a report names each file many times
def shown_path(path: Path, folder: Path) -> str:
    """Relative to the folder with `/`; absolute where it lies outside."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()

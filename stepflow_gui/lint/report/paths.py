"""Paths as reports show them."""

from pathlib import Path


def shown_path(path: Path, folder: Path) -> str:
    """Relative to the folder with `/`; absolute where it lies outside."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()

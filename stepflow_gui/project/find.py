"""Finds the registries of a folder (formats.md, what a folder scan finds)."""

import os
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.project.locate import registry_in
from stepflow_gui.text.store import ReadProblem

_SKIPPED = {".git", "node_modules", ".venv"}


class Found(NamedTuple):
    """The registries of a folder by path, and what couldn't be looked into."""

    registries: list[Path]
    problems: list[ReadProblem]


def find_registries(folder: Path) -> list[Path]:
    """Every registry in and below a folder, by path."""
    return scan(folder).registries


def scan(folder: Path) -> Found:
    """Every registry in and below a folder, and what kept it from looking everywhere."""
    registries: dict[Path, None] = {}
    problems: list[ReadProblem] = []
    for where, folders, _names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        found = registry_in(Path(where))
        if found:
            registries[found] = None
    return Found(sorted(registries), problems)

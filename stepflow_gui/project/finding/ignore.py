"""Which files git ignores, according to the `.gitignore` files alone.

Git itself is not asked: opening a folder runs nothing, and a repository's own settings can make git run commands.
So a file that is tracked although a pattern names it counts as ignored, and the user's global patterns are not known.
"""

import os
import re
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.project.finding.globs import compile_glob
from stepflow_gui.text.files.store import read
from stepflow_gui.text.source import Source

IGNORE_FILE = ".gitignore"


class IgnorePattern(NamedTuple):
    """A line of an ignore file."""

    matches: re.Pattern[str]  # of the path below the file's folder, with `/`
    negated: bool
    folders_only: bool


class IgnoreFile(NamedTuple):
    """The patterns of one file; they speak of what is below its folder."""

    folder: str  # of posix form, ending in `/`
    patterns: tuple[IgnorePattern, ...]


def read_ignore_file(path: Path, folder: Path) -> IgnoreFile | None:
    """The patterns of a file; None where it can't be read or has none."""
    source = read(path)
    if not isinstance(source, Source):
        return None
    patterns = tuple(filter(None, map(pattern_of, source.text.splitlines())))
    return IgnoreFile(_with_slash(folder), patterns) if patterns else None


def ignore_files_above(folder: Path) -> list[IgnoreFile]:
    """The ignore files that speak of a folder's content from above it, the outermost first; [] outside a repository."""
    repository = next((above for above in (folder, *folder.parents) if os.path.lexists(above / ".git")), None)
    if repository is None:
        return []
    found = [read_ignore_file(repository / ".git" / "info" / "exclude", repository)]
    between = [above for above in folder.parents if above.is_relative_to(repository)]
    found += [read_ignore_file(above / IGNORE_FILE, above) for above in reversed(between)]
    return [file for file in found if file]


def is_ignored(path: Path, is_folder: bool, files: list[IgnoreFile]) -> bool:
    """Whether a path is ignored by itself: the last pattern that matches decides, of the innermost file."""
    name = path.as_posix()
    for file in reversed(files):
        if not name.startswith(file.folder):
            continue
        below = name[len(file.folder) :]
        for pattern in reversed(file.patterns):
            if (is_folder or not pattern.folders_only) and pattern.matches.fullmatch(below):
                return not pattern.negated
    return False


def _with_slash(folder: Path) -> str:
    name = folder.as_posix()
    return name if name.endswith("/") else f"{name}/"


def pattern_of(line: str) -> IgnorePattern | None:
    """The pattern of a line; None for a comment, and for one that matches nothing."""
    line = re.sub(r"(?<!\\) +\Z", "", line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[1:] if negated else line
    folders_only = line.endswith("/")
    line = line.removesuffix("/")
    if not line:
        return None
    matches = compile_glob(line.removeprefix("/") if "/" in line else f"**/{line}")
    return None if matches is None else IgnorePattern(matches, negated, folders_only)

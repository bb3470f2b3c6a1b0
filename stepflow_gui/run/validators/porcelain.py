"""Reads `git status --porcelain`."""

from stepflow_gui.run.javascript.values import trimmed


def changed(stdout: str) -> list[str]:
    """Files that are changed, staged or not."""
    return [_file(line) for line in _lines(stdout) if "?" not in line[:2]]


def untracked(stdout: str) -> list[str]:
    """Files that git doesn't know."""
    return [_file(line) for line in _lines(stdout) if line.startswith("??")]


def staged(stdout: str) -> list[str]:
    """Files with staged changes."""
    return [_file(line) for line in _lines(stdout) if line[0] not in " ?"]


def unstaged(stdout: str) -> list[str]:
    """Files with changes that aren't staged."""
    return [_file(line) for line in _lines(stdout) if line[1:2] not in {" ", "?"}]


def _lines(stdout: str) -> list[str]:
    return [line for line in stdout.split("\n") if trimmed(line)]


def _file(line: str) -> str:
    return trimmed(line[3:])

"""Files on disk: reading them as sources."""

from pathlib import Path
from typing import NamedTuple

from stepflow_gui.text.source import Source


class ReadProblem(NamedTuple):
    """Why a file couldn't be read. `kind`: missing, folder, unreadable, not-utf8, outside or no-registry."""

    kind: str
    path: Path
    detail: str = ""


def read(path: Path) -> Source | ReadProblem:
    """The text of a file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ReadProblem("missing", path)
    except IsADirectoryError:
        return ReadProblem("folder", path)
    except (OSError, ValueError) as error:
        return ReadProblem("unreadable", path, str(error))
    try:
        return Source.decode(data)
    except UnicodeDecodeError as error:
        return ReadProblem("not-utf8", path, str(error.start))

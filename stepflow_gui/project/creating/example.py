"""The bundled example agent, copied to where it can be edited."""

import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from stepflow_gui.bundled import resource
from stepflow_gui.text.files.new_files import FilesNotCreated, make_files


def copy_example(name: str = "issue-flow", into: Path | None = None) -> Path:
    """Copy an example agent's project into a folder, a new temporary one by default, and give the copy's path."""
    folder = (into or Path(tempfile.mkdtemp(prefix="stepflow-"))) / name
    made = make_files(dict(_texts(resource("examples", name), folder)))
    if isinstance(made, FilesNotCreated):
        raise OSError(made.reason)
    return folder


def drop_copy(folder: Path, name: str = "issue-flow") -> None:
    """Remove a copy in a temporary folder of its own, unless somebody changed it or put something beside it."""
    if list(folder.parent.iterdir()) == [folder] and is_unchanged(folder, name):
        shutil.rmtree(folder.parent, ignore_errors=True)


def is_unchanged(folder: Path, name: str = "issue-flow") -> bool:
    """Whether a copy is still as it was made."""
    return _is_copy(resource("examples", name), folder)


def _is_copy(source: Traversable, target: Path) -> bool:
    if not source.is_dir():
        return target.is_file() and target.read_bytes() == source.read_bytes()
    children = {child.name: child for child in source.iterdir()}
    return (
        target.is_dir()
        and {path.name for path in target.iterdir()} == children.keys()
        and all(_is_copy(child, target / name) for name, child in children.items())
    )


def _texts(source: Traversable, target: Path) -> Iterator[tuple[Path, bytes]]:
    if source.is_dir():
        for child in source.iterdir():
            yield from _texts(child, target / child.name)
    else:
        yield target, source.read_bytes()

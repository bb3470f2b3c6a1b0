"""The bundled example agent, copied to where it can be edited."""

import tempfile
from importlib.resources.abc import Traversable
from pathlib import Path

from stepflow_gui.bundled import resource


def copy_example(name: str = "issue-flow", into: Path | None = None) -> Path:
    """Copy an example agent's project into a folder, a new temporary one by default, and give the copy's path."""
    folder = (into or Path(tempfile.mkdtemp(prefix="stepflow-"))) / name
    _copy(resource("examples", name), folder)
    return folder


def _copy(source: Traversable, target: Path) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for child in source.iterdir():
            _copy(child, target / child.name)
    else:
        target.write_bytes(source.read_bytes())

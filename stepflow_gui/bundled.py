"""Where the files shipped with the program are: in the wheel, or in a checkout beside the package."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def resource(*parts: str) -> Traversable:
    """A file or folder under `resources/`; it need not exist."""
    installed = files("stepflow_gui").joinpath("resources")
    root: Traversable = installed if installed.is_dir() else Path(__file__).resolve().parent.parent / "resources"
    return root.joinpath(*parts)


def documentation() -> Traversable:
    """The folder of the documentation's pages."""
    installed = files("stepflow_gui").joinpath("docs")
    return installed if installed.is_dir() else Path(__file__).resolve().parent.parent / "docs"

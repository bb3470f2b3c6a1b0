"""Where TAKT looks for pieces and workflows."""

from itertools import pairwise
from pathlib import Path

HOME = ".takt"
FOLDERS = ("pieces", "workflows")
FLOW_TESTS = "flow_tests"


def is_home(path: Path) -> bool:
    """Whether TAKT takes every file there for a piece or workflow: in its own folder of them, or a category of that.

    Flow tests beside pieces are none.
    """
    above = [folder.name for folder in path.parents[:3]]
    return above[:1] != [FLOW_TESTS] and any(name in FOLDERS and outer == HOME for name, outer in pairwise(above))

"""The table of targets. One more is one more row: a module of this folder, and what in it runs.

What runs is called with a seed and the seconds that it has, and gives how many cases it looked at. A fault raises,
`FaultsFoundError` where the cases are made small.
"""

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

Run = Callable[[int, float], int]


class Target(NamedTuple):
    """A row. `small`: a moment of it is part of the ordinary tests; the others are tests of their own there.

    `qt`: it needs Qt, which reserves more memory than it uses.
    """

    module: str
    attribute: str = "run"
    small: bool = True
    qt: bool = False

    @property
    def run(self) -> Run:
        """What runs; loaded when it is wanted."""
        found = getattr(import_module(f"tests.fuzz.{self.module}"), self.attribute)
        run: Run = getattr(found, "run", found)
        return run


TARGETS = {
    "json": Target("json_edits", "JSON"),
    "yaml": Target("yaml_edits", small=False),
    "agents": Target("agents", "AGENTS"),
    "pieces": Target("agents", "PIECES"),
    "differential": Target("differential.target", "DIFFERENTIAL"),
    "piece-differential": Target("differential.piece_target", "PIECES"),
    "scripts": Target("beside", "SCRIPTS"),
    "piece-scripts": Target("beside", "PIECE_SCRIPTS"),
    "traces": Target("beside", "TRACES"),
    "settings": Target("beside", "SETTINGS"),
    "places": Target("beside", "PLACES"),
    "journals": Target("beside", "JOURNALS"),
    "documents": Target("documents", "DOCUMENTS", qt=True),
    "properties": Target("properties", small=False, qt=True),
    "window": Target("window", "WINDOW", small=False, qt=True),
}

"""Who makes the changes that menus and gestures ask for."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QPointF

from stepflow_gui.formats.changes import Change
from stepflow_gui.gui.canvas.arrange import Position
from stepflow_gui.gui.canvas.gestures import CreateStep


class ChangeMaker(Protocol):
    """Makes changes as entries of the history. False: it was refused, which is shown in the banner."""

    def make(self, change: Change, places: Mapping[str, Position] | None = None) -> bool: ...
    def make_all(self, changes: Sequence[Change], title: str, places: Mapping[str, Position] | None = None) -> bool: ...
    def refusal(self, change: Change) -> str | None: ...
    def create_at(self, wanted: CreateStep, at: QPointF) -> None: ...

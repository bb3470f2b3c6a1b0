"""What an export is to show, whatever its format."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from stepflow_gui.export.overlay import NO_OVERLAY, Overlay
from stepflow_gui.export.palette import Palette
from stepflow_gui.formats.layout_sidecar import Position
from stepflow_gui.lint.diagnostic import Diagnostic

Theme = Literal["light", "dark", "auto"]


class ExportOptions(NamedTuple):
    """A format uses those that its row of the table takes.

    `diagnostics` None: the document has no findings. `checks`: with what is validated before a step closes. The theme
    `auto` is the reader's in HTML and light elsewhere.
    """

    theme: Theme = "auto"
    scale: float = 1.0
    overlay: Overlay = NO_OVERLAY
    diagnostics: Sequence[Diagnostic] | None = None
    checks: bool = True
    loops: bool = False  # transitions of steps to themselves as edges
    positions: Mapping[str, Position] | None = None  # of the steps on a canvas; None: those stored for the agent

    @property
    def palette(self) -> Palette:
        """The colours of a picture that has one theme."""
        return Palette(dark=self.theme == "dark")

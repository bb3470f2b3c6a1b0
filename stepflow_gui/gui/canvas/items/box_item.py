"""What all boxes of the canvas have in common: where the frame is, and states whose change repaints."""

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsItem

from stepflow_gui.flow.layout.shapes import Box
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens

_ABOVE_EDGES = 2.0


class BoxItem(QGraphicsItem):
    """A box of the layout. Sizes are in units of the scene; `pens` has the colours of the theme in use."""

    def __init__(self, box: Box, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.legal: bool | None = None  # while connecting: may the drop be here
        self.hovered = False
        self._rect = QRectF(0, 0, box.width, box.height)
        self.setZValue(_ABOVE_EDGES)

    @property
    def frame(self) -> QRectF:
        """The frame in the scene."""
        return self._rect.translated(self.pos())

    def set_state(self, name: str, value: object) -> None:
        """Change one of the shown states; repaints only if it differs."""
        if getattr(self, name) != value:
            setattr(self, name, value)
            self.update()

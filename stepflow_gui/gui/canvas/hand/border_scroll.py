"""Panning by a drag that stays near the canvas's border."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QTimer

from stepflow_gui.gui.canvas.port import CanvasPort

_EDGE_ZONE = 28  # pixels from the border in which a drag scrolls the canvas
_SCROLL = 14
_EVERY = 30  # milliseconds


class BorderScroll:
    """Pans for as long as a drag stays near the border, and lets the drag follow."""

    def __init__(self, view: CanvasPort, follow: Callable[[QPoint], None]) -> None:
        self._view = view
        self._follow = follow
        self._at = QPoint()
        self._timer = QTimer(view.viewport())
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self._pan)

    def watch(self, at: QPoint) -> None:
        """The pointer is there now."""
        self._at = at
        if self._pan_step().isNull():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """The drag is over."""
        self._timer.stop()
        self._timer.deleteLater()

    def _pan_step(self) -> QPoint:
        size, at = self._view.viewport().size(), self._at
        dx = -_SCROLL if at.x() < _EDGE_ZONE else _SCROLL if at.x() > size.width() - _EDGE_ZONE else 0
        dy = -_SCROLL if at.y() < _EDGE_ZONE else _SCROLL if at.y() > size.height() - _EDGE_ZONE else 0
        return QPoint(dx, dy)

    def _pan(self) -> None:
        step = self._pan_step()
        self._view.pan_by(step.x(), step.y())
        self._follow(self._at)

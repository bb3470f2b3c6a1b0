"""A frame drawn over empty canvas: the steps that it touches are selected, and light up as they are caught."""

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.canvas.hand.border_scroll import BorderScroll
from stepflow_gui.gui.canvas.port import CanvasPort

_FILL = 0.08


class RubberBand(QWidget):
    """The frame: the accent as a thin line, and faintly inside."""

    def __init__(self, over: QWidget, accent: QColor) -> None:
        super().__init__(over)
        self.setObjectName("rubberBand")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._line = QPen(accent, 1)
        self._fill = QColor(accent)
        self._fill.setAlphaF(_FILL)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setPen(self._line)
        painter.setBrush(self._fill)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class BandDrag:
    """While the frame is drawn."""

    def __init__(self, view: CanvasPort, start: QPoint, kept: frozenset[str]) -> None:
        """`kept` steps stay selected, whatever the frame touches."""
        self._view = view
        self._start = view.mapToScene(start)
        self._kept = kept
        self._before = (view.graph.selected, view.graph.also)
        self._band = RubberBand(view.viewport(), view.graph.pens.accent)
        self._scroll = BorderScroll(view, self._follow)
        self._follow(start)
        self._band.show()

    def move(self, to: QPoint) -> None:
        """The pointer is there now."""
        self._follow(to)
        self._scroll.watch(to)

    def finish(self, at: QPoint) -> None:
        """Keep what is selected now."""
        self._follow(at)
        self._end()
        self._view.emit_selected_steps()

    def cancel(self) -> None:
        """Select again what was selected before."""
        self._end()
        step, also = self._before
        self._view.graph.select(step, also=also)

    def _follow(self, at: QPoint) -> None:
        to = self._view.mapToScene(at)
        around = QRectF(self._start, to).normalized()
        self._band.setGeometry(QRect(self._view.mapFromScene(self._start), at).normalized())
        touched = [step for step, frame in self._view.graph.step_frames().items() if frame.intersects(around)]
        steps = sorted({*touched, *self._kept})
        self._view.graph.select(steps[0] if steps else None, also=frozenset(steps[1:]))
        self._view.update_overview()

    def _end(self) -> None:
        self._scroll.stop()
        self._band.hide()
        self._band.deleteLater()

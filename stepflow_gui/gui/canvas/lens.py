"""The lens: from afar, the card that the pointer rests on, or that is selected, whole beside it."""

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from stepflow_gui.gui.canvas.items.node_item import NEAR, NodeItem
from stepflow_gui.gui.canvas.pan_zoom import PanZoomView
from stepflow_gui.gui.canvas.scene import GraphScene

_REST = 300  # milliseconds
_BESIDE = 10  # pixels between the card and the lens
_AROUND = 6


class Lens(QWidget):
    """Paints one step at 100 %. It never takes the pointer or the keyboard."""

    def __init__(self, view: PanZoomView, graph: GraphScene) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._graph = graph
        self._step: str | None = None  # that is shown, or rested on
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST)
        self._timer.timeout.connect(self._show)
        self.setObjectName("lens")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(self.dismiss)
        self.hide()

    @property
    def step(self) -> str | None:
        """The step that is shown."""
        return self._step if self.isVisible() else None

    def rest_on(self, step: str | None) -> None:
        """The pointer is over a step, or over none: show it once the pointer has rested there."""
        if step == self._step:
            if not self.isVisible() and step is not None and not self._timer.isActive():
                self._timer.start()
            return
        self.dismiss()
        self._step = step
        if step is not None and self._view.zoom < NEAR:
            self._timer.start()

    def show_step(self, step: str) -> None:
        """Show a step now, at any zoom."""
        self.dismiss()
        self._step = step
        self._open(step)

    def dismiss(self) -> bool:
        """Show nothing; False where nothing was shown."""
        shown = self.isVisible()
        self._timer.stop()
        self._step = None
        self.hide()
        return shown

    def _show(self) -> None:
        if self._step is not None and self._view.zoom < NEAR:
            self._open(self._step)

    def _open(self, step: str) -> None:
        item = self._graph.step_item(step)
        if item is None or not item.isVisible():
            return
        size = item.boundingRect().size().toSize()
        self.resize(size.width() + 2 * _AROUND, size.height() + 2 * _AROUND)
        self.move(self._place(self._view.viewport_area(item.frame)))
        self.setAccessibleName(self._graph.accessible_name(step))
        self.show()
        self.raise_()
        self.update()

    def _place(self, card: QRect) -> QPoint:
        """Right of the card, or left of it where there is more room, within the canvas."""
        port = self._view.viewport().rect()
        left = card.right() + _BESIDE
        if left + self.width() > port.right() and card.left() > port.right() - card.right():
            left = card.left() - _BESIDE - self.width()
        left = min(max(left, 0), max(port.right() - self.width(), 0))
        top = min(max(card.center().y() - self.height() // 2, 0), max(port.bottom() - self.height(), 0))
        return QPoint(left, top)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        item = self._graph.step_item(self._step)
        if not isinstance(item, NodeItem):
            return
        pens = self._graph.pens
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.setPen(pens.border)
        painter.setBrush(pens.canvas_brush)
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), _AROUND * 2, _AROUND * 2)
        painter.translate(-item.boundingRect().topLeft() + QPoint(_AROUND, _AROUND))
        item.paint(painter, QStyleOptionGraphicsItem())
        painter.end()

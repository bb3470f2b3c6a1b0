"""A dot that runs along the edge just taken: one small item, and nothing ticks once it is there."""

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

_RADIUS = 6.0
_DURATION = 380  # milliseconds


class _Dot(QGraphicsItem):
    def __init__(self, color: QColor) -> None:
        super().__init__()
        self._color = color
        self.setZValue(1.9)

    def boundingRect(self) -> QRectF:
        return QRectF(-_RADIUS - 1, -_RADIUS - 1, 2 * _RADIUS + 2, 2 * _RADIUS + 2)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color)
        painter.drawEllipse(QPointF(), _RADIUS, _RADIUS)


class EdgeAnimation:
    """At most one moving dot."""

    def __init__(self, scene: QGraphicsScene, owner: QObject) -> None:
        self._scene = scene
        self._dot: _Dot | None = None
        self._path = QPainterPath()
        self._animation = QVariantAnimation(owner)
        self._animation.setDuration(_DURATION)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._move)
        self._animation.finished.connect(self._remove)

    @property
    def is_running(self) -> bool:
        """Whether the dot is moving."""
        return self._dot is not None

    def run_along(self, path: QPainterPath, color: QColor) -> None:
        """Move the dot along a path of the scene; one that is still moving is dropped."""
        self.stop()
        self._path = path
        self._dot = _Dot(color)
        self._dot.setPos(path.pointAtPercent(0))
        self._scene.addItem(self._dot)
        self._animation.start()

    def stop(self) -> None:
        """Take the dot away."""
        self._animation.stop()
        self._remove()

    def _move(self, share: float) -> None:
        if self._dot is not None:
            self._dot.setPos(self._path.pointAtPercent(share))

    def _remove(self) -> None:
        if self._dot is not None:
            self._scene.removeItem(self._dot)
            self._dot = None

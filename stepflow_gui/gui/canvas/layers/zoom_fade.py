"""Between two levels of zoom, at which cards look different: the picture of before fades out over the new one."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.canvas.items.node_item import NEAR
from stepflow_gui.gui.canvas.layers.overview import BELOW
from stepflow_gui.gui.canvas.metrics import SMALL
from stepflow_gui.gui.canvas.pan_zoom import PanZoomView

FADED = 300  # nodes; to paint more again and again takes too long
_DURATION = 120  # milliseconds


class ZoomFade(QWidget):
    """Begins by itself where a person zooms to another level, if `wanted` says so just then."""

    def __init__(self, view: PanZoomView, wanted: Callable[[], bool]) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._wanted = wanted
        self._picture = QPixmap()
        self._area = QRectF()  # of the scene, that the picture shows
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_DURATION)
        self._animation.setStartValue(1.0)
        self._animation.setEndValue(0.0)
        self._animation.valueChanged.connect(lambda _share: self.update())
        self._animation.finished.connect(self._end)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        view.before_zoom = self._begin

    def _begin(self, zoom: float) -> None:
        view = self._view
        self._animation.stop()
        self._end()
        if _level(zoom) == _level(view.zoom) or not view.isVisible() or not self._wanted():
            return
        port = view.viewport()
        self._area = view.mapToScene(port.rect()).boundingRect()
        self._picture = QPixmap(port.size() * port.devicePixelRatioF())
        self._picture.setDevicePixelRatio(port.devicePixelRatioF())
        port.render(self._picture, QPoint(), QRegion(), QWidget.RenderFlag.DrawWindowBackground)
        self.setGeometry(port.rect())
        self.lower()
        self.show()
        self._animation.start()

    def _end(self) -> None:
        self.hide()
        self._picture = QPixmap()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        share = self._animation.currentValue()
        painter.setOpacity(share if isinstance(share, float) else 0.0)
        there = self._view.viewportTransform().mapRect(self._area)
        painter.drawPixmap(there, self._picture, QRectF(self._picture.rect()))
        painter.end()


def _level(zoom: float) -> int:
    """At how many of the zooms where cards change a zoom is past."""
    return sum(zoom < least for least in (NEAR, SMALL, BELOW))

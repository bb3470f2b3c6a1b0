"""Qt's binding keeps the counts of shared objects right.

PySide6 6.12.0 on Python 3.11 drops a reference to None in every call that returns nothing, until the process dies.
"""

import sys

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget
from pytestqt.qtbot import QtBot

CALLS = 500
DRIFT = 50  # of the count of None, from what else happens meanwhile


class _Painted(QGraphicsItem):
    paints = 0

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, 4, 4)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        self.paints += 1
        painter.fillRect(self.boundingRect(), QColor("red"))


def test_calls_and_paints_keep_the_references_to_none(qtbot: QtBot) -> None:
    scene = QGraphicsScene()
    item = _Painted()
    scene.addItem(item)
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    widget = QWidget()
    qtbot.addWidget(widget)

    def use_qt() -> None:
        for number in range(CALLS):
            widget.setToolTip(str(number))
            painter = QPainter(image)
            scene.render(painter)
            painter.end()

    use_qt()  # what is made once is made here
    before = sys.getrefcount(None)
    use_qt()
    assert abs(sys.getrefcount(None) - before) < DRIFT
    assert item.paints == 2 * CALLS

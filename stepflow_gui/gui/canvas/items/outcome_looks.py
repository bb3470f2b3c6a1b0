"""How the transitions of checks, those that need the user and watched ones differ: by a sign and the line."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from stepflow_gui.flow.layout.shapes import Route
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.step_card import Sign, sign_of
from stepflow_gui.gui.canvas.metrics import label_width

SIGN = 8.0  # across
SIGN_ROOM = 13.0  # before a label


def outcome_of(flow: Flow | None, route: Route) -> Sign:
    """After which outcome an edge is taken, that it needs the user, or is watched."""
    return "" if flow is None else sign_of(flow, route.gone)


def signed_width(text: str) -> float:
    """The width of a label with room for its sign."""
    return label_width(text) + SIGN_ROOM


def sign_path(outcome: Sign, left: float, middle: float) -> QPainterPath:
    """A tick, a cross, a person or an arrow round whose left edge and middle are there."""
    rect = QRectF(left, middle - SIGN / 2, SIGN, SIGN)
    path = QPainterPath()
    if outcome == "passed":
        path.moveTo(rect.left(), rect.top() + SIGN * 0.55)
        path.lineTo(rect.left() + SIGN * 0.36, rect.bottom() - SIGN * 0.08)
        path.lineTo(rect.right(), rect.top() + SIGN * 0.08)
        return path
    if outcome == "user":
        path.addEllipse(QRectF(left + SIGN * 0.28, rect.top() - 0.5, SIGN * 0.44, SIGN * 0.44))
        path.arcMoveTo(QRectF(left, rect.top() + SIGN * 0.62, SIGN, SIGN * 0.9), 0)
        path.arcTo(QRectF(left, rect.top() + SIGN * 0.62, SIGN, SIGN * 0.9), 0, 180)
        return path
    if outcome == "watched":  # an arrow round
        path.arcMoveTo(rect, 340)
        path.arcTo(rect, 340, -290)
        tip = path.currentPosition()
        path.moveTo(tip + QPointF(-SIGN * 0.42, 0))
        path.lineTo(tip)
        path.lineTo(tip + QPointF(-SIGN * 0.07, -SIGN * 0.42))
        return path
    inner = rect.adjusted(0.8, 0.8, -0.8, -0.8)
    for start, end in ((inner.topLeft(), inner.bottomRight()), (inner.bottomLeft(), inner.topRight())):
        path.moveTo(QPointF(start))
        path.lineTo(QPointF(end))
    return path

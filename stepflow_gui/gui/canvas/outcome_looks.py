"""How the ways of checks differ on the canvas: by a sign before the label and by the line, not by colour alone."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath

from stepflow_gui.flow.layout.shapes import Route
from stepflow_gui.flow.model import Flow
from stepflow_gui.formats.checks.card import Outcome, outcome_after
from stepflow_gui.gui.canvas.metrics import label_width

SIGN = 8.0  # across
SIGN_ROOM = 13.0  # before a label


def outcome_of(flow: Flow | None, route: Route) -> Outcome:
    """After which outcome an edge is taken."""
    if flow is None or flow.format != "checks":
        return ""
    return outcome_after(move.intent for move in route.moves)


def signed_width(text: str) -> float:
    """The width of a label with room for its sign."""
    return label_width(text) + SIGN_ROOM


def sign_path(outcome: Outcome, left: float, middle: float) -> QPainterPath:
    """A tick or a cross whose left edge and middle are there."""
    rect = QRectF(left, middle - SIGN / 2, SIGN, SIGN)
    path = QPainterPath()
    if outcome == "passed":
        path.moveTo(rect.left(), rect.top() + SIGN * 0.55)
        path.lineTo(rect.left() + SIGN * 0.36, rect.bottom() - SIGN * 0.08)
        path.lineTo(rect.right(), rect.top() + SIGN * 0.08)
        return path
    inner = rect.adjusted(0.8, 0.8, -0.8, -0.8)
    for start, end in ((inner.topLeft(), inner.bottomRight()), (inner.bottomLeft(), inner.topRight())):
        path.moveTo(QPointF(start))
        path.lineTo(QPointF(end))
    return path

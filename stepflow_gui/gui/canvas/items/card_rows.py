"""The rows above a step's pills: its check, its sub-steps with where a run has them, the cycles watched from it on."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.marks import SubMark
from stepflow_gui.gui.canvas.metrics import ICON, ID_BASE, LEFT, RIGHT, ROW, ROW_PAD, NodeShape, fonts, one_line
from stepflow_gui.gui.document.movements import own_sub_steps, sub_step_at

_ROUND = 4.0
_GAP = 8.0  # between a sub-step's name and its result
_SHARE = 0.6  # of a row, that a result may take


def row_frame(shape: NodeShape, row: int) -> QRectF:
    """The frame of a row, by its 0-based place, from the node's corner."""
    return QRectF(LEFT, ID_BASE + ROW * (row + 1) - 14, shape.width - LEFT - RIGHT, ROW - 3)


def row_of_sub(step: Step, shape: NodeShape, name: str) -> int | None:
    """The row of a sub-step; the last ones of very many share one. None where there is no such sub-step."""
    at = next((at for at, sub in enumerate(step.subs) if sub.id == name), None)
    boxed = [place for place, row in enumerate(shape.rows) if row.boxed]
    return boxed[min(at, len(boxed) - 1)] if at is not None and boxed else None


def sub_under(step: Step, shape: NodeShape, point: QPointF) -> Step | None:
    """The sub-step whose row is under a point, from the node's corner: of a row that many share the first."""
    for sub in own_sub_steps(step):
        row = row_of_sub(step, shape, sub.id)
        if row is not None and row_frame(shape, row).contains(point):
            return sub
    return None


def paint_rows(
    painter: QPainter, pens: CanvasPens, step: Step, shape: NodeShape, marks: Sequence[SubMark], part: str
) -> None:
    """Paint them; a sub-step that is running glows, one that is done shows its result, that at `part` is selected."""
    chosen = sub_step_at(step, part)
    ringed = row_of_sub(step, shape, chosen.id) if chosen is not None else None
    by_row: dict[int, list[SubMark]] = {}
    for mark in marks:
        place = row_of_sub(step, shape, mark.name)
        if place is not None:
            by_row.setdefault(place, []).append(mark)
    for at, row in enumerate(shape.rows):
        frame = row_frame(shape, at)
        base = ID_BASE + ROW * (at + 1) - 1
        found = by_row.get(at, [])
        runs = any(mark.state == "runs" for mark in found)
        left = LEFT + (ROW_PAD if row.boxed else 0.0)
        if row.boxed:
            painter.setPen(pens.selected_border if at == ringed else QPen(pens.active, 2.0) if runs else pens.border)
            painter.setBrush(pens.visited_brush if runs else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        icon = pens.icons.get(row.icon)
        if icon is not None:
            icon.render(painter, QRectF(left, base - 11, ICON, ICON))
        text_left = left + ICON + 4
        room = frame.right() - ROW_PAD - text_left
        if not runs and len(found) == 1:
            room -= _paint_result(painter, pens, found[0], frame, base, room)
        painter.setFont(fonts().caption)
        painter.setPen(pens.active_text if runs else pens.text if row.boxed else pens.muted)
        painter.drawText(QPointF(text_left, base), _elided(painter, row.text, room) if found else row.text)


def _paint_result(painter: QPainter, pens: CanvasPens, mark: SubMark, frame: QRectF, base: float, room: float) -> float:
    """Paint what a sub-step came to at the row's end; the width that it takes."""
    painter.setFont(fonts().kind)
    text = _elided(painter, f"→ {one_line(mark.result)}", room * _SHARE)
    width = QFontMetricsF(painter.font()).horizontalAdvance(text)
    painter.setPen(pens.error if mark.state == "failed" else pens.active_text)
    painter.drawText(QPointF(frame.right() - ROW_PAD - width, base), text)
    return width + _GAP


def _elided(painter: QPainter, text: str, width: float) -> str:
    return QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, width)

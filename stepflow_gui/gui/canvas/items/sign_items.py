"""What is on the canvas besides steps and edges: ends, ghosts, entry marks, a caption, the active ring."""

from math import atan2

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from stepflow_gui.flow.layout.shapes import Box, EntryMark, NodeId
from stepflow_gui.formats.takt.card import is_good_end
from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.box_item import BoxItem
from stepflow_gui.gui.canvas.items.edge_item import arrow_head, spline
from stepflow_gui.gui.canvas.items.label_item import LEGIBLE
from stepflow_gui.gui.canvas.metrics import CORNER, elided_id, fonts, one_line

_MARGIN = 7.0
RING_GAP = 5.0
RING_WIDTH = 3.0
DOT_RADIUS = 7.0


class EndItem(BoxItem):
    """The end of a sub-flow: a double ring; where a format has several ends, its name in a frame."""

    def __init__(self, node: NodeId, box: Box, pens: CanvasPens) -> None:
        super().__init__(box, pens)
        self.node = node
        self.reached = False  # a run has ended here

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        around = self._rect.adjusted(-4, -4, 4, 4)
        path.addRoundedRect(around, around.height() / 2, around.height() / 2)
        return path

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        pens = self.pens
        if self.legal is False:
            painter.setOpacity(0.35)
        if self.node.word:
            self._paint_named(painter)
            return
        painter.setPen(pens.active_ring if self.reached else pens.end_ring)
        painter.setBrush(pens.canvas_brush)
        painter.drawEllipse(self._rect.adjusted(1, 1, -1, -1))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pens.active if self.reached else pens.closure)
        inset = self._rect.width() * 0.2
        painter.drawEllipse(self._rect.adjusted(inset, inset, -inset, -inset))
        if self.legal:
            painter.setPen(pens.lit_border)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self._rect.adjusted(-3.5, -3.5, 3.5, 3.5))
        painter.setOpacity(1.0)  # the view doesn't save the painter's state between items

    def _paint_named(self, painter: QPainter) -> None:
        pens, rect, half = self.pens, self._rect, self._rect.height() / 2
        good = is_good_end(self.node.word)
        painter.setPen(pens.active_ring if self.reached else pens.end_ring if good else pens.bad_end_ring)
        painter.setBrush(pens.canvas_brush)
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), half, half)
        painter.setFont(fonts().kind)
        painter.setPen(pens.active_text if self.reached else pens.closure if good else pens.error)
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), self.node.word)
        if self.legal:
            painter.setPen(pens.lit_border)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(-3.5, -3.5, 3.5, 3.5), half, half)
        painter.setOpacity(1.0)


class GhostItem(BoxItem):
    """The target of a transition or an entry that isn't a step: a dashed outline with the missing id."""

    def __init__(self, node: NodeId, box: Box, pens: CanvasPens) -> None:
        super().__init__(box, pens)
        self.node = node
        self._text = elided_id(node.name, box.width - 16)

    def boundingRect(self) -> QRectF:
        return self._rect.adjusted(-2, -2, 2, 2)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        if self.legal is False:
            painter.setOpacity(0.35)
        painter.setPen(self.pens.ghost)
        painter.setBrush(self.pens.canvas_brush)
        painter.drawRoundedRect(self._rect, CORNER, CORNER)
        painter.setPen(self.pens.error)
        painter.setFont(fonts().caption)
        painter.drawText(self._rect, int(Qt.AlignmentFlag.AlignCenter), self._text)
        painter.setOpacity(1.0)


class EntryItem(QGraphicsItem):
    """The sign of an entry: the verdict types that begin here, a dot and an arrow to the step."""

    def __init__(self, mark: EntryMark, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self.mark = mark
        self.region: int | None = None  # the background of its steps
        self.used = True  # by the agent's own verdict type; else it is drawn muted
        self.chosen = False
        self.path = QPainterPath()  # of the arrow
        self._bounds = QRectF()
        self.place(mark)
        self.setZValue(1.6)

    def place(self, mark: EntryMark) -> None:
        """Show that mark, there."""
        self.prepareGeometryChange()
        self.mark = mark
        first, last = mark.bends
        self.path = spline((first, last._replace(x=last.x - last.dx * 6, y=last.y - last.dy * 6)))
        self._head = arrow_head(QPointF(last.x, last.y), atan2(last.dy, last.dx))
        x, y = mark.dot
        self._dot = QRectF(x - DOT_RADIUS, y - DOT_RADIUS, 2 * DOT_RADIUS, 2 * DOT_RADIUS)
        self._text_rect = QRectF(mark.box.x, mark.box.y, mark.box.width, mark.box.height)
        around = self._dot.united(self._text_rect).united(self._head.boundingRect()).united(self.path.boundingRect())
        self._bounds = around.adjusted(-4, -4, 4, 4)

    def set_region(self, region: int | None) -> None:
        """Set the background of the steps which only this entry reaches."""
        if region != self.region:
            self.region = region
            self.update()

    def set_used(self, used: bool) -> None:
        """Whether runs of the agent begin here."""
        if used != self.used:
            self.used = used
            self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del widget
        pens = self.pens
        if self.region is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pens.regions[self.region % len(pens.regions)])
            painter.drawRoundedRect(self._text_rect.united(self._dot).adjusted(-3, -1, 3, 1), CORNER, CORNER)
        painter.setPen(pens.edge_pens["rest", False, False])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self.path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(pens.edge)
        painter.drawPolygon(self._head)
        painter.setPen(pens.entry_ring)
        painter.setBrush(pens.accent if self.used else pens.canvas)
        painter.drawEllipse(self._dot.adjusted(1, 1, -1, -1))
        if option.levelOfDetailFromTransform(painter.worldTransform()) >= LEGIBLE:
            painter.setFont(fonts().label)
            painter.setPen(pens.text if self.used else pens.muted)
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
            painter.drawText(self._text_rect, int(flags), one_line(self.mark.label))


class CaptionItem(QGraphicsItem):
    """A heading over a group of nodes."""

    def __init__(self, text: str, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self._text = text
        self.setZValue(1)

    def set_text(self, text: str) -> None:
        """Show another text."""
        self._text = text
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, 320, 20)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        painter.setFont(fonts().kind)
        painter.setPen(self.pens.muted)
        painter.drawText(self.boundingRect(), int(Qt.AlignmentFlag.AlignVCenter), self._text)


class ActiveRing(QGraphicsItem):
    """The ring around a step that runs: an item of its own, so the step's picture stays cached."""

    def __init__(self, frame: QRectF, pens: CanvasPens) -> None:
        super().__init__()
        self.pens = pens
        self._frame = frame
        self.setZValue(0.9)

    def surround(self, frame: QRectF) -> None:
        """Go around that frame (in the scene)."""
        if frame != self._frame:
            self.prepareGeometryChange()
            self._frame = frame

    def boundingRect(self) -> QRectF:
        reach = RING_GAP + RING_WIDTH
        return self._frame.adjusted(-reach, -reach, reach, reach)

    def shape(self) -> QPainterPath:
        return QPainterPath()  # nothing to point at

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        del option, widget
        painter.setPen(self.pens.active_ring)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        gap = RING_GAP
        painter.drawRoundedRect(self._frame.adjusted(-gap, -gap, gap, gap), CORNER + gap, CORNER + gap)

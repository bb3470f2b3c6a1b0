"""Paints the rows of a project: an agent with its status below its name, a file with what is wrong at its end."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepflow_gui.gui.project.model import NODE
from stepflow_gui.gui.project.row_text import row_details, sign_of
from stepflow_gui.gui.project.tree import TreeNode
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_GAP = 6
_SIGN = 14  # pixels of an icon
_PAD = 4  # above and below an agent
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class ProjectDelegate(QStyledItemDelegate):
    """Show the status of a row by words and icon, never by colour alone."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        node = index.data(NODE)
        line = QFontMetrics(ui_font(12)).height()
        if isinstance(node, TreeNode) and node.kind == "agent":
            return QSize(120, line + QFontMetrics(ui_font(11)).height() + 2 * _PAD)
        return QSize(80, line + _PAD)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        node = index.data(NODE)
        if not isinstance(node, TreeNode):
            return
        area: QRect = option.rect
        painter.save()
        self._ground(painter, area, option.state)
        inner = area.adjusted(2, 0, -_GAP, 0)
        if node.kind == "agent":
            self._agent(painter, inner, node)
        else:
            self._file(painter, inner, node)
        painter.restore()

    def _ground(self, painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, self.theme.mix("accent", "surface", 0.12))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.setPen(self.theme.color("accent"))
                painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, self.theme.color("canvas"))

    def _agent(self, painter: QPainter, area: QRect, node: TreeNode) -> None:
        agent = node.agent
        name_font = ui_font(12, QFont.Weight.DemiBold if agent.opened else QFont.Weight.Normal)
        line = QFontMetrics(name_font).height()
        top = QRect(area.left(), area.top() + _PAD, area.width(), line)
        width = _write(painter, top, node.title, name_font, self.theme, "text")
        if agent.apart:
            _write(painter, top.adjusted(width + _GAP, 0, 0, 0), agent.apart, ui_font(11), self.theme, "muted")
        below = QRect(area.left(), top.bottom() + 1, area.width(), area.bottom() - top.bottom() - _PAD)
        self._health(painter, below, node)

    def _health(self, painter: QPainter, area: QRect, node: TreeNode) -> None:
        icon, token = sign_of(node)
        left = area.left()
        if icon:
            self._sign(painter, icon, token, left, area)
            left += _SIGN + 4
        words = _(", ").join(row_details(node))
        where = QRect(left, area.top(), area.right() - left, area.height())
        token = "muted" if token in {"", "closure"} else token
        _write(painter, where, words, ui_font(11), self.theme, token, Qt.TextElideMode.ElideRight)

    def _file(self, painter: QPainter, area: QRect, node: TreeNode) -> None:
        icon, token = sign_of(node)
        there = node.there
        details = _(", ").join(row_details(node)) if node.kind == "file" or node.missing else ""
        taken = QFontMetrics(ui_font(11)).horizontalAdvance(details) if details else 0
        name = QFontMetrics(ui_font(12)).horizontalAdvance(node.title)
        end = (_SIGN + 4 if icon else 0) + taken
        if end and name + end + _GAP > area.width():
            details, end = "", _SIGN if icon else 0  # the icon and the tool tip show it where there is no room
        shown = area.adjusted(0, 0, -(end + _GAP) if end else 0, 0)
        font = QFont(ui_font(12))  # a copy: fonts are shared
        font.setItalic(not there)
        _write(painter, shown, node.title, font, self.theme, "muted" if not there or node.kind == "folder" else "text")
        left = area.right() - end + 1
        if icon:
            self._sign(painter, icon, token, left, area)
            left += _SIGN + 4
        if details:
            rest = QRect(left, area.top(), area.right() - left + 2, area.height())
            _write(painter, rest, details, ui_font(11), self.theme, token or "muted")

    def _sign(self, painter: QPainter, icon: str, token: str, left: int, area: QRect) -> None:
        box = QRectF(left, area.top() + (area.height() - _SIGN) / 2, _SIGN, _SIGN)
        self.theme.renderer(icon, token).render(painter, box)


def _write(
    painter: QPainter,
    area: QRect,
    text: str,
    font: QFont,
    theme: Theme,
    token: str,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
) -> int:
    """Draw a text, a part of it left out where it is too long; gives the width."""
    painter.setFont(font)
    painter.setPen(theme.color(token))
    shown = painter.fontMetrics().elidedText(text, elide, max(0, area.width()))
    painter.drawText(area, _MIDDLE, shown)
    return painter.fontMetrics().horizontalAdvance(shown)

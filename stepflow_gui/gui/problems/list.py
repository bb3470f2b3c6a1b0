"""The list of findings, by mouse and keyboard; each row with icon, code, message, places, and a button for each fix."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from stepflow_gui.gui.problems.model import DIAGNOSTIC, HEADING, SUPPRESSED, ProblemModel, place_text
from stepflow_gui.gui.problems.places import ExcerptLine
from stepflow_gui.gui.problems.suppressed_rows import take_back_text, where, why
from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.messages import _

_DETAILS = {Qt.Key.Key_F1: "rule", Qt.Key.Key_Space: "fix"}
_EDGE = 16
_TOP = 8
_HEAD = 26  # of a group's heading
_GAP = 4
_BUTTON = 26
_MOST_BUTTONS = 3  # the rest is in the menu
_WRAP = int(Qt.TextFlag.TextWordWrap)
_LEFT, _RIGHT = (
    int(side | Qt.AlignmentFlag.AlignVCenter) for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


class RowShape(NamedTuple):
    """Where the parts of a row are, from the row's top left corner."""

    message: QRect
    place: QRect
    buttons: tuple[QRect, ...]
    height: int


class ProblemDelegate(QStyledItemDelegate):
    """`fix_asked(diagnostic, fix)` is emitted by a fix's button, `take_back_asked(suppressed)` by a suppressed row."""

    fix_asked = Signal(object, object)
    take_back_asked = Signal(object)

    def __init__(self, view: QListView, theme: Theme) -> None:
        super().__init__(view)
        self.theme = theme
        self._view = view
        self._hover: tuple[int, int] | None = None  # row and button under the mouse
        self._heights: dict[tuple[int, str, str], int] = {}
        self.excerpt: tuple[tuple[object, ...], tuple[ExcerptLine, ...]] | None = None  # below which finding, and what

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look; fonts may have changed too."""
        self.theme = theme
        self._heights.clear()

    def shape(
        self, found: Diagnostic, width: int, suppressed: Suppressed | None = None, *, headed: bool = False
    ) -> RowShape:
        """The parts of a finding's row of so many pixels; `headed`: below the heading of a group."""
        top = _TOP + _HEAD * headed
        left = _EDGE + 24 + QFontMetrics(_code_font()).horizontalAdvance("SF000") + 14
        room = max(80, width - left - _EDGE)
        metrics = QFontMetrics(ui_font(12))
        text = metrics.boundingRect(QRect(0, 0, room, 10_000), _WRAP, found.message)
        message = QRect(left, top, room, max(text.height(), metrics.height()))
        place = QRect(left, message.bottom() + 1 + _GAP, room, QFontMetrics(mono_font(11)).height())
        if suppressed:
            bounds = QFontMetrics(ui_font(11)).boundingRect(
                QRect(0, 0, room, 10_000), _WRAP, _suppression_text(suppressed)
            )
            place.setHeight(max(bounds.height(), place.height()))
        buttons = []
        x, y = left, place.bottom() + 1 + _GAP + 2
        for title in _titles(found, suppressed):
            wide = min(room, QFontMetrics(_button_font()).horizontalAdvance(title) + 22)
            if x > left and x + wide > left + room:
                x, y = left, y + _BUTTON + 6
            buttons.append(QRect(x, y, wide, _BUTTON))
            x += wide + 8
        bottom = buttons[-1].bottom() if buttons else place.bottom()
        return RowShape(message, place, tuple(buttons), bottom + 1 + _TOP)

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        found = index.data(DIAGNOSTIC)
        width = self._view.viewport().width()
        suppressed = index.data(SUPPRESSED)
        key = (
            width,
            found.message,
            "\0".join([*_titles(found, suppressed), _suppression_text(suppressed) if suppressed else ""]),
        )
        height = self._heights.get(key)
        if height is None:
            if len(self._heights) > 20_000:
                self._heights.clear()
            height = self._heights[key] = self.shape(found, width, suppressed).height
        excerpt = self._excerpt_of(found)
        below = len(excerpt) * self._line_height() + _TOP if excerpt else 0
        return QSize(width, height + below + (_HEAD if index.data(HEADING) else 0))

    def _excerpt_of(self, found: Diagnostic) -> tuple[ExcerptLine, ...]:
        return self.excerpt[1] if self.excerpt is not None and self.excerpt[0] == mark_of(found) else ()

    def _line_height(self) -> int:
        return QFontMetrics(mono_font(11)).height() + 1

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        found: Diagnostic = index.data(DIAGNOSTIC)
        suppressed: Suppressed | None = index.data(SUPPRESSED)
        area: QRect = QRect(option.rect)
        theme = self.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        heading: str = index.data(HEADING)
        if heading:
            self._paint_heading(painter, QRect(area.left(), area.top(), area.width(), _HEAD), heading)
            area.setTop(area.top() + _HEAD)
        shape = self.shape(found, area.width(), suppressed)
        self._paint_ground(painter, area, option.state)
        corner = area.topLeft()
        line = QFontMetrics(ui_font(12)).height()
        icon = QRectF(corner.x() + _EDGE, corner.y() + _TOP + (line - 16) / 2, 16, 16)
        theme.renderer(found.severity, "muted" if suppressed else found.severity).render(painter, icon)
        painter.setFont(_code_font())
        painter.setPen(theme.color("muted" if suppressed else found.severity))
        code = QRect(corner.x() + _EDGE + 24, corner.y() + _TOP, shape.message.left() - _EDGE - 24, line)
        painter.drawText(code, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, found.code)
        painter.setFont(ui_font(12))
        painter.setPen(theme.color("muted" if suppressed else "text"))
        painter.drawText(shape.message.translated(corner), _WRAP, found.message)
        painter.setPen(theme.color("muted"))
        if suppressed:
            painter.setFont(ui_font(11))
            painter.drawText(shape.place.translated(corner), _WRAP, _suppression_text(suppressed))
        else:
            painter.setFont(mono_font(11))
            place = painter.fontMetrics().elidedText(
                place_text(found), Qt.TextElideMode.ElideMiddle, shape.place.width()
            )
            painter.drawText(shape.place.translated(corner), Qt.AlignmentFlag.AlignVCenter, place)
        attended = bool(option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver))
        for number, box in enumerate(shape.buttons):
            hovered = self._hover == (index.row(), number)
            primary = attended and number == 0 and not suppressed
            title = _titles(found, suppressed)[number]
            self._paint_button(painter, box.translated(corner), title, primary, hovered)
        self._paint_excerpt(painter, self._excerpt_of(found), shape.message.left(), shape.height, area)
        painter.restore()

    def _paint_excerpt(
        self, painter: QPainter, lines: tuple[ExcerptLine, ...], left: int, top: int, area: QRect
    ) -> None:
        """The lines of the source round the finding, its own marked by a sign and its ground."""
        high, theme = self._line_height(), self.theme
        room = QRect(area.left() + left, area.top() + top, area.width() - left - _EDGE, high)
        painter.setFont(mono_font(11))
        numbers = painter.fontMetrics().horizontalAdvance(f"> {lines[-1].number}") if lines else 0
        for line in lines:
            painter.fillRect(room, theme.mix("accent", "surface", 0.14) if line.is_place else theme.color("canvas"))
            painter.setPen(theme.color("muted"))
            sign = f"> {line.number}" if line.is_place else f"{line.number}"
            painter.drawText(room.adjusted(4, 0, numbers + 4 - room.width(), 0), _RIGHT, sign)
            painter.setPen(theme.color("text"))
            text = room.adjusted(numbers + 14, 0, -4, 0)
            shown = one_line(line.text.replace("\t", "    "))
            painter.drawText(
                text, _LEFT, painter.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, text.width())
            )
            room.translate(0, high)

    def _paint_heading(self, painter: QPainter, area: QRect, heading: str) -> None:
        painter.fillRect(area, self.theme.color("canvas"))
        painter.setFont(ui_font(11, QFont.Weight.DemiBold))
        painter.setPen(self.theme.color("muted"))
        inner = area.adjusted(_EDGE, 0, -_EDGE, 0)
        text = painter.fontMetrics().elidedText(heading, Qt.TextElideMode.ElideMiddle, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_ground(self, painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        theme = self.theme
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.mix("accent", "surface", 0.10))
            if state & QStyle.StateFlag.State_HasFocus:
                painter.fillRect(QRect(area.left(), area.top(), 3, area.height()), theme.color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, theme.color("canvas"))
        painter.fillRect(QRect(area.left() + _EDGE, area.bottom(), area.width() - 2 * _EDGE, 1), theme.color("chrome"))

    def _paint_button(self, painter: QPainter, box: QRect, title: str, primary: bool, hovered: bool) -> None:
        theme = self.theme
        painter.setPen(QPen(theme.color("accent"), 1))
        if primary:
            painter.setBrush(theme.mix("accent", "text", 0.85) if hovered else theme.color("accent"))
        else:
            painter.setBrush(theme.mix("accent", "surface", 0.12) if hovered else theme.color("surface"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.setFont(_button_font())
        painter.setPen(theme.color("onmark" if primary else "accent"))
        text = QFontMetrics(_button_font()).elidedText(title, Qt.TextElideMode.ElideRight, box.width() - 16)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    # The mouse; `point` in the viewport

    def button_at(self, index: QModelIndex | QPersistentModelIndex, point: QPointF) -> int | None:
        """Which fix's button of a row is at a point."""
        if not index.isValid():
            return None
        area = self._view.visualRect(index)
        headed = bool(index.data(HEADING))
        shape = self.shape(index.data(DIAGNOSTIC), area.width(), index.data(SUPPRESSED), headed=headed)
        at = point.toPoint() - area.topLeft()
        return next((number for number, box in enumerate(shape.buttons) if box.contains(at)), None)

    def hover(self, index: QModelIndex, point: QPointF) -> None:
        """The mouse moved."""
        button = self.button_at(index, point)
        hover = None if button is None else (index.row(), button)
        if hover != self._hover:
            self._hover = hover
            shape = Qt.CursorShape.ArrowCursor if hover is None else Qt.CursorShape.PointingHandCursor
            self._view.viewport().setCursor(shape)
            self._view.viewport().update()

    def editorEvent(
        self,
        event: QEvent,
        _model: object,
        _option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            number = self.button_at(index, event.position())
            if number is not None and event.button() == Qt.MouseButton.LeftButton:
                found, suppressed = index.data(DIAGNOSTIC), index.data(SUPPRESSED)
                if suppressed:
                    self.take_back_asked.emit(suppressed)
                else:
                    self.fix_asked.emit(found, found.fixes[number])
                return True
        return False


def _suppression_text(suppressed: Suppressed) -> str:
    return " · ".join([why(suppressed), *map(where, suppressed.excuses)])


def _titles(found: Diagnostic, suppressed: Suppressed | None) -> list[str]:
    return [take_back_text()] if suppressed else [button_text(fix) for fix in found.fixes[:_MOST_BUTTONS]]


def button_text(fix: Fix) -> str:
    """A fix's title; dots mean that its changes are shown first, as it is not a safe one."""
    return fix.title if fix.safe else _("{fix}…").format(fix=fix.title)


def mark_of(found: Diagnostic) -> tuple[object, ...]:
    """What a finding is, wherever it moved to."""
    return found.code, found.file, found.pointer, found.message


def _code_font() -> QFont:
    return mono_font(11, QFont.Weight.Bold)


def _button_font() -> QFont:
    return ui_font(12, QFont.Weight.DemiBold)


class ProblemList(QListView):
    """The rows: Enter goes to the text, Ctrl+. and the menu key open a row's menu, Space shows its fix, F1 its rule."""

    went = Signal(object)
    menu_asked = Signal(object)
    details_asked = Signal(str)
    copy_asked = Signal(object)
    left = Signal()

    def __init__(self, model: ProblemModel, theme: Theme) -> None:
        super().__init__()
        self.delegate = ProblemDelegate(self, theme)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self._problems = model

    def chosen(self) -> Diagnostic | None:
        """The current row's finding."""
        index = self.currentIndex()
        return index.data(DIAGNOSTIC) if index.isValid() else None

    def chosen_suppressed(self) -> Suppressed | None:
        """The current row, where it is a suppressed one."""
        index = self.currentIndex()
        return index.data(SUPPRESSED) if index.isValid() else None

    def choose(self, wanted: Diagnostic | None) -> None:
        """Make a finding the current row again, wherever it moved to."""
        if wanted is None or self.chosen() == wanted:
            return
        same = mark_of(wanted)
        for row, found in enumerate(self._problems.listed()):
            if mark_of(found) == same:
                self.setCurrentIndex(self._problems.index(row))
                return

    def unfold(self, found: Diagnostic, excerpt: Sequence[ExcerptLine]) -> None:
        """Show lines of the source below a finding, and below no other; none: below no finding at all."""
        before, now = self.delegate.excerpt, (mark_of(found), tuple(excerpt)) if excerpt else None
        if now != before:
            self.delegate.excerpt = now
            self.relayout()
            self.show_current()

    def show_current(self) -> None:
        """Keep the current row in view, once the rows have the heights of a new width."""
        QTimer.singleShot(0, self, lambda: self.scrollTo(self.currentIndex()))

    def relayout(self) -> None:
        """The rows may have other heights now."""
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.currentIndex().isValid():
            self.setCurrentIndex(self.currentIndex())  # Qt makes a row the current one and doesn't show it

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.delegate.hover(self.indexAt(event.position().toPoint()), event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # A click on a fix isn't one on the row.
        index = self.indexAt(event.position().toPoint())
        button = self.delegate.button_at(index, event.position())
        self.blockSignals(button is not None)
        super().mouseReleaseEvent(event)
        self.blockSignals(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if index.isValid() and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.went.emit(index)
        elif (
            index.isValid()
            and event.key() == Qt.Key.Key_Period
            and event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.menu_asked.emit(index)
        elif index.isValid() and event.key() in _DETAILS:
            self.details_asked.emit(_DETAILS[Qt.Key(event.key())])
        elif index.isValid() and event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit(index)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.menu_asked.emit(index)

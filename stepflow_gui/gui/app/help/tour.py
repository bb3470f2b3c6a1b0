"""A short tour of the window on the bundled example: a card beside each part that it speaks of."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

_WIDTH = 300  # pixels of a card
_GAP = 12
_INSIDE = 4  # pixels that the ring stands inside of what it is around


class TourStop(NamedTuple):
    """One stop: the part of the window that it is about, brought to the front by `show`."""

    part: QWidget
    title: str
    text: str
    show: Callable[[], object]


class Tour(QObject):
    """Runs over one window. `ended()`: the person has seen it, or enough of it."""

    ended = Signal()

    def __init__(self, window: QWidget, stops: Sequence[TourStop]) -> None:
        super().__init__(window)
        self._window = window
        self._stops = stops
        self.at = 0
        self.ring = QFrame(window)
        self.ring.setObjectName("tourRing")
        self.ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.card = _Card(window)
        self.card.next.clicked.connect(lambda: self.go(self.at + 1))
        self.card.back.clicked.connect(lambda: self.go(self.at - 1))
        self.card.end.clicked.connect(self.end)
        self.card.escaped.connect(self.end)
        window.installEventFilter(self)
        self.go(0)

    def go(self, at: int) -> None:
        """Go to a stop; behind the last the tour is over."""
        if at >= len(self._stops):
            self.end()
            return
        self.at = max(0, at)
        self._stops[self.at].show()
        self.card.show_stop(self._stops[self.at], self.at, len(self._stops))
        self._place()
        self.ring.show()
        self.card.show()
        self.ring.raise_()
        self.card.raise_()
        self.card.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """Leave the window as it is."""
        self._window.removeEventFilter(self)
        for widget in (self.ring, self.card):
            widget.hide()
            widget.deleteLater()
        self.ended.emit()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        part = self._stops[self.at].part
        around = QRect(part.mapTo(self._window, QPoint()), part.size())
        self.ring.setGeometry(around.adjusted(_INSIDE, _INSIDE, -_INSIDE, -_INSIDE))
        self.card.setFixedWidth(min(_WIDTH, self._window.width() - 2 * _GAP))
        self.card.adjustSize()
        self.card.move(_beside(around, self.card.rect(), self._window.rect()))


def _beside(part: QRect, card: QRect, room: QRect) -> QPoint:
    """Where a card goes: beside the part where there is room, else in its lower corner."""
    middle = part.center().y() - card.height() // 2
    if part.right() + _GAP + card.width() < room.right():
        at = QPoint(part.right() + _GAP, middle)
    elif part.left() - _GAP - card.width() > room.left():
        at = QPoint(part.left() - _GAP - card.width(), middle)
    elif part.top() - _GAP - card.height() > room.top():
        at = QPoint(part.left() + _GAP, part.top() - _GAP - card.height())
    else:
        at = QPoint(part.right() - card.width() - _GAP, part.bottom() - card.height() - _GAP)
    left = max(room.left() + _GAP, min(at.x(), room.right() - card.width() - _GAP))
    top = max(room.top() + _GAP, min(at.y(), room.bottom() - card.height() - _GAP))
    return QPoint(left, top)


class _Card(QFrame):
    escaped = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title, self.text, self.count = QLabel(), QLabel(), QLabel()
        self.title.setFont(ui_font(13, QFont.Weight.DemiBold))
        self.title.setWordWrap(True)
        self.text.setFont(ui_font(12))
        self.text.setWordWrap(True)
        self.count.setFont(ui_font(11))
        self.count.setProperty("muted", True)
        self.end, self.back, self.next = QPushButton(), QPushButton(), QPushButton()
        self.end.setObjectName("quiet")
        self.back.setObjectName("quiet")
        self.next.setProperty("primary", True)
        for button in (self.end, self.back, self.next):
            button.setFont(ui_font(12))
            button.setAutoDefault(True)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.count)
        line.addStretch(1)
        for button in (self.end, self.back, self.next):
            line.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 12, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addLayout(line)

    def show_stop(self, stop: TourStop, at: int, count: int) -> None:
        self.title.setText(stop.title)
        self.text.setText(stop.text)
        self.count.setText(f"{at + 1} / {count}")
        self.setAccessibleName(stop.title)
        self.setAccessibleDescription(stop.text)
        self.back.setVisible(at > 0)
        self.back.setText(_("Back"))
        self.end.setText(_("End Tour"))
        self.end.setVisible(at + 1 < count)
        self.next.setText(_("Next") if at + 1 < count else _("Done"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class Sights(NamedTuple):
    """The parts of the window that the tour is about."""

    desk: Desk
    inspector: QDockWidget
    source: QWidget
    problems: QWidget
    runs: QWidget


def stops_of(sights: Sights) -> list[TourStop]:
    """The stops, in the language in use."""
    desk = sights.desk

    return [
        TourStop(
            desk.canvas,
            _("The flow"),
            _(
                "Each card is a step, each pill on it an intent. Drag from a pill to another step to connect them; "
                "targets that aren't allowed say why."
            ),
            lambda: desk.show_page(desk.canvas),
        ),
        TourStop(
            sights.inspector,
            _("The inspector"),
            _(
                "Select a step to see and edit all its fields here. If schema, gate and transitions don't "
                "match, one click makes them match."
            ),
            sights.inspector.show,
        ),
        TourStop(
            sights.source,
            _("The source"),
            _(
                "The file is the single source of truth: canvas, forms and text change the same lines, and "
                "one Undo reverts a change everywhere."
            ),
            lambda: desk.middle.show_view("split"),
        ),
        TourStop(
            desk.output,
            _("Checked while you edit"),
            _(
                "Problems appear as you type, with fixes to review first. “stepflow lint” reports the same before a "
                "commit."
            ),
            lambda: desk.show_output(sights.problems),
        ),
        TourStop(
            sights.runs,
            _("Step through a run"),
            _(
                "Answer as the model would, manually or by script, and see where the flow goes: forwards, backwards, "
                "with breakpoints. No model is called, so it costs nothing."
            ),
            lambda: desk.show_output(sights.runs),
        ),
    ]

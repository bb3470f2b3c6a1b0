"""A line to type in over the canvas, where a text of a node stands."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from stepflow_gui.gui.canvas.items.card_rows import row_frame, row_of_sub
from stepflow_gui.gui.canvas.metrics import ID_TOP, LEFT, PILL_TOP, fonts
from stepflow_gui.gui.canvas.port import CanvasPort
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.messages import _

_LOW = 22  # pixels that a line needs at least
_NARROW = 180


WhyNot = Callable[[str], str | None]  # a text -> why it can't be, None where it can


class InlineEdit(QLineEdit):
    """Enter or leaving it hands the text over, once; Escape leaves all as it was. It deletes itself afterwards.

    A text that `why_not` has something against isn't taken: Enter keeps the line open, and leaving it hands it over to
    be refused. `on_reason` is called after each change, with None while nothing is wrong.
    """

    def __init__(
        self, parent: QWidget, place: QRect, text: str, font: QFont, name: str, done: Callable[[str], object]
    ) -> None:
        super().__init__(text, parent)
        self._before = text
        self._done: Callable[[str], object] | None = done
        self.why_not: WhyNot | None = None
        self.on_reason: Callable[[str | None], object] | None = None
        self.setObjectName("inlineEdit")
        self.setAccessibleName(name)
        self.setFont(font)
        self.setGeometry(place)
        self.selectAll()
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.editingFinished.connect(self._finish)
        self.textChanged.connect(self._check)
        parent.installEventFilter(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._done = None
            self._leave()
        elif event.key() not in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            super().keyPressEvent(event)
        elif self._reason() is None:
            self._finish()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Wheel, QEvent.Type.Resize}:  # the node moves from under it
            self._finish()
        return super().eventFilter(watched, event)

    def _reason(self) -> str | None:
        text = self.text().strip()
        return self.why_not(text) if self.why_not is not None and text and text != self._before else None

    def _check(self) -> None:
        reason = self._reason()
        if bool(self.property("wrong")) != bool(reason):
            self.setProperty("wrong", bool(reason))
            polish(self)
        self.setAccessibleDescription(reason or "")
        if self.on_reason is not None:
            self.on_reason(reason)

    def _finish(self) -> None:
        done, self._done = self._done, None
        text = self.text().strip()
        if done is None:
            return
        self._leave()
        if text and text != self._before:
            done(text)

    def _leave(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            parent.removeEventFilter(self)
            if self.hasFocus():  # given back before it hides: Qt would look for the next one, as Tab does
                (parent.parentWidget() or parent).setFocus(Qt.FocusReason.OtherFocusReason)
        if self.on_reason is not None:
            self.on_reason(None)
        self.hide()
        self.deleteLater()


def edit_in_place(
    view: CanvasPort, step: str, which: str, text: str, done: Callable[[str], object], why_not: WhyNot | None = None
) -> None:
    """Let the person edit the id or the name of a step where it is, in the size in which it is seen.

    `which` is “id” or “name”, or the pointer of a sub-step of it, whose name is edited. `done` gets another text;
    `why_not` returns what is wrong with one, while it is typed.
    """
    item = view.graph.step_item(step)
    if item is None or view.text_broken:
        return
    view.camera.reveal_step(step)
    of_id = which != "name"
    top, bottom = (ID_TOP, PILL_TOP) if of_id else (6.0, ID_TOP)
    frame = item.frame
    part = QRectF(frame.left() + LEFT - 6, frame.top() + top, frame.width() - LEFT - 6, bottom - top)
    sub = sub_step_at(item.step, which)
    row = row_of_sub(item.step, item.measured, sub.id) if sub is not None else None
    if row is not None:
        part = row_frame(item.measured, row).translated(frame.topLeft())
    seen = view.viewport_area(part)
    height = max(seen.height(), _LOW)
    place = QRect(seen.left(), seen.center().y() - height // 2, max(seen.width(), _NARROW), height)
    font = QFont(fonts().caption if of_id else fonts().title)
    font.setPixelSize(max(11, round(font.pixelSize() * view.zoom)))
    name = _("Id of {step}") if of_id else _("Name of {step}")
    field = InlineEdit(view.viewport(), place, text, font, name.format(step=text if sub is not None else step), done)
    field.why_not = why_not
    field.on_reason = lambda reason: view.messages.show_reason(reason, field.geometry())

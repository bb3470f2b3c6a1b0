"""The order of a list in a form: an element is dragged by its number, or moved with Alt and an arrow key."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.text.pointer import parent, split

_MARK = 2  # pixels, of the line that shows where it goes
_NEAR = 24  # pixels that stay in sight around the pointer


class ItemOrder(QObject):
    """Of the rows of one form. `move` is asked with a row and the index that its element is to have."""

    def __init__(
        self, form: QWidget, rows: Callable[[], Sequence[FormRow]], move: Callable[[FormRow, int], object]
    ) -> None:
        super().__init__(form)
        self._form = form
        self._rows = rows
        self._move = move
        self._pressed: tuple[FormRow, QPoint] | None = None
        self._place = ""  # of the element that is dragged
        self._slot: int | None = None  # before which element it would stand
        self._mark = QFrame(form)
        self._mark.setObjectName("dropMark")
        self._mark.hide()
        for keys, offset in (("Alt+Up", -1), ("Alt+Down", 1)):
            shortcut = QShortcut(QKeySequence(keys), form)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda by=offset: self.shift(by))

    def watch(self, row: FormRow) -> None:
        """Let the elements that a row shows be dragged by its name."""
        row.handle.installEventFilter(self)

    def shift(self, by: int) -> None:
        """Move the element that has the keyboard up or down."""
        row = self._item_of(QApplication.focusWidget())
        if row is None:
            return
        count, at = len(self._siblings(row)), _index(row)
        if 0 <= at + by < count:
            self._move(row, at + by)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            at = event.globalPosition().toPoint()
            if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
                return self._press(watched, at)
            if event.type() == QEvent.Type.MouseMove and self._pressed is not None:
                self._drag(at)
                return True
            if event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                self._drop()
                return True
        if self._slot is not None and event.type() == QEvent.Type.KeyPress:  # of the window, while it is dragged
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
                self._end()
            return True
        return super().eventFilter(watched, event)

    def _press(self, watched: QObject, at: QPoint) -> bool:
        row = next((row for row in self._rows() if row.handle is watched), None)
        if row is None or not row.can_move or len(self._siblings(row)) < 2:
            return False
        self._pressed, self._place = (row, at), row.line.pointer
        return True

    def _drag(self, at: QPoint) -> None:
        assert self._pressed is not None
        row, begun = self._pressed
        if self._slot is None:
            if (at - begun).manhattanLength() < QApplication.startDragDistance():
                return
            _application().installEventFilter(self)
        here = self._form.mapFromGlobal(at)
        blocks = self._blocks(row)
        self._slot = sum((top + bottom) // 2 < here.y() for top, bottom in blocks)
        y = blocks[self._slot][0] - 3 if self._slot < len(blocks) else blocks[-1][1] + 1
        self._mark.setGeometry(row.handle.mapTo(self._form, QPoint(0, 0)).x(), y, self._form.width(), _MARK)
        self._mark.show()
        self._mark.raise_()
        area = self._area()
        page = area.widget() if area is not None else None
        if area is not None and page is not None:
            area.ensureVisible(0, page.mapFromGlobal(at).y(), 0, _NEAR)

    def _drop(self) -> None:
        assert self._pressed is not None
        (row, _begun), slot = self._pressed, self._slot
        self._end()
        if slot is not None and row.line.pointer == self._place:  # the file may have changed meanwhile
            old = _index(row)
            wanted = slot - (slot > old)
            if wanted != old:
                self._move(row, wanted)

    def _end(self) -> None:
        if self._slot is not None:
            _application().removeEventFilter(self)
        self._pressed = self._slot = None
        self._mark.hide()

    def _siblings(self, row: FormRow) -> list[FormRow]:
        holder = parent(row.line.pointer)
        return [each for each in self._rows() if each.line.role == "item" and parent(each.line.pointer) == holder]

    def _blocks(self, row: FormRow) -> list[tuple[int, int]]:
        """From where to where each element of the list is shown, with all that is in it."""
        found = []
        for each in self._siblings(row):
            below = [other for other in self._rows() if other.line.pointer.startswith(each.line.pointer + "/")]
            found.append((each.y(), max(other.geometry().bottom() for other in (each, *below))))
        return found

    def _item_of(self, focus: QWidget | None) -> FormRow | None:
        """The innermost element of a list that the keyboard is in."""
        while focus is not None and not isinstance(focus, FormRow):
            focus = focus.parentWidget()
        if focus is None:
            return None
        where = focus.line.pointer
        by_place = {row.line.pointer: row for row in self._rows() if row.can_move}
        while where and where not in by_place:
            where = parent(where)
        return by_place.get(where)

    def _area(self) -> QScrollArea | None:
        above: QWidget | None = self._form
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above


def _application() -> QObject:
    found = QApplication.instance()
    assert found is not None
    return found


def _index(row: FormRow) -> int:
    return int(split(row.line.pointer)[-1])

"""The list of findings, by mouse and keyboard."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView

from stepflow_gui.gui.problems.delegate import ProblemDelegate
from stepflow_gui.gui.problems.model import DIAGNOSTIC, SUPPRESSED, ProblemModel
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.suppressions.suppressing import Suppressed

_DETAILS = {Qt.Key.Key_F1: "rule", Qt.Key.Key_Space: "fix"}


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


def mark_of(found: Diagnostic) -> tuple[object, ...]:
    """What a finding is, wherever it moved to."""
    return found.code, found.file, found.pointer, found.message

"""A small frame over the source editor, beside a place of its text: an explanation or a list."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from stepflow_gui.gui.widgets.theme import Theme

_GAP = 2  # pixels between a line and what is shown beside it
_EDGE = 8  # pixels that stay free at the window's edge


class SourceCard(QFrame):
    """A child of the editor's window: it takes no focus from what is typed, and the dock doesn't cut it off."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._over = editor
        editor.destroyed.connect(self.deleteLater)  # the window may outlive the editor: it has other tabs
        self.setObjectName("popup")
        self.hide()

    def paint_in(self, theme: Theme) -> None:
        """Paint in a look."""
        self.setStyleSheet(
            f"QFrame#popup {{ background: {theme.hex('surface')}; border: 1px solid {theme.hex('line')};"
            " border-radius: 6px; }"
        )

    @property
    def room(self) -> int:
        """The widest it can be."""
        return self._over.window().width() - 2 * _EDGE

    def show_beside(self, place: QRect, above: bool = False) -> None:
        """Show it under a stretch of the editor's viewport, or over it where there is more room, or it is wanted."""
        window = self._over.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        viewport = self._over.viewport()
        top_left = window.mapFromGlobal(viewport.mapToGlobal(place.topLeft()))
        size = self.size()
        below = top_left.y() + place.height() + _GAP
        over = top_left.y() - size.height() - _GAP
        room_below = window.height() - _EDGE - below
        fits_over = over >= _EDGE
        y = over if (above and fits_over) or (size.height() > room_below and fits_over) else below
        if not fits_over and size.height() > room_below:
            y = max(_EDGE, min(below, window.height() - _EDGE - size.height()))
        x = max(_EDGE, min(top_left.x(), window.width() - _EDGE - size.width()))
        self.move(QPoint(x, y))
        self.show()
        self.raise_()


def child_of(widget: QWidget, at: QPoint) -> bool:
    """Whether a global point is over a widget."""
    return widget.isVisible() and widget.rect().contains(widget.mapFromGlobal(at))

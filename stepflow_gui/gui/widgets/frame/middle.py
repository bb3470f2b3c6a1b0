"""The middle of the window: the flow or what takes its place, the source, or both beside each other."""

from typing import Literal, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

View = Literal["flow", "split", "source"]
VIEWS: tuple[View, ...] = get_args(View)
_BESIDE = 1200  # pixels of the window's width from which on both stand side by side
_LEAST, _MOST = 0.1, 0.9


class Middle(QSplitter):
    """`changed()`: another view is shown. `share` of both is what the pages have, which is kept between splits."""

    changed = Signal()

    def __init__(self, pages: QStackedWidget, source: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.pages, self.source = pages, source
        self.share = 0.5
        pages.setMinimumSize(120, 60)
        source.setMinimumWidth(120)  # as high as its parts ask for
        self.addWidget(pages)
        self.addWidget(source)
        source.hide()
        self.splitterMoved.connect(self._moved)

    @property
    def view(self) -> View:
        """What is shown."""
        if self.source.isHidden():
            return "flow"
        return "source" if self.pages.isHidden() else "split"

    def show_view(self, view: View) -> None:
        """Show the pages, the source, or both."""
        if view == self.view:
            return
        self.pages.setVisible(view != "source")
        self.source.setVisible(view != "flow")
        self._share_out()
        self.changed.emit()

    def set_share(self, share: float) -> None:
        """Give the pages another part of the room."""
        self.share = min(_MOST, max(_LEAST, share))
        self._share_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wanted = Qt.Orientation.Horizontal if self.window().width() >= _BESIDE else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
        self._share_out()

    def _share_out(self) -> None:
        if self.view == "split":
            room = self.width() if self.orientation() == Qt.Orientation.Horizontal else self.height()
            first = round(room * self.share)
            self.setSizes([first, room - first])

    def _moved(self, _at: int, _handle: int) -> None:
        first, second = self.sizes()
        if first and second:
            self.share = min(_MOST, max(_LEAST, first / (first + second)))

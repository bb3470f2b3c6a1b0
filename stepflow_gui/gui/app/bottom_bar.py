"""The bar at the bottom of the window: the tabs of the panel above it, what was just done, the document's state."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontMetrics, QHideEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QStatusBar, QTabBar, QTabWidget, QWidget

from stepflow_gui.gui.widgets.fields import ElidedLabel, polish
from stepflow_gui.gui.widgets.fonts import ui_font

_HEIGHT = 262  # pixels of the panel at first


class BottomTabs(QTabBar):
    """Each as wide as its words are while they are bold, so that none moves when another is picked."""

    def tabSizeHint(self, index: int) -> QSize:
        """As Qt has it for words that aren't bold, and the difference."""
        plain, bold = (QFontMetrics(ui_font(12, weight)) for weight in (QFont.Weight.Normal, QFont.Weight.DemiBold))
        text = self.tabText(index)
        more = bold.horizontalAdvance(text) - plain.horizontalAdvance(text)
        return super().tabSizeHint(index) + QSize(max(0, more), 0)


class BottomPanel(QTabWidget):
    """Pages whose tabs are elsewhere, in `tabs`: there they don't move when the panel opens.

    A click on the tab of the page that is shown closes the dock around the panel; any other opens it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tabs = BottomTabs()
        self.tabs.setObjectName("bottomTabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tabs.tabBarClicked.connect(self._clicked)
        self.tabs.currentChanged.connect(self._chosen)
        self.currentChanged.connect(self._follow)
        super().tabBar().hide()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to the tabs where they stand

    def sizeHint(self) -> QSize:
        """As high as the panel is at first."""
        return QSize(super().sizeHint().width(), _HEIGHT)

    def tabBar(self) -> QTabBar:
        """The tabs that are shown."""
        return self.tabs

    def setTabText(self, index: int, text: str) -> None:
        super().setTabText(index, text)
        self.tabs.setTabText(index, text)

    def tabInserted(self, index: int) -> None:
        super().tabInserted(index)
        with QSignalBlocker(self.tabs):
            self.tabs.insertTab(index, self.tabText(index))
            self.tabs.setCurrentIndex(self.currentIndex())
        QTimer.singleShot(0, self, self.show_open)

    def tabRemoved(self, index: int) -> None:
        super().tabRemoved(index)
        with QSignalBlocker(self.tabs):
            self.tabs.removeTab(index)
            self.tabs.setCurrentIndex(self.currentIndex())

    def dock(self) -> QDockWidget | None:
        """What the panel is in."""
        around: QWidget | None = self
        while around is not None and not isinstance(around, QDockWidget):
            around = around.parentWidget()
        return around

    def show_open(self) -> None:
        """Mark a tab only while its page can be seen."""
        dock = self.dock()
        closed = dock is not None and dock.isHidden()
        if bool(self.tabs.property("closed")) != closed:
            self.tabs.setProperty("closed", closed)
            polish(self.tabs)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self.show_open)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        QTimer.singleShot(0, self, self.show_open)

    def _clicked(self, index: int) -> None:
        dock = self.dock()
        if dock is not None and index >= 0:
            dock.setVisible(dock.isHidden() or index != self.currentIndex())

    def _chosen(self, index: int) -> None:
        self.setCurrentIndex(index)
        dock = self.dock()
        if dock is not None and self.tabs.hasFocus():
            dock.show()

    def _follow(self, index: int) -> None:
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex(index)


class BottomLine(ElidedLabel):
    """`followed()`: it was clicked, while it is_link somewhere."""

    followed = Signal()

    def __init__(self) -> None:
        super().__init__("", ui_font(12), Qt.TextElideMode.ElideRight)
        self.is_link = False

    def show_line(self, text: str, token: str, *, is_link: bool) -> None:
        """Show a text in a colour."""
        self.is_link = is_link
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_link else Qt.CursorShape.ArrowCursor)
        if self.property("token") != token:
            self.setProperty("token", token)
            polish(self)
        self.show_whole(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.is_link and self.rect().contains(event.position().toPoint()):
            self.followed.emit()


class LineText(NamedTuple):
    """What the line says, in the colour of a token, and what a click on it does."""

    text: str
    token: str = "text"
    act: Callable[[], object] | None = None


class BottomBar(QStatusBar):
    """The tabs, then a line for what was just done or is pointed at, which never hides them; the state at the right.

    What stands is shown while there is nothing else in the line.
    """

    def __init__(self, tabs: QTabBar) -> None:
        super().__init__()
        self.setObjectName("bottomBar")
        self.setSizeGripEnabled(False)
        self.line = BottomLine()
        self.line.followed.connect(self._follow)
        self._shown = self._lasting = LineText("")
        self._over = QTimer(self)
        self._over.setSingleShot(True)
        self._over.timeout.connect(self.clearMessage)
        self.addWidget(tabs)
        self.addWidget(self.line, 1)

    def showMessage(self, text: str, timeout: int | None = 0) -> None:
        """Show a text for so many milliseconds; 0: until another comes."""
        self.show_line(LineText(text), timeout or 0)

    def show_line(self, line: LineText, timeout: int) -> None:
        """The same with a colour, and what a click does."""
        self._shown = line
        self._over.stop()
        if timeout:
            self._over.start(timeout)
        self._show_now()
        self.messageChanged.emit(line.text)

    def set_lasting(self, line: LineText) -> None:
        """Show a text whenever there is nothing else; an empty one: no text any more."""
        self._lasting = line
        self._show_now()

    def currentMessage(self) -> str:
        """The text that is shown, without what stands."""
        return self._shown.text

    def _show_now(self) -> None:
        line = self._shown if self._shown.text else self._lasting
        self.line.show_line(line.text, line.token, is_link=line.act is not None)

    def _follow(self) -> None:
        line = self._shown if self._shown.text else self._lasting
        if line.act is not None:
            line.act()

    def clearMessage(self) -> None:
        """Show no text."""
        self.showMessage("")

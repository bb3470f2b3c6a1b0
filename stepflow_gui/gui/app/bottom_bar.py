"""The bar at the bottom of the window: the tabs of the panel above it, what was just done, the document's state."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QStatusBar, QTabBar, QTabWidget, QWidget

from stepflow_gui.gui.widgets.fields import ElidedLabel, polish
from stepflow_gui.gui.widgets.fonts import ui_font

_HEIGHT = 262  # pixels of the panel at first


class BottomPanel(QTabWidget):
    """Pages whose tabs stand elsewhere, in `tabs`: there they don't move when the panel opens.

    A click on the tab of the page that is shown closes the dock around the panel; any other opens it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tabs = QTabBar()
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


class BottomBar(QStatusBar):
    """The tabs, then a line for what was just done or is pointed at, which never hides them; the state at the right."""

    def __init__(self, tabs: QTabBar) -> None:
        super().__init__()
        self.setObjectName("bottomBar")
        self.setSizeGripEnabled(False)
        self._line = ElidedLabel("", ui_font(12), Qt.TextElideMode.ElideRight)
        self._over = QTimer(self)
        self._over.setSingleShot(True)
        self._over.timeout.connect(self.clearMessage)
        self.addWidget(tabs)
        self.addWidget(self._line, 1)

    def showMessage(self, text: str, timeout: int | None = 0) -> None:
        """Show a text for so many milliseconds; 0: until another comes."""
        self._line.show_whole(text)
        self._over.stop()
        if timeout:
            self._over.start(timeout)
        self.messageChanged.emit(text)

    def currentMessage(self) -> str:
        """The text that is shown."""
        return self._line.whole

    def clearMessage(self) -> None:
        """Show no text."""
        self.showMessage("")

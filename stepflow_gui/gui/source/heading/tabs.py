"""The tabs of the source panel: one for each file whose text was gone to."""

import os
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar, QToolButton

from stepflow_gui.gui.widgets.file_names import short_names
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_WIDEST = 240  # pixels of a tab; the middle of a longer name is left out
_END = 18  # of the button at its end


class SourceTabs(QTabBar):
    """`picked(path)` when another tab was chosen, `close_asked(path)` at a middle click or on its cross.

    The first file is the main one, which stays open. Tabs can be dragged; `paths` is their order.
    """

    picked = Signal(object)
    close_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("sourceTabs")
        self._theme = theme
        self._main: Path | None = None
        self._root = Path()
        self._states: dict[Path, tuple[bool, bool]] = {}  # unsaved, gone from disk
        self.setMovable(True)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)  # `_write` does: a style sheet leaves no room for the end
        self.currentChanged.connect(self._changed)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the tabs in the language in use."""
        self.setFont(ui_font(12))
        self.setAccessibleName(_("Open files"))
        self._name()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        for end in self._ends():
            end.set_theme(theme)

    @property
    def paths(self) -> list[Path]:
        """The files in the order of their tabs."""
        return [self.tabData(index) for index in range(self.count())]

    @property
    def current(self) -> Path | None:
        """The file whose tab is in front."""
        return self.tabData(self.currentIndex()) if self.count() else None

    def start(self, main: Path | None, root: Path) -> None:
        """Show the tab of a main file alone, or none. Names are relative to `root`."""
        self.blockSignals(True)
        while self.count():
            self.removeTab(0)
        self.blockSignals(False)
        self._main, self._root = main, root
        self._states = {}
        if main is not None:
            self.show_file(main)

    def show_file(self, path: Path) -> None:
        """Bring the tab of a file to the front, behind the one in front where it is new. Emits nothing."""
        self.blockSignals(True)
        paths = self.paths
        if path not in paths:
            at = self.insertTab(self.currentIndex() + 1, "")
            self.setTabData(at, path)
            end = _End(self._theme, closes=path != self._main)
            end.clicked.connect(lambda: self._close(end))
            self.setTabButton(at, QTabBar.ButtonPosition.RightSide, end)
            self._name()
        self.setCurrentIndex(self.paths.index(path))
        self.blockSignals(False)

    def close_file(self, path: Path) -> None:
        """Take the tab of a file away. Emits nothing; somebody shows another file."""
        if path in self.paths:
            self.blockSignals(True)
            self.removeTab(self.paths.index(path))
            self.blockSignals(False)
            self._states.pop(path, None)
            self._name()

    def can_close(self, path: Path | None) -> bool:
        """Whether the tab of a file may go."""
        return path is not None and path != self._main

    def set_state(self, path: Path, *, unsaved: bool, gone: bool) -> None:
        """Show a file's state compared to the disk."""
        if self._states.get(path, (False, False)) != (unsaved, gone):
            self._states[path] = (unsaved, gone)
            self._name()

    def step(self, by: int) -> None:
        """Go to a neighbouring tab, round the ends."""
        if self.count() > 1:
            self.setCurrentIndex((self.currentIndex() + by) % self.count())

    def tabSizeHint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        return QSize(min(hint.width(), _WIDEST), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            at = self.tabAt(event.position().toPoint())
            if at >= 0 and self.can_close(self.tabData(at)):
                self.close_asked.emit(self.tabData(at))
            return
        super().mousePressEvent(event)

    def _changed(self, index: int) -> None:
        if index >= 0 and self.tabData(index) is not None:
            self.picked.emit(self.tabData(index))

    def _close(self, end: "_End") -> None:
        for index in range(self.count()):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is end and end.closes:
                self.close_asked.emit(self.tabData(index))
                return

    def _ends(self) -> "list[_End]":
        found = [self.tabButton(index, QTabBar.ButtonPosition.RightSide) for index in range(self.count())]
        return [end for end in found if isinstance(end, _End)]

    def _name(self) -> None:
        paths = self.paths
        for index, (path, name) in enumerate(zip(paths, short_names(paths), strict=True)):
            unsaved, gone = self._states.get(path, (False, False))
            lines = [below(path, self._root)]
            if gone:
                lines.append(_("No longer on disk"))
            elif unsaved:
                lines.append(_("Not saved"))
            end = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
            if isinstance(end, _End):
                end.set_file(name, unsaved=unsaved)  # before the text, with which the tab takes the width for both
            self._write(index, name, _("{file} (deleted)") if gone else "{file}")
            self.setTabToolTip(index, "\n".join(lines))
            self.setAccessibleTabName(index, ", ".join([name, *lines[1:]]))

    def _write(self, index: int, name: str, text: str) -> None:
        """The name in a text, its middle left out as far as the tab would be too wide."""
        self.setTabText(index, text.format(file=name.replace("&", "&&")))
        over = super().tabSizeHint(index).width() - _WIDEST
        if over > 0:
            metrics = self.fontMetrics()
            room = max(0, metrics.horizontalAdvance(name) - over)
            short = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            self.setTabText(index, text.format(file=short.replace("&", "&&")))


class _End(QToolButton):
    """The end of a tab: a dot while its file isn't saved, a cross to close it."""

    def __init__(self, theme: Theme, *, closes: bool) -> None:
        super().__init__()
        self.closes = closes
        self._unsaved = False
        self._over = False
        self.setObjectName("tabEnd")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoRaise(True)
        self._theme = theme

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_file(self, name: str, *, unsaved: bool) -> None:
        self._unsaved = unsaved
        title = _("Close {file}").format(file=name) if self.closes else ""
        self.setToolTip(title)
        self.setAccessibleName(title)
        self.setFixedSize(QSize(_END if self.closes or unsaved else 4, _END))
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._over = True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._over = False
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QRectF(self.rect()).center()
        if self._unsaved and not (self._over and self.closes):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            painter.drawEllipse(middle, 3.5, 3.5)
        elif self.closes:
            if self._over:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._theme.color("line"))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            icon = self._theme.renderer("close", "text" if self._over else "muted")
            icon.render(painter, QRectF(middle.x() - 5.5, middle.y() - 5.5, 11, 11))
        painter.end()


def below(path: Path, root: Path) -> str:
    """A path as seen from the project."""
    return os.path.relpath(path, root) if path.is_relative_to(root) else str(path)

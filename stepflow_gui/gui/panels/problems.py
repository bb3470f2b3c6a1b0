"""The problems panel: what the linter found, where it is, and its fixes."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.panels.problems_delegate import ProblemDelegate
from stepflow_gui.gui.panels.problems_model import DIAGNOSTIC, SEVERITIES, ProblemModel, count_text
from stepflow_gui.gui.session import Session
from stepflow_gui.gui.theme import Theme
from stepflow_gui.lint.diagnostic import Diagnostic, Fix, Range, Severity
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span
from stepflow_gui.text.store import ReadProblem

ORIGIN = "problems"


class ProblemsPanel(QWidget):
    """Lists a session's findings. `source_wanted` is emitted where the person goes on to the text itself."""

    source_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._theme = theme
        self._session: Session | None = None
        self._visited: Diagnostic | None = None  # gone to last
        self._model = ProblemModel()
        self.list = _ProblemList(self._model, theme)
        self.list.delegate.fix_asked.connect(self._fix)
        self.list.clicked.connect(self._clicked)
        self.list.went.connect(self._went)
        self.list.menu_asked.connect(self._menu)
        self._filters = {severity: self._filter(severity) for severity in SEVERITIES}
        self._filter_row = QWidget()
        row = QHBoxLayout(self._filter_row)
        row.setContentsMargins(12, 4, 12, 0)
        row.setSpacing(4)
        for button in self._filters.values():
            row.addWidget(button)
        row.addStretch(1)
        self._calm_icon = QLabel()
        self._calm_text = QLabel()
        self._calm_text.setProperty("muted", True)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._calm_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._filter_row)
        column.addWidget(self._pages, 1)
        self.setFocusProxy(self.list)
        self.set_theme(theme)
        self.retranslate()

    @property
    def focus_widget(self) -> QWidget:
        """What takes the keyboard when the panel is gone to."""
        return self.list

    def retranslate(self) -> None:
        """Show the panel in the language in use."""
        self.list.setAccessibleName(_("Problems"))
        self._calm_text.setFont(ui_font(13))
        for button in self._filters.values():
            button.setFont(ui_font(11))
        self.list.relayout()
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self.list.delegate.set_theme(theme)
        for severity, button in self._filters.items():
            button.setIcon(theme.icon(severity, severity))
        self.list.relayout()
        self._show()

    def set_session(self, session: Session | None) -> None:
        """Show another session's findings, or none."""
        if self._session is not None:
            self._session.diagnostics_changed.disconnect(self._show)
        self._session = session
        if session is not None:
            session.diagnostics_changed.connect(self._show)
        self._show()

    def step(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) problem, round the ends."""
        count = len(self._model.rows)
        if not count:
            return
        current = self.list.currentIndex()
        row = 0 if by > 0 else count - 1
        if current.isValid():  # one that is only marked is gone to first
            row = (current.row() + by) % count if self.list.chosen() is self._visited else current.row()
        self.list.setCurrentIndex(self._model.index(row))
        self._go(self._model.rows[row])

    # What is shown

    def _show(self) -> None:
        session = self._session
        chosen = self.list.chosen()
        self._model.show(session.diagnostics if session else [])
        self.list.choose(chosen)
        counts = self._model.counts()
        for severity, button in self._filters.items():
            button.setVisible(counts[severity] > 0)
            button.setText(count_text(severity, counts[severity]))
            button.setToolTip(_("Show or hide: {what}").format(what=button.text()))
        self._filter_row.setVisible(len(counts) > 1)
        if len(counts) == 1:  # a filter that can't be seen hides nothing
            self._filters[next(iter(counts))].setChecked(True)
        self._pages.setCurrentIndex(0 if counts else 1)
        if counts:
            return
        checked = session is not None and session.checked
        name, token = ("check", "closure") if checked else ("info", "muted")
        self._calm_icon.setPixmap(self._theme.pixmap(name, token, 28, ratio=self.devicePixelRatioF()))
        self._calm_icon.setVisible(checked)
        text = _("No problems") if checked else _("Checking…") if session else _("Nothing is open.")
        self._calm_text.setText(text)

    def _calm_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setSpacing(8)
        column.addStretch(1)
        for label in (self._calm_icon, self._calm_text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)
        column.addStretch(1)
        return page

    def _filter(self, severity: Severity) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.setIconSize(QSize(14, 14))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.toggled.connect(lambda on: self._model.set_hidden(severity, not on))
        return button

    # What the person does

    def _clicked(self, index: QModelIndex) -> None:
        self._go(index.data(DIAGNOSTIC))

    def _went(self, index: QModelIndex) -> None:
        self._go(index.data(DIAGNOSTIC))
        self.source_wanted.emit()

    def _go(self, found: Diagnostic) -> None:
        session = self._session
        if session is None:
            return
        self._visited = found
        if found.step is not None:
            session.select(found.step, ORIGIN)
        file, place = _shown_place(found, session)
        session.reveal(file, Span(place.start.offset, place.end.offset))

    def _fix(self, _found: Diagnostic, fix: Fix) -> None:
        if self._session is not None:
            self._session.apply_fix(fix)

    def _menu(self, index: QModelIndex) -> None:
        found: Diagnostic = index.data(DIAGNOSTIC)
        menu = QMenu(self)
        for fix in found.fixes:
            menu.addAction(_menu_text(fix.title), partial(self._fix, found, fix))
        if found.fixes:
            menu.addSeparator()
        menu.addAction(_("&Go to the Text"), lambda: self._went(index))
        text = f"{found.file}:{found.range.start.line}:{found.range.start.column} {found.code} {found.message}"
        menu.addAction(_("&Copy"), lambda: QGuiApplication.clipboard().setText(text))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(self.list.visualRect(index).center()))


class _ProblemList(QListView):
    """The rows, by mouse and keyboard: Enter goes to the text, Ctrl+. and the menu key open a row's menu."""

    went = Signal(object)
    menu_asked = Signal(object)

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

    def choose(self, wanted: Diagnostic | None) -> None:
        """Make a finding the current row again, wherever it moved to."""
        if wanted is None or self.chosen() == wanted:
            return
        same = _mark(wanted)
        for row, found in enumerate(self._problems.rows):
            if _mark(found) == same:
                self.setCurrentIndex(self._problems.index(row))
                return

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
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            self.menu_asked.emit(index)


def _mark(found: Diagnostic) -> tuple[object, ...]:
    return found.code, found.file, found.pointer, found.message


def _shown_place(found: Diagnostic, session: Session) -> tuple[Path, Range]:
    # Where the finding is; where that file can't be shown, what it is related to in the registry.
    if isinstance(session.source(found.file), ReadProblem):
        for related in found.related:
            if related.file == session.path:
                return related.file, related.range
    return found.file, found.range


def _menu_text(title: str) -> str:
    return title.replace("&", "&&")

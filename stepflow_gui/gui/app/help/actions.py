"""The Help menu: documentation, tour, shortcuts, log, about."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from stepflow_gui.gui.app.help.log_panel import LogPanel
from stepflow_gui.gui.desk import Desk, ExplainProblem, Feature, ShowDocumentation
from stepflow_gui.gui.document.log import Log
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

if TYPE_CHECKING:
    from stepflow_gui.gui.app.help.documentation import DocumentationWindow


class Keys(Protocol):
    """Who uses other shortcuts from now on: the whole program."""

    def choose_keys(self, chosen: dict[str, list[str]]) -> None: ...


class HelpActions(Feature):
    """The Help menu. `pages` are the documentation's pages about parts of the window."""

    def __init__(
        self, desk: Desk, log: Log, keys: Keys, start_tour: Callable[[], object], pages: Mapping[QWidget, str]
    ) -> None:
        self._desk = desk
        self._pages = pages
        self.documentation: DocumentationWindow | None = None
        desk.wish.handle(ShowDocumentation, lambda wish: self._show_page(wish.page))
        self._log = log
        self._keys = keys
        self._start_tour = start_tour

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Documentation, tour, shortcuts, log, about."""
        return (
            ActionSpec(
                *("documentation", lambda: _("&Documentation"), self._show_documentation, MenuPlace("help", 5)),
                keys=("F1",),
            ),
            ActionSpec("tour", lambda: _("&Tour"), self._start_tour, MenuPlace("help", 10)),
            ActionSpec(
                *("shortcuts", lambda: _("&Keyboard Shortcuts…"), self._show_shortcuts, MenuPlace("help", 30)),
                keys=("Ctrl+K, Ctrl+S",),
            ),
            ActionSpec("log", lambda: _("Show &Log"), self._show_log, MenuPlace("help", 110)),
            ActionSpec("about", lambda: _("&About Stepflow"), self._show_about, MenuPlace("help", 120)),
        )

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        log = self._desk.output.findChild(LogPanel)
        if log is not None:
            log.retranslate()
            self._desk.output.setTabText(self._desk.output.indexOf(log), _("Log"))
        if self.documentation is not None:
            self.documentation.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        if self.documentation is not None:
            self.documentation.set_theme(theme)

    def _show_documentation(self) -> None:
        """Explain the problem where the keyboard is; else show the page about the part of the window that has it."""
        if not self._desk.wish(ExplainProblem()):
            self._show_page(self._page_of(QApplication.focusWidget()))

    def _page_of(self, focus: QWidget | None) -> str:
        while focus is not None and focus not in self._pages:
            focus = focus.parentWidget()
        return "index.md" if focus is None else self._pages[focus]

    def _show_page(self, page: str) -> None:
        from stepflow_gui.gui.app.help.documentation import DocumentationWindow

        if self.documentation is None:
            self.documentation = DocumentationWindow(self._desk.theme(), self._desk.window)
        self.documentation.show_page(page)

    def _show_shortcuts(self) -> None:
        from stepflow_gui.gui.app.help.shortcuts import ShortcutsPage

        desk = self._desk
        page = ShortcutsPage(desk.actions, desk.settings.keys, desk.window)
        page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page.changed.connect(self._keys.choose_keys)
        page.open()

    def _show_about(self) -> None:
        from stepflow_gui.gui.app.help.about import AboutPage

        page = AboutPage(self._desk.window)
        page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page.open()

    def _show_log(self) -> None:
        output = self._desk.output
        there = output.findChild(LogPanel)
        if there is None:
            there = LogPanel(self._log)
            there.closed.connect(there.deleteLater)
            output.addTab(there, _("Log"))
        self._desk.show_output(there)

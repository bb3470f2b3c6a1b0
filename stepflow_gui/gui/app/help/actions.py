"""The Help menu: tour, shortcuts, log, about."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt

from stepflow_gui.gui.app.help.log_panel import LogPanel
from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.log import Log
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.messages import _


class Keys(Protocol):
    """Who uses other shortcuts from now on: the whole program."""

    def choose_keys(self, chosen: dict[str, list[str]]) -> None: ...


class HelpActions(Feature):
    """The Help menu."""

    def __init__(self, desk: Desk, log: Log, keys: Keys, start_tour: Callable[[], object]) -> None:
        self._desk = desk
        self._log = log
        self._keys = keys
        self._start_tour = start_tour

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Tour, shortcuts, log, about."""
        return (
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

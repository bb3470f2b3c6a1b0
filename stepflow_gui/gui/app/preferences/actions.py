"""The actions of the settings, and the one that opens their page."""

from functools import partial

from PySide6.QtCore import Qt

from stepflow_gui import messages
from stepflow_gui.gui.app.preferences.choices import LANGUAGE_NAMES, ProgramLooks, look_names
from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.settings import LOOKS
from stepflow_gui.gui.widgets.actions import SETTINGS, ActionSpec, MenuPlace
from stepflow_gui.messages import _


class SettingsActions(Feature):
    """Settings…, and looks and languages one by one."""

    def __init__(self, desk: Desk, choices: ProgramLooks) -> None:
        self._desk = desk
        self._choices = choices

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """The page, each look, each language."""
        at, settings = partial(MenuPlace, SETTINGS), self._desk.settings
        return (
            ActionSpec(
                *("settings", lambda: _("Settin&gs…"), self.open, MenuPlace("file", 410)),
                keys=("Ctrl+,",),
            ),
            *(
                ActionSpec(
                    *(f"look-{look}", partial(self._look_title, look), partial(self._choices.set_look, look)),
                    place=at(20 + number),
                    checked=partial(lambda look: settings.look == look, look),
                )
                for number, look in enumerate(LOOKS)
            ),
            *(
                ActionSpec(
                    *(f"language-{code}", partial(self._language_title, name)),
                    run=partial(self._choices.set_language, code),
                    place=at(30 + number),
                    checked=partial(lambda code: messages.language() == code, code),
                )
                for number, (code, name) in enumerate(LANGUAGE_NAMES)
            ),
        )

    def _look_title(self, look: str) -> str:
        return _("Theme: {name}").format(name=dict(look_names())[look])

    def _language_title(self, name: str) -> str:
        return _("Language: {name}").format(name=name)

    def open(self, searched: str = "") -> None:
        """Open the page, with what is searched there."""
        from stepflow_gui.gui.app.preferences.page import SettingsPage

        desk = self._desk
        page = SettingsPage(desk.settings, desk.actions, self._choices, desk.window)
        page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page.search.setText(searched)
        page.open()

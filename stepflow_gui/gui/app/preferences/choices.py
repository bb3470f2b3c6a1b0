"""What the settings offer to choose among, by value and name."""

import os
from typing import Protocol

from stepflow_gui.gui.document.settings import LOOKS, SCALES, Settings
from stepflow_gui.messages import _

LANGUAGE_NAMES = (("en", "English"), ("ja", "日本語"))  # each in its own words
_FACTOR = "QT_SCALE_FACTOR"


class ProgramLooks(Protocol):
    """Who shows another look or language from now on: the whole program."""

    def set_look(self, look: str) -> None: ...
    def set_language(self, language: str) -> None: ...


def look_names() -> list[tuple[str, str]]:
    """The looks."""
    names = {"system": _("As the System"), "light": _("Light"), "dark": _("Dark")}
    return [(look, names[look]) for look in LOOKS]


def scale_names() -> list[tuple[int, str]]:
    """The sizes of all that is shown, in percent; 0 is that of the screen."""
    return [(scale, _("As the System") if scale == 0 else f"{scale} %") for scale in SCALES]


def use_scale(settings: Settings) -> None:
    """Show all in the size that the person chose. Before the application is made; the environment goes first."""
    if settings.scale and _FACTOR not in os.environ:
        os.environ[_FACTOR] = str(settings.scale / 100)

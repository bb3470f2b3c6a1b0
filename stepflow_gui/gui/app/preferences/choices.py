"""What the settings offer to choose among, by value and name."""

import os
from typing import Protocol

from stepflow_gui.gui.document.settings import LOOKS, OPENINGS, SCALES, Settings
from stepflow_gui.messages import _

LANGUAGE_NAMES = (("en", "English"), ("ja", "日本語"))  # each in its own words
_FACTOR = "QT_SCALE_FACTOR"


class ProgramLooks(Protocol):
    """Who shows another look or language from now on: the whole program."""

    def set_look(self, look: str) -> None: ...
    def set_language(self, language: str) -> None: ...


def look_names() -> list[tuple[str, str]]:
    """The looks."""
    names = {"system": _("Use System Setting"), "light": _("Light"), "dark": _("Dark")}
    return [(look, names[look]) for look in LOOKS]


def scale_names() -> list[tuple[int, str]]:
    """The sizes of all that is shown, in percent; 0 is that of the screen."""
    return [(scale, _("Use System Setting") if scale == 0 else f"{scale} %") for scale in SCALES]


def opening_names() -> list[tuple[str, str, str]]:
    """What shows by itself: its id in `OPENINGS`, what it is, and when."""
    names = {
        "layout": (_("Switch to the layout Debug"), _("When a run starts or a log is opened; restored at its end.")),
        "sentence": (_("New problems in the bottom bar"), _("For 8 seconds, while you edit.")),
        "banner": (_("Offer Split for an invalid text"), _("A banner above the flow, until the text is valid.")),
        "lines": (
            _("Source below a problem"),
            _("Seven lines below the problem you click, unless the source is shown."),
        ),
        "hints": (_("Hints"), _("One line in the bottom bar at the first use of something, once.")),
    }
    return [(opening, *names[opening]) for opening in OPENINGS]


def setting_names() -> list[tuple[str, str]]:
    """What the page of settings lists: the name of each with what it is about."""
    return [
        (_("Theme"), _("Light, dark, or the system setting.")),
        (_("Language"), _("Language of menus, messages and findings.")),
        (_("Scale"), _("How large everything is. Takes effect at the next start.")),
        (_("Motion"), _("Without motion, nothing slides, fades or pulses.")),
        *((title, about) for _opening, title, about in opening_names()),
        (_("Keys"), _("Each action's keys, to look up and to change.")),
    ]


def use_scale(settings: Settings) -> None:
    """Show all in the size that the person chose. Before the application is made; the environment goes first."""
    if settings.scale and _FACTOR not in os.environ:
        os.environ[_FACTOR] = str(settings.scale / 100)

"""Actions for people who use the keyboard alone or want things to stand still: panel by panel, little motion."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from stepflow_gui.gui.widgets.motion import ask_desktop, desktop_reduces_motion, show_motion
from stepflow_gui.gui.widgets.tab_order import ReadingOrder, WayOut, takes_tab

if TYPE_CHECKING:
    from stepflow_gui.gui.app.shell import Shell
    from stepflow_gui.gui.app.window import MainWindow


def bind_access_actions(window: "MainWindow") -> None:
    """Bind them, and let things move as the person or the desktop wants."""
    window.actions_.bind("next-panel", partial(_go_on, window, 1))
    window.actions_.bind("previous-panel", partial(_go_on, window, -1))
    window.actions_.bind("reduce-motion", lambda: _reduce_motion(window))
    WayOut(window.source.editor)
    ReadingOrder(window.inspector)
    chosen = window.settings.reduced_motion
    _take_motion(window, reduced=desktop_reduces_motion() if chosen is None else chosen)


def follow_desktop(shell: "Shell") -> None:
    """Have things stand still in every tab where the desktop wants it, asked again, and the person hasn't chosen."""

    def stand_still() -> None:
        shell.little_motion = True
        if shell.settings.reduced_motion is None:
            for window in shell.windows:
                _take_motion(window, reduced=True)

    ask_desktop(shell, stand_still)


def take_little_motion(window: "MainWindow") -> None:
    """For a window made after the desktop said so."""
    if window.settings.reduced_motion is None:
        _take_motion(window, reduced=True)


def _go_on(window: "MainWindow", step: int) -> None:
    """Give the keyboard to the next panel in the order of reading, around and around; hidden ones are passed over."""
    output = window.run_panel if window.output.currentWidget() is window.run_panel else window.output
    places: list[tuple[QWidget, str | None]] = [
        (window.banner, None),
        *((dock, "focus-project") for dock in window.project.docks),
        (window.docks[0], None),
        (window.canvas, "focus-canvas"),
        (window.welcome, None),
        (window.docks[1], "focus-inspector"),
        (window.docks[2], "focus-source"),
        (window.docks[3], "focus-run" if output is window.run_panel else None),
    ]
    shown = [place for place in places if place[0].isVisible()]
    focused = QApplication.focusWidget()
    at = next((n for n, (place, _act) in enumerate(shown) if focused and _holds(place, focused)), None)
    for away in range(1, len(shown) + 1):
        start = -1 if at is None and step > 0 else at or 0
        place, act = shown[(start + step * away) % len(shown)]
        if act is not None:
            window.actions_[act].trigger()
        elif not _focus_first(place):
            continue
        return


def _holds(place: QWidget, focused: QWidget) -> bool:
    return place is focused or place.isAncestorOf(focused)


def _focus_first(place: QWidget) -> bool:
    """Give the keyboard to the first thing in a panel that takes it."""
    first = next((widget for widget in (place, *place.findChildren(QWidget)) if takes_tab(widget)), None)
    if first is not None:
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)
    return first is not None


def _reduce_motion(window: "MainWindow") -> None:
    reduced = window.actions_["reduce-motion"].isChecked()
    window.settings.reduced_motion = reduced
    for each in {window, *window.window().findChildren(type(window))}:  # other agents have tabs of their own
        _take_motion(each, reduced=reduced)


def _take_motion(window: "MainWindow", *, reduced: bool) -> None:
    window.actions_["reduce-motion"].setChecked(reduced)
    show_motion(window, window.canvas, reduced=reduced)

"""Whether things move in a window: as the person chose, or else as the desktop wants."""

from collections.abc import Callable

from stepflow_gui.gui.app.motion.desktop import desktop_reduces_motion, show_motion
from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.widgets.actions import SETTINGS, ActionSpec, MenuPlace
from stepflow_gui.messages import _


class MotionChoice(Feature):
    """The action that reduces motion. `chosen` is called when the person chose, with whether motion is reduced."""

    def __init__(self, desk: Desk, chosen: Callable[[bool], object]) -> None:
        self._desk = desk
        self._chosen = chosen
        wanted = desk.settings.reduced_motion
        self.reduced = desktop_reduces_motion() if wanted is None else wanted
        show_motion(desk.window, desk.canvas, reduced=self.reduced)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Reduce motion, or not."""
        row = ActionSpec("reduce-motion", lambda: _("Reduce Motion"), self._choose, MenuPlace(SETTINGS, 10))
        return (row._replace(checked=lambda: self.reduced),)

    def reduce(self, on: bool) -> None:
        """Reduce motion in this window, or not."""
        self.reduced = on
        self._desk.actions["reduce-motion"].setChecked(on)
        show_motion(self._desk.window, self._desk.canvas, reduced=on)

    def _choose(self) -> None:
        reduced = self._desk.actions["reduce-motion"].isChecked()
        self._desk.settings.reduced_motion = reduced
        self._chosen(reduced)

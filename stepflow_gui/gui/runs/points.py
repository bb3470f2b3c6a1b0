"""Breakpoints, watches and the run to compare with, as the person sets them on the pages of the run panel."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import SignalInstance

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.stored_breakpoints import StoredBreakpoints
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import Branches, R
from stepflow_gui.run.debugging.breakpoints import Breakpoint, Breakpoints, breakpoint_of
from stepflow_gui.run.debugging.condition import ConditionProblem


class PointPages(Protocol):
    """The pages that show them. `watches` are paths, `other` the run to compare with."""

    watches: list[str]
    other: int | None

    def show_breakpoints(self) -> None:
        """List the breakpoints, and what one may be set at."""

    def missing(self, point: Breakpoint) -> str | None:
        """What a breakpoint names that doesn't exist; None where all is."""


def breakpoint_row(point: Breakpoint, missing: str | None) -> TableRow:
    """A breakpoint in the list; `missing`: what it names that doesn't exist, such as a step that was renamed since."""
    token = "text" if point.enabled else "muted"
    tip = _("Space switches it on or off, Delete removes it.")
    if missing is not None:
        token, tip = "warning", f"{missing}\n{tip}"
    sign = Cell("●" if point.enabled else "○", token="error" if point.enabled else "muted")
    return TableRow((sign, Cell(point.words(), mono=True, token=token)), point.step, tip)


class RunPoints:
    """Changes what a debugger pauses at and what its pages show."""

    def __init__(
        self, desk: Desk, panel: RunPanel, document: Document, debugger: Branches[R], pages: PointPages
    ) -> None:
        self._desk = desk
        self._panel = panel
        self._pages = pages
        self._kept = StoredBreakpoints(desk.settings, document.path)
        self._points = debugger.breakpoints = Breakpoints(self._kept.breakpoints)
        pages.watches = list(self._kept.watches)
        self._changed: Callable[[], object] = lambda: None

    def links(self, changed: Callable[[], object]) -> list[tuple[SignalInstance, Callable[..., object]]]:
        """The signals to hear with who hears them; `changed` is called when a page is to be filled again."""
        self._changed = changed
        panel = self._panel
        return [
            (panel.watch_wanted, self.watch),
            (panel.unwatch_wanted, self._unwatch),
            (panel.point_wanted, self.add),
            (panel.point_toggled, self._toggle),
            (panel.point_removed, self._remove),
            (panel.compared_with, self._compare_with),
            (panel.breakpoints.ready, self.show),
        ]

    def show(self) -> None:
        """Show the breakpoints on panel and canvas."""
        self._desk.canvas.graph.run_layer.set_breakpoints(self._points.steps())
        self._pages.show_breakpoints()

    def toggle_at(self, step: str) -> None:
        """Set a breakpoint at a step, or take away those that are there."""
        self._points.toggle(step)
        self._keep()

    def watch(self, path: str) -> None:
        """Watch a path."""
        if path not in self._pages.watches:
            self._pages.watches.append(path)
        self._keep_watches()

    def add(self, step: str, intent: str, validator: str, condition: str) -> None:
        """Set a breakpoint from the form's fields, or show why they make none."""
        made, page = breakpoint_of(step, intent, validator, condition), self._panel.breakpoints.widget
        if isinstance(made, ConditionProblem):
            page.show_text(made.message)
            return
        if not (made.step or made.intent or made.validator or made.condition.tests):
            page.show_text(_("Enter a step, an intent, a validator or a condition."))
            return
        wrong = self._pages.missing(made)
        page.show_text(wrong or "")
        if wrong is not None:
            return
        self._points.add(made)
        self._keep()

    def _keep(self) -> None:
        self._kept.keep(self._points.every, self._pages.watches)
        self.show()

    def _keep_watches(self) -> None:
        self._kept.keep(self._points.every, self._pages.watches)
        self._changed()

    def _unwatch(self, row: int) -> None:
        del self._pages.watches[row]
        self._keep_watches()

    def _compare_with(self, number: int) -> None:
        self._pages.other = number
        self._changed()

    def _toggle(self, row: int) -> None:
        point = self._points[row]
        self._points.replace(row, point._replace(enabled=not point.enabled))
        self._keep()

    def _remove(self, row: int) -> None:
        self._points.remove(row)
        self._keep()

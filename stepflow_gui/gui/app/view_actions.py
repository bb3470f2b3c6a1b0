"""Going from panel to panel by keys."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from stepflow_gui.gui.desk import Desk, Feature, ShowLayout, ShowSource
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.tab_order import takes_tab
from stepflow_gui.messages import _


class Panels(NamedTuple):
    """The panels that the keyboard can be given to."""

    side: QDockWidget
    inspector: QDockWidget
    output: QDockWidget
    form: QWidget  # inside of the inspector's dock
    source: SourcePanel
    problems: ProblemsPanel
    run: RunPanel
    above: Sequence[QWidget]  # before the canvas in reading order: the banner
    welcome: QWidget
    bring_source: Callable[[], object]


class ViewActions(Feature):
    """Actions that give the keyboard to a panel, or to the next one."""

    def __init__(self, desk: Desk, panels: Panels, close_agent_form: Callable[[], object]) -> None:
        self._desk = desk
        self._panels = panels
        self._close_agent_form = close_agent_form
        self._document: Document | None = None
        desk.wish.handle(ShowSource, self._show_source)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go to each panel, and to the next and previous one."""
        at = partial(MenuPlace, "focus")
        return (
            ActionSpec("focus-canvas", lambda: _("&Canvas"), self._focus_canvas, at(10), keys=("Ctrl+1",)),
            ActionSpec("focus-inspector", lambda: _("I&nspector"), self._focus_inspector, at(20), keys=("Ctrl+2",)),
            ActionSpec("focus-source", lambda: _("Sourc&e"), self._focus_source, at(30), keys=("Ctrl+3",)),
            ActionSpec(
                *("focus-problems", lambda: _("Pro&blems"), self._focus_problems, at(40)),
                keys=("Ctrl+4", "Ctrl+Shift+M"),
            ),
            ActionSpec("focus-run", lambda: _("&Run"), self._focus_run, at(50), keys=("Ctrl+5",)),
            ActionSpec("next-panel", lambda: _("Ne&xt Panel"), partial(self._go_on, 1), at(110), keys=("F6",)),
            ActionSpec(
                *("previous-panel", lambda: _("Previo&us Panel"), partial(self._go_on, -1), at(120)), keys=("Shift+F6",)
            ),
        )

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def _show_source(self, wish: ShowSource) -> None:
        if self._document is None:
            return
        self._panels.bring_source()
        self._document.reveal(wish.path, wish.span)
        if wish.focus:
            self._panels.source.focus_widget.setFocus()

    def _focus_canvas(self) -> None:
        self._close_agent_form()
        self._desk.show_page(self._desk.canvas)
        self._desk.canvas.setFocus()

    def _focus_inspector(self) -> None:
        self._panels.run.right.setCurrentWidget(self._panels.form)
        self._focus(self._panels.inspector, self._panels.form)

    def _focus_source(self) -> None:
        self._panels.bring_source()
        self._panels.source.focus_widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _focus_problems(self) -> None:
        self._focus(self._panels.output, self._panels.problems.focus_widget, self._panels.problems)

    def _focus_run(self) -> None:
        if self._document is not None:
            self._desk.wish(ShowLayout("debug"))
        self._desk.show_output(self._panels.run)
        self._panels.output.raise_()
        self._panels.run.focus_offers()

    def _focus(self, dock: QDockWidget, widget: QWidget, tab: QWidget | None = None) -> None:
        dock.show()
        dock.raise_()
        if tab is not None:
            self._desk.output.setCurrentWidget(tab)
        there = widget if widget.isVisible() and widget.focusPolicy() else self._desk.output.tabBar()
        there.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_on(self, step: int) -> None:
        """Give the keyboard to the next panel in reading order, round the ends; hidden ones are skipped."""
        panels, output = self._panels, self._desk.output
        act_right = (
            "focus-inspector" if panels.form.isVisible() else "focus-run" if panels.run.now.isVisible() else None
        )
        acts: dict[QWidget | None, str] = {panels.problems: "focus-problems"}
        places: list[tuple[QWidget, str | None]] = [
            *((widget, None) for widget in panels.above),
            (panels.side, "focus-project" if self._desk.side.shown == "project" else None),
            (self._desk.canvas, "focus-canvas"),
            (panels.welcome, None),
            (panels.source, "focus-source"),
            (panels.inspector, act_right),
            (panels.output, acts.get(output.currentWidget())),
        ]
        shown = [place for place in places if place[0].isVisible()]
        focused = QApplication.focusWidget()
        if focused is output.tabBar():
            focused = output  # its tabs stand in the bar at the bottom
        at = next((n for n, (place, _act) in enumerate(shown) if focused and _holds(place, focused)), None)
        for away in range(1, len(shown) + 1):
            start = -1 if at is None and step > 0 else at or 0
            place, act = shown[(start + step * away) % len(shown)]
            if act is not None:
                self._desk.actions[act].trigger()
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

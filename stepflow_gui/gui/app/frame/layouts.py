"""The layouts of a window: which panels are open and how large, for editing, for debugging and for a review."""

import base64
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple, Protocol, get_args

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from stepflow_gui.gui.app.frame.drawers import STATE, Drawers
from stepflow_gui.gui.app.frame.switch import Switch
from stepflow_gui.gui.desk import Desk, Feature, LeaveLayout, ShowLayout
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.dock import PanelDock
from stepflow_gui.gui.widgets.frame.middle import VIEWS, View
from stepflow_gui.messages import _

Layout = Literal["edit", "debug", "review"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
_RIGHT: dict[Layout, int] = {"edit": 320, "debug": 400, "review": 420}  # pixels at first
_LEFT: dict[Layout, int] = {"edit": 240, "debug": 240, "review": 280}
_BOTTOM = 262
_MAC = sys.platform == "darwin"  # where Alt writes other signs, and Meta is the Control key
_MOST_HIGH, _MOST_WIDE = 0.45, 0.42  # of the window, that a panel takes at first


class PanelState(NamedTuple):
    """How the panels stand: the docks as Qt writes them down, the view, its share of the room, the side's page."""

    docks: bytes
    view: View
    share: float
    page: str


class DockHolder(Protocol):
    """The parts of a window that a layout places."""

    @property
    def side_dock(self) -> PanelDock: ...
    @property
    def inspector_dock(self) -> PanelDock: ...
    @property
    def bottom_dock(self) -> PanelDock: ...
    @property
    def drawers(self) -> Drawers: ...
    @property
    def canvas_only(self) -> bool: ...
    def leave_canvas_only(self) -> None: ...


class RightPlaces(NamedTuple):
    """The tabs at the right: all but `diff` while something is debugged, else `step`, or `diff` in a review."""

    tabs: QTabWidget
    step: QWidget
    diff: QWidget


class Layouts(QObject, Feature):
    """Turns from one layout to another; each comes back as it was left. They are kept for all agents together.

    `right` is what is shown there, and `run` is what is open at the bottom while something is debugged.
    `turned(name)`: another layout is shown.
    """

    turned = Signal(str)

    def __init__(self, desk: Desk, frame: DockHolder, right: RightPlaces, run: QWidget) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._frame = frame
        self._right = right
        self._run = run
        self.now: Layout = "edit"
        self._before: Layout = "edit"
        self._kept: dict[str, PanelState] = {}
        self._applied: PanelState | None = None
        self.switch = Switch(LAYOUTS)
        self.switch.picked.connect(lambda name: self.turn_to(_layout(name)))
        desk.wish.handle(ShowLayout, lambda wish: self._asked(_layout(wish.layout)))
        desk.wish.handle(LeaveLayout, lambda wish: self._leave(_layout(wish.layout)))
        self._show_right()

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Each layout, and all as they were at first."""
        at = partial(MenuPlace, "layout")
        titles: tuple[tuple[Layout, Callable[[], str], tuple[str, ...]], ...] = (
            ("edit", lambda: _("&Edit"), ("Meta+1" if _MAC else "Alt+1",)),
            ("debug", lambda: _("&Debug"), ("Meta+2" if _MAC else "Alt+2", "Ctrl+Shift+D")),
            ("review", lambda: _("&Review"), ("Meta+3" if _MAC else "Alt+3",)),
        )
        rows = [
            ActionSpec(
                *(f"layout-{name}", title, partial(self.turn_to, name), at(10 * number)),
                keys=keys,
                checked=partial(lambda name: self.now == name, name),
                needs_agent=True,
            )
            for number, (name, title, keys) in enumerate(titles, 1)
        ]
        reset = ActionSpec("layout-reset", lambda: _("Re&set Layout"), self.reset, at(110), needs_agent=True)
        return (*rows, reset)

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none."""
        for button in self.switch.buttons.values():
            button.setEnabled(document is not None)

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._right.tabs.setTabText(self._right.tabs.indexOf(self._right.diff), _("Differences"))
        texts = (_("Edit"), _("Debug"), _("Review"))
        tips = [self._desk.actions[f"layout-{name}"].toolTip() for name in LAYOUTS]
        self.switch.set_texts(_("Layout"), texts, tips)

    # Turning

    def turn_to(self, layout: Layout) -> None:
        """Show another layout as it was left."""
        if layout == self.now:
            self.switch.show_picked(layout)
            return
        if self._frame.canvas_only:
            self._frame.leave_canvas_only()
        left = self.now
        self.keep()
        self.now, self._before = layout, left
        self._show_right()
        self._take(layout)
        comparing = self._desk.actions["versions"]
        self._desk.actions.ask((comparing.objectName(),))
        if comparing.isChecked() != (layout == "review"):
            comparing.trigger()

        self.turned.emit(layout)

    def _asked(self, layout: Layout) -> None:
        """Something happens that a layout is for: a run begins, versions are compared."""
        if layout != "debug" or self._desk.settings.opens("layout"):
            self.turn_to(layout)

    def _leave(self, layout: Layout) -> None:
        if self.now == layout:
            self.turn_to(self._before if self._before != layout else "edit")

    def reset(self) -> None:
        """Have all layouts as they were at first."""
        self._kept = {}
        self._desk.settings.layouts = ""
        self._arrange_first(self.now)

    # Keeping

    def arrangement(self) -> PanelState:
        """How the panels stand now."""
        middle, drawers = self._desk.middle, self._frame.drawers
        docks = drawers.kept if drawers.folded else bytes(self._desk.window.saveState(STATE).data())
        return PanelState(docks, middle.view, middle.share, self._desk.side.current)

    def keep(self, now: PanelState | None = None) -> None:
        """Remember how the panels of the layout stand that is shown, or how they would, for all agents."""
        self._read()
        self._applied = self._kept[self.now] = now or self.arrangement()
        made = {
            name: {**kept._asdict(), "docks": base64.b64encode(kept.docks).decode()}
            for name, kept in self._kept.items()
        }
        self._desk.settings.layouts = json.dumps(made)

    def take(self) -> None:
        """Have the panels stand as the layout that is shown was left last, in whatever tab."""
        self._read()
        if self._kept.get(self.now) != self._applied:
            self._take(self.now)

    @property
    def is_new(self) -> bool:
        """Whether the layout that is shown was never arranged."""
        self._read()
        return self.now not in self._kept

    def put_back(self, wanted: PanelState) -> None:
        """Have the panels stand as they did."""
        if self._frame.drawers.folded:
            self._frame.drawers.kept = wanted.docks
            self._fold_panels()
        else:
            self._desk.window.restoreState(QByteArray(wanted.docks), STATE)
        self._desk.middle.set_share(wanted.share)
        self._desk.middle.show_view(wanted.view)
        self._desk.side.turn_to(wanted.page)

    def arrange_first(self) -> None:
        """Have the panels of the layout that is shown stand as they do at first, in a window of this size."""
        self._arrange_first(self.now)

    def _take(self, layout: Layout) -> None:
        kept = self._kept.get(layout)
        if kept is None:
            self._arrange_first(layout)
        else:
            self.put_back(kept)
        self._applied = kept

    def _arrange_first(self, layout: Layout) -> None:
        frame, window = self._frame, self._desk.window
        wide = window.width()
        self._desk.middle.show_view("flow")
        self._desk.middle.set_share(0.5)
        self._desk.side.turn_to("outline")
        if frame.drawers.folded:
            frame.drawers.kept = b""
            self._fold_panels()
            return
        frame.side_dock.setVisible(layout == "review")
        frame.inspector_dock.show()
        frame.bottom_dock.setVisible(layout == "debug")
        if layout == "debug":
            self._desk.show_output(self._run)
        sides = [frame.side_dock, frame.inspector_dock]
        widths = [min(_LEFT[layout], int(wide * _MOST_WIDE)), min(_RIGHT[layout], int(wide * _MOST_WIDE))]
        window.resizeDocks(sides, widths, Qt.Orientation.Horizontal)
        self._lower_bottom()

    def fold(self, on: bool) -> None:
        """The window has become narrow, or wide: its panels are drawers then, or stand beside the canvas."""
        drawers = self._frame.drawers
        if on == drawers.folded:
            return
        drawers.fold(on)
        if on:
            self._fold_panels()
        elif not drawers.kept:  # this layout was never shown in a wide window
            self._arrange_first(self.now)

    def _fold_panels(self) -> None:
        """What is open in a narrow window: what a run is answered in, while one is debugged."""
        debugging = self.now == "debug"
        self._frame.drawers.close()
        self._frame.inspector_dock.setVisible(debugging)
        self._frame.bottom_dock.setVisible(debugging)
        if debugging:
            self._desk.show_output(self._run)
            self._lower_bottom()

    def _lower_bottom(self) -> None:
        window = self._desk.window
        high = min(_BOTTOM, int(window.height() * _MOST_HIGH))
        window.resizeDocks([self._frame.bottom_dock], [high], Qt.Orientation.Vertical)

    def _show_right(self) -> None:
        debugging, (tabs, step, diff) = self.now == "debug", self._right
        tabs.setTabVisible(tabs.indexOf(diff), self.now == "review")
        tabs.tabBar().setVisible(debugging)
        self._frame.inspector_dock.show_title(self.now == "edit")
        tabs.setCurrentIndex(0 if debugging else tabs.indexOf(diff if self.now == "review" else step))
        self.switch.show_picked(self.now)

    def _read(self) -> None:
        try:
            read = json.loads(self._desk.settings.layouts or "{}")
            kept = {name: _arrangement(read[name]) for name in LAYOUTS if name in read}
        except (ValueError, TypeError, KeyError, AttributeError):
            kept = {}  # written by another version, or by nobody
        self._kept = {name: each for name, each in kept.items() if each is not None}


def _arrangement(value: dict[str, object]) -> PanelState | None:
    docks, view, share, page = (value[name] for name in PanelState._fields)
    if not (isinstance(docks, str) and isinstance(share, float | int) and isinstance(page, str) and view in VIEWS):
        return None
    return PanelState(base64.b64decode(docks), VIEWS[VIEWS.index(view)], float(share), page)


def _layout(name: str) -> Layout:
    return next(layout for layout in LAYOUTS if layout == name)

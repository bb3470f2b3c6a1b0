"""The actions about what is selected on the canvas, and the menus that the selection fills."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.step_terms import NAMED_BY_FLOW, title_of_command
from stepflow_gui.gui.editing.canvas_commands import COMMANDS, CanvasCommand
from stepflow_gui.gui.editing.canvas_editing import CanvasEditing
from stepflow_gui.gui.editing.canvas_menu import CanvasMenu
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace, MenuSpec, Place
from stepflow_gui.messages import _

_RENAMES: tuple[Place, ...] = ("canvas", "outline", "source")


class CanvasActions:
    """`editing` and `menu` give those of the document that is open; None while none is."""

    def __init__(
        self, desk: Desk, editing: Callable[[], CanvasEditing | None], menu: Callable[[], CanvasMenu | None]
    ) -> None:
        self._desk = desk
        self._editing = editing
        self._menu = menu
        self._connect = QMenu(desk.window)
        self._connect.aboutToShow.connect(partial(self._fill, self._connect, CanvasMenu.fill_connect))
        self._add = QMenu(desk.window)
        self._add.aboutToShow.connect(partial(self._fill, self._add, CanvasMenu.fill_add))
        self._conditions = QMenu(desk.window)
        self._conditions.aboutToShow.connect(partial(self._fill, self._conditions, CanvasMenu.fill_conditions))

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """The commands about the selection, connecting, and where runs begin."""
        graph = self._desk.canvas.graph
        return (
            *map(self._row, COMMANDS),
            ActionSpec(
                *("connect", lambda: _("&Connect"), self._open_connect, MenuPlace("flow", 20)),
                keys=("Alt+Enter", "Alt+Return"),
                needs_agent=True,
                fits=lambda: graph.selected is not None or graph.selected_transition is not None,
                where=("canvas",),
                menu=self._connect,
            ),
            ActionSpec(
                *("make-initial", lambda: _("Make &Initial"), self._make_initial, MenuPlace("flow", 210)),
                needs_agent=True,
                fits=lambda: (menu := self._menu()) is not None and menu.initial_change() is not None,
            ),
        )

    def menu_rows(self) -> tuple[MenuSpec, ...]:
        """What can be added to the selected step, and done about the selected transition."""
        return (MenuSpec(self._add, MenuPlace("flow", 220)), MenuSpec(self._conditions, MenuPlace("flow", 230)))

    def retranslate(self) -> None:
        """Name the menus in the language in use."""
        self._add.setTitle(_("A&dd"))
        self._conditions.setTitle(_("C&onditions"))

    def name_for_flow(self) -> None:
        """Give the actions the words of the flow that is open."""
        for action in NAMED_BY_FLOW:
            self._desk.actions.set_title(action, "")

    def _row(self, command: CanvasCommand) -> ActionSpec:
        graph = self._desk.canvas.graph
        places: tuple[Place, ...] = _RENAMES if command.name == "rename" else ("canvas",)
        return ActionSpec(
            command.name,
            lambda: title_of_command(command.name, command.title(), graph.flow),
            partial(self._do, command.name),
            command.place,
            keys=(command.keys,) if command.keys else (),
            needs_agent=True,
            fits=lambda: command.fits(graph),
            where=places,
        )

    def _do(self, name: str) -> None:
        editing = self._editing()
        if editing is not None:
            editing.command(name)

    def _fill(self, menu: QMenu, fill: Callable[[CanvasMenu, QMenu], None]) -> None:
        menu.clear()
        made = self._menu()
        if made is not None:
            fill(made, menu)
        if menu.isEmpty():
            menu.addAction(_("Nothing available for the selection")).setEnabled(False)

    def _open_connect(self) -> None:
        """Open the menu below the selected card."""
        canvas = self._desk.canvas
        item = canvas.graph.step_item(canvas.graph.selected or "")
        ref = canvas.graph.selected_transition
        if item is None and ref is not None:
            item = canvas.graph.step_item(ref.step)
        if item is None:
            self._desk.notices.notice(_("Select what to connect."))
            return
        seen = canvas.viewport_area(QRectF(item.frame)) & canvas.viewport().rect()
        at = seen.bottomLeft() if not seen.isEmpty() else canvas.viewport().rect().center()
        self._connect.popup(canvas.viewport().mapToGlobal(at))
        # The first entry is marked, without its menu, which `setActiveAction` would open as well.
        down = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self._connect, down)

    def _make_initial(self) -> None:
        editing, menu = self._editing(), self._menu()
        change = menu.initial_change() if menu is not None else None
        if editing is not None and change is not None:
            editing.make(change)

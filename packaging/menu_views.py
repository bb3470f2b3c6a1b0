"""Views of the menus and of what a selected step offers, for `window_views.py`."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.widgets.actions import MENUS


def menu_views(step: str) -> dict[str, Callable[[Shell], None]]:
    """Each menu opened, and what is done with a step, by name."""
    return {
        **{f"menu-{menu}": _menu(number, step) for number, (menu, _title) in enumerate(MENUS)},
        "connect": _selected("connect", step),
        "outline-name": _outline_name(step),
        "source-alone": _source_alone(step),
    }


def _menu(number: int, step: str) -> Callable[[Shell], None]:
    """One of the menus of the menu bar, with a step selected."""

    def show(shell: Shell) -> None:
        shell.current.canvas.choose_step(step)
        bar = shell.current.menuBar()
        top = bar.actions()[number]
        menu = top.menu()
        assert isinstance(menu, QMenu)
        menu.popup(bar.mapToGlobal(bar.actionGeometry(top).bottomLeft()))

    return show


def _selected(action: str, step: str) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        shell.current.canvas.choose_step(step)
        shell.current.desk.actions[action].trigger()

    return show


def _outline_name(step: str) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        shell.current.canvas.choose_step(step)
        shell.current.side.show_page("outline")
        shell.current.outline.rename()

    return show


def _source_alone(step: str) -> Callable[[Shell], None]:
    def show(shell: Shell) -> None:
        shell.current.canvas.choose_step(step)
        shell.current.desk.actions["word-wrap"].trigger()
        shell.current.room.show_view("source")

    return show

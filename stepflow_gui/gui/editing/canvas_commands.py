"""What can be done with what is selected on the canvas, declared once: for context menu, menu bar and palette."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.canvas.align import Alignment
from stepflow_gui.gui.canvas.scene import GraphScene
from stepflow_gui.gui.document.step_terms import title_of_command
from stepflow_gui.gui.widgets.actions import MenuPlace
from stepflow_gui.messages import _

SEPARATOR = ""
Do = Callable[[str], object]
Fits = Callable[[GraphScene], bool]


class CanvasCommand(NamedTuple):
    """A command by the name that the canvas's keys have for it; `title` is asked for at use, `place` is in a menu."""

    name: str
    title: Callable[[], str]
    keys: str
    fits: Fits
    place: MenuPlace


def _always(_graph: GraphScene) -> bool:
    return True


def _one(graph: GraphScene) -> bool:
    return graph.selected is not None and not graph.also


def _some(graph: GraphScene) -> bool:
    return graph.selected is not None


def _several(graph: GraphScene) -> bool:
    return graph.selected is not None and bool(graph.also)


def _any(graph: GraphScene) -> bool:
    return graph.selected is not None or graph.selected_transition is not None


_ALIGNING: tuple[tuple[Alignment, Callable[[], str]], ...] = (
    ("left", lambda: _("&Left Edges")),
    ("centre", lambda: _("&Centres")),
    ("right", lambda: _("&Right Edges")),
    ("top", lambda: _("&Top Edges")),
    ("middle", lambda: _("&Middles")),
    ("bottom", lambda: _("&Bottom Edges")),
    ("across", lambda: _("Distribute &Horizontally")),
    ("down", lambda: _("Distribute &Vertically")),
)
ALIGN = "align-"  # before the alignment

COMMANDS = (
    CanvasCommand("cut", lambda: _("Cu&t"), "Ctrl+X", _some, MenuPlace("edit", 110)),
    CanvasCommand("copy", lambda: _("Cop&y"), "Ctrl+C", _some, MenuPlace("edit", 120)),
    CanvasCommand("paste", lambda: _("&Paste"), "Ctrl+V", _always, MenuPlace("edit", 130)),
    CanvasCommand("duplicate", lambda: _("&Duplicate"), "Ctrl+D", _some, MenuPlace("edit", 140)),
    CanvasCommand("remove", lambda: _("D&elete"), "Del", _any, MenuPlace("edit", 150)),
    CanvasCommand("select-all", lambda: _("Select &All"), "Ctrl+A", _always, MenuPlace("edit", 160)),
    CanvasCommand("rename", lambda: _("Rena&me Step…"), "F2", _one, MenuPlace("edit", 310)),
    CanvasCommand("rename-name", lambda: _("Edit Di&splay Name…"), "Shift+F2", _one, MenuPlace("edit", 320)),
    CanvasCommand("new-step", lambda: _("&New Step…"), "Ins", _always, MenuPlace("flow", 10)),
    CanvasCommand(
        "tidy-selection", lambda: _("Auto-layout &Selection"), "Ctrl+Shift+L", _several, MenuPlace("flow", 120)
    ),
    *(
        CanvasCommand(ALIGN + alignment, title, "", _several, MenuPlace("align", 10 + place))
        for place, (alignment, title) in enumerate(_ALIGNING)
    ),
)
_BY_NAME = {command.name: command for command in COMMANDS}


def alignment_of(name: str) -> Alignment | None:
    """How a command aligns; None for one that doesn't."""
    return next((alignment for alignment, _title in _ALIGNING if ALIGN + alignment == name), None)


def add_commands(menu: QMenu, graph: GraphScene, do: Do, names: Sequence[str]) -> None:
    """Put commands into a menu, by name; those that don't fit the selection are off."""
    for name in names:
        if name == SEPARATOR:
            menu.addSeparator()
            continue
        command = _BY_NAME[name]
        title = title_of_command(name, command.title(), graph.flow)
        if not title:
            continue
        action = menu.addAction(f"{title}\t{command.keys}" if command.keys else title)
        action.setEnabled(command.fits(graph))
        action.triggered.connect(partial(_done, do, name))


def add_alignments(menu: QMenu, graph: GraphScene, do: Do) -> None:
    """Add a menu of the possible alignments of steps to a menu."""
    below = menu.addMenu(_("Ali&gn"))
    below.setEnabled(_several(graph))
    add_commands(below, graph, do, [command.name for command in COMMANDS if command.name.startswith(ALIGN)])


def _done(do: Do, name: str, _on: bool = False) -> None:
    do(name)

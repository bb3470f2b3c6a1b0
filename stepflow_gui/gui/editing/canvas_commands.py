"""What can be done with what is selected on the canvas, declared once: for the context menu, menu bar and palette."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtWidgets import QMenu

from stepflow_gui.gui.canvas.align import Alignment
from stepflow_gui.gui.canvas.scene import GraphScene
from stepflow_gui.gui.document.step_terms import title_of_command
from stepflow_gui.messages import _

SEPARATOR = ""
Do = Callable[[str], object]
Fits = Callable[[GraphScene], bool]


class CanvasCommand(NamedTuple):
    """A command by the name that the canvas's keys have for it; `title` is asked for at use."""

    name: str
    title: Callable[[], str]
    keys: str
    fits: Fits


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
    CanvasCommand("new-step", lambda: _("&New Step…"), "Ins", _always),
    CanvasCommand("rename", lambda: _("&Rename Id…"), "F2", _one),
    CanvasCommand("rename-name", lambda: _("Edit the Na&me…"), "", _one),
    CanvasCommand("cut", lambda: _("C&ut"), "Ctrl+X", _some),
    CanvasCommand("copy", lambda: _("&Copy"), "Ctrl+C", _some),
    CanvasCommand("paste", lambda: _("&Paste"), "Ctrl+V", _always),
    CanvasCommand("duplicate", lambda: _("&Duplicate"), "Ctrl+D", _some),
    CanvasCommand("remove", lambda: _("De&lete"), "Del", _any),
    CanvasCommand("select-all", lambda: _("Select &All"), "Ctrl+A", _always),
    CanvasCommand("tidy-selection", lambda: _("&Tidy the Selection"), "Ctrl+Shift+L", _several),
    *(CanvasCommand(ALIGN + alignment, title, "", _several) for alignment, title in _ALIGNING),
)
_BY_NAME = {command.name: command for command in COMMANDS}
_BAR = (
    *("new-step", "rename", "rename-name", SEPARATOR),
    *("cut", "copy", "paste", "duplicate", "remove", "select-all", SEPARATOR, "tidy-selection"),
)


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


def fill_steps_menu(menu: QMenu, graph: GraphScene, do: Do) -> None:
    """The menu bar's menu about the steps on the canvas."""
    menu.clear()
    add_commands(menu, graph, do, _BAR)
    add_alignments(menu, graph, do)


def _done(do: Do, name: str, _on: bool = False) -> None:
    do(name)

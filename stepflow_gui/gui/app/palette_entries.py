"""What the palette offers for a window: its actions, and the steps, files and rules of the agent that is open."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.editing.canvas_commands import ALIGN, COMMANDS
from stepflow_gui.gui.widgets.actions import ACTIONS, plain_title
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.gui.app.window import MainWindow


def entries_of(window: "MainWindow") -> list[PaletteEntry]:
    """All of them, actions first."""
    found = [*_actions(window)]
    if window.document is not None:
        found += [*_commands(window), *_source(window)]
        found += [*_steps(window.document), *_files(window.document), *_rules(window)]
    return found


def _actions(window: "MainWindow") -> Iterator[PaletteEntry]:
    for spec in ACTIONS:
        action = window.actions_[spec.id]
        if spec.id != "palette":
            keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            title = plain_title(spec.title())
            yield PaletteEntry("action", title, "", action.trigger, keys, action.isEnabled())


def _commands(window: "MainWindow") -> Iterator[PaletteEntry]:
    """What keys do on the canvas."""
    editing = window.shown.editing if window.shown is not None else None
    if editing is None:
        return
    graph = window.canvas.graph
    for command in COMMANDS:
        title, fits = plain_title(command.title()), command.fits(graph)
        where = _("canvas")
        if command.name.startswith(ALIGN):
            where = f"{where}, {plain_title(_('Ali&gn'))}"
        yield PaletteEntry("action", title, where, partial(editing.command, command.name), command.keys, fits)


def _source(window: "MainWindow") -> Iterator[PaletteEntry]:
    """What keys do in the source, at the caret."""
    for offer in window.source.assist.commands():
        title = plain_title(offer.title)
        yield PaletteEntry("action", title, offer.against or _("source"), offer.does, offer.keys, not offer.against)


def _steps(document: Document) -> Iterator[PaletteEntry]:
    for step in document.good.flow.steps.values():
        intents = ", ".join(text.value for text in step.gate.intents) if step.gate else ""
        title = "" if step.title == step.id else step.title
        detail = "  ·  ".join(part for part in (title, intents) if part)
        yield PaletteEntry("step", step.id, detail, partial(document.select, step.id, "link"))


def _files(document: Document) -> Iterator[PaletteEntry]:
    folder = document.folder
    for path in agent_files(document):
        below = path.parent.relative_to(folder.root) if path.is_relative_to(folder.root) else path.parent
        where = str(below)
        yield PaletteEntry("file", path.name, "" if where == "." else where, partial(document.reveal, path, Span(0, 0)))


def _rules(window: "MainWindow") -> Iterator[PaletteEntry]:
    from stepflow_gui.lint.rules.table import MODULES, name_of

    for code in MODULES:
        yield PaletteEntry("rule", code, name_of(code), partial(window.problems.show_rule, code))

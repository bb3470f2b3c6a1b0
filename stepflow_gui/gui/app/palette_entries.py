"""What the palette offers for a window: its actions, and the steps, files and rules of the agent that is open."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.step_terms import has_movements
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import SUBMENUS, Actions, plain_title, shown_keys
from stepflow_gui.gui.widgets.palette_matching import Kind, PaletteEntry
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span


class PaletteSources(NamedTuple):
    """What the palette is filled from. No document while no agent is open."""

    actions: Actions
    document: Document | None
    source: SourcePanel
    problems: ProblemsPanel


def entries_of(sources: PaletteSources) -> list[PaletteEntry]:
    """All of them, actions first."""
    found = [*_actions(sources.actions)]
    document = sources.document
    if document is not None:
        found += [*_source(sources.source)]
        found += [*_steps(document), *_files(document), *_rules(sources.problems)]
    return found


def _actions(actions: Actions) -> Iterator[PaletteEntry]:
    for spec in actions.specs:
        action, title = actions[spec.id], plain_title(spec.title())
        if spec.id != "palette" and title:
            below = SUBMENUS.get(spec.place.menu) if spec.place is not None else None
            where = plain_title(below[1]()) if below is not None else ""
            keys = action.shortcut().toString()
            fits = actions.fits(spec.id)
            yield PaletteEntry("action", title, where, action.trigger, shown_keys(action.shortcut()), fits, keys)


def _source(source: SourcePanel) -> Iterator[PaletteEntry]:
    """What keys do in the source alone, at the caret."""
    for offer in source.assist.commands():
        title = plain_title(offer.title)
        yield PaletteEntry("action", title, offer.against or _("source"), offer.does, offer.keys, not offer.against)


def _steps(document: Document) -> Iterator[PaletteEntry]:
    kind: Kind = "movement" if has_movements(document.last_valid.flow) else "step"
    for step in document.last_valid.flow.steps.values():
        intents = ", ".join(text.value for text in step.gate.intents) if step.gate else ""
        title = "" if step.title == step.id else step.title
        detail = "  ·  ".join(part for part in (title, intents) if part)
        yield PaletteEntry(kind, step.id, detail, partial(document.select, step.id, "link"))


def _files(document: Document) -> Iterator[PaletteEntry]:
    folder = document.folder
    for path in agent_files(document):
        below = path.parent.relative_to(folder.root) if path.is_relative_to(folder.root) else path.parent
        where = str(below)
        yield PaletteEntry("file", path.name, "" if where == "." else where, partial(document.reveal, path, Span(0, 0)))


def _rules(problems: ProblemsPanel) -> Iterator[PaletteEntry]:
    from stepflow_gui.lint.rules.table import MODULES, name_of

    for code in MODULES:
        yield PaletteEntry("rule", code, name_of(code), partial(problems.show_rule, code))

"""What the palette offers for a window: its actions and settings, and what the agent that is open is made of."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from stepflow_gui.gui.app.preferences.choices import setting_names
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.desk import Desk, ShowSource, Wish
from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.step_terms import has_movements
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import SUBMENUS, Actions, plain_title, shown_keys
from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.palette_matching import Kind, PaletteEntry
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span


class PaletteSources(NamedTuple):
    """What the palette is filled from. No document while no agent is open; `show_setting` takes a setting's name."""

    desk: Desk
    document: Document | None
    source: SourcePanel
    problems: ProblemsPanel
    show_setting: Callable[[str], object]


def entries_of(sources: PaletteSources) -> list[PaletteEntry]:
    """All of them, actions first."""
    found = [*_actions(sources.desk.actions), *_settings(sources.show_setting)]
    document = sources.document
    if document is not None:
        found += [*_source(sources.source)]
        found += [*_steps(document), *_transitions(document, sources.desk.canvas)]
        found += [*_files(document, sources.desk.wish), *_rules(sources.problems)]
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


def _settings(show: Callable[[str], object]) -> Iterator[PaletteEntry]:
    for title, about in setting_names():
        yield PaletteEntry("setting", title, about, partial(show, title))


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


def _transitions(document: Document, canvas: GraphView) -> Iterator[PaletteEntry]:
    """Those that the file has."""
    for step in document.last_valid.flow.steps.values():
        for rule in step.transitions:
            if rule.implied:
                continue
            targets = [rule.target.value] if rule.target is not None else [rule.end] if rule.end else []
            targets += dict.fromkeys(case.target.value for case in rule.cases if case.target is not None)
            if rule.stays:
                targets = [step.id]
            detail = f"{step.id} → {_(', ').join(targets)}" if targets else step.id
            case = rule.cases[0].value if rule.cases else None
            show = partial(_show_transition, document, canvas, TransitionRef(step.id, rule.intent, case))
            yield PaletteEntry("transition", one_line(rule.as_written), detail, show)


def _show_transition(document: Document, canvas: GraphView, ref: TransitionRef) -> None:
    """Select it, or where no line is drawn for it the step that has it."""
    document.select(ref.step, "link")
    if canvas.graph.edge_item(ref) is not None:
        canvas.choose_transition(ref)


def _files(document: Document, wish: Callable[[Wish], object]) -> Iterator[PaletteEntry]:
    folder = document.folder
    for path in agent_files(document):
        below = path.parent.relative_to(folder.root) if path.is_relative_to(folder.root) else path.parent
        where = str(below)
        show = partial(wish, ShowSource(path, Span(0, 0), focus=True))
        yield PaletteEntry("file", path.name, "" if where == "." else where, show)


def _rules(problems: ProblemsPanel) -> Iterator[PaletteEntry]:
    from stepflow_gui.lint.rules.table import MODULES, name_of

    for code in MODULES:
        yield PaletteEntry("rule", code, name_of(code), partial(problems.show_rule, code))

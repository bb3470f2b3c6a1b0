"""How the steps of the open document are grouped on the canvas: chosen, manual, folded; kept for next time."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.groups.grouping import BY, By, grouped, usual_grouping
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.document.step_places import StepPlaces
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.menu_text import add_heading
from stepflow_gui.messages import _

_MOST = 100  # agents of which it is kept
_MOST_FOLDED = 500  # groups of one agent
ORIGIN = "canvas"


class StepGroups:
    """The grouping of the document that is open; what of it is chosen or folded is not part of the document."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document: Document | None = None
        self._places: StepPlaces | None = None

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """What the steps are grouped by, grouping the selected ones, folding and unfolding."""
        graph, folding = self._desk.canvas.graph, self._desk.canvas.folding
        ways = (
            ActionSpec(
                *(f"group-by-{by}", partial(self._title, by), partial(self.choose, by)),
                place=MenuPlace("group-by", 10 + number),
                checked=partial(self._is, by),
                fits=partial(self._can, by),
            )
            for number, by in enumerate(BY)
        )
        rows = (
            *ways,
            ActionSpec(
                *("group-selection", lambda: _("Group Sel&ection…"), self.ask_name, MenuPlace("flow", 140)),
                keys=("Ctrl+Alt+G",),
                where=("canvas",),
                fits=lambda: graph.selected is not None,
            ),
            ActionSpec(
                *("fold", lambda: _("Fo&ld"), partial(self.fold, on=True), MenuPlace("flow", 150)),
                keys=("Ctrl+Shift+[",),
                where=("canvas",),
                fits=lambda: folding.by != "none",
            ),
            ActionSpec(
                *("unfold", lambda: _("&Unfold"), partial(self.fold, on=False), MenuPlace("flow", 160)),
                keys=("Ctrl+Shift+]",),
                where=("canvas",),
                fits=lambda: folding.by != "none",
            ),
            ActionSpec(
                *("rename-group", lambda: _("Rename Group…"), self._ask_new_name, MenuPlace("flow", 170)),
                fits=self._has_own,
            ),
            ActionSpec("ungroup", lambda: _("Ungroup"), self._ungroup, MenuPlace("flow", 180), fits=self._has_own),
        )
        return tuple(row._replace(needs_agent=True) for row in rows)

    def open(self, document: Document, places: StepPlaces) -> None:
        """Group the steps of a document as the person left it, else as it is usual."""
        self._document, self._places = document, places
        folding = self._desk.canvas.folding
        by, folds = _kept(self._desk.settings, document)
        folding.set_grouping(by or usual_grouping(document.last_valid.flow), places.groups(), folds)
        folding.changed = self._keep

    def close(self) -> None:
        """No document is open any more."""
        if self._document is not None:
            self._desk.canvas.folding.changed = lambda: None
        self._document = self._places = None

    def choose(self, by: By) -> None:
        """Group by that; the groups of a large flow begin folded."""
        if self._document is None or self._places is None:
            return
        folding, canvas = self._desk.canvas.folding, self._desk.canvas
        large = usual_grouping(self._document.last_valid.flow) != "none"
        folding.set_grouping(by, self._places.groups(), None if large and by != "hand" else ())
        canvas.show_again()
        canvas.fit()
        self._keep()

    def fold(self, *, on: bool) -> None:
        """Fold or unfold the group that is selected, or those of the selected steps; without any all of them."""
        graph, folding = self._desk.canvas.graph, self._desk.canvas.folding
        ref = graph.selected_transition
        steps = [*graph.selected_steps, *filter(None, (graph.selected, ref.step if ref is not None else None))]
        chosen = [graph.groups.selected] if graph.groups.selected is not None else folding.groups_of(steps)
        keys = chosen or folding.keys
        folding.fold(keys, on=on)
        if len(keys) == 1:
            self._desk.canvas.choose_group(keys[0])

    def ask_name(self) -> None:
        """Ask for the name of a group of the selected steps."""
        from stepflow_gui.gui.editing.new_step_popup import ask_name

        steps = self._desk.canvas.graph.selected_steps
        if not steps or self._is_stale():
            return
        canvas = self._desk.canvas
        frame = canvas.camera.selected_frame()
        seen = canvas.viewport_area(frame) & canvas.viewport().rect() if frame is not None else canvas.viewport().rect()
        at = canvas.viewport().mapToGlobal(
            seen.bottomLeft() if not seen.isEmpty() else canvas.viewport().rect().center()
        )
        ask_name(canvas, at, _("Group the selection"), partial(self.make, steps))

    def make(self, steps: Sequence[str], name: str) -> None:
        """Make a group of steps, which leave the groups that they were in; the canvas then shows manual groups."""
        if self._places is None:
            return
        groups = {
            other: [step for step in listed if step not in steps] for other, listed in self._places.groups().items()
        }
        groups[name] = [*groups.get(name, ()), *steps]
        if not self._write(groups, _("Group “{name}”").format(name=name)):
            return
        folding = self._desk.canvas.folding
        if folding.by != "hand":
            folding.set_grouping("hand", self._places.groups(), ())
            self._desk.canvas.show_again()
            self._keep()

    def rename(self, name: str, new: str) -> None:
        """Rename a manual group."""
        if self._places is None or name == new:
            return
        groups = self._places.groups()
        steps = groups.pop(name, ())
        groups[new] = (*groups.get(new, ()), *steps)
        folding = self._desk.canvas.folding
        if self._write(groups, _("Rename group “{name}”").format(name=name)) and f"hand {name}" in folding.folds:
            folding.fold([f"hand {new}"], on=True)

    def remove(self, name: str) -> None:
        """Remove a manual group; its steps stay."""
        if self._places is not None:
            groups = {other: steps for other, steps in self._places.groups().items() if other != name}
            self._write(groups, _("Ungroup “{name}”").format(name=name))

    def _has_own(self) -> bool:
        """Whether a manual group is selected."""
        return self._desk.canvas.folding.by == "hand" and self._selected_name is not None

    @property
    def _selected_name(self) -> str | None:
        groups = self._desk.canvas.graph.groups
        return groups.cards[groups.selected].group.name if groups.selected is not None else None

    def _ungroup(self) -> None:
        if self._has_own() and (name := self._selected_name) is not None:
            self.remove(name)

    def fill_menu(self, menu: QMenu, key: str) -> None:
        """What can be done with a group."""
        canvas, folding = self._desk.canvas, self._desk.canvas.folding
        name = canvas.graph.groups.cards[key].group.name
        add_heading(menu, name)
        entries: list[tuple[str, Callable[[], object]]] = [
            (_("&Unfold") if folding.is_folded(key) else _("&Fold"), partial(folding.toggle, key)),
            (_("F&old All"), partial(folding.fold, folding.keys, on=True)),
            (_("U&nfold All"), partial(folding.fold, folding.keys, on=False)),
            (_("&Zoom to Group"), canvas.camera.zoom_to_selection),
        ]
        if folding.by == "hand":
            entries += [
                (_("&Rename Group…"), self._ask_new_name),
                (_("Un&group"), self._ungroup),
            ]
        for title, act in entries:
            menu.addAction(title).triggered.connect(lambda _on=False, act=act: act())

    def _ask_new_name(self) -> None:
        from stepflow_gui.gui.widgets.ask_popup import AskPopup

        canvas, name = self._desk.canvas, self._selected_name
        if name is None or not self._has_own():
            return
        frame = canvas.camera.selected_frame()
        popup = AskPopup(canvas, _("Rename the group"), _("Name"), name)
        popup.answered.connect(partial(self.rename, name))
        at = canvas.viewport_area(frame).bottomLeft() if frame is not None else canvas.viewport().rect().center()
        popup.open_at(canvas.viewport().mapToGlobal(at))

    def _write(self, groups: Mapping[str, Sequence[str]], title: str) -> bool:
        assert self._document is not None
        assert self._places is not None
        if self._is_stale():
            return False
        edits = self._places.with_groups({name: steps for name, steps in groups.items() if steps})
        if isinstance(edits, Refusal):
            self._desk.notices.notice(edits.reason)
            return False
        if edits and self._document.apply(edits, title, ORIGIN) is None:
            self._desk.notices.done(title)
            return True
        return False

    def _is_stale(self) -> bool:
        stale = self._document is None or self._document.text_broken
        if stale:
            self._desk.notices.notice(_("Fix the syntax error first."))
        return stale

    def follow_file(self) -> None:
        """The layout file may have other groups now, also by undo."""
        if self._document is None or self._places is None:
            return
        folding, made = self._desk.canvas.folding, self._places.groups()
        if made != folding.made:
            folding.set_grouping(folding.by, made, folding.folds)
            if folding.by == "hand" and self._document.parsed:  # else the flow is about to be shown anyway
                self._desk.canvas.show_again()
                group, groups = self._document.selection.group, self._desk.canvas.graph.groups
                if group is not None and group.key not in groups.cards:
                    self._desk.canvas.choose_step(None)

    def _is(self, by: By) -> bool:
        return self._desk.canvas.folding.by == by

    def _can(self, by: By) -> bool:
        if self._document is None or self._places is None:
            return False
        return by == "none" or bool(grouped(self._document.last_valid.flow, by, self._places.groups()))

    def _title(self, by: By) -> str:
        flow = self._desk.canvas.graph.flow
        titles = {
            "none": _("&No Groups"),
            "entry": _("&Entry"),
            "topic": _("&Persona") if flow is not None and flow.format == "takt" else _("&Topic"),
            "stage": _("&Stage"),
            "parts": _("E&qual Parts"),
            "hand": _("&Custom Groups"),
        }
        return titles[by]

    def _keep(self) -> None:
        if self._document is not None:
            folding = self._desk.canvas.folding
            _keep(self._desk.settings, self._document, folding.by, folding.folds)


def _kept(settings: Settings, document: Document) -> tuple[By | None, list[str] | None]:
    """What the person grouped the document by, and the keys of folded groups; None for what nobody chose."""
    kept = _agents(settings).get(_place(document))
    if not isinstance(kept, dict):
        return None, None
    folds = kept.get("folds")
    by = next((by for by in BY if by == kept.get("by")), None)
    return by, [key for key in folds if isinstance(key, str)] if isinstance(folds, list) else []


def _keep(settings: Settings, document: Document, by: By, folds: frozenset[str]) -> None:
    agents = _agents(settings)
    agents.pop(_place(document), None)
    agents[_place(document)] = {"by": by, "folds": sorted(folds)[:_MOST_FOLDED]}
    settings.groupings = json.dumps(dict(list(agents.items())[-_MOST:]), ensure_ascii=False)


def _agents(settings: Settings) -> dict[str, object]:
    """What is kept by the registry's path, the last changed last; nothing where it can't be read."""
    try:
        found = json.loads(settings.groupings)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _place(document: Document) -> str:
    return str(document.path.absolute())

"""Going to anything by its name: the palette and its box, and finding one step after the other."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint

from stepflow_gui.gui.app.anywhere.box import SearchBox
from stepflow_gui.gui.desk import Desk, Fact, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.step_terms import has_movements
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace, shown_keys
from stepflow_gui.gui.widgets.palette_matching import Kind, PaletteEntry
from stepflow_gui.gui.widgets.palette_popup import PaletteKind, PalettePopup
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_MOST_USED = 8
_STEPS: frozenset[Kind] = frozenset({"step", "movement"})
_OF_FLOW: frozenset[Kind] = _STEPS | {"transition"}


class Anywhere(Feature):
    """Offers what `entries` gives: all of it below the box, actions first by the palette's keys, of the flow to find.

    What was typed when a step was chosen is what the next and the previous one are found by.
    """

    facts = frozenset[Fact]({"flow"})

    def __init__(self, desk: Desk, box: SearchBox, entries: Callable[[], list[PaletteEntry]]) -> None:
        self._desk = desk
        self._box = box
        self._entries = entries
        self._document: Document | None = None
        self._used: list[tuple[str, str]] = []  # kinds and titles of what was chosen, the last first
        self._wanted = ""  # what was looked for last
        self._shown_movements = False
        box.clicked.connect(self.open_places)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go to anything, the palette, find."""
        row, at = ActionSpec, partial(MenuPlace, "edit")
        find = (
            row("find", lambda: _("&Find…"), partial(self._open, "find"), at(210), keys=("Ctrl+F",)),
            row("find-next", lambda: _("Find Ne&xt"), partial(self._find, 1), at(230), keys=("F3",)),
            row("find-previous", lambda: _("Find Pre&vious"), partial(self._find, -1), at(240), keys=("Shift+F3",)),
        )
        return (
            *(each._replace(needs_agent=True) for each in find),
            row(
                *("go-anywhere", lambda: _("&Go to Anything…"), self.open_places, at(430), "search"),
                keys=("Ctrl+P",),
                also=(("canvas", "Ctrl+G"), ("outline", "Ctrl+G")),
            ),
            row(
                *("palette", lambda: _("&Command Palette…"), self.open_palette, at(450)),
                keys=("Ctrl+K", "Ctrl+Shift+P"),
            ),
        )

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none."""
        self._document = document
        self.retranslate()

    def refresh(self, changed: frozenset[Fact]) -> None:
        """What steps are called depends on the flow."""
        del changed  # it is the flow
        if self._has_movements() != self._shown_movements:
            self.retranslate()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._shown_movements = self._has_movements()
        keys = shown_keys(self._desk.actions["go-anywhere"].shortcut())
        self._box.show_texts(keys, movements=self._shown_movements)

    def _has_movements(self) -> bool:
        return self._document is not None and has_movements(self._document.last_valid.flow)

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self._box.set_theme(theme)

    def forget(self) -> None:
        """Nothing was looked for or chosen yet."""
        self._used, self._wanted = [], ""

    def open_palette(self) -> None:
        """Open the command palette."""
        self._open("actions")

    def open_places(self) -> None:
        """Open it with what can be gone to: steps, files and rules. A “>” before the text finds actions."""
        self._open("places")

    def _open(self, kind: PaletteKind) -> None:
        entries = self._entries()
        if kind == "find":
            entries = [entry for entry in entries if entry.kind in _OF_FLOW]
        used = {mark: at for at, mark in enumerate(self._used)}
        entries.sort(key=lambda entry: used.get((entry.kind, entry.title), len(used)))  # what was chosen last first
        popup = PalettePopup(self._desk.window, self._desk.theme(), entries, kind)
        popup.picked.connect(self._note_used)
        box = self._box
        popup.open_over(self._desk.window, box.mapToGlobal(QPoint(box.width() // 2, 0)) if box.isVisible() else None)

    def _note_used(self, entry: PaletteEntry, typed: str) -> None:
        if entry.kind in _OF_FLOW:
            self._wanted = typed
        mark = (entry.kind, entry.title)
        self._used = [mark, *(each for each in self._used if each != mark)][:_MOST_USED]

    def _find(self, by: int) -> None:
        """Go to the next (1) or previous (-1) step that what was looked for last means, round the ends."""
        words, document = self._wanted.casefold().split(), self._document
        steps = [entry for entry in self._entries() if entry.kind in _STEPS] if words else []
        found = [each for each in steps if all(word in f"{each.title} {each.detail}".casefold() for word in words)]
        if not found or document is None:
            self._open("find")
            return
        names = [each.title for each in found]
        at = names.index(document.selected_step) + by if document.selected_step in names else min(by, 0)
        found[at % len(found)].act()

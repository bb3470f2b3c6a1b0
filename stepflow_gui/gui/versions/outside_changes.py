"""What other programs do to the files that are open, and what a program that died had not saved."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QDateTime, QLocale

from stepflow_gui import messages
from stepflow_gui.gui.canvas.layers.change_layer import ChangeLayer, Shown
from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.recovery import Recovery
from stepflow_gui.gui.document.save_errors import SAVING
from stepflow_gui.gui.document.three_way_merge import ThreeWayMerge, Undecided
from stepflow_gui.gui.versions.file_status import FileStatus
from stepflow_gui.gui.widgets.file_names import names_of
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.journal import Unsaved
from stepflow_gui.text.json.reader import read_json
from stepflow_gui.text.merge import Side
from stepflow_gui.text.source import Source, Span

if TYPE_CHECKING:
    from stepflow_gui.gui.versions.conflicts import ConflictsPanel

_DISK = "disk"  # what the banner is about
_JOURNAL = "journal"


class DocumentOpener(Protocol):
    """Who opens and reads agents again."""

    def open(self, path: Path) -> bool: ...
    def reload(self) -> None: ...
    def show_title(self) -> None: ...


class OutsideChanges(Feature):
    """One for a window, whichever agent is open in it."""

    def __init__(self, desk: Desk, recovery: Recovery | None, files: DocumentOpener) -> None:
        self._desk = desk
        self._files = files
        self._recovery = recovery
        self._document: Document | None = None
        self._merging: ThreeWayMerge | None = None
        self._lost: set[Path | None] = set()  # entries of the journal whose files can't be read
        self._noticed: tuple[Path, bool] | None = None  # a change on disk, and whether anything was unsaved here
        self._panel = LazyWidget(self._make_panel)
        self._panel.setParent(desk.window)  # until there are conflicts it stands nowhere
        self._panel.hide()
        self._layer = ChangeLayer(desk.canvas.graph)
        self.signs = FileStatus(desk, recovery.marks if recovery is not None else None, files.show_title)
        if recovery is not None:
            recovery.failed.connect(self._journal_failed)

    @property
    def conflicts(self) -> "LazyWidget[ConflictsPanel]":
        """The list of conflicts; it is in the window only while there are some."""
        return self._panel

    def set_document(self, document: Document | None) -> None:
        """Look after another agent, or none."""
        if self._document is not None:
            self._document.disk_changed.disconnect(self.disk_changed)
            self._document.saved.disconnect(self._saved)
            self._document.text_changed.disconnect(self._changed_here)
            self._document.flow_changed.disconnect(self.mark)
            if self._recovery is not None:
                self._recovery.leave(self._document)
        self._document = document
        self._merging = None
        self._show_conflicts()
        self.signs.set_document(document)
        if document is None:
            return
        document.disk_changed.connect(self.disk_changed)
        document.saved.connect(self._saved)
        document.text_changed.connect(self._changed_here)
        document.flow_changed.connect(self.mark)
        if self._recovery is not None:
            self._recovery.follow(document)
            self._offer_more()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._panel.if_built(lambda panel: panel.retranslate())
        self.signs.retranslate()
        at = self._desk.output.indexOf(self._panel)
        if at >= 0:
            self._desk.output.setTabText(at, self._title())

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.signs.set_theme(theme)
        self.mark()

    # Changed on disk

    def disk_changed(self, path: Path) -> None:
        """Another program changed a file that is open here."""
        if self._document is None:
            return
        if not any(text.changed_outside for text in self._document.texts):
            self._desk.notices.settle(_DISK)  # it was changed back
            return
        offers: list[tuple[str, Callable[[], object]]] = [(_("Keep My Version"), self.keep_mine)]
        if not path.exists():
            text = _("“{file}” was removed from the disk.")
        else:
            text = _("“{file}” changed on disk.")
            offers.insert(0, (_("Reload from Disk"), self._files.reload))
            if self._document.unsaved:
                offers.insert(0, (_("Merge"), self.merge))
        self._noticed = (path, self._document.unsaved)
        self._desk.notices.show("warning", text.format(file=path.name), offers, about=_DISK)

    def _changed_here(self, *_of_what: object) -> None:
        # What is offered follows: there may be something to merge now, or nothing any more.
        if self._document is None or self._noticed is None or not self._desk.notices.is_about(_DISK):
            return
        path, unsaved = self._noticed
        if unsaved != self._document.unsaved:
            self.disk_changed(path)

    def _saved(self) -> None:
        for about in (SAVING, _JOURNAL, _DISK):
            self._desk.notices.settle(about)

    def keep_mine(self) -> None:
        """The texts are wanted as they are."""
        if self._document is not None:
            self._document.keep_mine()
        self._desk.notices.clear()

    def merge(self) -> bool:
        """Take in what other programs wrote. Whether nothing is left to be decided."""
        if self._document is None:
            return False
        merging = self._begin(self._document)
        problem = merging.with_disk()
        if problem is not None:
            self._desk.notices.show("error", describe(problem))
            return False
        self._desk.notices.clear()
        return self._report(_("Merged with the file on disk"))

    # Never saved

    def offer_left(self) -> None:
        """Where nothing is open: offer to open what a program that died had not saved, the newest first."""
        left = self._left() if self._document is None else []
        if not left:
            return
        newest = max(left, key=lambda unsaved: unsaved.when)
        self._offer([unsaved for unsaved in left if unsaved.opened == newest.opened])

    def _offer_more(self) -> None:
        """What a program left that had ended before."""
        if self._document is None:
            self.offer_left()
        elif left := self._left(self._document.path):
            self._offer(left)

    def _left(self, opened: Path | None = None) -> list[Unsaved]:
        found = self._recovery.left(opened) if self._recovery is not None else []
        return [unsaved for unsaved in found if unsaved.entry not in self._lost]

    def _offer(self, every: Sequence[Unsaved]) -> None:
        left = _of_newest(every)
        opened = left[0].opened or left[0].path
        when = QDateTime.fromSecsSinceEpoch(int(max(unsaved.when for unsaved in left)))
        shown = QLocale(messages.language()).toString(when, QLocale.FormatType.ShortFormat)
        names = ", ".join(names_of(unsaved.path for unsaved in left).values())
        text = _(
            "Stepflow ended before your changes in “{folder}” were saved ({files}; {time}). They were backed up."
        ).format(folder=opened.parent.name, files=names, time=shown)
        offers = [
            (_("Recover"), lambda: self._recover(opened, left)),
            (_("Discard"), lambda: self._discard(left)),
        ]
        self._desk.notices.show("warning", text, offers)
        self._desk.notices.take_focus()  # nothing matters more now

    def _recover(self, opened: Path, left: Sequence[Unsaved]) -> None:
        if self._recovery is None:
            return
        if (self._document is None or not _same(self._document.path, opened)) and not self._files.open(opened):
            return
        assert self._document is not None
        lost = self._begin(self._document).with_unsaved(left)
        self._desk.notices.clear()
        self._recovery.discard([unsaved for unsaved in left if unsaved.path not in lost])
        self._report(_("Changes recovered; not saved yet"))
        if not lost:
            self._offer_more()
            return
        self._lost |= {unsaved.entry for unsaved in left if unsaved.path in lost}
        text = _("“{file}” can't be read here, so its changes are still kept.")
        offers = [(_("Other Changes…"), self._offer_more)] if self._left(opened) else []
        self._desk.notices.show("error", text.format(file=", ".join(path.name for path in lost)), offers)

    def _discard(self, left: Sequence[Unsaved]) -> None:
        if self._recovery is not None:
            self._recovery.discard(left)
        self._desk.notices.clear()
        self._offer_more()

    def _journal_failed(self, reason: str) -> None:
        text = _("Unsaved changes can't be backed up for crash recovery ({reason}). Save often.")
        self._desk.notices.show("warning", text.format(reason=reason), about=_JOURNAL)

    # Conflicts

    def _begin(self, document: Document) -> ThreeWayMerge:
        self._merging = ThreeWayMerge(document)
        self._merging.changed.connect(self._show_conflicts)
        return self._merging

    def _report(self, done: str) -> bool:
        conflicts = self._merging.conflicts if self._merging is not None else []
        if conflicts:
            self._desk.show_output(self._panel)
            done += "  ·  " + ngettext("{count} conflict", "{count} conflicts", len(conflicts)).format(
                count=len(conflicts)
            )
        self._desk.notices.done(done)
        return not conflicts

    def mark(self) -> None:
        """Mark the steps on the canvas in which there are conflicts."""
        steps: dict[str, Shown] = {}
        for undecided in self._merging.conflicts if self._merging is not None else []:
            step = self._step_of(undecided)
            if step is not None:
                steps[step] = "conflict"
        self._layer.show(steps, {}, self._desk.canvas.graph.pens)

    def _step_of(self, undecided: Undecided) -> str | None:
        pointer = undecided.conflict.pointer
        if self._document is None or pointer is None or undecided.path != self._document.path:
            return None
        steps = self._document.last_valid.flow.steps.values()
        return next((step.id for step in steps if f"{pointer}/".startswith(f"{step.pointer}/")), None)

    def _show_conflicts(self) -> None:
        self.mark()
        conflicts = self._merging.conflicts if self._merging is not None else []
        output = self._desk.output
        at = output.indexOf(self._panel)
        if not conflicts:
            if at >= 0:
                output.removeTab(at)
            self._panel.hide()
            return
        self._panel.widget.show_conflicts(conflicts)
        if at < 0:
            output.addTab(self._panel, self._title())

    def _make_panel(self) -> "ConflictsPanel":
        from stepflow_gui.gui.versions.conflicts import ConflictsPanel  # rarely needed

        panel = ConflictsPanel()
        panel.chosen.connect(self._choose)
        panel.picked.connect(self._reveal)
        panel.finished.connect(self._finish)
        return panel

    def _title(self) -> str:
        return _("Conflicts")

    def _choose(self, undecided: Undecided, side: Side) -> None:
        if self._merging is not None:
            self._merging.choose(undecided, side)

    def _finish(self) -> None:
        if self._merging is not None:
            self._merging.finish()
        self._desk.canvas.setFocus()

    def _reveal(self, undecided: Undecided) -> None:
        document, conflict = self._document, undecided.conflict
        source = document.source(undecided.path) if document is not None else None
        if document is None or not isinstance(source, Source):
            return
        if conflict.pointer is None:
            offset = source.offset(int(conflict.place.rpartition(" ")[2]), 1)
            document.reveal(undecided.path, Span(offset, offset))
            return
        tree = read_json(source)
        pointer = conflict.pointer
        while tree.at(pointer) is None and pointer:
            pointer = pointer.rpartition("/")[0]
        span = tree.key_span(pointer) or Span(0, 0)
        step = document.step_at(span.start) if undecided.path == document.path else None
        if step is not None:
            document.select(step, "conflicts")
        document.reveal(undecided.path, span)  # last: the step's own place was shown just now


def _of_newest(left: Sequence[Unsaved]) -> list[Unsaved]:
    """The texts of the program that ended last: those of two that ended one after the other are never mixed."""
    kept_in = _folder_of(max(left, key=lambda unsaved: unsaved.when))
    return [unsaved for unsaved in left if _folder_of(unsaved) == kept_in]


def _folder_of(unsaved: Unsaved) -> Path | None:
    return unsaved.entry.parent if unsaved.entry is not None else None


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)

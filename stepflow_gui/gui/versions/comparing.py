"""Comparing the agent that is open with what is saved, with a git revision, or with another file."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QBoxLayout

from stepflow_gui.gui.desk import Desk, Feature, LeaveLayout, ShowLayout
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.source.shortcuts import add_shortcuts
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder

if TYPE_CHECKING:
    from stepflow_gui.flow.comparison.both import BothFlows
    from stepflow_gui.flow.comparison.flows import EntryChange
    from stepflow_gui.gui.problems.fix_preview import FilePreview
    from stepflow_gui.gui.versions.panel import Difference, VersionsPage
    from stepflow_gui.project.comparison import AgentComparison

SAVED, HEAD, REVISION, OTHER = "saved", "head", "revision", "other"
PAGE = "changes"  # of the side panel
_PAUSE = 300  # milliseconds after a change until it is compared again


class Base(NamedTuple):
    """What to compare with: one of the kinds above, with a revision's name or a file's path."""

    kind: str
    name: str = ""


class ComparisonResult(NamedTuple):
    """What came of it: the lines to show, or why there are none."""

    number: int
    trouble: str = ""
    both: "BothFlows | None" = None
    differences: "tuple[Difference, ...]" = ()
    texts: "tuple[FilePreview, ...]" = ()
    summary: str = ""


class Versions(QObject, Feature):
    """One for a window. The page takes the canvas's place while versions are compared; `place` holds their texts."""

    def __init__(self, desk: Desk, place: QBoxLayout) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._place = place
        self._document: Document | None = None
        self._base = Base(HEAD)
        self._chosen = False  # whether the person chose that
        self._number = 0  # of the last question
        self._shown = False  # whether an answer to the base chosen now is shown
        self._worker: ThreadPoolExecutor | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PAUSE)
        self._soon.timeout.connect(self.compare)
        self.page: VersionsPage | None = None
        self._inbox = Inbox(self, self._show)
        desk.pages.currentChanged.connect(self._page_changed)

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Compare with another version."""
        changes = ActionSpec("show-changes", lambda: _("C&hanges"), self.show_list, MenuPlace("focus", 90))
        row = ActionSpec("versions", lambda: _("Compare V&ersions"), self.toggle, MenuPlace("view", 520))
        rows = (row._replace(keys=("Ctrl+Shift+G",), checked=lambda: self.is_open), changes)
        return tuple(each._replace(needs_agent=True) for each in rows)

    @property
    def is_open(self) -> bool:
        """Whether versions are being compared."""
        return self.page is not None and self.page.isVisibleTo(self._desk.window)

    def set_document(self, document: Document | None) -> None:
        """Compare another agent, or none: the page closes."""
        if self._document is not None:
            self._document.flow_changed.disconnect(self._changed)
            self._document.saved.disconnect(self._changed)
        self.close()
        if not self._chosen:
            self._base = Base(HEAD)
        self._document = document
        if document is not None:
            document.flow_changed.connect(self._changed)
            document.saved.connect(self._changed)

    def open(self) -> None:
        """Show the page, comparing with HEAD, or with what is saved where there is no git."""
        if self._document is None or self.is_open:
            return
        if self.page is None:
            from stepflow_gui.gui.versions.panel import VersionsPage  # loaded by those who compare

            self.page = VersionsPage(self._desk.theme())
            self.page.base_chosen.connect(self._choose)
            self.page.named.connect(lambda name: self.compare_with(Base(REVISION, name)))
            self.page.picked.connect(self._picked)
            self.page.closed.connect(self.close)
            self._place.addWidget(self.page.diff)
            for part in (self.page, self.page.changes, self.page.diff):
                add_shortcuts(part, [(("Esc",), self.close)])
        self._desk.show_page(self.page)
        self.page.setFocus()
        self._desk.wish(ShowLayout("review"))
        side = self._desk.side
        side.hold(PAGE, self.page.changes)
        side.show_page(PAGE)
        self.compare_with(self._base)

    def show_list(self) -> None:
        """Show the list of changes, with the versions that it is about."""
        self.open()
        if self.page is not None:
            self._desk.side.show_page(PAGE)
            there = self.page.list if self.page.list.isVisible() else self.page
            there.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def toggle(self) -> None:
        """Show the page, or go back to the canvas."""
        if self.is_open:
            self.close()
        else:
            self.open()

    def close(self) -> None:
        """Back to the canvas."""
        if self.page is not None and self.is_open:
            self._desk.show_page(self._desk.canvas)
            self._desk.canvas.setFocus()
        self._stop()

    def _stop(self) -> None:
        self._soon.stop()
        self._number += 1
        if self._desk.side.can_show(PAGE):
            self._desk.wish(LeaveLayout("review"))
            self._desk.side.give_up(PAGE)

    def _page_changed(self, _at: int) -> None:
        if self.page is not None and self._desk.pages.currentWidget() is not self.page:
            self._stop()  # something else took its place

    def end(self) -> None:
        """The window closes."""
        self.set_document(None)
        if self._worker is not None:
            self._worker.shutdown(cancel_futures=True)
            self._worker = None
        self._inbox.close()

    def compare_with(self, base: Base) -> None:
        """Compare with something else."""
        self._base, self._shown = base, False
        if self.page is None:
            return
        self._show_texts(self.page)
        if base.kind == REVISION and not base.name:
            self.page.show_trouble(_("Enter a revision to compare with."))
            self.page.revision.setFocus()
            return
        self.compare()

    def compare(self) -> None:
        """Compare again, in a thread: git may take its time."""
        document = self._document
        if document is None or self.page is None or not self.is_open:
            return
        self._number += 1
        if not self._shown:
            self.page.show_trouble(_("Comparing…"))
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="versions")
        job = partial(_compared, self._number, self._base, document.last_valid)
        self._worker.submit(job).add_done_callback(lambda done: self._inbox.post(done.result()))

    def retranslate(self) -> None:
        """Show everything in the language in use, what was found too."""
        if self.page is None:
            return
        self._show_texts(self.page)
        if self._shown:
            self.compare()

    def _show_texts(self, page: "VersionsPage") -> None:
        other = _("File: {file}").format(file=Path(self._base.name).name) if self._base.kind == OTHER else None
        bases = [
            (HEAD, _("Last commit (HEAD)")),
            (SAVED, _("Saved on disk")),
            (REVISION, _("Git revision…")),
            (OTHER, other or _("Another file…")),
        ]
        page.show_bases(bases, self._base.kind, asks_name=self._base.kind == REVISION)
        page.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        if self.page is not None:
            self.page.set_theme(theme)

    def _choose(self, kind: str) -> None:
        name = ""
        if kind == OTHER:
            path = self._desk.prompts.open_file()
            if path is None:
                if self.page is not None:
                    self._show_texts(self.page)  # the chooser goes back to what is shown
                return
            name = str(path)
        self._chosen = True
        self.compare_with(Base(kind, name))

    def _picked(self, step: str) -> None:
        if self._document is not None and step in self._document.last_valid.flow.steps:
            self._document.select(step, "versions")

    def _changed(self) -> None:
        if self.is_open:
            self._soon.start()

    def _show(self, result: ComparisonResult) -> None:
        if result.number != self._number or self.page is None:
            return
        if result.trouble and self._base.kind == HEAD and not self._chosen:
            self.compare_with(Base(SAVED))  # without git, or before the first commit
            return
        if result.trouble:
            self.page.show_trouble(result.trouble)
            return
        self.page.show_texts(result.texts)
        self.page.show_comparison(result.both, result.differences, result.summary, keep_positions=self._shown)
        self._shown = True


def _compared(number: int, base: Base, new: AgentFolder) -> ComparisonResult:
    """Read the other version and compare: nothing of the window is touched."""
    from stepflow_gui.export.comparison_text import comparison_lines
    from stepflow_gui.flow.comparison.both import both_flows
    from stepflow_gui.gui.problems.fix_preview import FilePreview
    from stepflow_gui.project.comparison import compare_agents, differing_texts

    old = _other(base, new)
    if isinstance(old, str):
        return ComparisonResult(number, old)
    comparison = compare_agents(old, new)
    both = both_flows(comparison.flow) if comparison.flow is not None else None
    lines = list(comparison_lines(comparison, "", color=False))[1:]
    texts = tuple(FilePreview(*each) for each in differing_texts(old, new))
    found = tuple(_differences(lines, comparison))
    return ComparisonResult(number, "", both, found, texts, _summary(lines, comparison))


def _other(base: Base, new: AgentFolder) -> AgentFolder | str | None:
    """The agent to compare with; None where there was none then; why it can't be had."""
    from stepflow_gui.lint.config.config import Configs
    from stepflow_gui.lint.engine.opening import open_as_configured
    from stepflow_gui.project.git.revision import RevisionProblem, revision_of
    from stepflow_gui.project.problem_text import describe
    from stepflow_gui.text.files.store import ReadProblem

    path = new.registry.path
    if base.kind in {SAVED, OTHER}:
        found = open_as_configured(path if base.kind == SAVED else Path(base.name))
        return describe(found) if isinstance(found, ReadProblem) else found
    revision = revision_of(path.parent, base.name or "HEAD")
    if isinstance(revision, RevisionProblem):
        return revision.message
    agent = revision.agent(path, Configs().of(path).format(path))
    if isinstance(agent, RevisionProblem):
        return agent.message
    if isinstance(agent, ReadProblem):
        return None if agent.kind == "missing" else describe(agent)
    return agent


def _differences(lines: list[str], comparison: "AgentComparison") -> Iterator["Difference"]:
    """The lines, each with the step in whose block it stands."""
    from stepflow_gui.gui.versions.panel import Difference

    if comparison.same:
        return
    ids = set() if comparison.flow is None else {*comparison.flow.old.steps, *comparison.flow.new.steps}
    step: str | None = None
    entries: Iterator[EntryChange] = iter(())
    for line in lines[:-2]:  # the last are an empty one and the summary
        if comparison.flow is not None and line == _("Entries"):
            step, entries = None, iter(comparison.flow.entries)
        elif entry := next(entries, None):
            step = next((target for target in (entry.new, entry.old) if target in ids), None)
        elif not line.startswith(" "):
            words = line[2:].split(", ")[0].split(" → ")
            step = words[-1] if words[-1] in ids else None
        yield Difference(line, step)


def _summary(lines: list[str], comparison: "AgentComparison") -> str:
    return lines[0] if comparison.same else lines[-1]

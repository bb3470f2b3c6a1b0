"""Explores the open agent for the run panel: off the window's thread, shown as a table and on the canvas."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QFileDialog

from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.gui.canvas.marks import NO_RUN, RunMarks, TransitionRef
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.background.work import Background, BackgroundJob
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.panel.explore_page import ExplorePage
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.run_control import RunControl
from stepflow_gui.gui.runs.setup import arguments_of
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.exploring.entries import EntriesResult, explore_from, scripts_from, starts_of
from stepflow_gui.run.exploring.playing import PlayablePath
from stepflow_gui.run.exploring.report import at_text, cut_note, edge_or_step, ended_by, route_text
from stepflow_gui.run.exploring.scripts import Generated
from stepflow_gui.run.exploring.search import Graph, limited, usual_start
from stepflow_gui.run.exploring.writing import write_scripts
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.machine.state import Start
from stepflow_gui.run.scripts.coverage import KINDS, kind_name
from stepflow_gui.run.scripts.flow_tests import FOLDER
from stepflow_gui.run.session import Run


class _Item(NamedTuple):
    row: TableRow
    route: PlayablePath | None
    step: str | None
    graph: Graph | None = None  # in which the path is


class RunExploring:
    """What was explored last, shown on its `page`. `ask_folder` may be replaced where no dialog can be shown."""

    def __init__(self, desk: Desk, panel: RunPanel, document: Document, run: RunControl) -> None:
        self._desk = desk
        self._document = document
        self._run = run
        self._panel = panel
        self._found: EntriesResult | None = None
        self._outdated = self._follows = False  # what was found is of before; edits are followed
        self._items: list[_Item] = []
        self._worker = Background("stepflow-explore", desk.window)
        self._worker.reported.connect(self._show_progress)
        self._worker.done.connect(self._done)
        self.ask_folder = self._ask
        self.page = ExplorePage(desk.theme())
        self.page.wanted.connect(self.explore)
        self.page.cancelled.connect(self._worker.cancel)
        self.page.picked.connect(self._picked)
        self.page.played.connect(self._play)
        self.page.scripts_wanted.connect(self._save)
        self.page.tint_wanted.connect(lambda _on: self._show_marks())
        self.refresh()

    @property
    def found(self) -> EntriesResult | None:
        """What was found last."""
        return self._found

    @property
    def busy(self) -> bool:
        """Whether exploring goes on."""
        return self._worker.is_busy

    def detach(self) -> None:
        """Let go of the panel."""
        if self._follows:
            self._document.flow_changed.disconnect(self._flow_changed)
        self._worker.drop()
        self._worker.deleteLater()

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self.page.set_theme(self._desk.theme())
        self.page.retranslate()
        self._show()

    def _flow_changed(self) -> None:
        """The registry was edited: what was found is of before."""
        if self._document.text_broken:
            return
        self._worker.drop()
        self._outdated = self._found is not None
        self._show()

    def explore(self) -> None:
        """Explore the agent as the run is set up."""
        if not self._follows:
            self._follows = True
            self._document.flow_changed.connect(self._flow_changed)
        host, start = self._host(), self._start()
        usual = usual_start(host.machine, start.entry)
        start = start._replace(args={**usual.args, **start.args})
        starts = starts_of(host.machine, start) if self.page.all_entries.isChecked() else []

        def work(job: BackgroundJob) -> EntriesResult:
            return explore_from(
                host, starts or [start], lambda done, known: job.report((done, known)), job.is_cancelled
            )

        self._worker.start(work)
        self._found, self._outdated = None, False
        self._show()

    def _host(self, max_iterations: int | None = None) -> Host:
        folder = self._document.last_valid.reread(())  # what the worker reads on demand isn't read elsewhere
        era = era_for(folder.flow.format, self._panel.setup.era)
        return host_of(lambda _iteration: folder, era, max_iterations=max_iterations)

    def _start(self) -> Start:
        return Start(self._panel.entry, arguments_of(self._panel.setup.args))

    # From the worker

    def _show_progress(self, progress: tuple[int, int]) -> None:
        done, known = progress
        self.page.show_progress(_("{done} of {known} places searched …").format(done=done, known=known))

    def _done(self, result: object) -> None:
        if isinstance(result, EntriesResult):
            self._found = result
        elif isinstance(result, tuple):
            self._write(result)
        self._show()

    # From the page

    def _picked(self, key: object) -> None:
        item = self._items[key] if isinstance(key, int) and key < len(self._items) else None
        if item is not None and item.step in self._document.last_valid.flow.steps:
            self._document.select(item.step, "run")
        self._show_marks(item)

    def _play(self, key: object) -> None:
        """Begin a run in which all of a path is kept, to be stepped through from its start."""
        found, item = self._found, self._items[key] if isinstance(key, int) else None
        if found is None or item is None or item.route is None or item.graph is None:
            return
        host = self._host(item.route.max_iterations)
        self._run.open(host, _replayed(Run(host.machine.flow, machine=host.machine), item.graph.start, item.route))

    def _save(self) -> None:
        found = self._found
        if found is None:
            return
        self._worker.start(lambda job: scripts_from(found, job.is_cancelled))
        self._show()

    def _write(self, scripts: Sequence[Generated]) -> None:
        folder = self.ask_folder()
        if folder is None:
            return
        problem = write_scripts([script.text for script in scripts], folder)
        if problem is not None:
            self._desk.notices.show("error", problem)
            return
        count = len(scripts)
        text = ngettext("{count} script written to {path}", "{count} scripts written to {path}", count)
        self._desk.notices.done(text.format(count=count, path=folder))

    def _ask(self) -> Path | None:
        before = self._document.last_valid.folder / FOLDER
        where = before if before.is_dir() else before.parent
        named = QFileDialog.getExistingDirectory(self._desk.window, _("Folder for the Scripts"), str(where))
        return Path(named) if named else None

    # What is shown

    def _show(self) -> None:
        found = self._found
        self._items = list(_items(found)) if found is not None else []
        rows = [item.row._replace(key=at) for at, item in enumerate(self._items)]
        entries = {entry.target.value for entry in self._document.last_valid.flow.entries if entry.target}
        self.page.show_entries(len(entries))
        playable = frozenset(at for at, item in enumerate(self._items) if item.route is not None)
        self.page.show_found(self._summary(found), self._note(found), rows, playable, busy=self._worker.is_busy)

    def _summary(self, found: EntriesResult | None) -> str:
        if found is None or self._worker.is_busy:
            return _("Exploring …") if self._worker.is_busy else ""
        shares = ((kind_name(kind), found.coverage.share(kind)) for kind in KINDS)
        return " · ".join(f"{name} {share.covered}/{share.total}" for name, share in shares)

    def _note(self, found: EntriesResult | None) -> str:
        if found is None:
            return ""
        if self._outdated:
            return _("The registry was changed since: explore again.")
        return next(filter(None, map(cut_note, found.each)), "")

    def _show_marks(self, item: _Item | None = None) -> None:
        """Mark a path on the canvas, else what is covered, if that is wished; a run's own marks come first."""
        canvas, found = self._desk.canvas, self._found
        if item is not None and item.route is not None and item.graph is not None:
            machine, route = item.graph.machine, item.route
            if route.max_iterations is not None:
                machine = limited(machine, route.max_iterations)
            canvas.set_run(_marks_of(_replayed(Run(machine.flow, machine=machine), item.graph.start, route)))
        elif self.page.tint.isChecked() and found is not None:
            canvas.set_run(
                RunMarks(
                    step_visits={step: 1 for step in found.coverage.totals.steps if found.coverage.steps[step]},
                    move_visits={
                        TransitionRef(*edge): 1 for edge in found.coverage.edges if found.coverage.edges[edge]
                    },
                )
            )
        elif self._run.run is not None:
            self._run.show_marks()
        else:
            canvas.set_run(NO_RUN)


def _replayed(run: Run, start: Start, route: PlayablePath) -> Run:
    """A run that follows a path."""
    run.send(start)
    for event in route.events:
        run.send(event)
    return run


def _marks_of(run: Run) -> RunMarks:
    taken = {TransitionRef(route.step, route.intent, route.case): count for route, count in run.taken.items()}
    ended = run.state.outcome is not None
    at = run.state.step
    return RunMarks(frozenset() if ended or at is None else frozenset({at}), None, dict(run.visits), taken, ended)


def _items(found: EntriesResult) -> Iterator[_Item]:
    """The rows: what is wrong first, then the ends, then what is unreachable; of several entries one after another."""
    for each in found.each:
        for dead in each.dead_ends:
            where = f"{dead.step} – {dead.answer}" if dead.answer else dead.step or "–"
            yield _Item(_row(_("Dead end"), "error", where, dead.error.message), dead.route, dead.step, each.graph)
    for each in found.each:
        for loop in each.loops:
            row = _row(_("Loop"), "warning", ", ".join(loop.steps), ended_by(loop.ended_by))
            yield _Item(row, loop.route, loop.steps[0], each.graph)
    for each in found.each:
        for end in each.ends:
            token = "closure" if end.outcome.success else "text"
            kind = _("End: {kind}").format(kind=end.kind)
            row = _row(kind, token, at_text(end.steps), route_text(end.route), end.outcome.message)
            yield _Item(row, end.route, end.outcome.step, each.graph)
    for missed in found.out_of_reach:
        yield _Item(_row(_("Unreachable"), "muted", edge_or_step(missed), missed.message), None, missed.step)


def _row(kind: str, token: str, where: str, why: str, tip: str = "") -> TableRow:
    cells = (Cell(kind, token=token), Cell(where, mono=True), Cell(why))
    return TableRow(cells, tip=f"{where}\n{why}" + (f"\n{tip}" if tip else ""))

"""The pages of a piece's run: its trace, the prompts of what is asked next, the reports so far, its breakpoints."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.runs.comparing import show_comparison
from stepflow_gui.gui.runs.panel.model_answer import ModelAnswer
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.piece.explore_page import PieceExplore
from stepflow_gui.gui.runs.piece.piece_text import explained, row_of
from stepflow_gui.gui.runs.piece.setup_page import PieceSetup
from stepflow_gui.gui.runs.piece.text_page import TextPage
from stepflow_gui.gui.runs.points import breakpoint_row
from stepflow_gui.gui.runs.run_text import branch_name, short_name
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.breakpoints import Breakpoint
from stepflow_gui.run.takt.debugging import PieceRuns, compare_pieces, missing_in_piece, names_in, results_in
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Moment
from stepflow_gui.run.takt.prompts.prompt_builder import compose
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.shadow import Parting, parting


class PiecePages:
    """What the run panel shows of a piece, in place of the pages that only agents have. `piece` None: none can run."""

    def __init__(
        self,
        panel: RunPanel,
        debugger: PieceRuns,
        theme: Callable[[], Theme],
        setup: LazyWidget[PieceSetup],
        explore: LazyWidget[PieceExplore],
        worded: Callable[[str], str],
    ) -> None:
        """`worded` puts a text into the words of the file."""
        self._worded = worded
        self.watches: list[str] = []
        self.other: int | None = None
        self.piece: Piece | None = None
        self.shadow: PieceMachine | None = None  # which the run is compared with
        self.parting: Parting | None = None
        self._panel = panel
        self._debugger = debugger
        self.prompts = LazyWidget(TextPage)
        self.reports = LazyWidget(TextPage)
        self.model = LazyWidget(lambda: ModelAnswer(theme()))
        self.explore = explore
        self.setup = setup
        self._own: tuple[QWidget, ...] = (self.prompts, self.reports, self.model, self.explore, self.setup)
        for page in (self.prompts, self.reports):
            page.ready.connect(panel.page_built)
        panel.have_in("prompt", self.prompts)
        panel.have_in("context", self.reports)
        panel.answer.add(self.model)
        panel.explore.addWidget(self.explore)
        panel.add_page(self.setup)
        self._see(panel.setup_form, False)
        panel.be_for_piece(True, worded)

    def detach(self) -> None:
        """Give the panel back as it was."""
        panel = self._panel
        panel.answer.take(self.model)
        for place, texts in (("prompt", self.prompts), ("context", self.reports)):
            panel.places[place].removeWidget(texts)
        panel.explore.removeWidget(self.explore)
        panel.pages.removeTab(panel.pages.indexOf(self.setup))
        for page in self._own:
            page.deleteLater()
        self._see(panel.setup_form, True)
        panel.be_for_piece(False)
        panel.show_comparing(False)
        self._show_trace(None, busy=False)

    def forget(self) -> None:
        """Make everything again: the language or the piece has changed."""
        self._panel.trace.if_built(lambda trace: trace.forget())

    def retranslate(self, theme: Theme) -> None:
        """Take another look and language."""
        self.forget()
        self.model.if_built(lambda model: model.set_theme(theme))
        pages: tuple[LazyWidget[PieceSetup | PieceExplore | ModelAnswer], ...] = (self.setup, self.explore, self.model)
        for each in pages:
            each.if_built(lambda page: page.retranslate())

    def show(self, *, busy: bool, asks_model: bool) -> None:
        """Fill them. While a run is `busy` only the trace keeps up."""
        run, panel = self._debugger.run, self._panel
        panel.answer.want(self.model, on=asks_model)
        self._name()
        self._show_trace(run, busy=busy)
        current = self._debugger.current
        branches = [(branch.number, short_name(branch), branch_name(branch)) for branch in self._debugger.branches]
        panel.bar.show_branches(branches, current.number if current else None)
        panel.bar.show_place(run.position if run else 0, run.length if run else 0)
        panel.show_comparing(len(branches) > 1)
        if busy:
            return
        self.prompts.if_built(lambda page: page.show_texts([] if run is None else _prompts(run)))
        self.reports.if_built(lambda page: page.show_texts([] if run is None else list(run.state.reports.items())))
        if panel.is_seen(panel.breakpoints):
            self.show_breakpoints()
        if panel.is_seen(panel.compare):
            show_comparison(panel.compare.widget, self._debugger, self.other, compare_pieces, _compared)

    def show_breakpoints(self) -> None:
        """The breakpoints, and the names and results that one may be set at."""
        page, piece = self._panel.breakpoints.built, self.piece
        if page is None:
            return
        page.show_known(names_in(piece) if piece else [], results_in(piece) if piece else [], [])
        page.show_breakpoints([breakpoint_row(each, self.missing(each)) for each in self._debugger.breakpoints.every])

    def missing(self, point: Breakpoint) -> str | None:
        """What a breakpoint names that doesn't exist; None where all does, or that can't be determined."""
        return missing_in_piece(self.piece, point) if self.piece is not None else None

    def compare(self, run: PieceRun | None) -> None:
        """Look where the shadow's run differs; the rows are made again where that has changed."""
        found = parting(run, self.shadow) if run is not None and self.shadow is not None else None
        if found != self.parting:
            self.parting = found
            self.forget()

    def _see(self, page: QWidget, seen: bool) -> None:
        self._panel.pages.setTabVisible(self._panel.pages.indexOf(page), seen)

    def _name(self) -> None:
        pages = self._panel.pages
        pages.setTabText(pages.indexOf(self.setup), _("Setup"))
        empty = _("The prompt of the next request is shown here.")
        self.prompts.if_built(lambda page: page.name_it(_("Prompt"), empty))
        text = self._worded(_("Reports that movements write are kept here, never in the project."))
        self.reports.if_built(lambda page: page.name_it(_("Reports"), text))

    def _show_trace(self, run: PieceRun | None, *, busy: bool) -> None:
        trace = self._panel.trace.built
        if trace is None:
            return

        def moment_at(position: int) -> Moment:
            assert run is not None
            return run.moment_at(position)

        def make(at: int) -> TableRow:
            assert run is not None
            return row_of(run.machine, at + 1, moment_at(at).state, moment_at(at + 1), self.parting)

        trace.show_run(run, moment_at, make, busy=busy)
        if run is not None and not busy and run.position:
            here = self.parting is not None and self.parting.position == run.position
            parting = self.parting.message if here and self.parting is not None else ""
            trace.explain(explained(run.machine, moment_at(run.position - 1).state, moment_at(run.position), parting))


def _compared(run: PieceRun, at: int) -> Cell:
    _number, who, what = row_of(run.machine, at + 1, run.moment_at(at).state, run.moment_at(at + 1)).cells
    return what._replace(text=f"{who.text}: {what.text}")


def _prompts(run: PieceRun) -> list[tuple[str, str]]:
    """The prompt of each call that the run waits for, and who it is for."""
    found = []
    for call in run.calls:
        prompt = compose(run.machine, run.state, call)
        system = [f"# {_('Persona')}\n{prompt.system}"] if prompt.system is not None else []
        found.append(
            (
                f"{call.task} · {call.kind} {call.detail}".rstrip(),
                "\n\n".join([*system, prompt.text, *([f"({prompt.left})"] if prompt.left else [])]),
            )
        )
    return found

"""Leads runs of a TAKT piece: passes on what the person picks, and shows on panel and canvas what came of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from stepflow_gui.gui.canvas.marks import NO_RUN
from stepflow_gui.gui.panels.run_now import Offer, Status, Wrote
from stepflow_gui.gui.panels.run_parts import Row
from stepflow_gui.gui.session import Session
from stepflow_gui.gui.takt_run.explore_page import PieceExplore
from stepflow_gui.gui.takt_run.setup_page import PieceSetup
from stepflow_gui.gui.takt_run.text_page import TextPage
from stepflow_gui.gui.takt_run.words import (
    Answered,
    Cancelled,
    More,
    RuleOf,
    explained,
    marks_of,
    offers_of,
    row_of,
    status_of,
)
from stepflow_gui.messages import _
from stepflow_gui.run.takt.loading import Refused
from stepflow_gui.run.takt.machine import PieceMachine
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.picking import Pick
from stepflow_gui.run.takt.prompting import compose
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.run.takt.state import Extended
from stepflow_gui.run.takt.trace import trace_text
from stepflow_gui.text.source import Source
from stepflow_gui.text.store import Saved, save

if TYPE_CHECKING:
    from stepflow_gui.gui.window import MainWindow

_START = "start"
_WHILE_THERE = ("run-restart", "run-stop", "run-save-trace")
_NEVER = ("run-pause", "run-to-here", "run-fork", "run-breakpoint")


class PieceControl:
    """The run of the open piece. Answers are the person's: which rule each movement comes to."""

    def __init__(self, window: "MainWindow", session: Session) -> None:
        self._window = window
        self._session = session
        self._panel = window.run_panel
        self._piece_run: PieceRun | None = None
        self._refused: Refused | None = None
        self._shown: tuple[PieceRun, int] | None = None
        self.setup = PieceSetup()
        self.prompts = TextPage()
        self.reports = TextPage()
        self.explore = PieceExplore(self._to_explore)
        self._own: tuple[QWidget, ...] = (self.prompts, self.reports, self.explore, self.setup)
        panel = self._panel
        self._hidden = [
            page
            for page in (panel.data, panel.prompt, panel.checks, panel.breakpoints, panel.compare, panel.setup_form)
            if panel.pages.isTabVisible(panel.pages.indexOf(page))
        ]
        for other in self._hidden:
            panel.pages.setTabVisible(panel.pages.indexOf(other), False)
        for page in self._own:
            panel.add_page(page)
        self._links: list[tuple[SignalInstance, Callable[..., object]]] = [
            (panel.chosen, self._chosen),
            (panel.page_changed, self._show_pages),
            (panel.bar.looked, self.look_at),
            (panel.trace.looked, self.look_at),
            (self.setup.changed, self._show),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        panel.show_page(self.setup)
        self.flow_changed()

    @property
    def run(self) -> PieceRun | None:
        """The current run, if one was started."""
        return self._piece_run

    @property
    def busy(self) -> bool:
        """It never goes on by itself."""
        return False

    def detach(self) -> None:
        """End the run and give the panel back as it was."""
        self._piece_run = None
        self.explore.close_search()
        for signal, slot in self._links:
            signal.disconnect(slot)
        panel = self._panel
        for page in self._own:
            panel.pages.removeTab(panel.pages.indexOf(page))
            page.deleteLater()
        for other in self._hidden:
            panel.pages.setTabVisible(panel.pages.indexOf(other), True)
        panel.trace.show_trace(0, lambda _at: Row(()), 0, kept=0, busy=False)
        panel.trace.explain([])
        panel.show_idle(Status(_("No agent is open.")), [], [])
        self._window.actions_.enable(_NEVER, True)

    # What the person does

    def start(self) -> None:
        """Begin a run; one that is there goes on with what is kept after the moment that is looked at."""
        if self._piece_run is None:
            self._begin()
        else:
            self._piece_run.go_to(self._piece_run.length)

    def step(self) -> None:
        """Begin a run, or go on by one kept choice."""
        if self._piece_run is None:
            self._begin()
        else:
            self._piece_run.on_a_choice()

    def back(self) -> None:
        """Take the last choice back."""
        if self._piece_run is not None:
            self._piece_run.back_a_choice()

    def restart(self) -> None:
        """Begin anew as the run began."""
        if self._piece_run is not None:
            self._piece_run.restart()
            self._panel.focus_offers()

    def stop(self) -> None:
        """Leave the run."""
        self._piece_run = None
        self._show()

    def look_at(self, position: int) -> None:
        """Show the moment after so many events."""
        if self._piece_run is not None:
            self._piece_run.go_to(position)

    def pause(self) -> None:
        """Nothing goes on by itself."""

    def to_here(self) -> None:
        """Runs of pieces are led rule by rule."""

    def fork(self) -> None:
        """There is one run at a time."""

    def save_trace(self) -> None:
        """Write the run down as a file, up to where it stands."""
        run = self._piece_run
        path = self._panel.setup_form.ask_trace_file() if run is not None else None
        if run is None or path is None:
            return
        saved = save(path, Source(trace_text(run)), None)
        if isinstance(saved, Saved):
            self._window.status.done(_("Saved {file}").format(file=path.name))
        else:
            self._window.banner.say("error", _("{path}: can't be written").format(path=path))

    def toggle_breakpoint(self, step: str | None = None) -> None:
        """Runs of pieces stand still at each movement anyway."""

    # What comes from the session

    def flow_changed(self) -> None:
        """The piece was edited: a run that is there goes on as it began."""
        self.explore.forget()
        self._make()
        if self._piece_run is None:
            self._show()

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self.setup.retranslate()
        self.explore.retranslate()
        self._shown = None
        self._show()

    def _make(self) -> PieceMachine | None:
        agent = self._session.good
        chosen = self.setup.runner.currentData()
        runner = runner_of(agent, chosen if isinstance(chosen, str) else None)
        piece = piece_in(agent, runner)
        if isinstance(piece, Refused):
            self._refused = piece
            return None
        self._refused = None
        self.setup.show_choices(list(piece.movements), piece.initial, runner.name)
        return PieceMachine(piece, runner, interactive=self.setup.interactive.isChecked())

    def _to_explore(self) -> tuple[PieceMachine, str | None] | None:
        machine = self._make()
        if machine is None:
            self._show()
            return None
        start = self.setup.start.currentData()
        return machine, start if isinstance(start, str) else None

    def _begin(self) -> None:
        machine = self._make()
        self._window.show_output(self._panel)
        if machine is None:
            self._show()
            return
        run = PieceRun(machine)
        self._piece_run = run
        run.on_change(self._show)
        if self._panel.pages.currentWidget() is self.setup:
            self._panel.show_page(self._panel.trace)
        start = self.setup.start.currentData()
        run.begin(self.setup.task.toPlainText(), start if isinstance(start, str) else None)
        self._panel.focus_offers()

    def _chosen(self, key: object) -> None:
        run = self._piece_run
        if key == _START:
            self.start()
        elif run is None:
            return
        elif isinstance(key, RuleOf):
            run.pick(key.task, Pick(key.rule, self._panel.now.wrote))
        elif isinstance(key, More):
            run.send(Extended(key.iterations))
        elif isinstance(key, Cancelled):
            run.input(None)
        elif isinstance(key, Answered):
            run.input(self._panel.now.wrote)
        self._panel.focus_offers()

    # What is shown

    def _show(self) -> None:
        run, actions, panel = self._piece_run, self._window.actions_, self._panel
        actions.enable(_WHILE_THERE, run is not None)
        actions.enable(_NEVER, False)
        actions.enable(("run-back",), run is not None and run.can_go_back)
        actions.enable(("run-start",), run is None or run.can_go_forward)
        actions.enable(("run-step",), run is None or run.can_go_forward)
        self.setup.show_running(run is not None)
        if run is None:
            self._show_idle()
        else:
            panel.now.show_status(status_of(run))
            asks = run.state.waits == "input"
            writes: Wrote | None = "person" if asks else "response" if run.state.waits == "calls" else None
            panel.now.show_offers(offers_of(run), wrote=writes)
            panel.bar.show_branches([], None)
            panel.bar.show_place(run.position, run.length)
        self._show_trace(run)
        self._show_pages()
        self.show_marks()

    def _show_idle(self) -> None:
        if self._refused is not None:
            self._panel.show_idle(Status(_("This piece can't be run"), self._refused.message, token="error"), [], [])
            return
        hint = _("Each movement asks which of its rules it comes to; reports are kept here, nothing is written.")
        self._panel.show_idle(Status(_("Not started"), hint), [], [Offer(_START, _("Start"), primary=True)])

    def _show_trace(self, run: PieceRun | None) -> None:
        trace = self._panel.trace
        if run is None:
            trace.show_trace(0, lambda _at: Row(()), 0, kept=0, busy=False)
            trace.explain([])
            self._shown = None
            return
        trace.show_trace(
            run.length,
            lambda at: row_of(run.machine, at + 1, run.moment_at(at + 1)),
            run.position,
            kept=0,
            busy=False,
        )
        trace.explain(explained(run.machine, run.moment_at(run.position)))

    def _show_pages(self) -> None:
        run, panel = self._piece_run, self._panel
        for page, name in (
            (self.prompts, _("Prompt")),
            (self.reports, _("Reports")),
            (self.explore, _("Explore")),
            (self.setup, _("Setup")),
        ):
            panel.pages.setTabText(panel.pages.indexOf(page), name)
        self.prompts.name_it(_("Prompt"), _("The prompt of what is asked next stands here."))
        self.reports.name_it(_("Reports"), _("Reports that movements write are kept here, never in the project."))
        if run is None:
            self.prompts.show_texts([])
            self.reports.show_texts([])
            return
        prompts = []
        for call in run.calls:
            prompt = compose(run.machine, run.state, call)
            system = [f"# {_('Persona')}\n{prompt.system}"] if prompt.system is not None else []
            prompts.append((f"{call.task} · {call.kind} {call.detail}".rstrip(), "\n\n".join([*system, prompt.text])))
        self.prompts.show_texts(prompts)
        self.reports.show_texts(list(run.state.reports.items()))

    def show_marks(self) -> None:
        """Mark on the canvas where the run is and has been."""
        run, canvas = self._piece_run, self._window.canvas
        canvas.follow_active = self._window.settings.follow
        canvas.set_run(NO_RUN if run is None else marks_of(run))
        layer = canvas.graph.layer
        if run is None or run.state.movement is None:
            layer.set_counts(None, "")
            return
        count = run.state.counts.get(run.state.movement, 0)
        layer.set_counts(run.state.movement, f"{run.state.iteration}/{run.state.limit or '∞'} · ×{count}")

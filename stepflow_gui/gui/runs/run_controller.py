"""What leading the runs of an agent and of a piece have in common: start, pause, step, look back, branches, goals."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.canvas.camera import ShownPart
from stepflow_gui.gui.desk import Desk, FilesChanged, LeaveLayout, ShowLayout
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.runs.worker import RunWork, RunWorker
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import ON, ONE, Branches, Goal, Paused, R
from stepflow_gui.run.effects import BY_HAND, NoAnswer
from stepflow_gui.text.source import Source

_WHILE_BUSY = 0.1  # seconds between two looks at a run that goes on by itself
_Link = tuple[SignalInstance, Callable[..., object]]
_WHILE_THERE = ("run-restart", "run-stop", "run-fork", "run-save-trace")


class RunController(Generic[R]):
    """Forwards the user's requests to runs that are independent of Qt and to a worker that runs them off this thread.

    Subclasses define how a run begins (`_begin`), what continues it (`_work`) and what is shown (`_show_all`).
    """

    def __init__(
        self, desk: Desk, panel: RunPanel, trust: TrustSign, document: Document, debugger: Branches[R]
    ) -> None:
        self._desk = desk
        self._panel = panel
        self._trust = trust
        self._document = document
        self._branches = debugger
        self._worker = RunWorker(desk.window)
        self._followed: str | None = None
        self._looked_at: ShownPart | None = None  # on the canvas before the first run
        self._shown_at = 0.0
        self._links: list[_Link] = []
        self._more_links: list[_Link] = []
        self.is_suspended = False

    def _link(self, links: "list[_Link]") -> None:
        """Hear the panel, the document and the worker; and these besides, also while another one has the panel."""
        panel = self._panel
        self._more_links = links
        self._links = [
            (panel.chosen, self._chosen),
            (panel.page_changed, self._show_pages),
            (panel.page_built, self._show),
            (panel.looked, self.look_at),
            (panel.bar.branch_picked, self._switch),
            (self._trust.changed, self._show),
            (self._document.selection_changed, lambda _selection: self._selection_changed()),
            (self._worker.moved, self._moved),
            (self._worker.paused, self._paused),
        ]
        for signal, slot in (*links, *self._links):
            signal.connect(slot)
        self._branches.on_change(self._show)

    def suspend(self) -> None:
        """Leave panel and canvas to another controller. The runs are kept."""
        if not self.is_suspended:
            self._halt()
            self.is_suspended = True
            for signal, slot in self._links:
                signal.disconnect(slot)

    def resume(self) -> None:
        """Have panel and canvas again."""
        if self.is_suspended:
            self.is_suspended = False
            for signal, slot in self._links:
                signal.connect(slot)
            self._show()

    @property
    def run(self) -> R | None:
        """The current run, if one was started."""
        return self._branches.run

    @property
    def busy(self) -> bool:
        """Whether a run goes on by itself."""
        return self._worker.busy

    def _let_go(self) -> None:
        """End the run and hear nothing more."""
        self.stop()
        self._branches.on_change(None)
        self._worker.close()
        for signal, slot in (*self._more_links, *(() if self.is_suspended else self._links)):
            signal.disconnect(slot)
        self._worker.deleteLater()

    # What the person does

    def start(self) -> None:
        """Begin a run, or go on with the one that is there until something pauses it."""
        if self._branches.run is None:
            if self._begin() and self._setup.who != "me":
                self._start(ON)
        else:
            self._start(ON)

    def from_here(self) -> None:
        """Begin a run at the selected step, whatever comes before it; the runs so far are kept."""
        step = self._document.selected_step
        if step is None:
            return
        self._halt()
        if self._begin(step) and self._setup.who != "me":
            self._start(ON)

    def step(self) -> None:
        """One step on; of those that are kept first."""
        if self._branches.run is None:
            self._begin()
        else:
            self._start(ONE)

    def to_here(self) -> None:
        """Run until the selected step is asked."""
        step = self._document.selected_step
        if step is not None and (self._branches.run is not None or self._begin()):
            self._start(Goal("to", step))

    def pause(self) -> None:
        """Pause what is running; an answer that is waited for is cancelled."""
        self._worker.pause()

    def back(self) -> None:
        """Take the last step back."""
        self._halt()
        self._branches.back()

    def fork(self) -> None:
        """Begin another run that has come as far as this one stands."""
        self._halt()
        self._branches.fork()

    def restart(self) -> None:
        """Start over where this run began; it is kept."""
        self._halt()
        self._branches.restart()
        self._panel.focus_offers()

    def stop(self) -> None:
        """Leave all runs. A keyboard in a panel that closes with them goes to the canvas."""
        focus, panel = QApplication.focusWidget(), self._panel
        within = focus is not None and (panel.isAncestorOf(focus) or panel.right.isAncestorOf(focus))
        self._worker.cancel()
        there = self._branches.run is not None
        looked_at, self._looked_at = self._looked_at, None
        self._branches.close()
        self._followed = None
        self._forget()
        self._show()
        if there:
            self._desk.wish(LeaveLayout("debug"))
        if looked_at is not None:
            self._desk.canvas.camera.look_again(looked_at)
        if there and within and not panel.now.isVisible():
            self._desk.canvas.setFocus()

    def save_trace(self) -> None:
        """Write the current run down as a file, up to where it is."""
        run = self._branches.run
        path = self._panel.setup_form.widget.ask_trace_file() if run is not None else None
        if run is None or path is None:
            return
        problem = self._save(run, path)
        if problem is not None:
            self._desk.notices.show("error", problem)
        else:
            self._desk.notices.done(_("Saved {file}").format(file=path.name))

    def save_test(self) -> None:
        """Write the current run down as a test of its flow."""
        run = self._branches.run
        made = self._test_of(run) if run is not None else None
        path = self._panel.setup_form.widget.ask_test_file(made[0]) if made is not None else None
        if made is None or path is None:
            return
        from stepflow_gui.text.files.save_together import SavedTogether, Write, save_together

        write = Write(path, Source(made[1]), None, self._document.last_valid.root, new=not path.exists())
        if isinstance(save_together([write]), SavedTogether):
            self._desk.wish(FilesChanged())
            self._desk.notices.done(_("Saved {file}").format(file=path.name))
        else:
            self._desk.notices.show("error", _("{path}: can't be written").format(path=path))

    def look_at(self, position: int) -> None:
        """Show the moment after so many events, without giving up what came later."""
        run = self._branches.run
        if run is not None and position != run.position:
            self._halt()
            self._branches.look_at(position)

    # Leading

    @property
    def _setup(self) -> Setup:
        raise NotImplementedError

    def _begin(self, at: str | None = None) -> bool:
        """Begin a run as it is set up, at a step or where it is set up to; whether it can go on."""
        raise NotImplementedError

    def _enter(self) -> None:
        """Have the panels stand for runs; what the canvas shows until then is shown again when they are left."""
        if self._looked_at is None:
            self._looked_at = self._desk.canvas.camera.look()
        self._desk.wish(ShowLayout("debug"))

    def _forget(self) -> None:
        """All runs are left."""

    def _work(self, goal: Goal) -> RunWork | CantAnswer | None:
        """What continues the run; why nothing can; None where the user is to pick."""
        raise NotImplementedError

    def _save(self, run: R, path: Path) -> str | None:
        """Write a run down; why that can't be done, None where it is."""
        raise NotImplementedError

    def _test_of(self, run: R) -> tuple[Path, str] | None:
        """A run as a test of its flow, with a file for it that doesn't exist yet; None where a message says why not."""
        raise NotImplementedError

    def _moved(self, moves: list[object]) -> None:
        """Take events that the worker hands over."""
        raise NotImplementedError

    def _start(self, goal: Goal) -> None:
        self._halt()
        paused = self._branches.replay(goal)
        if paused is not None:
            self._show()
            return
        work = self._work(goal)
        if work is None:
            self._show()
            return
        if isinstance(work, CantAnswer):
            self._branches.paused = Paused("no_answer", work.message)
            self.show_setup()
            self._show()
            return
        self._worker.start_work(work)
        self._shown_at = 0.0  # at once: nothing may happen for long, and it can be paused from now on
        self._show()

    def _halt(self) -> None:
        if self._worker.busy:
            self._worker.cancel()
            self._show()

    def _paused(self, paused: Paused, no_answer: NoAnswer | None) -> None:
        by_hand = no_answer is not None and no_answer.kind == BY_HAND
        self._branches.paused = None if by_hand else paused
        self._show()
        if by_hand:
            self._panel.focus_offers()

    def _switch(self, number: int) -> None:
        self._halt()
        self._branches.switch(number)

    def _to_ask_a_model(self) -> CantAnswer | None:
        """Why no model may be asked in this folder; None where one may."""
        if self._setup.who == "anthropic" and not self._trust.trusted:
            return CantAnswer(_("Trust this folder first: its prompts are sent to Anthropic, which costs money."))
        return None

    # What is shown

    def _chosen(self, key: object) -> None:
        raise NotImplementedError

    def _selection_changed(self) -> None:
        self._desk.actions.enable(("run-to-here",), self._document.selected_step is not None)

    def _show(self) -> None:
        busy = self._worker.busy
        if self.is_suspended:
            return
        if busy and time.monotonic() - self._shown_at < _WHILE_BUSY:
            return  # it is shown when it pauses, if not before
        self._shown_at = time.monotonic()
        run, actions = self._branches.run, self._desk.actions
        actions.enable(_WHILE_THERE, run is not None)
        actions.enable(("run-save-test",), run is not None and run.length > 1)
        actions.enable(("run-compare",), len(self._branches.branches) > 1)
        actions.enable(("run-back",), run is not None and run.can_go_back)
        actions.enable(("run-pause",), busy)
        actions.enable(("run-start", "run-step"), not busy)
        actions.enable(("run-to-here",), self._document.selected_step is not None and not busy)
        self._show_all(busy=busy)

    def _show_all(self, *, busy: bool) -> None:
        """Show the run, or that there is none."""
        raise NotImplementedError

    def _show_pages(self) -> None:
        raise NotImplementedError

    def show_setup(self) -> None:
        """Bring to the front where it is set up."""
        raise NotImplementedError

    def _follow(self, step: str | None) -> None:
        """Select the step where the run stands, once it has come there."""
        if not self._worker.busy and step is not None and step != self._followed:
            self._followed = step
            self._document.select(step, "run")

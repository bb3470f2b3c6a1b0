"""Controls the runs of a TAKT piece: manually rule by rule, by a script, a trace, at random or by a model."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.canvas.marks import NO_RUN
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import sub_step_at
from stepflow_gui.gui.document.step_terms import in_words_of
from stepflow_gui.gui.runs.panel.now import END_KEYS, AnswerOffer, Status, Wrote, end_offers
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.piece.answering import Answers, PieceRunStart, PieceTask, answers_of, beginning_of, missed
from stepflow_gui.gui.runs.piece.explore_page import PieceExplore
from stepflow_gui.gui.runs.piece.marks import marks_of, sub_marks
from stepflow_gui.gui.runs.piece.pages import PiecePages
from stepflow_gui.gui.runs.piece.piece_text import (
    Cancelled,
    ChangeAnswer,
    More,
    OpenCalled,
    RuleOf,
    UserAnswer,
    offers_of,
    status_of,
)
from stepflow_gui.gui.runs.piece.setup_page import PieceSetup
from stepflow_gui.gui.runs.points import RunPoints
from stepflow_gui.gui.runs.run_controller import RunController
from stepflow_gui.gui.runs.run_text import ends_left, noted
from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.widgets.frame.lazy import LazyWidget
from stepflow_gui.gui.widgets.menu_text import plain
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.messages import _
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.project.finding.takt_releases import releases_of_piece
from stepflow_gui.run.debugging.branches import Goal
from stepflow_gui.run.takt.debugging import PieceRuns
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.state import Entered, Event, Extended, JudgeReply, Moment, Replied
from stepflow_gui.run.takt.opening import piece_in, runner_of
from stepflow_gui.run.takt.picking import MovementPick
from stepflow_gui.run.takt.scripts.piece_tests import files_of, new_test_file
from stepflow_gui.run.takt.scripts.trace import trace_text
from stepflow_gui.run.takt.session import PieceRun
from stepflow_gui.text.files.store import Saved, save
from stepflow_gui.text.source import Source

if TYPE_CHECKING:
    from stepflow_gui.run.responders.anthropic_progress import Progress

Caret = tuple[Path, int] | None  # the file that the source shows, and the offset of its caret, while it is typed in
_START = "start"


class PieceControl(RunController[PieceRun]):
    """The runs of the open piece."""

    def __init__(
        self, desk: Desk, panel: RunPanel, trust: TrustSign, document: Document, caret: Callable[[], Caret]
    ) -> None:
        self.debugger = PieceRuns()
        super().__init__(desk, panel, trust, document, self.debugger)
        self._caret = caret
        runtime = Configs().of(document.path).runtime(document.path, "takt")
        self._first_setup = Setup(era=runner_of(document.last_valid, runtime).name)
        self.setup = LazyWidget(self._make_setup)
        self.explore = LazyWidget(lambda: PieceExplore(self._to_explore, self._said))
        self.pages = PiecePages(panel, self.debugger, desk.theme, self.setup, self.explore, self._said)
        self.setup.ready.connect(self._fill_setup)  # the panel may be open, where it is built by now
        self.points = RunPoints(desk, panel, document, self.debugger, self.pages)
        self._refused: str | None = None  # why the piece can't be run
        self._later: tuple[PieceRun | None, int, list[Event]] = (None, 0, [])  # after an answer that is to be changed
        self._trouble = ""  # why what it is to be run by can't be
        self._beginning: PieceRunStart | None = None
        self._answering: tuple[Setup, Answers] | None = None  # a model, which remembers the conversation
        self._filling = False
        self._link(self.points.links(self._show_pages))
        panel.show_page(self.setup)
        self.points.show()
        self.flow_changed()

    def detach(self) -> None:
        """End the run and give the panel back as it was."""
        self.explore.if_built(lambda page: page.close_search())
        self._let_go()
        self.pages.detach()
        self._panel.show_idle(Status(_("No agent open. Open one to run it.")), [], [])
        layer = self._desk.canvas.graph.run_layer
        layer.set_breakpoints({})
        layer.set_sub_steps({})

    # What the person does

    def toggle_breakpoint(self, step: str | None = None) -> None:
        """Set a breakpoint at a movement or sub-step, or remove it; by default where the person is.

        That is the sub-step that the caret is in, while the text has the keyboard, else what is selected.
        """
        step = step or self._sub_step_at_caret() or self._selected()
        if step is not None:
            self.points.toggle_at(step)

    def extend_menu(self, menu: QMenu, step_id: str) -> None:
        """Offer a breakpoint at each sub-step of a parallel movement."""
        step: Step | None = self._document.last_valid.flow.steps.get(step_id)
        if step is None or not step.subs:
            return
        below = menu.addMenu(_("&Breakpoint at Sub-step"))
        set_at = self.debugger.breakpoints.steps()
        for sub in step.subs:
            action = below.addAction(plain(sub.id))
            action.setCheckable(True)
            action.setChecked(sub.id in set_at)
            action.triggered.connect(lambda _checked=False, name=sub.id: self.toggle_breakpoint(name))

    def _selected(self) -> str | None:
        document = self._document
        step = document.last_valid.flow.steps.get(document.selected_step or "")
        sub = sub_step_at(step, document.selection.part)
        return sub.id if sub is not None else document.selected_step

    def _sub_step_at_caret(self) -> str | None:
        caret = self._caret()
        step = self._document.last_valid.flow.steps.get(self._document.selected_step or "")
        if step is None or caret is None or caret[0] != self._document.path:
            return None
        offset = caret[1]
        here = [sub for sub in step.subs if sub.pointer.startswith(f"{step.pointer}/")]  # others are of shared steps
        return next((sub.id for sub in here if sub.node.start <= offset < sub.node.end), None)

    # What comes from the document

    def flow_changed(self) -> None:
        """The piece was edited: a run that is there goes on as it began."""
        self.explore.if_built(lambda page: page.forget())
        self._make(self._setup.era, interactive=self._setup.interactive)
        self._fill_setup()
        self.points.show()
        self._show()

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self.pages.retranslate(self._desk.theme())
        self._show()

    # Leading

    @property
    def _setup(self) -> Setup:
        return self.setup.built.setup if self.setup.built is not None else self._first_setup

    @property
    def _entry(self) -> str | None:
        return self.setup.built.entry if self.setup.built is not None else None

    def _make_setup(self) -> PieceSetup:
        form = PieceSetup(self._first_setup.era)
        form.changed.connect(lambda _setup: self._setup_changed())
        return form

    def _fill_setup(self) -> None:
        """Show in the form what the piece offers."""
        form, piece = self.setup.built, self.pages.piece
        if form is None:
            return
        registry = self._document.last_valid.registry
        form.show_releases(releases_of_piece(registry.path, registry.tree).releases)
        form.show_tests(files_of(self._document.path)[1])
        form.show_running(self.debugger.run is not None)
        if piece is not None:
            form.show_movements(list(piece.movements), piece.initial)

    def _setup_changed(self) -> None:
        self._trouble = ""
        if self.debugger.run is None:
            self._make(self._setup.era, interactive=self._setup.interactive)
        self._show()

    def _make(self, era: str, *, interactive: bool) -> PieceMachine | None:
        runner = runner_of(self._document.last_valid, era)
        piece = piece_in(self._document.last_valid, runner)
        if isinstance(piece, PieceRefusal):
            self._refused, self.pages.piece = piece.message, None
            return None
        self._refused, self.pages.piece = None, piece
        self.setup.if_built(lambda form: form.show_movements(list(piece.movements), piece.initial))
        return PieceMachine(piece, runner, interactive=interactive)

    def _to_explore(self) -> tuple[PieceMachine, str | None] | None:
        machine = self._make(self._setup.era, interactive=self._setup.interactive)
        if machine is None:
            self._show()
            return None
        return machine, self._entry

    def _begin(self, at: str | None = None) -> bool:
        setup = self._setup
        machine = self._make(setup.era, interactive=setup.interactive)
        self._enter()
        beginning = beginning_of(setup, self._entry, machine.piece) if machine is not None else None
        if isinstance(beginning, PieceRunStart):
            machine = self._make(beginning.era or setup.era, interactive=beginning.interactive)
        if machine is None or not isinstance(beginning, PieceRunStart):
            self._trouble = beginning.message if isinstance(beginning, CantAnswer) else ""
            self._show()
            return False
        if self._panel.pages.currentWidget() is self.setup:
            self._panel.show_page(self._panel.trace)
        self._beginning, self._trouble = beginning, ""
        self.pages.shadow = self._shadow(interactive=beginning.interactive)
        self.pages.model.if_built(lambda model: model.start_over())
        run = PieceRun(machine)
        run.send(beginning.begin if at is None else beginning.begin._replace(movement=at))
        self.debugger.open(run)
        self._panel.focus_offers()
        return True

    def open(self, run: PieceRun) -> None:
        """Open a run that was made elsewhere, where it stands."""
        if self.is_suspended:
            self._desk.actions["run-stop"].trigger()  # closes the log that is shown
        self._halt()
        self._enter()
        self._panel.show_page(self._panel.trace)
        self.debugger.open(run)

    def _shadow(self, *, interactive: bool) -> PieceMachine | None:
        """The machine that the run is compared with; one that refuses the piece says so."""
        named = self._setup.shadow
        if named is None:
            return None
        runner = runner_of(self._document.last_valid, named)
        piece = piece_in(self._document.last_valid, runner)
        if isinstance(piece, PieceRefusal):
            self._trouble = piece.message
            return None
        return PieceMachine(piece, runner, interactive=interactive)

    def _forget(self) -> None:
        self.pages.shadow = None
        self._beginning = self._answering = None

    def _work(self, goal: Goal) -> PieceTask | CantAnswer | None:
        run = self.debugger.run
        if run is None or run.state.waits == "nothing":
            return None
        answers = self._who_answers(run)
        if answers is None or isinstance(answers, CantAnswer):
            return answers
        if self._setup.who == "anthropic":
            assert self.pages.model.widget  # from now on, to take progress on any thread
            self._panel.show_page(self.pages.model)
            self._panel.answer.open(self.pages.model)
        breakpoints = self.debugger.breakpoints.every
        return PieceTask(run.machine, run.state, run.position, goal, breakpoints, answers)

    def _who_answers(self, run: PieceRun) -> Answers | CantAnswer | None:
        refused = self._to_ask_a_model()
        if refused is not None:
            return refused
        setup = self._setup
        known = self._answering
        if setup.who != "anthropic" or known is None or known[0] != setup:
            assert self._beginning is not None
            made = answers_of(setup, self._beginning, run, self._receive)
            if made is None or isinstance(made, CantAnswer):
                return made
            known = self._answering = setup, made
        from stepflow_gui.run.takt.prompts.model_answers import ModelAnswers

        if isinstance(known[1], ModelAnswers):
            known[1].go_on_from(moment.event for moment in run.moments)
        return known[1]

    def _receive(self, progress: "Progress") -> None:
        """Take the progress of a model's answer, on any thread: its page was built before."""
        self.pages.model.widget.hearing.receive(progress)

    def _save(self, run: PieceRun, path: Path) -> str | None:
        saved = save(path, Source(trace_text(run)), None, marked_root(path))
        return None if isinstance(saved, Saved) else _("{path}: can't be written").format(path=path)

    def _test_of(self, run: PieceRun) -> tuple[Path, str]:
        from stepflow_gui.run.takt.scripts.recorded import recorded

        return new_test_file(self._document.path, run.state), recorded(run)

    def _moved(self, moves: list[object]) -> None:
        self.debugger.take([each for each in moves if isinstance(each, Moment)])

    def _chosen(self, key: object) -> None:
        wrote = self._panel.now.widget.wrote
        if key == _START:
            self.start()
            return
        if key in END_KEYS:
            self._desk.actions[str(key)].trigger()
            return
        self._halt()
        if isinstance(key, ChangeAnswer):
            self._ask_again(key.task)
        elif isinstance(key, RuleOf):
            pick = MovementPick(key.rule, wrote, "error" if key.fails else "done")
            later = self._take_later()
            self.debugger.happens(lambda run: (run.pick(key.task, pick), [run.send(event) for event in later]))
        elif isinstance(key, OpenCalled):
            self.debugger.happens(lambda run: run.send(Entered(key.task)))
        elif isinstance(key, More):
            self.debugger.happens(lambda run: run.send(Extended(key.iterations)))
        elif isinstance(key, Cancelled):
            self.debugger.happens(lambda run: run.input(None))
        elif isinstance(key, UserAnswer):
            self.debugger.happens(lambda run: run.input(wrote))
        self._panel.focus_offers()

    def _ask_again(self, task: str) -> None:
        """Look at the moment before a sub-step came to its rule; its new answer brings back those of the others."""
        run = self.debugger.run
        at = run.asked_at(task) if run is not None else None
        if run is None or at is None:
            return
        later = [moment.event for moment in run.moments[at : run.position]]
        self.look_at(at)
        events: list[Event] = [
            event for event in later if isinstance(event, Replied | JudgeReply) and event.task != task
        ]
        self._later = run, at, events

    def _take_later(self) -> list[Event]:
        """The results of the other sub-steps after the moment at which an answer is changed; once."""
        (run, at, events), self._later = self._later, (None, 0, [])
        return events if run is not None and run is self.debugger.run and run.position == at else []

    # What is shown

    def show_setup(self) -> None:
        self._desk.show_output(self._panel)
        self._panel.show_page(self.setup)

    def _show_all(self, *, busy: bool) -> None:
        run = self.debugger.run
        self.setup.if_built(lambda form: form.show_running(run is not None))
        if not busy:
            self.pages.compare(run)
        if run is None:
            self._show_idle()
        else:
            self._show_run(run, busy=busy)
        self._show_pages()
        self.show_marks()

    def _show_run(self, run: PieceRun, *, busy: bool) -> None:
        panel, looks = self._panel, self.debugger.looks
        status = status_of(run)
        if busy:
            panel.show_now(status)
            return
        if run.state.end is not None and self._beginning is not None:
            status = status._replace(detail="\n".join([status.detail, *missed(self._beginning, run)]))
        place = (run.position, run.length) if looks else None
        parting = self.pages.parting
        note = parting.message if parting is not None else self._trouble
        state = run.state
        writes: Wrote | None = "person" if state.waits == "input" else "response" if state.waits == "calls" else None
        by_hand = self._setup.who == "me"
        offers = end_offers(self._unseen()) if state.end is not None else offers_of(run, by_hand=by_hand)
        panel.show_now(noted(status, note, self.debugger.paused, place), offers, wrote=writes)

    def _unseen(self) -> int:
        marks = [marks_of(branch.run) for branch in self.debugger.branches]
        return ends_left(self._document.last_valid.flow, marks)

    def _said(self, text: str) -> str:
        """A text in the words of the file."""
        return in_words_of(self._document.last_valid.flow, text)

    def _show_idle(self) -> None:
        if self._refused is not None:
            self._panel.show_idle(
                Status(self._said(_("This piece can't be run")), self._refused, token="error"), [], []
            )
            return
        hint = self._said(
            _("Each movement asks which of its rules it comes to; reports are kept here, nothing is written.")
        )
        if self._setup.who != "me":
            hint = _("The run goes on by itself until it ends, a breakpoint pauses it, or you do.")
        status = Status(_("Not started"), hint, note=self._trouble, note_token="error")
        self._panel.show_idle(status, [], [AnswerOffer(_START, _("Start"), primary=True)])

    def _show_pages(self) -> None:
        if self._filling or self.is_suspended:  # a page that comes or goes changes which one is in front
            return
        self._filling = True
        self.pages.show(busy=self._worker.busy, asks_model=self._setup.who == "anthropic")
        self._filling = False

    def show_marks(self) -> None:
        """Mark on the canvas where the run is and has been."""
        run, canvas, busy = self.debugger.run, self._desk.canvas, self._worker.busy
        canvas.follow_active = self._desk.settings.follow
        canvas.minimap.hurried = busy
        canvas.set_run(NO_RUN if run is None else marks_of(run))
        layer = canvas.graph.run_layer
        layer.set_sub_steps({} if run is None else sub_marks(run))
        state = run.state.outermost if run is not None else None
        if state is None or state.movement is None:
            layer.set_counts(None, "")
            return
        assert run is not None
        count = state.counts.get(state.movement, 0)
        layer.set_counts(state.movement, f"{run.state.iteration}/{run.state.limit or '∞'} · ×{count}")
        if (
            run.state.end is None and state.movement in self._document.last_valid.flow.steps
        ):  # it may have been renamed meanwhile
            self._follow(state.movement)

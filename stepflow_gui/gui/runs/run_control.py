"""Controls the runs of the open agent: forwards the user's requests, and shows the results on panel and canvas."""

from pathlib import Path

from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.gui.canvas.items.closing_card import ClosingSign
from stepflow_gui.gui.canvas.marks import NO_RUN
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.answering import FILL_IN, RunAnswering
from stepflow_gui.gui.runs.check_rows import closing_sign
from stepflow_gui.gui.runs.files import beginning_of, save_trace
from stepflow_gui.gui.runs.pages import RunPages
from stepflow_gui.gui.runs.panel.now import END_KEYS, Status
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.points import RunPoints
from stepflow_gui.gui.runs.run_controller import RunController
from stepflow_gui.gui.runs.run_text import (
    PROGRAM_ENDED,
    SET_UP,
    SHOW_PROBLEM,
    START,
    TRUST,
    UNKNOWN,
    badge,
    with_message,
)
from stepflow_gui.gui.runs.setup import AskPerson, ByHand, arguments_of, commands_for, responder_for
from stepflow_gui.gui.runs.setup_model import CantAnswer, Setup
from stepflow_gui.gui.runs.status import RunStatus, marks_of
from stepflow_gui.gui.runs.trust import TrustSign
from stepflow_gui.gui.runs.worker import RunMove, RunTask
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.debugging.branches import ON, Goal, Paused
from stepflow_gui.run.debugging.debugger import Debugger
from stepflow_gui.run.effects import Commands, NoAnswer, Responder
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.host.host_factory import host_of
from stepflow_gui.run.machine.choices import Choice
from stepflow_gui.run.machine.machine import Machine
from stepflow_gui.run.machine.picks import PickRefusal, answer_for
from stepflow_gui.run.machine.state import Answered, ProgramEnded, Query, Validated
from stepflow_gui.run.session import Run
from stepflow_gui.run.shadow import shadow_machine


class RunControl(RunController[Run]):
    """The runs of the open agent, by a debugger independent of Qt and a worker that runs them off this thread."""

    def __init__(self, desk: Desk, panel: RunPanel, trust: TrustSign, document: Document) -> None:
        self.debugger = Debugger()
        super().__init__(desk, panel, trust, document, self.debugger)
        self.pages = RunPages(self._panel, document, self.debugger)
        self._points = RunPoints(desk, panel, document, self.debugger, self.pages)
        self._answers = RunAnswering(self._panel, document, desk.theme, self._answered)
        self._status = RunStatus(self._panel, document, self.debugger)
        self._host: Host | None = None
        self._agent: AgentFolder | None = None  # whose commands the host runs
        self._answering: tuple[Setup, Host, bool, Responder, Commands] | None = None
        self._reads_prompts = True
        self._filling = False
        self._shown_closing: ClosingSign | None = None
        self._shown_running: bool | None = None  # as the setup form shows it
        self._link(
            [
                (panel.step_picked, self._picked),
                *self._points.links(self._show_pages),
                (panel.setup_changed, self._show),
            ]
        )
        panel.show_page(panel.setup_form)
        self._points.show()
        self._show()

    def detach(self) -> None:
        """End the run and let go of the panel."""
        self._let_go()
        self._answers.detach()
        self._panel.show_idle(Status(_("No agent open. Open one to run it.")), [], [])
        layer = self._desk.canvas.graph.run_layer
        layer.set_breakpoints({})
        layer.set_closing(None)

    # What the person does

    def toggle_breakpoint(self, step: str | None = None) -> None:
        """Set a breakpoint at a step, the selected one by default, or remove it."""
        step = step or self._document.selected_step
        if step is not None and step in self._document.last_valid.flow.steps:
            self._points.toggle_at(step)

    def open(self, host: Host, run: Run, at: int = 1) -> None:
        """Open a run that was made elsewhere; it is at its start, with all that happened kept to be stepped through.

        `at`: after how many events it is to stand instead.
        """
        if self.is_suspended:
            self._desk.actions["run-stop"].trigger()  # closes the log that is shown
        self._halt()
        self._host, self._answering = host, None
        run.go_to(at)
        self._enter()
        self._panel.show_page(self._panel.trace)
        self.debugger.open(run)

    def flow_changed(self) -> None:
        """The registry was edited: the runs go on with it as it is now."""
        self.pages.forget()
        if self.debugger.run is None:
            self._show()
            return
        self._halt()
        host, shadow = self._machines(self.debugger.run.machine.era.name)
        self._host, self._answering = host, None
        for branch in self.debugger.branches:
            branch.run.use_machines(host.machine, shadow)
        self._show()

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self.pages.forget()
        self._answers.refresh(self._desk.theme())
        self._show()

    # Leading

    @property
    def _setup(self) -> Setup:
        return self._panel.setup

    def _begin(self, at: str | None = None) -> bool:
        flow = self._document.last_valid.flow
        setup = self._setup
        beginning = beginning_of(setup, self._panel.entry, arguments_of(setup.args))
        self._reads_prompts = beginning.prompts
        host, shadow = self._machines(beginning.era, beginning.max_iterations)
        self._host, self._answering = host, None
        run = Run(flow, machine=host.machine, shadow=shadow)
        start = beginning.start if at is None else beginning.start._replace(entry=at)
        self._enter()
        if self._panel.pages.currentWidget() is self._panel.setup_form:
            self._panel.show_page(self._panel.trace)
        self._answers.begin()
        self.debugger.open(run)
        run.send(start)
        self._stop_unasked()
        self._panel.focus_offers()
        return run.state.error is None

    def _machines(self, era: str, max_iterations: int | None = None) -> tuple[Host, Machine | None]:
        folder = self._document.last_valid.reread(())  # what the worker reads on demand isn't read elsewhere
        self._agent = folder
        from stepflow_gui.lint.config.config import Configs

        format_id = folder.flow.format
        needed = None if self._reads_prompts else False  # None: as in the era
        era_named = era_for(format_id, era)
        host = host_of(
            lambda _iteration: folder,
            era_named,
            spare_prompts=dict.fromkeys(Configs().of(folder.registry.path).fallback_keys),
            needs_prompts=needed,
            max_iterations=max_iterations,
        )
        shadow = self._setup.shadow
        if shadow is None or shadow == era:
            return host, None
        config = host.machine.config
        return host, shadow_machine(folder, era_for(format_id, shadow), config.verdict, config.settings)

    def _work(self, goal: Goal) -> RunTask | CantAnswer | None:
        run, host = self.debugger.run, self._host
        if run is None or host is None or self.debugger.pending is None:
            return None
        answering = self._who_answers(host)
        if isinstance(answering, CantAnswer):
            return answering
        responder, commands = answering
        if isinstance(responder, ByHand) and isinstance(commands, AskPerson):
            moves = host.carry_out(run.state, self.debugger.pending, responder, commands)
            if isinstance(moves, NoAnswer):  # at once: what can be picked is never gone meanwhile
                self._paused(Paused("no_answer", moves.message), moves)
                return None
        breakpoints = self.debugger.breakpoints.every
        if self._setup.who == "anthropic":
            self._answers.open_model()
        return RunTask(host, run.state, dict(run.visits), goal, breakpoints, responder, commands)

    def _who_answers(self, host: Host) -> tuple[Responder, Commands] | CantAnswer:
        self._trust.show_agent(self._agent)  # another program may have taken the trust back
        setup, trusted = self._setup, self._trust.trusted
        known = self._answering
        if known is not None and known[:3] == (setup, host, trusted):
            return known[3], known[4]
        refused = self._to_ask_a_model()
        if refused is not None:
            return refused
        good = self._document.last_valid
        made = responder_for(setup, host, good, commands_for(setup, good.root, trusted), self._answers.receive)
        if not isinstance(made, CantAnswer):
            self._answering = (setup, host, trusted, *made)
        return made

    def _save(self, run: Run, path: Path) -> str | None:
        return save_trace(run, self._document.last_valid, path)

    def _test_of(self, run: Run) -> tuple[Path, str]:
        from stepflow_gui.run.exploring.recorded import recorded
        from stepflow_gui.run.scripts.flow_tests import new_test_file

        return new_test_file(self._document.last_valid, run.state), recorded(run.machine, run.states).text

    def _moved(self, moves: list[object]) -> None:
        self.debugger.take([(each.event, each.state) for each in moves if isinstance(each, RunMove)])

    def _forget(self) -> None:
        self._host = self._answering = None

    # What the person picks

    def _chosen(self, key: object) -> None:
        run = self.debugger.run
        if key == START:
            self.start()
        elif key == SHOW_PROBLEM:
            self._status.show_problem()
        elif key == SET_UP:
            self.stop()
            self.show_setup()
        elif key in END_KEYS:
            self._desk.actions[str(key)].trigger()
        elif key == FILL_IN:
            self._answers.open_form()
        elif run is None:
            return
        elif key == TRUST:
            self._trust.toggle()
            if self._trust.trusted:
                self._start(ON)
        elif isinstance(key, bool):
            wrote = self._panel.now.widget.wrote or _("failed manually")
            self._answered(Validated(key, "" if key else wrote))
        elif isinstance(key, Choice | Answered) or key == UNKNOWN:
            self._pick(run, key)
        elif key in PROGRAM_ENDED and isinstance(key, tuple):
            self._answered(ProgramEnded(key[1]))

    def _pick(self, run: Run, key: object) -> None:
        answered = self._answer_to(run, key)
        if isinstance(answered, Answered):
            self._answered(answered._replace(verdict_reached=self._panel.condition_met))
        else:
            self._desk.notices.show("warning", answered)

    def _answer_to(self, run: Run, key: object) -> Answered | str:
        """What is answered by an offer, or why nothing can be."""
        step = run.machine.flow.steps.get(run.state.step or "")
        if isinstance(key, Answered) or step is None:
            return key if isinstance(key, Answered) else Answered(None)
        if not isinstance(key, Choice):
            from stepflow_gui.run.answer_form.invalid_samples import breakages  # rarely asked for

            samples = breakages(run.machine.flow, step, None, run.machine.era)
            found = next(each for each in samples if each.name == UNKNOWN)
            return found.answered or found.why
        answer = answer_for(step, key.pick, run.machine.era)
        if isinstance(answer, PickRefusal):
            return answer.message
        return Answered(with_message(answer, self._panel.now.widget.wrote) if run.state.waits == "check" else answer)

    def _answered(self, event: Answered | Validated | ProgramEnded) -> None:
        self._halt()
        self.debugger.send(event)
        self._stop_unasked()
        if self._setup.real and self._waits_for_commands:
            self._start(ON)  # the commands are run until the person is asked again

    def _stop_unasked(self) -> None:
        """End the run where the runner can't ask the step because it has no prompt, whatever a person would answer."""
        run, query = self.debugger.run, self.debugger.pending
        if run is None or self._host is None or self._setup.who != "me" or not isinstance(query, Query):
            return
        if not self._host.needs_prompts:
            return
        refused = self._host.unprompted(run.state, query)
        if refused is not None:
            self.debugger.send(refused)

    @property
    def _waits_for_commands(self) -> bool:
        run = self.debugger.run
        return run is not None and run.state.waits in {"validator", "program"}

    def _picked(self, step: object) -> None:
        if isinstance(step, str) and step in self._document.last_valid.flow.steps:
            self._document.select(step, "run")

    def _selection_changed(self) -> None:
        super()._selection_changed()
        self._show_closing()
        if self._panel.is_seen(self._panel.checks):
            self._show_pages()

    # What is shown

    def show_setup(self) -> None:
        self._desk.show_output(self._panel)
        self._panel.show_page(self._panel.setup_form)

    def _show_all(self, *, busy: bool) -> None:
        run = self.debugger.run
        self.show_marks()
        if self._shown_running != (run is not None):
            self._shown_running = run is not None
            self._panel.show_running(self._shown_running)
        who = self._setup.who
        form = self._answers.show(run, asks_model=who == "anthropic", busy=busy)
        if run is None:
            self._status.show_idle(self._setup)
        else:
            needs_trust = self._setup.real and not self._trust.trusted and self._waits_for_commands
            self._status.show_run(run, busy=busy, by_hand=who == "me", form=form, needs_trust=needs_trust)
        self._show_pages()

    def _show_pages(self) -> None:
        if self._filling or self.is_suspended:  # a page that comes or goes changes which one is in front
            return
        self._filling = True
        self._answers.fill()
        self.pages.show(self._host, busy=self._worker.busy)
        self._filling = False

    def _show_closing(self) -> None:
        wanted = self._desk.actions["validation-layer"].isChecked()
        sign = (
            closing_sign(self._document.last_valid, self.debugger.run, self._document.selected_step) if wanted else None
        )
        if sign != self._shown_closing:
            self._shown_closing = sign
            self._desk.canvas.graph.run_layer.set_closing(sign)
            self._desk.canvas.minimap.follow()  # which steps aside for it

    def show_marks(self) -> None:
        """Mark on the canvas where the run is and has been."""
        run = self.debugger.run
        canvas = self._desk.canvas
        canvas.follow_active = self._desk.actions["follow"].isChecked()
        canvas.minimap.hurried = self._worker.busy
        if not self._worker.busy:
            self._show_closing()
        if run is None:
            canvas.set_run(NO_RUN)
            canvas.graph.run_layer.set_counts(None, "")
            return
        canvas.set_run(marks_of(run))
        canvas.graph.run_layer.set_counts(run.state.step, badge(run.machine.config, run.state))
        self._follow(run.state.step if run.state.outcome is None else None)

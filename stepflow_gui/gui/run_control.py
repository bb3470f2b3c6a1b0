"""Leads a run by hand: starts it, shows where it stands on canvas and panel, passes on what the person picks."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from stepflow_gui.gui.canvas.marks import NO_RUN, RunMarks, TransitionRef
from stepflow_gui.gui.panels.run import Offer, Status, TraceRow
from stepflow_gui.gui.session import Session
from stepflow_gui.messages import _
from stepflow_gui.run.choices import Choice
from stepflow_gui.run.explanation import explain, in_words
from stepflow_gui.run.problem import RunError
from stepflow_gui.run.responders.manual import Refusal
from stepflow_gui.run.route import Finished, Routed
from stepflow_gui.run.session import Run
from stepflow_gui.run.state import Answered, Entry, Start, Validated
from stepflow_gui.run.verdict import Verdict, entry_of, verdict_of

if TYPE_CHECKING:
    from stepflow_gui.gui.window import MainWindow

_WHILE_RUNNING = ("run-restart", "run-stop")


class RunControl:
    """At most one run of the open agent. The run itself knows no Qt."""

    def __init__(self, window: "MainWindow", session: Session) -> None:
        self._window = window
        self._panel = window.run_panel
        self._session = session
        self._run: Run | None = None
        self._unlisten: Callable[[], None] | None = None
        self._followed: str | None = None
        self._links = [
            (self._panel.started, self._started),
            (self._panel.chosen, self._chosen),
            (self._panel.back_wanted, self.back),
            (self._panel.restart_wanted, self.restart),
            (self._panel.stop_wanted, self.stop),
            (self._panel.step_picked, self._picked),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self._show()

    @property
    def run(self) -> Run | None:
        """The run, if one was started."""
        return self._run

    def detach(self) -> None:
        """End the run and let go of the panel."""
        self.stop()
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._panel.show_idle(Status(_("No agent is open.")), [])

    # What the person does

    def start(self) -> None:
        """Begin at the entry that the verdict type leads to."""
        self._started(None)

    def back(self) -> None:
        """Take the last answer back."""
        if self._run is not None:
            self._run.back()

    def restart(self) -> None:
        """Begin anew where this run began."""
        if self._run is not None:
            self._run.restart()

    def stop(self) -> None:
        """Leave the run."""
        if self._unlisten is not None:
            self._unlisten()
        self._run = self._unlisten = self._followed = None
        self._show()

    def flow_changed(self) -> None:
        """The registry was edited: the run goes on with it as it is now."""
        if self._run is not None:
            self._run.use(self._session.good.flow, self._verdict())
        else:
            self._show()

    def refresh(self) -> None:
        """Show everything again, in the look and language in use."""
        self._show()

    def _started(self, entry: object) -> None:
        self.stop()
        self._run = Run(self._session.good.flow, self._verdict())
        self._unlisten = self._run.on_change(self._show)
        self._window.show_run_panel()
        self._run.start(entry if isinstance(entry, str) else None)
        self._panel.focus_offers()

    def _chosen(self, key: object) -> None:
        run = self._run
        if run is None:
            return
        if isinstance(key, bool):
            run.validated(key, "" if key else _("failed by hand"))
        elif isinstance(key, Choice):
            refused = run.choose(key, told=self._panel.told)
            if isinstance(refused, Refusal):
                self._window.banner.say("warning", refused.message)

    def _picked(self, step: object) -> None:
        if isinstance(step, str) and step in self._session.good.flow.steps:
            self._session.select(step, "run")

    # What is shown

    def _verdict(self) -> Verdict:
        return verdict_of(self._session.good.agent)

    def _show(self) -> None:
        run = self._run
        self._window.actions_.enable(_WHILE_RUNNING, run is not None)
        self._window.actions_.enable(("run-back",), run is not None and run.can_go_back)
        if run is None:
            self._show_idle()
        else:
            told = self._told_label() if run.state.waits == "answer" else None
            self._panel.show_run(self._status(run), self._offers(run), run.can_go_back, told)
            self._panel.show_trace([self._row(number, entry) for number, entry in enumerate(run.trace, start=1)])
        self.show_marks()

    def _show_idle(self) -> None:
        flow = self._session.good.flow
        usual = entry_of(flow, self._verdict())
        entries: list[tuple[str, object]] = []
        if usual is not None:
            entries.append((usual, None))
        for entry in flow.entries:
            if entry.target is not None and entry.target.value not in {usual, *(label for label, _key in entries)}:
                entries.append((entry.target.value, entry.target.value))
        detail = _("You play the model: at each step you pick the intent it answers. Nothing is sent or executed.")
        if not entries:
            detail = _("The registry names no entry step for this agent, so there is nowhere to start.")
        self._panel.show_idle(Status(_("Step through the flow"), detail), entries)

    def show_marks(self) -> None:
        """Mark on the canvas where the run is and has been."""
        run = self._run
        canvas = self._window.canvas
        canvas.follow_active = self._window.settings.follow
        if run is None:
            canvas.set_run(NO_RUN)
            return
        state, last = run.state, run.last_taken
        over = state.outcome is not None
        canvas.set_run(
            RunMarks(
                frozenset() if over or state.step is None else frozenset({state.step}),
                TransitionRef(last.step, last.intent, last.case) if last else None,
                dict(run.visits),
                {TransitionRef(way.step, way.intent, way.case): count for way, count in run.taken.items()},
                ended=over and last is not None and last.to is None,
            )
        )
        if not over and state.step is not None and state.step != self._followed:
            self._followed = state.step
            self._session.select(state.step, "run")

    def _status(self, run: Run) -> Status:
        state = run.state
        if state.outcome is not None:
            token = "closure" if state.outcome.success else "error"
            title = (
                _("The run has reached its end") if state.outcome.success else _("The run has ended without success")
            )
            return Status(title, state.outcome.message, token)
        if state.error is not None:
            return Status(_("The run can't go on from here"), state.error.message, "error")
        iteration = _("Iteration {number}").format(number=state.iteration)
        checking = run.validator
        if checking is not None:
            detail = _("{iteration}: validator {number} of {count} before closing, “{command}”. Does it pass?")
            return Status(
                checking.validator,
                detail.format(iteration=iteration, number=checking.number, count=checking.of, command=checking.command),
                "active",
                mono=True,
            )
        detail = _("{iteration}: which intent does the model answer?").format(iteration=iteration)
        if state.retry is not None:
            left = _("The retry prompt for “{validator}” is shown to it, attempt {attempt}.")
            detail += " " + left.format(validator=state.retry.validator, attempt=state.retry.attempt)
        return Status(state.step or "", detail, "active", mono=True)

    def _told_label(self) -> str | None:
        verdict = self._verdict()
        if not verdict.is_external:
            return None
        return _("the issue is closed now") if verdict.type == "poll:state" else _("the outside says: finished")

    def _offers(self, run: Run) -> list[Offer]:
        if run.validator is not None:
            return [Offer(True, _("Passes"), primary=True), Offer(False, _("Fails"))]
        offers: list[Offer] = []
        for choice in run.choices():
            label = choice.intent
            if choice.pick.case is not None:
                label += f" · {choice.pick.case}"
            offers.append(
                Offer(
                    choice,
                    f"{label}  →  {_goal(choice)}",
                    choice.refusal or (choice.way.message if isinstance(choice.way, RunError) else ""),
                    primary=not offers,
                    enabled=choice.refusal is None,
                )
            )
        return offers

    def _row(self, number: int, entry: Entry) -> TraceRow:
        read = entry.interpretation
        if isinstance(entry.event, Start):
            answer = _("start")
        elif isinstance(entry.event, Validated):
            answer = f"{entry.validator}: " + (_("passed") if entry.event.passed else _("failed"))
        elif read is not None:
            case = entry.way.case if isinstance(entry.way, Routed | Finished) else None
            answer = read.intent if case is None else f"{read.intent} · {case}"
        else:
            answer = _("no answer") if isinstance(entry.event, Answered) else ""
        result, token = entry.to or "", "text"
        note = ""
        if entry.error is not None:
            result, token, note = (
                _("stopped: {reason}").format(reason=entry.error.message),
                "error",
                entry.error.message,
            )
        elif entry.outcome is not None:
            result, token = _("end"), "closure" if entry.outcome.success else "error"
        elif entry.to is None:
            result = _("validators run")
        explained = explain(self._session.good.flow, entry, self._enum(entry.step))
        if explained is not None:
            note = "\n".join([*in_words(explained), *([note] if note else [])])
        return TraceRow(number, entry.step or entry.to or "", answer, result, note, token)

    def _enum(self, step_id: str | None) -> list[str] | None:
        step = self._session.good.flow.steps.get(step_id or "")
        if step is None:
            return None
        schema = self._session.good.schema(step)
        return None if schema.problem else [item.value for item in schema.enum if isinstance(item.value, str)]


def _goal(choice: Choice) -> str:
    match choice.way:
        case Routed(step=step):
            return step
        case Finished():
            return _("end")
        case RunError():
            return _("error")
        case _:
            return _("not possible")

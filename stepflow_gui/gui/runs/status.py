"""Shows in the run panel where a run is, the possible answers, and the linter's findings where it stopped."""

from stepflow_gui.gui.canvas.marks import RunMarks, TransitionRef
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.runs.answering import FILL_IN
from stepflow_gui.gui.runs.panel.now import AnswerOffer, Status, Wrote, end_offers
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.run_text import (
    SET_UP,
    SHOW_PROBLEM,
    START,
    TRUST,
    condition_label,
    ends_left,
    offers_of,
    running,
    status_of,
)
from stepflow_gui.gui.runs.setup_model import Setup
from stepflow_gui.lint.diagnostic import INFO, Diagnostic
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.debugging.debugger import Debugger
from stepflow_gui.run.host.host import schema_for
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.machine.verdict import entry_of, verdict_of
from stepflow_gui.run.scripts.coverage import KINDS, Coverage, kind_name, totals_of
from stepflow_gui.run.session import Run
from stepflow_gui.text.source import Span

_OF_PROMPTS = frozenset({"SF506", "SF508", "SF510"})  # rules: no prompt, variables without a value


class RunStatus:
    """Fills the part of the panel that shows where the current run is."""

    def __init__(self, panel: RunPanel, document: Document, debugger: Debugger) -> None:
        self._panel = panel
        self._document = document
        self._debugger = debugger
        self._refused: tuple[object, object] = (None, None)  # what was asked for a schema last, and what came of it

    def show_run(self, run: Run, *, busy: bool, by_hand: bool, form: bool, needs_trust: bool) -> None:
        """A run, and what can be answered; while it is `busy` nothing can.

        `form`: the answer can be filled in. `needs_trust`: nothing is run until the folder is trusted.
        """
        panel = self._panel
        if busy:
            panel.show_now(running(run.state, ""))
            return
        status = status_of(run, self._debugger.paused, self._debugger.looks)
        if by_hand and not status.note:
            status = status._replace(note=self._why_not_asked(run))
        unprompted = run.state.error is not None and run.state.error.kind == "prompt"
        offers = [] if unprompted else offers_of(run, run.choices(), by_hand)
        if needs_trust:
            offers.append(
                AnswerOffer(TRUST, _("Trust This Folder"), _("Commands of validators may be run in this folder."))
            )
        if form and not unprompted:
            offers.append(AnswerOffer(FILL_IN, _("Fill In…")))
        if run.state.error is not None:
            found = self.finding(run)
            if found is not None:
                status = status._replace(detail=f"{status.detail}\n{found.code}: {found.message}")
            if run.state.error.step is not None or run.state.error.pointer is not None:
                offers.insert(0, AnswerOffer(SHOW_PROBLEM, _("Show Problem")))
            if run.length == 1 or unprompted:
                offers.append(AnswerOffer(SET_UP, _("Reconfigure"), primary=True))
        if run.state.outcome is not None:
            status = status._replace(detail="\n".join(filter(None, (status.detail, self._facts(run)))))
            marks = [marks_of(branch.run) for branch in self._debugger.branches]
            offers += end_offers(ends_left(self._document.last_valid.flow, marks))
        waits, gates = run.state.waits, run.machine.era.gates
        condition = condition_label(run.machine.verdict) if waits == "answer" and gates else None
        wrote: Wrote | None = "validator" if run.validator is not None else "check" if waits == "check" else None
        panel.show_now(status, offers, condition, wrote=wrote)

    def _facts(self, run: Run) -> str:
        """How much happened in a run that is over, and how much of the flow it came through."""
        machine = run.machine
        coverage = Coverage(totals_of(machine.flow, machine.era, machine.verdict))
        coverage.add_run(run.trace)
        answers = sum(isinstance(entry.event, Answered) for entry in run.trace)
        counted = ngettext("{count} answer", "{count} answers", answers).format(count=answers)
        shares = ((kind_name(kind), coverage.share(kind)) for kind in KINDS)
        parts = (f"{name} {share.covered}/{share.total}" for name, share in shares if share.total)
        return " · ".join((counted, *parts))

    def _why_not_asked(self, run: Run) -> str:
        """Why the runner itself couldn't ask the step, while a person may answer anyway; "" where it could.

        Of prompts the linter speaks: they end a run by themselves where the runtime needs them.
        """
        state = run.state
        if state.waits not in {"answer", "check"} or state.step is None or state.error is not None:
            return ""
        prompt = next(filter(self._is_of_prompt, self._findings_at(state.step)), None)
        if prompt is not None:
            return f"{prompt.code}: {prompt.message}"
        if state.waits == "check" or not run.machine.era.gates:
            return ""
        asked = (self._document.last_valid, state.step, run.machine.era)
        if asked != self._refused[0]:
            self._refused = asked, schema_for(*asked)
        refused = self._refused[1]
        if not isinstance(refused, RunError):
            return ""
        text = _("The runner can't ask this step: {reason} Step goes on as it would; you may answer anyway.")
        return text.format(reason=refused.message)

    def finding(self, run: Run) -> Diagnostic | None:
        """The linter's finding at the place where a run stopped."""
        error = run.state.error
        if error is None or error.step is None:
            return None
        about = [found for found in self._findings_at(error.step) if found.severity == "error"]
        about.sort(key=lambda found: not (error.pointer and (found.pointer or "").startswith(error.pointer)))
        return about[0] if about else None

    def _findings_at(self, step: str) -> list[Diagnostic]:
        return [found for found in self._document.diagnostics if found.step == step]

    @staticmethod
    def _is_of_prompt(found: Diagnostic) -> bool:
        """Whether the step has no prompt, or one that can't be filled in."""
        return found.code in _OF_PROMPTS and found.severity != INFO

    def show_idle(self, setup: Setup) -> None:
        """No run: show how to start one."""
        flow = self._document.last_valid.flow
        usual = entry_of(flow, verdict_of(self._document.last_valid.agent))
        entries: list[tuple[str, object]] = [(usual, None)] if usual is not None else []
        for entry in flow.entries:
            if entry.target is not None and entry.target.value not in {usual, *(label for label, _key in entries)}:
                entries.append((entry.target.value, entry.target.value))
        named = len(entries)
        known = {label for label, _key in entries}
        entries += [(step.id, step.id) for step in flow.steps.values() if not step.is_section and step.id not in known]
        detail = _("You answer for the model: pick the intent of each step. Nothing is sent or executed.")
        if flow.format == "checks":
            detail = _(
                "You answer for the model: choose whether the check of each step passes. Nothing is sent or executed."
            )
        if setup.who != "me":
            detail = _("The run goes on by itself until it ends, a breakpoint pauses it, or you do.")
        if not named:
            detail = _("The registry names no entry step for this agent. Choose under Setup where the run starts.")
        offers = [AnswerOffer(START, _("Start"), primary=True, enabled=bool(entries))]
        self._panel.show_idle(Status(_("Step through the flow"), detail), entries, offers)

    def show_problem(self) -> None:
        """Go to the finding that explains why the run can't continue; else to the place itself."""
        run, document = self._debugger.run, self._document
        error = run.state.error if run is not None else None
        if error is None:
            return
        node = document.last_valid.registry.tree.at(error.pointer) if error.pointer else None
        found = self.finding(run) if run is not None else None
        if error.step is not None:
            document.select(error.step, "run")
        if found is not None:
            document.reveal(found.file, Span(found.range.start.offset, found.range.end.offset))
        elif node is not None and not document.text_broken:
            document.reveal(document.path, node.span)


def marks_of(run: Run) -> RunMarks:
    """Where a run is and has been, for the canvas."""
    state, last = run.state, run.last_taken
    over = state.outcome is not None
    return RunMarks(
        frozenset() if over or state.step is None else frozenset({state.step}),
        TransitionRef(last.step, last.intent, last.case) if last else None,
        dict(run.visits),
        {TransitionRef(ref.step, ref.intent, ref.case): count for ref, count in run.taken.items()},
        ended=over and last is not None and last.to is None,
    )

"""Shows a document in the window's parts, and keeps them in step: flow, findings, selection, run."""

from collections import Counter
from typing import TYPE_CHECKING

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.names import name_of_format
from stepflow_gui.gui.canvas.marks import SeverityCounts, TransitionRef
from stepflow_gui.gui.document.contract_errors import ContractErrors
from stepflow_gui.gui.document.document import Document, Selection
from stepflow_gui.gui.document.step_terms import counted_steps
from stepflow_gui.gui.editing.canvas_editing import CanvasEditing
from stepflow_gui.gui.editing.canvas_menu import CanvasMenu
from stepflow_gui.gui.editing.undo_actions import UndoActions
from stepflow_gui.gui.inspector.forms.row_model import Problem
from stepflow_gui.gui.runs.exploring import RunExploring
from stepflow_gui.gui.runs.run_control import RunControl
from stepflow_gui.lint.diagnostic import RANK, Diagnostic
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.step_contract import StepContract, contract_in
from stepflow_gui.text.pointer import join, split

if TYPE_CHECKING:
    from stepflow_gui.gui.app.window import MainWindow
    from stepflow_gui.gui.runs.piece.control import PieceControl

_INTENT = 3  # where a pointer into a transition names the intent: /steps/STEP/transitions/INTENT
LONG_LAYOUT = 1500  # steps from which on laying them out takes seconds


def _runs(window: "MainWindow", document: Document) -> "tuple[RunControl | PieceControl, RunExploring | None]":
    """Who leads runs of an agent, or of a piece, and who explores."""
    if document.good.flow.format == "takt":
        from stepflow_gui.gui.runs.piece.control import PieceControl  # with the first piece

        return PieceControl(window, document), None
    run = RunControl(window, document)
    return run, RunExploring(window, document, run)


class DocumentView:
    """Ties one document to the window. `detach` unties it."""

    def __init__(self, window: "MainWindow", document: Document) -> None:
        self._window = window
        self._document = document
        self._broken = ContractErrors(document, self._contract)
        self._counted: tuple[Flow, int] | None = None  # the transitions of a flow
        self._format: str | None = None  # of the flow that is shown
        self.leading, self._exploring = _runs(window, document)
        self.editing = CanvasEditing(window, document)
        window.canvas.can_connect = self.editing.connecting.why_not
        window.canvas.messages.dismiss = window.banner.pass_by
        window.canvas.messages.jump_targets = self.editing.connecting.jump_targets
        self.menu = CanvasMenu(window, document, self.editing)
        self._links = [
            (document.flow_changed, self._flow_changed),
            (document.diagnostics_changed, self._diagnostics_changed),
            (document.selection_changed, self._selection_changed),
            (document.dirty_changed, window.show_title),
            (document.stack.indexChanged, window.banner.pass_by),
            (document.stack.canUndoChanged, window.actions_["undo"].setEnabled),
            (document.stack.canRedoChanged, window.actions_["redo"].setEnabled),
            (window.canvas.step_selected, self._picked_on_canvas),
            (window.canvas.transition_selected, self._picked_transition),
            (window.canvas.hint_changed, window.status.hint),
            (window.outline.step_picked, self._picked_in_outline),
            (window.inspector.step_picked, self._picked_elsewhere),
            (window.search.step_picked, self._picked_elsewhere),
        ]
        for signal, slot in self._links:
            signal.connect(slot)
        self.undoing = UndoActions(window, document)  # after the links, by which the canvas follows the selection
        self.menu.extend_step.append(lambda menu, _step: menu.addAction(window.actions_["run-breakpoint"]))
        if not isinstance(self.leading, RunControl):
            self.menu.extend_step.append(self.leading.extend_menu)
        self.menu.extend_step.append(window.navigation.files.extend)
        window.source.set_document(document)
        window.problems.set_document(document)
        window.inspector.set_document(document)
        self._show_flow(first=True)
        self._diagnostics_changed()

    @property
    def run(self) -> RunControl:
        """Who leads the runs of an agent; not to be asked for where a piece is open."""
        assert isinstance(self.leading, RunControl)
        return self.leading

    @property
    def is_exploring(self) -> bool:
        """Whether an agent is being explored."""
        return self._exploring is not None and self._exploring.busy

    @property
    def exploring(self) -> RunExploring:
        """Who explores an agent, likewise."""
        assert self._exploring is not None
        return self._exploring

    def detach(self) -> None:
        """Take the document out of the window."""
        if self._exploring is not None:
            self._exploring.detach()
        self.leading.detach()
        self.menu.detach()
        self.undoing.detach()
        self.editing.detach()
        self._window.search.show_flow(None)
        for signal, slot in self._links:
            signal.disconnect(slot)
        self._window.canvas.can_connect = None
        self._window.canvas.messages.jump_targets = None
        self._window.source.set_document(None)
        self._window.problems.set_document(None)
        self._window.inspector.set_document(None)

    def refresh(self) -> None:
        """Build again what holds colours or texts."""
        self._show_outline()
        self._show_inspector()
        self._diagnostics_changed()
        self.leading.refresh()
        if self._exploring is not None:
            self._exploring.refresh()

    def retranslate(self) -> None:
        """Show everything in the language in use; the findings are asked for anew."""
        self.refresh()
        self.undoing.name_actions()
        self._document.lint_again()

    def tidy(self) -> None:
        """Lay the graph out anew, moved steps too."""
        self._show_graph(keep_positions=False)
        self._window.canvas.fit()
        self.editing.tidied(self._window.canvas.positions())

    # From the document

    def _flow_changed(self) -> None:
        self._show_flow(first=False)

    def _show_flow(self, first: bool) -> None:
        stale = self._document.stale
        self._window.canvas.set_stale(stale)
        if first or not stale:
            self._show_outline()
            shown, self._format = self._format, self._document.good.flow.format
            converted = not first and None not in {shown, self._format} and shown != self._format
            self._show_graph(keep_positions=not first and not converted, first=first or converted)
            if converted:  # hardly a step is where it was
                self._window.canvas.fit()
            self.leading.flow_changed()
            if self._exploring is not None:
                self._exploring.flow_changed()
        self._window.show_title()
        self._show_inspector()
        self._show_status()

    def _show_graph(self, keep_positions: bool, first: bool = False) -> None:
        good = self._document.good
        verdict = good.agent.verdict_type.value if good.agent and good.agent.verdict_type else None
        if keep_positions or first:
            self.editing.foretell()
        if len(good.flow.steps) >= LONG_LAYOUT and not keep_positions:
            self._window.canvas.messages.show_laying_out(len(good.flow.steps))
            self._window.show_title()
            self._window.repaint()  # so that text and outline can be read meanwhile
        self._window.canvas.show_flow(good.flow, keep_positions=keep_positions, verdict=verdict)
        if keep_positions or first:
            self.editing.remember()
        self._window.canvas.messages.place_notice()
        self._window.search.show_flow(good.flow)

    def _show_outline(self) -> None:
        good = self._document.good
        name = good.flow.agent_id.value if good.flow.agent_id else good.folder.name
        self._window.outline.show_flow(good.flow, name)
        self._window.outline.select(self._document.selected_step)

    def _diagnostics_changed(self) -> None:
        found = self._document.diagnostics
        steps: dict[str, Counter[str]] = {}
        for diagnostic in found:
            if diagnostic.step is not None:
                steps.setdefault(diagnostic.step, Counter())[diagnostic.severity] += 1
        counts = {step: SeverityCounts(seen["error"], seen["warning"], seen["info"]) for step, seen in steps.items()}
        self._window.canvas.graph.transition_counts = _of_moves(found, self._document.good.flow)
        self._window.canvas.set_diagnostics(counts, self._broken.found())
        self._show_inspector()
        self._show_status()

    def _selection_changed(self, selection: Selection) -> None:
        window, step = self._window, selection.step
        if selection.origin not in {"canvas", "transition"}:
            window.canvas.select_step(step, reveal=True)
        if selection.origin != "outline":
            window.outline.select(step)
        if selection.origin not in {"source", "problems", "transition"}:
            self._reveal(step)
        self._show_inspector()

    def _reveal(self, step_id: str | None) -> None:
        step = self._document.good.flow.steps.get(step_id) if step_id else None
        if step is not None and not self._document.stale:
            self._document.reveal(self._document.path, step.key_span)

    # From the person

    def _picked_on_canvas(self, step: str | None) -> None:
        self._document.select(step, "canvas")

    def _picked_transition(self, picked: TransitionRef | None) -> None:
        if picked is None:
            return
        self._document.select(picked.step, "transition")
        step = self._document.good.flow.steps.get(picked.step)
        rule = step.transition(picked.intent) if step else None
        if rule is not None and not self._document.stale:
            span = next((case.key_span for case in rule.cases if case.value == picked.case), rule.key_span)
            self._document.reveal(self._document.path, span)
            self._window.inspector.bring(rule.pointer)

    def _picked_in_outline(self, step: str | None) -> None:
        self._document.select(step, "outline")

    def _picked_elsewhere(self, step: str | None) -> None:
        self._document.select(step, "link")

    # What is shown

    def _contract(self, step: Step) -> StepContract:
        return contract_in(self._document.good, step)

    def _show_inspector(self) -> None:
        good = self._document.good
        step = good.flow.steps.get(self._document.selected_step or "")
        found = self._document.diagnostics
        if step is None:
            of_file = [each for each in found if each.step is None and each.file == self._document.path]
            self._window.inspector.show_registry(good, name_of_format(good.flow), _problems(of_file))
            return
        of_step = [each for each in found if each.step == step.id]
        self._window.inspector.show_step(good, step, self._contract(step), _problems(of_step))

    def _show_status(self) -> None:
        good = self._document.good
        if self._counted is None or self._counted[0] is not good.flow:
            self._counted = good.flow, sum(1 for _move in good.flow.moves())
        moves = self._counted[1]
        found: Counter[str] = Counter(diagnostic.severity for diagnostic in self._document.diagnostics)
        health, token = health_text(found) if self._document.checked else (_("checking…"), "section")
        self._window.outline.show_health(health, token)
        self._window.output.setTabText(0, problems_title(self._document.diagnostics))
        self._window.state_label.setText(f"{name_of_format(good.flow)}  ·  {health}")
        steps = counted_steps(good.flow, len(good.flow.steps))
        ways = ngettext("{count} transition", "{count} transitions", moves).format(count=moves)
        self._window.count_label.setText(f"{steps}  ·  {ways}")


def _of_moves(found: list[Diagnostic], flow: Flow) -> dict[tuple[str, str], SeverityCounts]:
    """How much is said of each transition, by step and intent."""
    seen: dict[tuple[str, str], Counter[str]] = {}
    for diagnostic in found:
        step = flow.steps.get(diagnostic.step) if diagnostic.step is not None else None
        keys = split(diagnostic.pointer) if step is not None and diagnostic.pointer else []
        if step is None or len(keys) <= _INTENT:
            continue
        intent = keys[_INTENT] if keys[_INTENT - 1] == "transitions" else None
        if flow.format == "takt":
            rule = join("", *keys[: _INTENT + 1])
            intent = next((each.intent for each in step.transitions if each.pointer == rule), None)
        if intent is not None:
            seen.setdefault((step.id, intent), Counter())[diagnostic.severity] += 1
    return {move: SeverityCounts(count["error"], count["warning"], count["info"]) for move, count in seen.items()}


def _problems(found: list[Diagnostic]) -> list[Problem]:
    """What the linter says, the worst first."""
    ordered = sorted(found, key=lambda each: RANK[each.severity])
    return [Problem(each.pointer or "", each.severity, f"{each.code}  {each.message}") for each in ordered]


def problems_title(found: list[Diagnostic]) -> str:
    """The title of the problems tab, with their number."""
    return _("Problems") + (f"  {len(found)}" if found else "")


def health_text(found: Counter[str]) -> tuple[str, str]:
    """The findings as a short line and the colour token of the worst."""
    parts = list(counted(found["error"], found["warning"], found["info"]))
    token = "error" if found["error"] else "warning" if found["warning"] else "closure"
    return _(", ").join(parts) or _("no problems"), token

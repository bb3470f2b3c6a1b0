"""Fills the pages of the run panel from a debugger; only those that can be seen."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import Era, era_for
from stepflow_gui.formats.climpt.prompts import read_prompt
from stepflow_gui.gui.runs.check_rows import check_rows
from stepflow_gui.gui.runs.comparing import show_comparison
from stepflow_gui.gui.runs.panel.panel import RunPanel
from stepflow_gui.gui.runs.points import breakpoint_row
from stepflow_gui.gui.runs.run_text import branch_name, in_short, short_line, short_name, trace_row
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.debugging.breakpoints import ANY, Breakpoint, intents_in, missing_in
from stepflow_gui.run.debugging.comparing import compare
from stepflow_gui.run.debugging.context_usage import ContextUsage, KeyRow, Reader
from stepflow_gui.run.debugging.debugger import Debugger
from stepflow_gui.run.debugging.places import known_paths, value_of
from stepflow_gui.run.explanation import offered_intents, sentences_of
from stepflow_gui.run.host.host import Host
from stepflow_gui.run.machine.closure_checks import validators_of
from stepflow_gui.run.machine.state import State
from stepflow_gui.run.prompts.prompt_builder import compose
from stepflow_gui.run.prompts.prompt_files import PromptShelf
from stepflow_gui.run.prompts.prompt_result import NoPrompt, PromptResult
from stepflow_gui.run.prompts.variables import runner_values, values_of
from stepflow_gui.run.session import Run
from stepflow_gui.run.shadow import Divergence
from stepflow_gui.text.document import TextFile

if TYPE_CHECKING:
    from stepflow_gui.gui.document.document import Document


class RunPages:
    """What the pages show of the current run. `watches` are the person's paths."""

    def __init__(self, panel: RunPanel, document: "Document", debugger: Debugger) -> None:
        self.watches: list[str] = []
        self.other: int | None = None  # the run to compare with
        self._panel = panel
        self._document = document
        self._debugger = debugger
        self._use: tuple[object, ContextUsage] | None = None

    @property
    def era(self) -> Era:
        """The era that a run would imitate as it is set up."""
        return era_for(self._document.last_valid.flow.format, self._panel.setup.era)

    def forget(self) -> None:
        """Make everything again: the language or the registry has changed."""
        self._panel.trace.if_built(lambda trace: trace.forget())
        self._use = None

    def show(self, host: Host | None, *, busy: bool) -> None:
        """Fill what can be seen. While a run is `busy` only the trace keeps up."""
        run = self._debugger.run
        self._show_trace(run, busy=busy)
        self._show_branches()
        if busy:
            return
        panel = self._panel
        if panel.is_seen(panel.trace):
            self._explain(run)
        if panel.is_seen(panel.data):
            self._show_data(run)
        if panel.is_seen(panel.prompt):
            self._show_prompt(run, host)
        if panel.is_seen(panel.checks):
            panel.checks.widget.show_checks(*check_rows(self._document.last_valid, run, self._document.selected_step))
        if panel.is_seen(panel.breakpoints):
            self.show_breakpoints()
        if panel.is_seen(panel.compare):
            show_comparison(panel.compare.widget, self._debugger, self.other, compare, _compared)

    def show_breakpoints(self) -> None:
        """The breakpoints, and the names that one may be set at."""
        page = self._panel.breakpoints.built
        if page is None:
            return
        flow = self._document.last_valid.flow
        page.show_known(list(flow.steps), intents_in(flow), [ANY, *validators_of(flow)])
        page.show_breakpoints([breakpoint_row(each, self.missing(each)) for each in self._debugger.breakpoints.every])

    def missing(self, point: Breakpoint) -> str | None:
        """What a breakpoint names that doesn't exist; None where all is."""
        return missing_in(self._document.last_valid.flow, self.era, point)

    def _show_trace(self, run: Run | None, *, busy: bool) -> None:
        def moment_at(position: int) -> State:
            assert run is not None
            return run.state_at(position)

        def make(at: int) -> TableRow:
            assert run is not None
            entry = moment_at(at + 1).last
            assert entry is not None
            return trace_row(at + 1, entry, _parting_with(run, at + 1))

        self._panel.trace.if_built(lambda trace: trace.show_run(run, moment_at, make, busy=busy))

    def _show_branches(self) -> None:
        debugger = self._debugger
        run, current = debugger.run, debugger.current
        bar = self._panel.bar
        bar.show_branches(
            [(branch.number, short_name(branch), branch_name(branch)) for branch in debugger.branches],
            current.number if current else None,
        )
        bar.show_place(run.position if run else 0, run.length if run else 0)
        self._panel.show_comparing(len(debugger.branches) > 1)

    def _explain(self, run: Run | None) -> None:
        last = run.state.last if run is not None else None
        if run is None or last is None:
            return
        agent, parting = self._document.last_valid, _parting_with(run, run.position)
        enum = offered_intents(agent, agent.flow.steps.get(last.step or ""))
        message = parting.message if parting is not None else None
        self._panel.trace.widget.explain(sentences_of(agent.flow, last, enum, message))

    def _show_data(self, run: Run | None) -> None:
        page, scope = self._panel.data.widget, self._debugger.scope
        if run is None or scope is None:
            page.show_context([])
            page.show_watches([TableRow((Cell(path, mono=True), Cell(""))) for path in self.watches], [])
            return
        page.show_context([_key_row(row) for row in self._key_use(run).rows(run)])
        values = [(path, value_of(path, scope)) for path in self.watches]
        page.show_watches(
            [TableRow((Cell(path, mono=True), Cell(in_short(value), mono=True)), path) for path, value in values],
            known_paths(scope),
        )

    def _key_use(self, run: Run) -> ContextUsage:
        flow = run.machine.flow
        if self._use is None or self._use[0] is not flow:
            good = self._document.last_valid
            self._use = flow, ContextUsage(flow, run.machine.era, lambda step: _names_in_prompt(good, step))
        return self._use[1]

    def _show_prompt(self, run: Run | None, host: Host | None) -> None:
        page = self._panel.prompt.widget
        if run is None or host is None or run.state.step is None or run.state.waits not in {"answer", "check"}:
            page.show_prompt(_("No step waits for an answer, so there is no prompt."), "", [], [])
            return
        made = compose(run.machine.config, run.state, PromptShelf(self._document.last_valid))
        tried = [
            TableRow(
                (
                    Cell(self._short(place.place), mono=True),
                    Cell(place.why or _("taken"), token="text" if not place.why else "muted"),
                ),
                tip=place.place,
            )
            for place in made.tried
        ]
        if isinstance(made, NoPrompt):
            config, state = run.machine.config, run.state
            values = runner_values(config, state) if config.era.gates else values_of(state.memory.args)
            page.show_prompt(made.message, "", _variables(values), tried)
            return
        page.show_prompt(self._source(made), made.text or "", _variables(made.values), tried)

    def _source(self, made: PromptResult) -> str:
        if made.path is not None:
            text = {"fallback_dir": _("In place of a missing prompt: {file}"), "retry": _("Retry prompt: {file}")}
            return text.get(made.source, "{file}").format(file=self._short(str(made.path)))
        match made.source:
            case "fallback_key":
                return _("The text behind the fallback key “{key}”, which is the runner's own").format(key=made.key)
            case "retry_generic":
                return _("No retry prompt was found, so a general one is sent")
            case "validation":
                return _("The validator has no failure pattern, so its output is sent")
            case "format":
                return _("The answer's form was wrong, so it is asked for again")
        return _("The runner builds this prompt itself")

    def _short(self, place: str) -> str:
        root = f"{self._document.last_valid.root}/"
        return place.removeprefix(root)


def _compared(run: Run, at: int) -> Cell:
    return short_line(run.state_at(at + 1).last)


def _parting_with(run: Run, number: int) -> Divergence | None:
    """The shadow's parting, where it happened with that entry."""
    now = run.parting_at(number)
    return now if now is not None and run.parting_at(number - 1) is None else None


def _variables(values: Mapping[str, str]) -> list[TableRow]:
    return [TableRow((Cell(name, mono=True), Cell(value, mono=True))) for name, value in values.items()]


def _key_row(row: KeyRow) -> TableRow:
    value = Cell(in_short(row.value), mono=True) if row.here else Cell(_("nothing there"), token="muted")
    if row.changed:
        value = value._replace(token="activetext")
    written = "" if row.written is None else f"#{row.written}"
    readers = ", ".join(dict.fromkeys(reader.step for reader in row.readers))
    tip = "\n".join([f"{row.step}.{row.key}", *map(_reads, row.readers)])
    cells = (Cell(f"{row.step}.{row.key}", mono=True), value, Cell(written, mono=True), Cell(readers, mono=True))
    return TableRow(cells, row.step, tip, bold=row.changed)


def _reads(reader: Reader) -> str:
    match reader.how:
        case "prompt":
            text = _("{step} reads it: its prompt uses the variable “{name}”")
        case "inputs":
            text = _("{step} takes it as the variable “{name}”, which its prompt doesn't use")
        case "condition":
            text = _("{step} decides “{name}” by it")
    return text.format(step=reader.step, name=reader.name)


def _names_in_prompt(agent: AgentFolder, step: Step) -> Collection[str]:
    for path in agent.prompt_candidates(step):
        found = agent.text(path)
        if isinstance(found, TextFile):
            return read_prompt(found.source.text).names
    return ()

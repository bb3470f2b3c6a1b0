"""What can be done about problems by menu and keys, and which finding is meant."""

from functools import partial

from PySide6.QtWidgets import QApplication

from stepflow_gui.gui.desk import Desk, ExplainProblem, Feature, ShowDocumentation, ShowFinding
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.step_terms import title_of_command
from stepflow_gui.gui.problems.details import Page
from stepflow_gui.gui.problems.model import GROUPINGS, Grouping
from stepflow_gui.gui.problems.panel import ProblemsPanel
from stepflow_gui.gui.problems.places import is_at
from stepflow_gui.gui.source.panel import SourcePanel
from stepflow_gui.gui.widgets.actions import ActionSpec, MenuPlace
from stepflow_gui.lint.diagnostic import RANK, Diagnostic
from stepflow_gui.messages import _

_AT_STEPS = frozenset({"canvas", "outline", "source"})  # where the keyboard is at a step or its text


class ProblemActions(Feature):
    """The actions about problems, for the finding under the mouse, at the caret, or of the selected step."""

    def __init__(self, desk: Desk, problems: ProblemsPanel, source: SourcePanel) -> None:
        self._problems = problems
        self._source = source
        self._desk = desk
        self._document: Document | None = None
        problems.group_by(desk.settings.problem_grouping)
        desk.wish.handle(ShowFinding, lambda wish: problems.show_details(wish.finding, wish.page))
        desk.wish.handle(ExplainProblem, lambda _wish: self._explain())
        problems.documentation_asked.connect(lambda page: desk.wish(ShowDocumentation(page)))
        problems.front_wanted.connect(lambda: desk.show_output(problems))
        problems.source_wanted.connect(self._bring_source)
        problems.unfolds = lambda: desk.middle.view == "flow" and desk.settings.opens("lines")

    def action_rows(self) -> tuple[ActionSpec, ...]:
        """Go through the problems, explain, fix and suppress one."""
        at, row, step, details = partial(MenuPlace, "problems"), ActionSpec, self._step, self._details
        rows = (
            row("next-problem", lambda: _("&Next Problem"), partial(step, 1), at(10), keys=("F8",)),
            row("previous-problem", lambda: _("&Previous Problem"), partial(step, -1), at(20), keys=("Shift+F8",)),
            row(
                "step-problems", self._step_title, self._show_of_step, at(30), fits=lambda: self._of_step() is not None
            ),
            row(
                *("fix-problem", lambda: _("&Quick Fix…"), partial(details, "fix"), at(110)),
                keys=("Ctrl+.", "Ctrl+Shift+."),
            ),
            row(
                *("fix-safe", lambda: _("&Apply All Safe Fixes…"), partial(self._problems.fix_all, None), at(120)),
                keys=("Shift+Alt+.",),
            ),
            row("explain-problem", lambda: _("&Explain Problem"), partial(details, "rule"), at(210)),
            row("suppress-problem", lambda: _("&Suppress Problem…"), partial(details, "suppress"), at(220)),
        )
        grouping = (
            row(
                *(f"problems-by-{by or 'nothing'}", partial(self._grouping_title, by), partial(self._group, by)),
                place=MenuPlace("group-problems", 10 + number),
                checked=partial(lambda by: self._desk.settings.problem_grouping == by, by),
            )
            for number, by in enumerate(GROUPINGS)
        )
        return tuple(each._replace(needs_agent=True) for each in (*rows, *grouping))

    def _step(self, by: int) -> None:
        if not self._problems.step(by):
            filtered = self._document is not None and bool(self._document.diagnostics)
            self._desk.notices.done(_("No problem matches the filter.") if filtered else _("No problems"))

    def _step_title(self) -> str:
        return title_of_command("step-problems", _("Problems &of Step"), self._desk.canvas.graph.flow)

    def _of_step(self) -> Diagnostic | None:
        """The worst finding of the selected step."""
        document = self._document
        step = document.selected_step if document is not None else None
        found = [each for each in document.diagnostics if each.step == step] if document and step else []
        return min(found, key=lambda each: RANK[each.severity], default=None)

    def _show_of_step(self) -> None:
        found = self._of_step()
        if found is not None:
            self._problems.show_step_of(found)

    def _bring_source(self) -> None:
        self._desk.actions["focus-source"].trigger()

    def _grouping_title(self, by: Grouping) -> str:
        titles = {"": _("&Nothing"), "rule": _("&Rule"), "file": _("&File"), "step": _("&Step")}
        return title_of_command(f"problems-by-{by}", titles[by], self._desk.canvas.graph.flow)

    def _group(self, by: Grouping) -> None:
        self._desk.settings.problem_grouping = by
        self._problems.group_by(by)
        self._desk.show_output(self._problems)

    def set_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        self._document = document

    def _explain(self) -> bool:
        """Explain the problem where the keyboard is, or the mouse in the source; whether there is one."""
        at_steps = self._desk.actions.place() in _AT_STEPS or self._source.editor.hovered is not None
        listed = QApplication.focusWidget() is self._problems.list and self._problems.list.chosen() is not None
        if not listed and not (at_steps and self.finding_meant() is not None):
            return False
        self._details("rule")
        return True

    def _details(self, page: Page) -> None:
        found = self.finding_meant()
        if found is not None:
            self._problems.show_details(found, page)
        else:
            self._problems.details_of_chosen(page)

    def finding_meant(self) -> Diagnostic | None:
        """The finding that the mouse rests on in the source, that the caret is in, or the worst of the selected step.

        Where the keyboard is decides; None where the list's own row is meant. A finding that the list has gone to last
        goes before others of the same place.
        """
        document, source = self._document, self._source
        focus = QApplication.focusWidget()
        if document is None or not document.linted or (focus is not None and self._problems.isAncestorOf(focus)):
            return None
        at = source.editor.hovered
        if at is None and focus is source.editor:
            at = source.editor.caret
        here: list[Diagnostic] = []
        if at is not None and source.path is not None:
            here = [found for found in document.diagnostics if is_at(found, source.path, at)]
        visited = self._problems.current_finding
        if not here and visited is not None:
            return visited
        if not here and document.selected_step is not None:
            here = [found for found in document.diagnostics if found.step == document.selected_step]
        if visited in here:
            return visited
        return min(here, key=lambda found: RANK[found.severity], default=None)

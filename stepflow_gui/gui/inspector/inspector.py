"""The inspector: the selected step with its contract and the form of its fields; else the form of the registry."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QScrollArea, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.checks.card import ports_of
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import ANY, Shape, shape_at
from stepflow_gui.formats.step_card import kind_word
from stepflow_gui.formats.tables import table_of_flow
from stepflow_gui.gui.canvas.items.group_item import GroupCard
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.movements import own_sub_steps, path_of
from stepflow_gui.gui.document.selection import SelectedGroup
from stepflow_gui.gui.document.step_terms import counted_steps, whole_name
from stepflow_gui.gui.inspector.contract import ContractGrid
from stepflow_gui.gui.inspector.form_notice import make
from stepflow_gui.gui.inspector.forms.form_fields import FormSection, sections
from stepflow_gui.gui.inspector.forms.form_target import RegistryTarget
from stepflow_gui.gui.inspector.forms.parts import movement_parts, piece_parts, registry_parts, step_parts
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.inspector.inspector_head import Arriving, InspectorHead
from stepflow_gui.gui.inspector.several.bulk_changes import plan_in_all
from stepflow_gui.gui.inspector.several.group import GroupHead
from stepflow_gui.gui.inspector.several.view import SeveralSteps
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.problem_text import describe
from stepflow_gui.project.step_contract import StepContract, contract_in

_AROUND = 40  # pixels that stay in sight around what is scrolled to


class InspectorPanel(QScrollArea):
    """Shows one step. `step_picked` is emitted with a step's id when the person follows a target.

    `only_picked` with the one of several steps that is to be selected alone, `made_in_all` with the title of an edit
    of several; `details_asked(diagnostic, page)` where a finding is to be explained, `group_asked` as by `GroupHead`.
    """

    step_picked = Signal(object)
    only_picked = Signal(object)
    made_in_all = Signal(str)
    details_asked = Signal(object, str)
    group_asked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setMinimumWidth(284)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme = theme
        self._document: Document | None = None
        self._shown_root: str | None = None
        self._fields = ShownFields()
        self._grid = ContractGrid(self._make, self._steps)
        self._form = FormView(self._make)
        self._form.followed.connect(self.step_picked)
        self._head = InspectorHead()
        self._head.menu_asked.connect(self._offer)
        self._head.page_asked.connect(self._ask_details)
        self.extend_menu: Callable[[QMenu, Diagnostic], None] | None = None  # what to offer for a finding
        self._contract_title = PanelTitle()
        self._arriving = Arriving()
        self._arriving.followed.connect(self.step_picked)
        self._steps_shown: tuple[Step, ...] = ()
        self._several: SeveralSteps | None = None  # made when it is needed first
        self._group: GroupHead | None = None  # likewise
        page = QWidget()
        page.setObjectName("panel")
        self.setWidget(page)
        column = self._column = QVBoxLayout(page)
        column.setContentsMargins(16, 8, 12, 16)
        column.setSpacing(6)
        for part in (self._head, self._contract_title, self._grid, self._form, self._arriving):
            column.addWidget(part)
        column.addStretch(1)
        self.retranslate()

    def retranslate(self) -> None:
        """Name the panel in the language in use; what it shows comes with the next refresh."""
        self.setAccessibleName(_("Inspector"))
        if self._document is None:
            self.show_nothing()

    def set_document(self, document: Document | None) -> None:
        """Make the changes that are asked for here in this document."""
        self._document = document
        self._shown_root = None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look from the next content on."""
        self._theme = theme

    def show_nothing(self) -> None:
        """Before anything is open."""
        self._shown_root = None
        self._head.show_note(_("Select a step to see its fields."))
        self._show_parts()

    def show_registry(self, agent: AgentFolder, format_name: str, findings: Sequence[Problem]) -> None:
        """The registry itself: all of it but the steps. `findings` are the linter's findings in it."""
        flow = agent.flow
        name = flow.agent_id.value if flow.agent_id else flow.document.path.name
        counts = counted_steps(flow, len(flow.steps))
        root = flow.document.root
        value = root.value if root is not None and isinstance(root.value, dict) else {}  # else it can't be read
        shape, known = self._fields.of(flow)
        piece = flow.format == "takt"
        steps = "movements" if known == "piece" else "steps"
        parts = piece_parts(whole_name(flow)) if piece else registry_parts()
        found = sections(value, shape, "", known, parts, without=(steps,))
        self._head.show_title(name, f"{format_name}  ·  {counts}")
        self._show_form("", agent, found, [each for each in findings if not each.pointer.startswith(f"/{steps}/")])
        self._show_parts(self._form)

    def show_step(
        self,
        agent: AgentFolder,
        step: Step,
        contract: StepContract,
        findings: Sequence[Problem],
        within: Step | None = None,
    ) -> None:
        """A step, or a sub-step `within` one; `findings` are the linter's findings in it."""
        kind = _("prompt section") if step.is_section else kind_word(step) or _("no kind")
        token = "section" if step.is_section else step.kind or "section"
        if ports_of(step):
            kind, token = _("check"), "verification"
        elif agent.flow.format == "complete" and not step.is_section:
            kind = _("step")  # there are no kinds
        if within is not None:
            self._show_place(agent.flow, step, within)
        else:
            self._head.show_step(step.id, step.title, kind, self._theme, token)
        table, known = self._fields.of(agent.flow)
        shape = shape_at(table, step.pointer, known)
        fields = movement_parts() if agent.flow.format == "takt" else step_parts()
        found = sections(step.raw, shape or ANY, step.pointer, known, fields)
        self._show_form(step.pointer, agent, found, findings)
        parts: list[QWidget] = [self._form]
        if step.gate is not None or (step.transitions and agent.flow.format not in {"checks", "takt"}):
            parts[:0] = [self._contract_title, self._contract_grid(step, contract)]
        if within is None and self._arriving.show_moves(agent.flow, step):
            parts.append(self._arriving)
        self._show_parts(*parts)

    def _show_place(self, flow: Flow, sub: Step, within: Step) -> None:
        """Name a sub-step, where it is, and how many it is one of."""
        subs = own_sub_steps(within)
        number = next((at for at, each in enumerate(subs, start=1) if each.pointer == sub.pointer), 0)
        title = _("{number} of {count}, at the same time as the others").format(number=number, count=len(subs))
        title = title if len(subs) > 1 else ""
        path = path_of(flow, within, sub)
        self._head.show_step(sub.id, title, _("sub-step"), self._theme, "movement", path)

    def show_several(self, agent: AgentFolder, steps: Sequence[Step], findings: Sequence[Diagnostic]) -> None:
        """Several steps together; `findings` are the linter's in any of them."""
        several = self._made_several()
        self._steps_shown = tuple(steps)
        counted = counted_steps(agent.flow, len(steps))
        self._head.show_title(_("{steps} selected").format(steps=counted), "")
        self._head.show_findings((), self._theme)
        locked = self._document is None or self._document.text_broken
        contracts = [contract_in(agent, step) for step in steps]
        several.show_steps(agent, steps, contracts, self._fields.of(agent.flow), findings, self._theme, locked)
        root = " ".join(step.pointer for step in steps)
        if root != self._shown_root:
            self._shown_root = root
            self.verticalScrollBar().setValue(0)
        self._show_parts(several)

    def show_group(
        self, agent: AgentFolder, card: GroupCard, findings: Sequence[Diagnostic], group: SelectedGroup, *, own: bool
    ) -> None:
        """A group of steps; `findings` are the linter's in any of them, `own`: it was made manually."""
        several, head = self._made_several(), self._group
        if head is None:
            head = self._group = GroupHead()
            head.asked.connect(self.group_asked)
            self._column.insertWidget(self._column.indexOf(several), head)
        steps = [agent.flow.steps[step] for step in card.group.steps if step in agent.flow.steps]
        self._steps_shown = tuple(steps)
        self._head.show_title(card.group.name, _("group") + "  ·  " + card.counts)
        self._head.show_findings((), self._theme)
        head.show_group(card.facts, folded=group.folded, own=own)
        locked = self._document is None or self._document.text_broken
        several.show_members(agent, steps, findings, self._theme, locked)
        if group.key != self._shown_root:
            self._shown_root = group.key
            self.verticalScrollBar().setValue(0)
        self._show_parts(head, several)

    def _made_several(self) -> SeveralSteps:
        several = self._several
        if several is None:
            several = self._several = SeveralSteps(self._make_in_all)
            several.followed.connect(self.step_picked)
            several.picked.connect(self.only_picked)
            several.fix_asked.connect(self._fix_all)
            several.menu_asked.connect(self._offer_for)
            several.page_asked.connect(self.details_asked)
            self._column.insertWidget(self._column.count() - 1, several)
        return several

    def focus_field(self, pointer: str) -> bool:
        """Put the cursor where a place of the file is edited, if it is on show."""
        return self._form.focus_line(pointer)

    def bring(self, pointer: str) -> None:
        """Scroll to where a place of the file is edited, if it is on show; the keyboard stays where it is."""
        row = self._form.row_for(pointer)
        if row is not None:
            QTimer.singleShot(0, row, lambda: self.ensureWidgetVisible(row, 0, _AROUND))  # once it is laid out

    def _show_form(self, root: str, agent: AgentFolder, found: list[FormSection], findings: Sequence[Problem]) -> None:
        locked = self._document is None or self._document.text_broken
        left = self._form.show_form(root, RegistryTarget(agent), found, findings, locked)
        self._head.show_findings(left, self._theme)
        if root != self._shown_root:
            self._shown_root = root
            self.verticalScrollBar().setValue(0)

    def _show_parts(self, *parts: QWidget) -> None:
        several = self._several
        if several is not None and several not in parts and several.isAncestorOf(self.focusWidget() or self):
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # it was one of their chips
        every = (self._contract_title, self._grid, self._form, self._arriving, several, self._group)
        for part in every:
            if part is not None:
                part.setVisible(part in parts)
        self._contract_title.set_title(_("Contract"))

    def _contract_grid(self, step: Step, contract: StepContract) -> ContractGrid:
        locked = self._document is None or self._document.text_broken
        self._grid.show_contract(step, contract, locked)
        return self._grid

    def _finding(self, problem: Problem) -> Diagnostic | None:
        """The linter's current finding with this text at this place."""
        found = self._document.diagnostics if self._document else []
        return next((each for each in found if _matches(each, problem)), None)

    def _offer(self, problem: Problem, point: QPoint) -> None:
        found = self._finding(problem)
        if found is not None:
            self._offer_for(found, point)

    def _offer_for(self, found: Diagnostic, point: QPoint) -> None:
        if self.extend_menu is not None:
            menu = QMenu(self)
            self.extend_menu(menu, found)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(point)

    def _ask_details(self, problem: Problem, page: str) -> None:
        found = self._finding(problem)
        if found is not None:
            self.details_asked.emit(found, page)

    def _make(self, change: Change) -> Plan | Refusal:
        if self._document is None or self._document.text_broken:
            return Refusal(_("Fix the syntax error first."))
        return make(self._document, change)

    def _make_in_all(self, change: Change) -> Plan | Refusal:
        """Make a change of the first of several steps in all of them, as one entry of the history."""
        document = self._document
        if document is None or document.text_broken:
            return Refusal(_("Fix the syntax error first."))
        flow = document.folder.flow
        steps = [flow.steps[step.id] for step in self._steps_shown if step.id in flow.steps]
        found = plan_in_all(document.folder, change, steps)
        if isinstance(found, Refusal) or not found.edits:
            return found
        problem = document.apply(found.edits, found.title, "inspector")
        if problem:
            return Refusal(describe(problem))
        self.made_in_all.emit("  ".join((found.title, *found.notes)))
        return found

    def _fix_all(self, fix: Fix) -> None:
        if self._document is not None and self._document.linted and self._document.apply_fix(fix) is None:
            self.made_in_all.emit(fix.title)

    def _steps(self) -> list[str]:
        flow = self._document.last_valid.flow if self._document else None
        return [step.id for step in flow.steps.values() if not step.is_section] if flow else []


def _matches(found: Diagnostic, problem: Problem) -> bool:
    at_place = problem[:2] == (found.pointer or "", found.severity)
    return at_place and problem.text.startswith(found.code) and problem.text.endswith(found.message)


class ShownFields:
    """Which fields the forms show: those of the format; of a piece those that its newest release reads.

    The tables of the flow that is shown last: what lies around a piece is checked once a flow.
    """

    def __init__(self) -> None:
        self._of: tuple[Flow, Shape, str] | None = None

    def of(self, flow: Flow) -> tuple[Shape, str]:
        """The table for a flow's file, and the name that its fields are known by."""
        if self._of is None or self._of[0] is not flow:
            table, known = table_of_flow(flow)
            self._of = flow, _of_releases(flow, known) or table, known
        return self._of[1:]


def _of_releases(flow: Flow, notation: str) -> Shape | None:
    if flow.format != "takt":
        return None
    from stepflow_gui.formats.takt.release_fields import table_of_release  # registries need none of it
    from stepflow_gui.formats.takt.releases.sets import newest_of
    from stepflow_gui.lint.config.config import Configs
    from stepflow_gui.project.finding.takt_releases import releases_of_piece

    path = flow.document.path
    found = releases_of_piece(path, flow.document.tree, Configs().of(path).runtime(path, flow.format)).releases
    return table_of_release(newest_of(found), notation) if found else None

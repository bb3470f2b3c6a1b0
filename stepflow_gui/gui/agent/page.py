"""The page that shows an agent.json as a form: its head, its groups, what is wrong with it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.climpt.agent.agent_file import AgentDefinition
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.gui.agent.agent_target import AgentTarget
from stepflow_gui.gui.agent.notices import AgentNotices
from stepflow_gui.gui.agent.offer_page import OfferPage
from stepflow_gui.gui.agent.parameters_model import ParametersModel
from stepflow_gui.gui.agent.parameters_table import ParametersTable
from stepflow_gui.gui.agent.parts import AgentForm, agent_form, parameter_section
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.forms.row_model import RowLook
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.inspector.inspector_head import InspectorHead
from stepflow_gui.gui.widgets.editors import small_button
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.pointer import split

_WIDEST = 960  # pixels of the form
_LOOK = RowLook(168, explained=True, untold=1)

Make = Callable[[Change], Plan | Refusal]


class ShownAgent(NamedTuple):
    """An agent.json as the page shows it; `locked` where its text is broken and this is what it was before."""

    folder: AgentFolder
    agent: AgentDefinition
    problems: Sequence[Problem]
    locked: bool


class AgentPage(QWidget):
    """`chart_wanted()`, `convert_wanted()` and `source_wanted()`: buttons of it; `followed(step)` a link."""

    chart_wanted = Signal()
    convert_wanted = Signal()
    source_wanted = Signal()
    followed = Signal(object)

    def __init__(self, theme: Theme, make: Make) -> None:
        super().__init__()
        self.setObjectName("agentPage")
        self.setMinimumWidth(200)
        self._theme = theme
        self._shown: ShownAgent | None = None
        self._form: AgentForm | None = None
        self._make = make
        self.head = InspectorHead()
        self.notices = AgentNotices()
        self.convert_button = small_button("", "")
        self.source_button = small_button("", "")
        self.chart_button = small_button("", "")
        self.model = ParametersModel(theme, self._ask, self._refuse)
        self.table = ParametersTable(self.model)
        self.about, self.parameter, self.flow, self.verdict, self.rest = (FormView(make, _LOOK) for _each in range(5))
        self.offer = OfferPage(theme)
        self.offer.closed.connect(self.show_form)
        self._pages = QStackedWidget()
        self._scroll = self._made_form()
        self._pages.addWidget(self._scroll)
        self._pages.addWidget(self.offer)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        self.convert_button.clicked.connect(self.convert_wanted)
        self.source_button.clicked.connect(self.source_wanted)
        self.chart_button.clicked.connect(self.chart_wanted)
        self.table.picked.connect(self._show_parameter)
        for view in self.views:
            view.followed.connect(self.followed)
        self.retranslate()

    @property
    def views(self) -> tuple[FormView, ...]:
        """The forms from above."""
        return self.about, self.parameter, self.flow, self.verdict, self.rest

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        texts = [
            (self.convert_button, _("Convert to the Current Layout…")),
            (self.source_button, _("Show in Source")),
            (self.chart_button, _("Which verdict type do I need?")),
        ]
        for button, text in texts:
            button.setText(text)
            button.setAccessibleName(text)
        self._scroll.setAccessibleName(_("Agent"))
        self.table.retranslate()
        self.offer.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self.model.set_theme(theme)
        self.offer.set_theme(theme)

    def show_agent(self, shown: ShownAgent) -> None:
        """Show an agent.json that could be read."""
        if self._shown is None or self._shown.agent.document.path != shown.agent.document.path:
            self._scroll.verticalScrollBar().setValue(0)
        self._shown = shown
        agent = shown.agent
        self._form = form = agent_form(agent)
        name = agent.name.value if agent.name else shown.folder.folder.name
        self.head.show_title(name, agent.document.path.name)
        root = agent.document.root
        value = root.value if root is not None and isinstance(root.value, dict) else {}
        placed = self._placed(shown.problems)
        self.model.show_rows(agent.document.path, value.get("parameters"), placed["parameters"], shown.locked)
        self.table.lock(shown.locked)
        subject = AgentTarget(shown.folder, agent)
        left = list(placed["head"])
        for view, sections, key in (
            (self.about, form.about, "about"),
            (self.flow, form.flow, "flow"),
            (self.verdict, form.verdict, "verdict"),
            (self.rest, form.rest, "rest"),
        ):
            left += view.show_form("", subject, sections, placed[key], shown.locked)
            view.setVisible(bool(sections))
        self._show_parameter(self.table.current)
        self.head.show_findings(left, self._theme)
        self.chart_button.setVisible(bool(form.verdict))
        self.chart_button.setEnabled(bool(form.verdict) and not shown.locked)
        for widget in (self.table.view, *self.views):
            widget.setEnabled(not shown.locked)

    def show_form(self) -> None:
        """The form in front, not what was offered before it."""
        self._pages.setCurrentWidget(self._scroll)

    def show_offer(self) -> None:
        """What is offered in front of the form."""
        self._pages.setCurrentWidget(self.offer)

    @property
    def form_shown(self) -> bool:
        """Whether the form is in front."""
        return self._pages.currentWidget() is self._scroll

    def refuse(self, reason: str) -> None:
        """Show above the form why a change wasn't made."""
        self.notices.refuse(reason)
        self._scroll.verticalScrollBar().setValue(0)

    def forget_remarks(self) -> None:
        """Clear the remarks on the last change: they were about another agent."""
        for each in (self.notices, self.table.remarks):
            each.mention("")

    def focus_place(self, pointer: str, *, focus: bool) -> bool:
        """Show where a place of the file is edited, with the keyboard if wanted; False where the form hasn't it."""
        if self._form is None:
            return False
        keys = split(pointer)
        if keys[:1] == ["parameters"] and len(keys) > 1:
            self.table.choose(keys[1])
        for view in self.views:
            row = view.row_for(pointer) if view.isVisibleTo(self) else None
            if row is not None:
                if focus:
                    row.take_focus()
                self._bring_in_view(row)
                QTimer.singleShot(0, row, partial(self._bring_in_view, row))  # once a new page has its layout
                return True
        return False

    def focus_first(self) -> None:
        """The keyboard where the form begins."""
        rows = [row for row in self.about.rows if not row.shown.title]
        if rows:
            rows[0].take_focus()
        else:
            self._scroll.setFocus(Qt.FocusReason.OtherFocusReason)

    def chart_point(self) -> QPoint:
        """Where the assistant for the verdict type opens, on the screen."""
        button = self.chart_button
        at = button.mapTo(self, QPoint(0, button.height()))
        return self.mapToGlobal(QPoint(at.x(), min(at.y(), self.height())))

    @property
    def form(self) -> AgentForm | None:
        """What is shown."""
        return self._form

    # Inside

    def _made_form(self) -> QScrollArea:
        page = QWidget()
        page.setObjectName("panel")
        page.setMaximumWidth(_WIDEST)
        column = self._column = QVBoxLayout(page)
        column.setContentsMargins(24, 12, 20, 24)
        column.setSpacing(6)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.source_button)
        buttons.addWidget(self.convert_button)
        buttons.addStretch(1)
        chart = QHBoxLayout()
        chart.addWidget(self.chart_button)
        chart.addStretch(1)
        column.addWidget(self.head)
        column.addLayout(buttons)
        for widget in (self.notices, self.about, self.table, self.parameter, self.flow, self.verdict):
            column.addWidget(widget)
        column.addLayout(chart)
        column.addWidget(self.rest)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("panel")
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        scroll.setWidget(page)
        return scroll

    def _show_parameter(self, name: str) -> None:
        shown = self._shown
        if shown is None or not name:
            self.parameter.hide()
            return
        root = f"/parameters/{name.replace('~', '~0').replace('/', '~1')}"
        problems = [each for each in shown.problems if each.pointer == root or each.pointer.startswith(root + "/")]
        subject = AgentTarget(shown.folder, shown.agent)
        self.parameter.show_form(root, subject, parameter_section(shown.agent, name), problems, shown.locked)
        self.parameter.show()

    def _placed(self, problems: Sequence[Problem]) -> dict[str, list[Problem]]:
        """The problems by the part of the form that they belong to."""
        found: dict[str, list[Problem]] = {
            key: [] for key in ("head", "about", "parameters", "flow", "verdict", "rest")
        }
        for problem in problems:
            keys = split(problem.pointer)
            top = keys[0] if keys else ""
            if problem.pointer in {"", "/runner", "/behavior", "/parameters"}:
                key = "head"
            elif top == "parameters":
                key = "parameters"
            elif top in {"runner", "behavior"}:
                inner = keys[1]
                is_verdict = inner in {"verdict", "completion", "completionType", "completionConfig"}
                key = "verdict" if is_verdict else "flow" if inner == "flow" or top == "behavior" else "rest"
            elif top in {"name", "displayName", "description", "version", "$schema"}:
                key = "about"
            else:
                key = "rest"
            found[key].append(problem)
        return found

    def _bring_in_view(self, row: FormRow) -> None:
        self._column.activate()
        self._scroll.ensureWidgetVisible(row, 0, 60)

    def _ask(self, change: Change) -> None:
        found = self._make(change)
        if isinstance(found, Refusal):
            self._refuse(found.reason)
        else:
            self.table.remarks.mention(" ".join(found.notes))

    def _refuse(self, reason: str) -> None:
        self.table.remarks.refuse(reason)

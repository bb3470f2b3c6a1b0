"""Several selected steps in the inspector: their names, contracts side by side, common fields, and problems."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import Shape
from stepflow_gui.gui.document.generated_ids import shown_name
from stepflow_gui.gui.document.step_terms import counted_steps
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.inspector.several.bulk_changes import RuleGroup, StepsTarget, groups_of
from stepflow_gui.gui.inspector.several.common_fields import common_form
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.finding_line import FindingLine, wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.messages import _, language, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.step_contract import StepContract

_CHIPS = 24  # steps that are named; more are counted
_COLUMNS = 8  # steps beside each other in the matrix; of more it is counted in how many an intent is
_ROWS = 16  # intents
_GROUPS = 12  # rules
_CHIP = 24  # pixels around the name of a step
_CELL = 10  # pixels around the head of a column
_ROOM = 250  # pixels of the inspector at its usual width without its margins


class SeveralSteps(QWidget):
    """Shows the steps; rebuilt when the selection changes.

    `picked` is emitted with one of them that is to be selected alone, `followed` with a step to go to, `fix_asked` with
    a fix of all of them; `menu_asked(finding, point)` and `page_asked(finding, page)` as of a single finding.
    """

    picked = Signal(object)
    followed = Signal(object)
    fix_asked = Signal(object)
    menu_asked = Signal(object, object)
    page_asked = Signal(object, str)

    def __init__(self, make: Callable[[Change], Plan | Refusal]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._chips: _Part = _Part()
        self._matrix: _Part = _Part()
        self._form = FormView(make)
        self._form.followed.connect(self.followed)
        self._left_out = wrapped_label(ui_font(11))
        self._left_out.setProperty("muted", True)
        self._problems: _Part = _Part()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        for part in (self._chips, self._matrix, self._form, self._left_out, self._problems):
            self._column.addWidget(part)

    @property
    def form(self) -> FormView:
        """The form of the fields that all steps have."""
        return self._form

    def show_steps(
        self,
        agent: AgentFolder,
        steps: Sequence[Step],
        contracts: Sequence[StepContract],
        fields: tuple[Shape, str],
        findings: Sequence[Diagnostic],
        theme: Theme,
        locked: bool,
    ) -> None:
        """Show steps of an agent with their contracts; `fields` are the flow's, `locked`: nothing can be changed."""
        flow = agent.flow
        names = [shown_name(flow, step.id) for step in steps]
        heads = _heads(names)
        numbered = heads is not None and heads[0] == "1"
        self._chips.show_content(
            ([step.id for step in steps], names, numbered),
            lambda body: self._fill_chips(body, [step.id for step in steps], names, numbered),
        )
        rows = _rows(steps, contracts)
        gated = any(step.gate is not None for step in steps)
        title = _("Contract") if gated else _("Rules") if flow.format == "takt" else _("Transitions")
        self._matrix.show_content(
            (title, rows, heads, names), lambda body: _fill_matrix(body, title, rows, heads, names)
        )
        self._matrix.setVisible(bool(rows))
        common = common_form(flow, steps, *fields)
        above = _("Set target in {steps}").format(steps=counted_steps(flow, len(steps)))
        shown = [each._replace(title=above) if not each.title else each for each in common.sections]
        self._form.show_form(steps[0].pointer, StepsTarget(agent, steps[0], common.targets), shown, (), locked)
        more = ngettext("{count} more field, not in all", "{count} more fields, not in all", common.left_out)
        self._left_out.setText(more.format(count=common.left_out))
        self._left_out.setVisible(common.left_out > 0)
        self._form.show()
        groups = groups_of(findings)
        self._problems.show_content(
            (tuple(findings), locked, theme, len(steps)),
            lambda body: self._fill_problems(body, groups, flow, len(steps), theme, locked),
        )
        self._problems.setVisible(bool(groups))

    def show_members(
        self, agent: AgentFolder, steps: Sequence[Step], findings: Sequence[Diagnostic], theme: Theme, locked: bool
    ) -> None:
        """Show only which steps they are, and the problems in them."""
        ids = [step.id for step in steps]
        names = [shown_name(agent.flow, step) for step in ids]
        self._chips.show_content((ids, names, False), lambda body: self._fill_chips(body, ids, names, False))
        groups = groups_of(findings)
        self._problems.show_content(
            (tuple(findings), locked, theme, len(steps)),
            lambda body: self._fill_problems(body, groups, agent.flow, len(steps), theme, locked),
        )
        self._problems.setVisible(bool(groups))
        for part in (self._matrix, self._form, self._left_out):
            part.hide()

    def _fill_chips(self, body: QWidget, steps: Sequence[str], names: Sequence[str], numbered: bool) -> None:
        row = WrapLayout(body, 6)
        for number, (step, name) in enumerate(zip(steps[:_CHIPS], names, strict=False), start=1):
            chip = QPushButton()
            chip.setObjectName("stepChip")
            chip.setFont(mono_font(11))
            whole = f"{number}  {name}" if numbered else name
            short = chip.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideMiddle, _ROOM - _CHIP)
            chip.setText(short.replace("&", "&&"))
            chip.setToolTip(name if short != whole else _("Select only this step"))
            chip.setAccessibleName(_("Select only {step}").format(step=name))
            chip.clicked.connect(lambda _on=False, picked=step: self.picked.emit(picked))
            row.addWidget(chip)
        rest = len(steps) - _CHIPS
        if rest > 0:
            label = QLabel(ngettext("{count} more", "{count} more", rest).format(count=rest))
            label.setProperty("muted", True)
            row.addWidget(label)

    def _fill_problems(
        self, body: QWidget, groups: Sequence[RuleGroup], flow: Flow, count: int, theme: Theme, locked: bool
    ) -> None:
        steps = counted_steps(flow, count)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(6)
        column.addWidget(PanelTitle(_("Problems")))
        for group in groups[:_GROUPS]:
            column.addLayout(self._finding(group, steps, count, theme))
            for fix in [] if locked else group.joint_fixes():
                column.addWidget(self._fix_button(fix, group), 0, Qt.AlignmentFlag.AlignLeft)
        rest = sum(len(group.findings) for group in groups[_GROUPS:])
        if rest:
            text = ngettext("{count} more problem", "{count} more problems", rest).format(count=rest)
            column.addWidget(_quiet(text))

    def _finding(self, group: RuleGroup, steps: str, count: int, theme: Theme) -> QHBoxLayout:
        found = group.first
        icon, line = QLabel(), FindingLine()
        icon.setPixmap(theme.pixmap(found.severity, found.severity, 14, ratio=self.devicePixelRatioF()))
        where = _("in {count} of the {steps}").format(count=group.steps, steps=steps)
        if group.steps == count:
            where = _("in all {steps}").format(steps=steps)
        line.show_finding(Problem(found.pointer or "", found.severity, f"{group.text}\n{where}"))
        line.menu_asked.connect(lambda _problem, point: self._ask_menu(found, point))
        line.page_asked.connect(lambda _problem, page: self.page_asked.emit(found, page))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(line, 1)
        return row

    def _ask_menu(self, found: Diagnostic, point: QPoint) -> None:
        self.menu_asked.emit(found, point)

    def _fix_button(self, fix: Fix, group: RuleGroup) -> QPushButton:
        count = len(group.findings)
        text = ngettext("Fix {count} problem", "Fix all {count} problems", count).format(count=count)
        button = QPushButton(text)
        button.setObjectName("formButton")
        button.setToolTip(fix.title)
        button.setAccessibleName(f"{group.first.code}: {text}")
        button.setAccessibleDescription(fix.title)
        button.clicked.connect(partial(self._ask_fix, fix, text))
        return button

    def _ask_fix(self, fix: Fix, text: str, _on: bool = False) -> None:
        self.fix_asked.emit(Fix(text, fix.safe, fix.edits, (), fix.guess))


class _Part(QWidget):
    """Holds a body that is rebuilt when its content changes; the focus stays in the part."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._body = QWidget()
        self._column.addWidget(self._body)

    def show_content(self, content: object, fill: Callable[[QWidget], None]) -> None:
        shown = (content, language())
        if shown == self._shown:
            return
        self._shown = shown
        held = self.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        old, self._body = self._body, QWidget()
        fill(self._body)
        self._column.replaceWidget(old, self._body)
        self._body.show()
        old.hide()
        old.deleteLater()  # one of its own signals may have called this
        first = self._body.findChild(QPushButton)
        if held and isinstance(first, QPushButton):
            first.setFocus(Qt.FocusReason.OtherFocusReason)


_Row = tuple[str, tuple[str, ...]]
"""An intent, and for each step “yes”, “broken” or “no”."""


def _rows(steps: Sequence[Step], contracts: Sequence[StepContract]) -> list[_Row]:
    """The intents that at least two steps have, in the order of the file."""
    written = {rule.intent: rule.as_written for step in steps for rule in step.transitions}
    found: list[_Row] = []
    for intent in dict.fromkeys(intent for contract in contracts for intent in contract.rows()):
        states = tuple(
            ("broken" if contract.broken(intent) else "yes") if intent in contract.rows() else "no"
            for contract in contracts
        )
        if len(states) - states.count("no") > 1 or len(steps) <= 3:
            found.append((written.get(intent, intent), states))
    return found


def _heads(names: Sequence[str]) -> list[str] | None:
    """What the columns are called: by the ends of the names, or by numbers; None: too many to have columns."""
    if len(names) > _COLUMNS:
        return None
    short = [name.rpartition(".")[2] for name in names]
    short = short if len(set(short)) == len(short) else list(names)
    metrics = QFontMetrics(ui_font(11))
    wide = sum(metrics.horizontalAdvance(name) + _CELL for name in short) > _ROOM * 7 // 10
    return [str(number) for number in range(1, len(names) + 1)] if wide else short


def _fill_matrix(
    body: QWidget, title: str, rows: Sequence[_Row], heads: Sequence[str] | None, names: Sequence[str]
) -> None:
    column = QVBoxLayout(body)
    column.setContentsMargins(0, 4, 0, 4)
    column.setSpacing(6)
    column.addWidget(PanelTitle(title))
    grid = QGridLayout()
    grid.setHorizontalSpacing(_CELL)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(0, 1)
    column.addLayout(grid)
    for at, (head, name) in enumerate(zip(heads or (), names, strict=False), start=1):
        label = _quiet(head, wraps=False)
        label.setToolTip(name)
        label.setAccessibleName(name)
        grid.addWidget(label, 0, at, Qt.AlignmentFlag.AlignHCenter)
    for at, (intent, states) in enumerate(rows[:_ROWS], start=1):
        label = wrapped_label(ui_font(12))
        label.setText(intent)
        grid.addWidget(label, at, 0)
        if heads is None:
            _place_count(grid, at, intent, states)
            continue
        for number, (state, name) in enumerate(zip(states, names, strict=True), start=1):
            grid.addWidget(_cell(intent, state, name), at, number, Qt.AlignmentFlag.AlignHCenter)
    rest = len(rows) - _ROWS
    if rest > 0:
        column.addWidget(_quiet(ngettext("{count} more", "{count} more", rest).format(count=rest)))


def _place_count(grid: QGridLayout, at: int, intent: str, states: Sequence[str]) -> None:
    count = len(states) - states.count("no")
    text = _("{count} of {all}").format(count=count, all=len(states))
    broken = states.count("broken")
    label = QLabel(f"{text}  ✗ {broken}" if broken else text)
    label.setFont(ui_font(11))
    label.setProperty("token", "error" if broken else "closure" if count == len(states) else "section")
    spoken = ", ".join([text, *([f"{_state('broken')}: {broken}"] if broken else [])])
    label.setAccessibleName(f"{intent}: {spoken}")
    grid.addWidget(label, at, 1, Qt.AlignmentFlag.AlignRight)


def _cell(intent: str, state: str, name: str) -> QLabel:
    sign, token = {"yes": ("✓", "closure"), "broken": ("✗", "error"), "no": ("–", "section")}[state]
    label = QLabel(sign)
    label.setFont(ui_font(12, QFont.Weight.Bold))
    label.setProperty("token", token)
    label.setToolTip(f"{name}: {_state(state)}")
    label.setAccessibleName(f"{intent}, {name}: {_state(state)}")
    return label


def _state(state: str) -> str:
    """What a sign of the matrix means."""
    if state == "yes":
        return _("has the intent")
    return _("doesn’t agree: schema, gate or transition is missing") if state == "broken" else _("hasn’t the intent")


def _quiet(text: str, *, wraps: bool = True) -> QLabel:
    label = wrapped_label(ui_font(11)) if wraps else QLabel()
    label.setFont(ui_font(11))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setProperty("muted", True)
    return label

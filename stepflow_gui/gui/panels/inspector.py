"""The inspector: the selected step with its contract, fields, gate and transitions; else the registry."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Flow, Gate, Step, moves_of
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.gui.fonts import mono_font, ui_font
from stepflow_gui.gui.panels.contract import Contract, ContractGrid
from stepflow_gui.gui.panels.dock import PanelTitle
from stepflow_gui.gui.panels.fields import ElidedLabel, FieldRows
from stepflow_gui.gui.panels.form_notice import make
from stepflow_gui.gui.session import Session
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _, ngettext


class InspectorPanel(QScrollArea):
    """Shows one step. `step_picked` is emitted with a step's id when the person follows a target."""

    step_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setMinimumWidth(240)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Inspector"))
        self._theme = theme
        self._session: Session | None = None
        self._grid: ContractGrid | None = None

    def set_session(self, session: Session | None) -> None:
        """Make the changes that are asked for here in this session."""
        self._session = session
        self._grid = None

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look from the next content on."""
        self._theme = theme

    def show_nothing(self) -> None:
        """Before anything is open."""
        page = _Page()
        page.note(_("Select a step to see its fields."))
        self._set_page(page)

    def show_flow(self, flow: Flow, format_name: str) -> None:
        """What the registry says of itself."""
        page = _Page()
        page.heading(flow.agent_id.value if flow.agent_id else flow.document.path.name, mono_font(15, _BOLD))
        page.subtitle(_("No step selected: this is the registry."))
        rows = page.rows(_("Registry"), self.step_picked)
        rows.add(_("format"), format_name, mono=False)
        if flow.version:
            rows.add("version", flow.version.value)
        rows.add(_("steps"), str(len(flow.steps)), mono=False)
        rows.add(_("transitions"), str(sum(1 for _move in flow.moves())), mono=False)
        if flow.entries:
            entries = page.rows(_("Entries"), self.step_picked)
            for entry in flow.entries:
                target = entry.target.value if entry.target else "?"
                entries.add(entry.key or "entryStep", target, target if target in flow.steps else None)
        self._set_page(page)

    def show_step(self, flow: Flow, step: Step, contract: Contract, findings: Sequence[tuple[str, str]]) -> None:
        """A step; `findings` are (colour token, message) of what the linter says about it."""
        page = _Page()
        page.heading(step.id, mono_font(15, _BOLD))
        kind = _("prompt section") if step.is_section else step.kind or _("no kind")
        token = "section" if step.is_section else step.kind or "section"
        page.kind_line(step.title, kind, self._theme, token)
        for severity, message in findings[:4]:
            page.finding(self._theme, severity, message)
        if len(findings) > 4:
            rest = len(findings) - 4
            page.note(ngettext("{count} more problem", "{count} more problems", rest).format(count=rest))
        if step.gate is not None or step.transitions:
            page.title(_("Contract"))
            page.add(self._contract_grid(step, contract))
        rows = page.rows(_("Step"), self.step_picked)
        for key, value in _step_fields(step):
            rows.add(key, value, mono=key != "name")
        if step.gate is not None:
            rows = page.rows(_("Gate"), self.step_picked)
            for key, value in _gate_fields(step.gate):
                rows.add(key, value)
        if step.transitions:
            rows = page.rows(_("Transitions"), self.step_picked)
            for move in moves_of(step):
                key = move.intent if move.case is None else f"{move.intent} · {move.case}"
                rows.add(key, move.target or _("end"), move.target if move.target in flow.steps else None)
        arriving = sorted({move.step for move in flow.moves() if move.target == step.id and move.step != step.id})
        if arriving:
            rows = page.rows(_("Reached from"), self.step_picked)
            for source in arriving:
                intents = [move.intent for move in moves_of(flow.steps[source]) if move.target == step.id]
                rows.add(", ".join(dict.fromkeys(intents)), source, source)
        self._set_page(page)

    def _set_page(self, page: "_Page") -> None:
        page.finish()
        focused = QApplication.focusWidget()
        held = focused is not None and self._grid is not None and self._grid.isAncestorOf(focused)
        at = self.verticalScrollBar().value()
        old = self.takeWidget()
        self.setWidget(page)
        self.verticalScrollBar().setValue(at)
        if held and focused is not None and page.isAncestorOf(focused):
            focused.setFocus(Qt.FocusReason.OtherFocusReason)
        if old is not None:  # what was clicked may stand in it
            if self._grid is not None and old.isAncestorOf(self._grid):
                self._grid = None  # it goes with its page
            old.hide()
            old.deleteLater()

    def _contract_grid(self, step: Step, contract: Contract) -> ContractGrid:
        if self._grid is None:
            self._grid = ContractGrid(self._make, self._steps)
        locked = self._session is None or self._session.stale
        self._grid.show_contract(step, contract, locked)
        return self._grid

    def _make(self, change: Change) -> Plan | Refusal:
        if self._session is None or self._session.stale:
            return Refusal(_("The text has a mistake: put it right first."))
        return make(self._session, change)

    def _steps(self) -> list[str]:
        flow = self._session.good.flow if self._session else None
        return [step.id for step in flow.steps.values() if not step.is_section] if flow else []


_BOLD = QFont.Weight.Bold


class _Page(QWidget):
    """The inspector's content for one selection."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 8, 16, 16)
        self._column.setSpacing(6)

    def add(self, widget: QWidget) -> None:
        self._column.addWidget(widget)

    def finish(self) -> None:
        self._column.addStretch(1)

    def heading(self, text: str, font: QFont) -> None:
        self.add(ElidedLabel(text, font))

    def subtitle(self, text: str) -> None:
        label = ElidedLabel(text, ui_font(12), Qt.TextElideMode.ElideRight)
        label.setProperty("muted", True)
        self.add(label)

    def kind_line(self, title: str, kind: str, theme: Theme, token: str) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(ElidedLabel(title, ui_font(12), Qt.TextElideMode.ElideRight), 1)
        icon = QLabel()
        icon.setPixmap(theme.pixmap(f"kind-{token}", token, 14, ratio=self.devicePixelRatioF()))
        word = QLabel(kind)
        word.setFont(ui_font(11, _BOLD))
        word.setProperty("token", token)
        row.addWidget(icon)
        row.addWidget(word)
        self.add(line)

    def finding(self, theme: Theme, severity: str, message: str) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(6)
        icon = QLabel()
        icon.setPixmap(theme.pixmap(severity, severity, 14, ratio=self.devicePixelRatioF()))
        text = QLabel(message)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        text.setFont(ui_font(12))
        text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        self.add(line)

    def note(self, text: str) -> None:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setFont(ui_font(12))
        label.setProperty("muted", True)
        self.add(label)

    def title(self, text: str) -> None:
        self._column.addSpacing(10)
        self.add(PanelTitle(text))

    def rows(self, title: str, followed: SignalInstance) -> FieldRows:
        self.title(title)
        rows = FieldRows()
        rows.followed.connect(followed)
        self.add(rows)
        return rows


def _step_fields(step: Step) -> Iterator[tuple[str, str]]:
    if step.name:
        yield "name", step.name.value
    if step.step_id and step.step_id.value != step.id:
        yield "stepId", step.step_id.value
    if step.explicit_kind:
        yield "stepKind", step.explicit_kind.value
    if step.c2 or step.c3:
        yield "c2 / c3", " / ".join(text.value if text else "–" for text in (step.c2, step.c3))
    if step.edition:
        yield "edition", step.edition.value
    if step.adaptation:
        yield "adaptation", step.adaptation.value
    if step.fallback_key:
        yield "fallbackKey", step.fallback_key.value
    if step.schema_ref:
        parts = [text.value for text in (step.schema_ref.file, step.schema_ref.schema) if text]
        yield "outputSchemaRef", " › ".join(parts)


def _gate_fields(gate: Gate) -> Iterator[tuple[str, str]]:
    if gate.intent_field:
        yield "intentField", gate.intent_field.value
    if gate.intent_schema_ref:
        yield "intentSchemaRef", gate.intent_schema_ref.value
    if gate.target_field:
        yield "targetField", gate.target_field.value
    if gate.handoff_fields:
        yield "handoffFields", ", ".join(text.value for text in gate.handoff_fields)
    if not gate.fail_fast:
        yield "failFast", "false"
    if gate.fallback_intent:
        yield "fallbackIntent", gate.fallback_intent.value

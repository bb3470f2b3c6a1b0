"""What is above and below the inspector's form: the name, the linter's findings on the whole, what goes there."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fields import ElidedLabel, FieldRows, polish
from stepflow_gui.gui.widgets.finding_line import FindingLine, wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, language, ngettext

_BOLD = QFont.Weight.Bold
_MOST = 4  # findings


class InspectorHead(QWidget):
    """A step's id, name and kind, or the registry's; below it the findings that no field shows.

    `menu_asked(problem, point)` is emitted where a person wants to do something about one, `page_asked(problem, page)`
    for a page of the details; the point is one of the screen.
    """

    menu_asked = Signal(object, object)
    page_asked = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._shown: object = None
        self._name = ElidedLabel("", mono_font(15, _BOLD))
        self._path = wrapped_label(ui_font(11))
        self._path.setProperty("muted", True)
        self._path.hide()
        self._title = ElidedLabel("", ui_font(12), Qt.TextElideMode.ElideRight)
        self._icon = QLabel()
        self._kind = QLabel()
        self._kind.setFont(ui_font(11, _BOLD))
        self._note = wrapped_label(ui_font(12))
        self._note.setProperty("muted", True)
        self._findings: list[tuple[QLabel, FindingLine]] = []
        self._shown_content: object = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 6)
        self._column.setSpacing(6)
        self._column.addWidget(self._path)
        self._column.addWidget(self._name)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._title, 1)
        row.addWidget(self._icon)
        row.addWidget(self._kind)
        self._column.addLayout(row)
        self._column.addWidget(self._note)

    def show_note(self, text: str) -> None:
        """Only a text."""
        self._show("", "", False)
        self.show_findings((), None)
        self._note.setText(text)
        self._note.show()

    def show_title(self, name: str, title: str) -> None:
        """Show a name and its title."""
        self._show(name, title, False)

    def show_step(self, name: str, title: str, kind: str, theme: Theme, token: str, path: str = "") -> None:
        """A step with its kind; above it the `path` to it, where it is in another."""
        self._show(name, title, True, path)
        shown = (kind, token, theme)
        if shown != self._shown:
            self._shown = shown
            self._icon.setPixmap(theme.pixmap(f"kind-{token}", token, 14, ratio=self.devicePixelRatioF()))
            self._kind.setText(kind)
            self._kind.setProperty("token", token)
            polish(self._kind)

    def show_findings(self, findings: Sequence[Problem], theme: Theme | None) -> None:
        """Show the linter's findings on the whole."""
        content = (tuple(findings), theme, language())
        if content == self._shown_content:
            return
        self._shown_content = content
        for icon, text in self._findings:
            icon.hide()
            text.hide()
        for number, finding in enumerate(findings[:_MOST]):
            icon, text = self._line(number)
            if theme is not None:
                icon.setPixmap(theme.pixmap(finding.severity, finding.severity, 14, ratio=self.devicePixelRatioF()))
            text.show_finding(finding)
            icon.show()
            text.show()
        rest = len(findings) - _MOST
        self._note.setVisible(rest > 0)
        if rest > 0:
            self._note.setText(ngettext("{count} more problem", "{count} more problems", rest).format(count=rest))

    def _show(self, name: str, title: str, kind: bool, path: str = "") -> None:
        self._name.show_whole(name)
        self._path.setText(path.removesuffix(name).strip())
        self._path.setVisible(bool(path))
        if path:
            self._name.setAccessibleName(path)
        self._name.setVisible(bool(name))
        self._title.show_whole(title)
        self._title.setVisible(bool(title) or kind)
        self._icon.setVisible(kind)
        self._kind.setVisible(kind)

    def _line(self, number: int) -> tuple[QLabel, FindingLine]:
        while len(self._findings) <= number:
            icon, text = QLabel(), FindingLine()
            text.menu_asked.connect(self.menu_asked)
            text.page_asked.connect(self.page_asked)
            row = QHBoxLayout()
            row.setSpacing(6)
            row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(text, 1)
            self._column.insertLayout(3 + len(self._findings), row)
            self._findings.append((icon, text))
        return self._findings[number]


class Arriving(QWidget):
    """The transitions that go to a step. `followed` is emitted with the step that one comes from."""

    followed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._shown: object = None
        self._title = PanelTitle()
        self._rows = FieldRows()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 10, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(self._title)
        self._column.addWidget(self._rows)

    def show_moves(self, flow: Flow, step: Step) -> bool:
        """Show what goes to a step; False where nothing does."""
        found: dict[str, list[str]] = {}
        for move in flow.moves():
            if move.target == step.id and move.step != step.id:
                found.setdefault(move.step, []).append(move.intent)
        shown = (sorted((source, tuple(dict.fromkeys(intents))) for source, intents in found.items()), language())
        if shown != self._shown:
            self._shown = shown
            self._title.set_title(_("Reached from"))
            rows = FieldRows()
            rows.followed.connect(self.followed)
            for source, intents in shown[0]:
                rows.add(", ".join(intents), source, source)
            self._column.removeWidget(self._rows)
            self._column.addWidget(rows)
            self._rows.hide()
            self._rows.deleteLater()
            self._rows = rows
        return bool(found)

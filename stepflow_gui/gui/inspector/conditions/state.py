"""The expression over the state: as a text, and below it a row for each clause. The text is what counts."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.formats.takt.expression_parts import (
    SIGNS,
    ClausePart,
    clauses_of,
    expression_of,
    fault_of_clause,
)
from stepflow_gui.formats.takt.state_expression import ExpressionFault
from stepflow_gui.gui.inspector.conditions.texts import ResultField
from stepflow_gui.gui.widgets.controls import Chooser
from stepflow_gui.gui.widgets.fields import polish
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _

_JOINT = 88  # pixels
_SIGN = 116
_TOOL = 18


class _ClauseRow(QWidget):
    changed = Signal()
    accepted = Signal()
    unwanted = Signal()

    def __init__(self, clause: ClausePart, number: int, references: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("panel")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        line = QHBoxLayout()
        line.setSpacing(4)
        self.joint = Chooser()
        for word in (_("and"), _("or")):
            self.joint.addItem(word)
        self.joint.setCurrentIndex(int(clause.other))
        self.joint.setFixedWidth(_JOINT)
        self.joint.setEnabled(number > 0)
        self.joint.setAccessibleName(_("How clause {number} is joined").format(number=number + 1))
        self.left = ResultField(lambda: references)
        self.left.setPlaceholderText("structured.review.approved")
        self.left.show_text(clause.left)
        self.left.setAccessibleName(_("Place in the state of clause {number}").format(number=number + 1))
        self.sign = Chooser()
        self.sign.setFont(mono_font(12))
        for sign in SIGNS:
            self.sign.addItem(sign or _("is true"))
        self.sign.setCurrentIndex(SIGNS.index(clause.sign))
        self.sign.setFixedWidth(_SIGN)
        self.sign.setAccessibleName(_("Comparison of clause {number}").format(number=number + 1))
        self.right = QLineEdit(clause.right)
        self.right.setFont(mono_font(12))
        self.right.setAccessibleName(_("Value of clause {number}").format(number=number + 1))
        self.right.returnPressed.connect(self.accepted)
        removes = QToolButton()
        removes.setObjectName("formTool")
        removes.setFixedWidth(_TOOL)
        removes.setText("−")
        removes.setAccessibleName(_("Remove clause {number}").format(number=number + 1))
        removes.setToolTip(removes.accessibleName())
        removes.clicked.connect(lambda _on=False: self.unwanted.emit())
        for widget, stretch in ((self.joint, 0), (self.left, 3), (self.sign, 0), (self.right, 2), (removes, 0)):
            line.addWidget(widget, stretch)
        column.addLayout(line)
        self.joint.setVisible(number > 0)
        self._fault = wrapped_label(ui_font(11))
        self._fault.setProperty("token", "error")
        self._fault.hide()
        column.addWidget(self._fault)
        self._fit()
        self.left.accepted.connect(self.accepted)
        self.left.textChanged.connect(lambda _text: self._typed())
        self.right.textChanged.connect(lambda _text: self._typed())
        self.joint.activated.connect(lambda _at: self._typed())
        self.sign.activated.connect(lambda _at: self._typed())

    @property
    def clause(self) -> ClausePart:
        """What is typed and chosen."""
        sign = SIGNS[self.sign.currentIndex()]
        return ClausePart(self.left.text(), sign, self.right.text() if sign else "", self.joint.currentIndex() == 1)

    def _fit(self) -> None:
        sign = SIGNS[self.sign.currentIndex()]
        self.right.setVisible(bool(sign))
        self.right.setPlaceholderText('item.status == "open"' if sign == "exists" else '"open"')

    def _typed(self) -> None:
        self._fit()
        fault = fault_of_clause(self.clause)
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))
        self.changed.emit()


class StateExpression(QWidget):
    """`changed` is emitted when the expression is, `accepted` on Enter."""

    changed = Signal()
    accepted = Signal()

    def __init__(self, references: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._references = references
        self.rows: list[_ClauseRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.text = QLineEdit()
        self.text.setFont(mono_font(12))
        self.text.setAccessibleName(_("Expression over the state"))
        self.text.setPlaceholderText('structured.review.status == "approved"')
        self.text.textChanged.connect(self._typed)
        self.text.returnPressed.connect(self.accepted)
        self._column.addWidget(self.text)
        self._fault = wrapped_label(ui_font(11))
        self._fault.setProperty("token", "error")
        self._column.addWidget(self._fault)
        self._more = QPushButton(_("Another Clause"))
        self._more.setObjectName("quietLink")
        self._more.clicked.connect(lambda _on=False: self._add())
        self._column.addWidget(self._more)
        self.show_text("")

    @property
    def expression(self) -> str:
        """What is typed."""
        return self.text.text()

    def show_expression(self, text: str) -> None:
        """Show an expression."""
        with QSignalBlocker(self.text):
            self.text.setText(text)
            self.text.setCursorPosition(0)
        self._show_clauses()

    def show_text(self, fault: str) -> None:
        """What is wrong with it."""
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))
        self.text.setProperty("wrong", bool(fault))
        self.text.setAccessibleDescription(fault)
        polish(self.text)

    def take_focus(self) -> None:
        """Put the cursor into it."""
        self.text.setFocus(Qt.FocusReason.PopupFocusReason)
        self.text.selectAll()

    def _typed(self) -> None:
        self._show_clauses()
        self.changed.emit()

    def _show_clauses(self) -> None:
        """The rows of the text's clauses; where it can't be read they stay as they are, but are disabled."""
        found = clauses_of(self.expression) if self.expression.strip() else [ClausePart("")]
        readable = not isinstance(found, ExpressionFault)
        for row in self.rows:
            row.setEnabled(readable)
        self._more.setEnabled(readable)
        if not isinstance(found, ExpressionFault) and [row.clause for row in self.rows] != found:
            self._rebuild(found)

    def _rebuild(self, clauses: Sequence[ClausePart]) -> None:
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [_ClauseRow(clause, number, self._references) for number, clause in enumerate(clauses)]
        for number, row in enumerate(self.rows):
            row.changed.connect(self._rows_changed)
            row.accepted.connect(self.accepted)
            row.unwanted.connect(lambda at=number: self._remove(at))
            self._column.insertWidget(2 + number, row)

    def _rows_changed(self) -> None:
        with QSignalBlocker(self.text):
            self.text.setText(expression_of([row.clause for row in self.rows]))
            self.text.setCursorPosition(0)
        self.changed.emit()

    def _add(self) -> None:
        self._rebuild([*(row.clause for row in self.rows), ClausePart("")])
        self.rows[-1].left.setFocus(Qt.FocusReason.OtherFocusReason)
        self._rows_changed()

    def _remove(self, number: int) -> None:
        clauses = [row.clause for row in self.rows]
        rest = [*clauses[:number], *clauses[number + 1 :]] or [ClausePart("")]
        self._rebuild([rest[0]._replace(other=False), *rest[1:]])
        self._rows_changed()

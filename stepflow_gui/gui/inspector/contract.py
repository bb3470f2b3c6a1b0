"""The contract of a step: schema enum, allowedIntents and transitions side by side, made to agree by a click."""

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.changes import AddIntent, Change, RemoveIntent, Retarget, SetIntents
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.form_notice import Make, Notice
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _, language, ngettext
from stepflow_gui.project.step_contract import StepContract

_AROUND = 22  # pixels around the word in a cell
_SIGN = 4  # more where there are gaps, which have a “+” but less around it
_WIDEST = 80  # that a column of words asks for
_BREAK = "\u200b"  # where a line may end without a sign
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NARROWEST = 56  # that the column of targets asks for


class ContractGrid(QWidget):
    """Three columns, one row an intent. What is missing is a button that adds it everywhere."""

    changed = Signal()

    def __init__(self, make: Make, steps: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._make = make
        self._steps = steps
        self._step: Step | None = None
        self._contract = StepContract(None, None, ())
        self._locked = False
        self._shown: object = None
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._body = QWidget()
        self._notice = Notice()
        self._notice.picked.connect(self.ask)
        column.addWidget(self._body)
        column.addWidget(self._notice)

    @property
    def notice(self) -> str:
        """Why the last click changed nothing; empty where it did."""
        return self._notice.text

    def show_contract(self, step: Step, contract: StepContract, locked: bool) -> None:
        """Show a step's contract; locked, nothing can be changed."""
        targets = tuple(_target(step, intent) for intent in contract.transitions)
        shown = (step.id, contract, locked, targets, language())
        if shown == self._shown:
            return
        self._notice.quiet()  # it was about what was shown before
        focused = QApplication.focusWidget()
        held = focused is not None and self._body.isAncestorOf(focused)
        self._shown, self._step, self._contract, self._locked = shown, step, contract, locked
        old, self._body = self._body, self._built()
        self._column.removeWidget(old)
        self._column.insertWidget(0, self._body)
        self._body.show()
        old.hide()
        old.deleteLater()
        if held:
            following = next(iter(self._body.findChildren(QPushButton)), None) or self._body.findChild(FormLineEdit)
            if following is not None:
                following.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask(self, change: Change) -> None:
        """Make a change, or show here why not."""
        found = self._make(change)
        if isinstance(found, Refusal):
            self._notice.refuse(change, found, self._steps)
        elif found.notes:
            self._notice.show_text(" ".join(found.notes), "warning")
        else:
            self._notice.quiet()
        self.changed.emit()

    def _built(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)  # three columns, and a sign, share the narrowest panel
        grid.setVerticalSpacing(6)
        column.addLayout(grid)
        columns = self._columns()
        words = QFontMetrics(ui_font(12))
        needed = max((words.horizontalAdvance(intent) for intent in self._contract.rows()), default=0) + _AROUND
        needed += 0 if self._contract.agrees or self._locked else _SIGN
        for at, (title, listed) in enumerate(columns):
            # That one holds step ids; where there are signs to remove intents, the heads need their share of the rest.
            grid.setColumnStretch(at, 6 if title == "transitions" else 3 if self._contract.agrees else 4)
            head = _head(title)
            least = min(needed, _WIDEST) if title != "transitions" else _NARROWEST
            grid.setColumnMinimumWidth(at, max(least, _widest_word(head)))
            grid.addWidget(head, 0, at, Qt.AlignmentFlag.AlignBottom)
            for row, intent in enumerate(self._contract.rows(), start=1):
                grid.addWidget(self._cell(title, listed, intent, row), row, at)
        for row, intent in enumerate(self._contract.rows(), start=1):
            if self._contract.broken(intent) and not self._locked:
                grid.addWidget(self._away(intent), row, len(columns))
        if not self._contract.agrees and not self._locked and self._contract.allowed is not None:
            column.addWidget(self._directions(columns))
        return body

    def _columns(self) -> list[tuple[str, tuple[str, ...] | None]]:
        return [
            (_("schema enum"), self._contract.enum),
            ("allowedIntents", self._contract.allowed),
            ("transitions", self._contract.transitions),
        ]

    def _cell(self, title: str, listed: tuple[str, ...] | None, intent: str, row: int) -> QWidget:
        broken = self._contract.broken(intent)
        if listed is None:
            return _named(_intent_cell(_("unknown") if row == 1 else "", False), title)
        if intent not in listed:
            return self._gap(title, intent) if broken else _named(_intent_cell("", False), title)
        return (
            self._transition(intent) if title == "transitions" else _named(_intent_cell(intent, False), title, intent)
        )

    def _away(self, intent: str) -> QPushButton:
        button = QPushButton("×")
        button.setObjectName("formMark")
        button.setToolTip(_("Remove “{intent}” from all three").format(intent=intent))
        button.setAccessibleName(button.toolTip())
        button.clicked.connect(lambda: self.ask(RemoveIntent(self._id, intent)))
        return button

    def _gap(self, title: str, intent: str) -> QWidget:
        if self._contract.foreign(intent):
            cell = _named(_intent_cell("–", False), title)
            cell.setToolTip(_("“{word}” is not an intent").format(word=intent))
            return cell
        if self._locked:
            return _named(_intent_cell(_("no “{intent}”").format(intent=intent), True), title)
        button = QPushButton(f"+ {intent}")  # short: the three columns share a narrow panel
        button.setObjectName("contractGap")
        button.setMinimumWidth(30)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        button.setToolTip(_("Add “{intent}” wherever it is missing").format(intent=intent))
        button.setAccessibleName(f"{title}: {button.toolTip()}")
        button.clicked.connect(lambda: self.ask(AddIntent(self._id, intent)))
        return button

    def _transition(self, intent: str) -> QWidget:
        assert self._step is not None
        target = _target(self._step, intent)
        rule = self._step.transition(intent)
        if rule is None or rule.cases or target is None:
            count = len(rule.cases) if rule else 0
            text = ngettext("{count} case", "{count} cases", count).format(count=count)
            return _named(_intent_cell(text if count else "?", False), "transitions", intent)
        field = FormLineEdit(lambda: [_end(), *self._steps()])
        field.setObjectName("contractWay")
        field.show_text(target)
        field.setReadOnly(self._locked)
        field.setToolTip(f"{intent} → {target}")
        field.setAccessibleName(_("transitions: where “{intent}” goes").format(intent=intent))
        field.entered.connect(lambda text: self.ask(Retarget(self._id, intent, None if text == _end() else text)))
        return field

    def _directions(self, columns: list[tuple[str, tuple[str, ...] | None]]) -> QWidget:
        holder = QWidget()
        row = WrapLayout(holder, 6)
        text = QLabel(_("Make all three match:"))
        text.setProperty("muted", True)
        row.addWidget(text)
        for title, listed in columns:
            if listed:
                button = QPushButton(title)
                button.setObjectName("formButton")
                button.setAccessibleName(_("Make all three match {column}").format(column=title))
                intents = [word for word in listed if word != "abort" and not self._contract.foreign(word)]
                change = SetIntents(self._id, tuple(intents))
                button.clicked.connect(lambda _on=False, wanted=change: self.ask(wanted))
                row.addWidget(button)
        return holder

    @property
    def _id(self) -> str:
        assert self._step is not None
        return self._step.id


def _named(cell: QLabel, title: str, text: str = "") -> QLabel:
    cell.setAccessibleName(f"{title}: {text or cell.text() or '–'}")
    return cell


def _end() -> str:
    return _("(end)")


def _target(step: Step, intent: str) -> str | None:
    """The target of an unconditional transition, in words; None for any other."""
    rule = step.transition(intent)
    if rule is None or rule.cases:
        return None
    if rule.target:
        return rule.target.value
    return _end() if rule.terminal else step.id if rule.stays else None


def _head(title: str) -> QLabel:
    """The head of a column, on two lines where it is narrow: it breaks between words, those of a key too."""
    head = wrapped_label(ui_font(11))
    head.setText(_HUMP.sub(_BREAK, title))
    head.setAccessibleName(title)
    head.setProperty("muted", True)
    return head


def _widest_word(head: QLabel) -> int:
    words = head.text().replace(_BREAK, " ").split()
    return max(head.fontMetrics().horizontalAdvance(word) for word in words) + 1


def _intent_cell(text: str, broken: bool) -> ElidedLabel:
    """A cell of the contract: an intent, or a gap where one is missing."""
    cell = ElidedLabel(text, ui_font(12), Qt.TextElideMode.ElideRight)
    cell.setObjectName("contractCell")
    cell.setProperty("broken", broken)
    return cell

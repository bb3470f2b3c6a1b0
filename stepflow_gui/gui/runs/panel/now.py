"""Where the run is now, and what the person can answer."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPalette, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.widgets.controls import TextButton, push_button, quiet_label
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fields import ElidedLabel, one_line, polish
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _, ngettext

Wrote = Literal["validator", "check", "person", "response"]  # whose words a person may give
_MOST_KEYS = 9  # choices that have a digit
_DETAIL_LINES = 2
_LEAST = 120  # pixels
_AT_END = 12  # pixels between the end of a row and the note beside it
OfferPart = Literal["choice", "answered", "other", "unusable"]
_IN_ROWS = frozenset(("choice", "answered"))
_BOLD = QFont.Weight.DemiBold


class AnswerOffer(NamedTuple):
    """Something the person may pick. `key` comes back with `chosen`; `primary` marks the usual one.

    `part`: a choice has a row of its own, with a digit as its key; what was answered is a line that offers to change
    it; an answer that is none of those stands below a line. `sign`: what is shown at the end of a row, such as that it
    goes back. `block`: the sub-step that it is about; its choices have that as a heading.
    """

    key: object
    label: str
    tip: str = ""
    primary: bool = False
    enabled: bool = True
    part: OfferPart = "other"
    sign: str = ""
    block: str = ""


class Status(NamedTuple):
    """Where the run is: a title, a line below it, and the colour token of the title.

    `note`: something to be noticed, such as where a shadow has parted, in the colour of `note_token`.
    """

    title: str
    detail: str = ""
    token: str = "text"
    mono: bool = False
    note: str = ""
    note_token: str = "warning"


AGAIN, SAVE_TEST, SAVE_TRACE = "run-restart", "run-save-test", "run-save-trace"  # the actions of a run that is over
EXPLORE = "run-explore"


END_KEYS = frozenset((AGAIN, SAVE_TEST, SAVE_TRACE, EXPLORE))


def end_offers(unseen: int) -> list[AnswerOffer]:
    """What a run that is over offers; the keys are the names of actions. `unseen`: ends that no run has come to yet."""
    offers = [
        AnswerOffer(AGAIN, _("Run Again"), primary=True),
        AnswerOffer(SAVE_TEST, _("Save as Test…")),
        AnswerOffer(SAVE_TRACE, _("Save Trace…")),
    ]
    if unseen:
        text = ngettext("Explore {count} End Not Seen Yet", "Explore {count} Ends Not Seen Yet", unseen)
        offers.append(AnswerOffer(EXPLORE, text.format(count=unseen)))
    return offers


class ChoiceRow(TextButton):
    """A choice over the whole width, with the digit by which it is picked, up to nine, and a note."""

    def __init__(self, sign: str, number: int) -> None:
        super().__init__()
        self.setObjectName("choiceRow")
        self.setMinimumWidth(_LEAST)  # its words end in dots rather than push what is at its end out of sight
        self.setAutoDefault(True)
        self.setFont(ui_font(12, _BOLD))
        self.sign = sign
        self.key = str(number) if number <= _MOST_KEYS else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setFont(ui_font(11))
        role = QPalette.ColorRole.ButtonText
        painter.setPen(self.palette().color(role))
        room = self.rect().adjusted(0, 0, -_AT_END, 0)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, end, "  ".join(filter(None, (self.sign, self.key))))
        painter.end()


class RunNow(QWidget):
    """Shows a status and offers. It knows no machine."""

    chosen = Signal(object)  # an Offer's key

    def __init__(self) -> None:
        super().__init__()
        self.title = ElidedLabel("", ui_font(13, _BOLD))
        self.detail = quiet_label()
        self.note = QLabel()
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.offers = QWidget()
        self.offers.setObjectName("panel")
        self._rows = QVBoxLayout(self.offers)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(6)
        self._unusable_title = PanelTitle("", self.offers)
        self._unusable_title.hide()
        self._choices: list[ChoiceRow] = []
        self._buttons: list[QPushButton] = []
        for number in range(1, _MOST_KEYS + 1):
            keys = QShortcut(QKeySequence(str(number)), self, partial(self._press, number - 1))
            keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._condition = QCheckBox()
        self._wrote = QLineEdit()
        self._writes: Wrote = "validator"
        self.form = QWidget()  # where a whole form for the answer may be put
        self.form.setObjectName("panel")
        QVBoxLayout(self.form).setContentsMargins(0, 0, 0, 0)
        self._build()
        self.retranslate()

    @property
    def condition_met(self) -> bool:
        """Whether the user marked the external condition as met."""
        return self._condition.isVisible() and self._condition.isChecked()

    @property
    def wrote(self) -> str:
        """What a validator is to have written when it fails."""
        return self._wrote.text().strip()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self._name_wrote()
        self._unusable_title.set_title(_("No usable answer"))
        self._scroll.setAccessibleName(_("Where the run is"))
        for widget in (self._wrote, self._condition, self.detail, self.note):
            widget.setFont(ui_font(12))
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.detail.setMinimumHeight(_DETAIL_LINES * QFontMetrics(ui_font(12)).lineSpacing())  # rows stay in place

    def show_status(self, status: Status) -> None:
        """Show where the run is."""
        self._scroll.verticalScrollBar().setValue(0)
        self.title.setFont(mono_font(13, _BOLD) if status.mono else ui_font(13, _BOLD))
        self.title.show_whole(status.title)
        self.title.setProperty("token", status.token)
        polish(self.title)
        self.detail.setText(status.detail)
        self.detail.setVisible(bool(status.detail))
        self.note.setText(status.note)
        self.note.setProperty("token", status.note_token)
        polish(self.note)
        self.note.setVisible(bool(status.note))

    def show_offers(
        self, offers: Sequence[AnswerOffer], condition: str | None = None, *, wrote: Wrote | None = None
    ) -> None:
        """Offer these. `condition`: label of a box that only the user can check; `wrote`: whose words to ask for."""
        focused = self.window().focusWidget()  # its own would be the one that had the keyboard last
        had_focus = focused is not None and (self.offers.isAncestorOf(focused) or focused is self._scroll)
        if had_focus:
            self._scroll.setFocus(Qt.FocusReason.OtherFocusReason)  # not into a field elsewhere as the button goes
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                if widget is not self._unusable_title:
                    widget.deleteLater()
        self._choices, self._buttons = [], []
        for block, held in groupby((each for each in offers if each.part in _IN_ROWS), lambda each: each.block):
            self._add_block(block, list(held))
        self._add_buttons([offer for offer in offers if offer.part == "other"])
        unusable = [offer for offer in offers if offer.part == "unusable"]
        if unusable:
            line = QFrame()
            line.setFrameShape(QFrame.Shape.HLine)
            line.setObjectName("sectionLine")
            for widget in (line, self._unusable_title):
                self._rows.addWidget(widget)
                widget.show()
            self._add_buttons(unusable)
        self.offers.setVisible(bool(offers))
        self.offers.updateGeometry()
        self._condition.setVisible(condition is not None)
        self._condition.setText(condition or "")
        self._condition.setChecked(False)
        self._wrote.setVisible(wrote is not None)
        if wrote != self._writes or wrote is None:
            self._wrote.clear()
        self._writes = wrote or self._writes
        self._name_wrote()
        self._arrange()
        if had_focus:
            self.focus_offers()

    def _add_block(self, block: str, offers: Sequence[AnswerOffer]) -> None:
        """Choices, below the name of the sub-step that they are about, or a line for what it has come to."""
        if offers[0].part == "answered":
            self._add_answered(offers[0])
            return
        if block:
            heading = ElidedLabel(block, mono_font(12, _BOLD))
            heading.setObjectName("answerBlock")
            heading.setContentsMargins(0, 6, 0, 0)
            self._rows.addWidget(heading)
            heading.show()
        for offer in offers:
            row = ChoiceRow(offer.sign, len(self._choices) + 1)
            self._choices.append(row)
            self._rows.addWidget(row)
            self._dress(row, offer)

    def _add_answered(self, offer: AnswerOffer) -> None:
        """A line for a sub-step that has come to a rule, with what takes that back at its end."""
        holder = QWidget()
        holder.setObjectName("panel")
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        name = ElidedLabel(offer.block, mono_font(12, _BOLD))
        name.setMinimumWidth(min(name.sizeHint().width(), _LEAST))
        change = push_button()
        change.setText(_("Change"))
        change.setAccessibleName(_("Change the answer of {name}").format(name=offer.block))
        change.setToolTip(offer.tip)
        change.clicked.connect(lambda _checked=False, key=offer.key: self.chosen.emit(key))
        row.addWidget(name, 1)
        row.addWidget(ElidedLabel(offer.label, ui_font(12)), 1)
        row.addWidget(change)
        self._rows.addWidget(holder)
        holder.show()

    def _add_buttons(self, offers: Sequence[AnswerOffer]) -> None:
        if not offers:
            return
        holder = QWidget()
        holder.setObjectName("panel")
        self._rows.addWidget(holder)
        holder.show()
        wrap = WrapLayout(holder)
        for offer in offers:
            button = push_button(offer.primary)
            wrap.addWidget(button)
            self._dress(button, offer)

    def _dress(self, button: QPushButton, offer: AnswerOffer) -> None:
        button.setText(one_line(offer.label).replace("&", "&&"))
        if offer.block:
            button.setAccessibleName(f"{offer.block}: {one_line(offer.label)}")
        button.setProperty("primary", offer.primary)
        button.setToolTip(offer.tip)
        button.setEnabled(offer.enabled)
        button.clicked.connect(lambda _checked=False, key=offer.key: self.chosen.emit(key))
        button.show()
        self._buttons.append(button)

    def _press(self, at: int) -> None:
        if at < len(self._choices) and self._choices[at].isEnabled():
            self._choices[at].click()

    def _arrange(self) -> None:
        """Give all its place before it is painted: an offer that moves afterwards is missed by a click."""
        for _round in range(2):  # a scroll bar that comes takes width
            for widget in filter(None, (self, self.offers, self._scroll.widget(), self._scroll)):
                QApplication.sendEvent(widget, QEvent(QEvent.Type.LayoutRequest))
            QApplication.sendPostedEvents(self._scroll, QEvent.Type.MetaCall.value)  # by which Qt shows the bar

    def _name_wrote(self) -> None:
        name = {
            "validator": _("Failure output"),
            "check": _("The message of its answer"),
            "person": _("Your answer"),
            "response": _("What it writes (response and reports)"),
        }[self._writes]
        self._wrote.setPlaceholderText(name)
        self._wrote.setAccessibleName(name)

    def focus_offers(self) -> None:
        """Put the keyboard on the first thing to pick."""
        widget = next(iter(self._buttons), None)
        if widget is not None and widget.isVisible():
            widget.setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.verticalScrollBar().setValue(0)  # what is asked stays in sight

    def _build(self) -> None:
        self.setObjectName("panel")
        body = QWidget()
        body.setObjectName("panel")
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 0, 12, 10)
        column.setSpacing(8)
        for widget in (self.detail, self.note, self.offers, self._wrote, self._condition, self.form):
            column.addWidget(widget)
        column.addStretch(1)
        self.form.hide()
        scroll = self._scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        heading = QHBoxLayout()
        heading.setContentsMargins(16, 6, 12, 2)
        heading.addWidget(self.title)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(heading)
        whole.addWidget(scroll, 1)
        self.setMinimumSize(180, 60)


class AnswerPage(QWidget):
    """Where a run is answered: the choices, below them the answer as a form, or as a model writes it, once asked.

    The parts below take each other's place; where none is opened, the choices have all the room.
    """

    def __init__(self, now: QWidget) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._parts = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(now)
        self._split.addWidget(self._parts)
        self._split.setStretchFactor(0, 1)
        self._split.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._split)
        self._wanted: list[QWidget] = []
        self._opened: set[QWidget] = set()
        self._parts.hide()

    def add(self, part: QWidget) -> None:
        """Have another part, which has nothing to show yet."""
        self._parts.addWidget(part)

    def take(self, part: QWidget) -> None:
        """Have a part no more."""
        self.want(part, on=False)
        self._opened.discard(part)
        self._parts.removeWidget(part)

    def want(self, part: QWidget, *, on: bool) -> None:
        """Whether a part has something to show, which is seen if it was opened."""
        if on != (part in self._wanted):
            (self._wanted.append if on else self._wanted.remove)(part)
            self._show()

    def open(self, part: QWidget) -> None:
        """Have a part in front, whenever it has something to show."""
        self._opened.add(part)
        if part in self._wanted:
            self._wanted.remove(part)
            self._wanted.append(part)
        self._show()

    def _show(self) -> None:
        seen = [part for part in self._wanted if part in self._opened]
        if seen:
            self._parts.setCurrentWidget(seen[-1])
        self._parts.setVisible(bool(seen))

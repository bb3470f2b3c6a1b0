"""A condition edited by its parts, over the window: it starts from the current text, and shows what it will write."""

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from stepflow_gui.formats.takt.condition_parts import OF_SUBS, Form, PartFault, Parts, fault_of, parts_of, rewritten
from stepflow_gui.gui.inspector.conditions.about import ConditionContext
from stepflow_gui.gui.inspector.conditions.state import StateExpression
from stepflow_gui.gui.inspector.conditions.texts import ConditionTexts
from stepflow_gui.gui.widgets.editors import Segments
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.popup import Popup
from stepflow_gui.messages import _

_WIDTH = 420
_WIDE = 620  # with an expression
_AROUND = 220  # pixels of height that what stands around the parts may need
_LEAST = 28
_SPARE = 10


class ConditionBuilder(Popup):
    """`answered` is emitted with the condition on Enter, or by the button; errors are shown where they are."""

    answered = Signal(str)

    def __init__(self, parent: QWidget, about: ConditionContext, title: str, text: str = "") -> None:
        super().__init__(parent)
        self._about = about
        self._old = text
        self._old_parts = parts_of(text, about.notation)
        self.forms: tuple[Form, ...] = tuple(dict.fromkeys((*about.forms, self._old_parts.form)))
        self._form: Form = self._old_parts.form
        self._kept = {self._form: self._old_parts.texts}  # what each form had when it was left
        self._touched = False
        self.segments = Segments([_called(form) for form in self.forms])
        self.texts = ConditionTexts(about.subs, about.notation)
        self.besides = QCheckBox(_("And only while the state is so"))
        self.state = StateExpression(about.references)
        self._help = wrapped_label(ui_font(11))
        self.preview = wrapped_label(mono_font(12))
        self.done = QPushButton(_("OK"))
        self._page, self._scroll = self._scrolled()
        self._lay_out(title)
        self.segments.chosen.connect(lambda number: self.choose(self.forms[number]))
        self.besides.clicked.connect(lambda _on: self._show_state(focus=True))
        for part in (self.texts, self.state):
            part.changed.connect(self._changed)
            part.accepted.connect(self.accept)
        self.besides.setChecked(bool(self._old_parts.when))
        self.state.show_expression(self._old_parts.when)
        self._show_form()

    @property
    def parts(self) -> Parts:
        """The parts as they are now."""
        asked = self._form == "when" or self.besides.isChecked()
        bare = self._old_parts.bare and self._form in OF_SUBS
        return Parts(self._form, self.texts.texts, self.state.expression if asked else "", bare)

    @property
    def _asks_besides(self) -> bool:
        return self.besides.isChecked() and self._form != "when"

    @property
    def condition(self) -> str:
        """What would be written."""
        return rewritten(self._old, self.parts, self._about.notation)

    def choose(self, form: Form) -> None:
        """Go on with another form; its texts are those of the one before, or what it had itself."""
        if form == self._form:
            return
        before = self.texts.texts
        self._kept[self._form] = before
        self._form = form
        if form not in self._kept:
            wanted = next((text for text in before if text), "")
            if form in OF_SUBS and not (self._kept.get("all") or self._kept.get("any")):
                wanted = ""
            self._kept[form] = before if form in OF_SUBS and len(before) > 1 else (wanted,)
        self._touched = True
        self._show_form()
        self.take_focus()

    def open_at(self, at: QPoint) -> None:
        """Show it at a global point, kept on the screen."""
        self._fit()
        self.show_at(at)
        self.take_focus()

    def take_focus(self) -> None:
        """Put the cursor into what is edited first."""
        (self.state if self._form == "when" else self.texts).take_focus()

    def accept(self) -> None:
        """Emit the condition; while it is wrong, show that instead."""
        self._touched = True
        condition = self.condition
        wrong = self._show_fault()
        if wrong and (not self._old or self.parts != self._old_parts or self._asks_besides):
            return
        self.close()
        self.answered.emit(condition)

    # Inside

    def _scrolled(self) -> tuple[QWidget, QScrollArea]:
        page = QWidget()
        page.setObjectName("panel")
        inner = QVBoxLayout(page)
        inner.setContentsMargins(0, 0, 4, 0)
        inner.setSpacing(8)
        for part in (self.texts, self.besides, self.state):
            inner.addWidget(part)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("panel")
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(page)
        return page, scroll

    def _lay_out(self, title: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        self.segments.name(_("Form of the condition"), "")
        self._help.setProperty("muted", True)
        self.besides.setFont(ui_font(12))
        self.preview.setAccessibleName(_("What is written"))
        for part in (wrapped_label(ui_font(12), QLabel(title)), self.segments, self._help, self._scroll, self.preview):
            column.addWidget(part)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.close)
        self.done.setProperty("primary", True)
        self.done.clicked.connect(lambda _on=False: self.accept())
        row.addWidget(cancel)
        row.addWidget(self.done)
        column.addLayout(row)
        self.setFixedWidth(_WIDE if self._about.notation == "workflow" else _WIDTH)

    def _show_form(self) -> None:
        self.segments.show_chosen(self.forms.index(self._form))
        self._help.setText(_help(self._form))
        self.texts.show_texts(self._form, self._kept.get(self._form, ()))
        self.texts.setVisible(self._form != "when")
        self.besides.setVisible(self._about.notation == "workflow" and self._form != "when")
        self._show_state()

    def _show_state(self, *, focus: bool = False) -> None:
        shown = self._form == "when" or (self.besides.isChecked() and not self.besides.isHidden())
        self.state.setVisible(shown)
        self._refresh()
        if focus and shown:
            self._touched = True
            self.state.take_focus()

    def _changed(self) -> None:
        self._touched = True
        self._refresh()

    def _refresh(self) -> None:
        self._show_fault()
        QTimer.singleShot(0, self, self._fit)

    def _show_fault(self) -> bool:
        fault = self._fault()
        shown = fault if self._touched or self._old else None
        self.texts.show_text(shown.number if shown else None, shown.message if shown else "")
        self.state.show_text(shown.message if shown and shown.number is None else "")
        self.preview.setText("" if fault else _("Writes  {condition}").format(condition=self.condition))
        self.preview.setVisible(not fault)
        return fault is not None

    def _fault(self) -> PartFault | None:
        if self._asks_besides and not self.state.expression.strip():
            return PartFault(None, _("An expression is missing here"))
        return fault_of(self.parts, self._about.notation)

    def _fit(self) -> None:
        """As high as its parts need, within the screen."""
        column, inner = self.layout(), self._page.layout()
        assert column is not None
        assert inner is not None
        margins = column.contentsMargins()
        inner.activate()
        wanted = _height(inner, self.width() - margins.left() - margins.right())
        room = self.screen().availableGeometry().height() - _AROUND
        policy = Qt.ScrollBarPolicy
        self._scroll.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if wanted + _SPARE > room else policy.ScrollBarAlwaysOff
        )
        self._scroll.setFixedHeight(max(_LEAST, min(wanted + _SPARE, room)))
        column.activate()
        self.setFixedHeight(_height(column, self.width()))


def _height(layout: QLayout, width: int) -> int:
    """What a layout needs, texts wrapped."""
    return layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()


def _called(form: Form) -> str:
    return _("Text") if form == "label" else f"{form}()"


def _help(form: Form) -> str:
    match form:
        case "ai":
            return _("The judge is asked whether this holds.")
        case "all":
            return _("Every sub-step came to this result.")
        case "any":
            return _("At least one sub-step came to one of these results.")
        case "when":
            return _("The state alone decides.")
    return _("What the agent, or the judge, chooses among the rules.")

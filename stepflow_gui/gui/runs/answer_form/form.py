"""The answer form: a step's answer as fields and as JSON, its problems, where it would go."""

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.runs.answer_form.json_view import JsonView
from stepflow_gui.gui.runs.answer_form.rows import AbsentRow, FieldRow, RowSpec, path_in_words, rows_of, with_first
from stepflow_gui.gui.runs.answer_form.sentence import Sentence
from stepflow_gui.gui.widgets.editors import Segments
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.answer_form.draft import AnswerDraft
from stepflow_gui.run.answer_form.fields import AnswerField
from stepflow_gui.run.answer_form.forecast import Forecast
from stepflow_gui.run.answer_form.invalid_samples import Breakage
from stepflow_gui.run.machine.state import Answered

Foretell = Callable[[Answered], Forecast]
_SIDE_BY_SIDE = 620  # pixels of width from which form and JSON are seen at once
_TOKENS = {"stops": "error", "ends": "closure", "checks": "verification"}
_MOST_ROWS = 150
_LOW = 250  # pixels of height below which sentences have one line
_FORM, _JSON = 0, 1


class AnswerForm(QWidget):
    """Edits an `AnswerDraft`. `answered` is emitted with the `Answered` that the person gives."""

    answered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._theme = theme
        self._draft: AnswerDraft | None = None
        self._predict: Foretell | None = None
        self._unlisten: Callable[[], None] | None = None
        self._rows: dict[tuple[object, ...], FieldRow | AbsentRow] = {}
        self._order: list[tuple[object, ...]] = []
        self._showing = False
        self._views = Segments(["form", "json"])
        self._fields = QWidget()
        self._fields.setObjectName("panel")
        self._column = QVBoxLayout(self._fields)
        self._column.setContentsMargins(0, 0, 10, 4)
        self._column.setSpacing(10)
        self._beside = QLineEdit()
        self._column.addWidget(self._beside)
        self._column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._fields)
        self._json = JsonView(theme)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        self._split.addWidget(self._scroll)
        self._split.addWidget(self._json)
        self._split.setSizes([600, 400])
        self._outline = QVBoxLayout(self)
        self._notice = Sentence()
        self._will = Sentence()
        self._break = QPushButton()
        self._menu = QMenu(self._break)
        self._answer = QPushButton()
        self._connect()
        self._build()
        self.retranslate()
        self.set_theme(theme)
        self._show_view(_FORM)

    # What the owner does

    @property
    def draft(self) -> AnswerDraft | None:
        """The answer that is being made; None where nothing is asked."""
        return self._draft

    def show_draft(self, draft: AnswerDraft, foretell: Foretell | None = None) -> None:
        """Edit an answer. `foretell` returns where an answer would go; None: that isn't shown.

        The same draft again keeps every widget and cursor.
        """
        self._predict = foretell
        if draft is not self._draft:
            self.clear()
            self._draft = draft
            self._unlisten = draft.on_change(self._show)
        self._show()

    def clear(self) -> None:
        """Nothing is asked."""
        if self._unlisten is not None:
            self._unlisten()
        self._unlisten = self._draft = None
        self._arrange([])

    def focus_first(self) -> None:
        """Put the keyboard on the first field that can be edited."""
        stops = self._stops()
        target = stops[0] if stops and self._scroll.isVisible() else self._json.editor
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self._views.rename([_("Form"), _("JSON")])
        self._views.name(_("View"), "")
        self._json.retranslate()
        self._beside.setPlaceholderText(_("Text beside the answer"))
        self._beside.setAccessibleName(_("Text beside the answer"))
        self._beside.setToolTip(_("What the model writes beside its structured answer; some verdicts look for a word"))
        self._break.setText(_("Unusable"))
        self._break.setAccessibleName(_("Corrupt the answer"))
        self._break.setToolTip(_("Corrupt the answer to see what the runner does"))
        self._answer.setText(_("Answer"))
        self._answer.setToolTip(_("Give this answer ({keys})").format(keys=_ANSWER_KEYS.toString(_NATIVE)))
        for widget in (self._beside, self._break, self._answer):
            widget.setFont(ui_font(12))
        self._arrange([])  # the rows are named when they are made
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._json.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_view(self._view)
        low = self.height() < _LOW
        self._outline.setContentsMargins(12, 4 if low else 8, 12, 4 if low else 10)
        for sentence in (self._notice, self._will):
            sentence.be_short(low)
        self._show_sentences()

    # What the person does

    def _connect(self) -> None:
        self._views.chosen.connect(self._show_view)
        self._json.written.connect(self._written)
        self._beside.textEdited.connect(self._wrote_beside)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._break.setMenu(self._menu)
        self._answer.clicked.connect(self._give)
        QShortcut(_ANSWER_KEYS, self, self._give, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _written(self, text: str) -> None:
        if self._draft is not None:
            self._draft.write(text)

    def _wrote_beside(self, text: str) -> None:
        if self._draft is not None:
            self._draft.beside = text

    def _start_over(self) -> None:
        if self._draft is not None:
            self._draft.start_over()

    def _give(self) -> None:
        answered = self._draft.answered() if self._draft is not None else None
        if answered is not None:
            self.answered.emit(answered)

    def _fill_menu(self) -> None:
        """Each fault that can be injected, with what the runner would do."""
        self._menu.clear()
        self._menu.setToolTipsVisible(True)
        draft = self._draft
        if draft is not None and draft.instead is not None:
            self._menu.addAction(_("Give the answer itself")).triggered.connect(draft.mend)
            self._menu.addSeparator()
        for breakage in draft.breakages if draft is not None else ():
            action = self._menu.addAction(breakage.label.replace("&", "&&"))
            action.setEnabled(breakage.answered is not None)
            action.setToolTip(self._prediction(breakage))
            action.triggered.connect(lambda _checked=False, breakage=breakage: self._break_answer(breakage))
        self._menu.addSeparator()
        self._menu.addAction(_("Start over with a valid answer")).triggered.connect(self._start_over)

    def _break_answer(self, breakage: Breakage) -> None:
        if self._draft is not None:
            self._draft.break_it(breakage)

    def _prediction(self, breakage: Breakage) -> str:
        if breakage.answered is None:
            return breakage.why
        return self._predict(breakage.answered).message if self._predict is not None else ""

    # What is shown

    @property
    def _view(self) -> int:
        return self._chosen_view

    def _show_view(self, view: int) -> None:
        """Both side by side where there is room, else the one that is chosen."""
        self._chosen_view = view
        both = self.width() >= _SIDE_BY_SIDE
        self._views.setVisible(not both)
        self._views.show_chosen(view)
        self._scroll.setVisible(both or view == _FORM)
        self._json.setVisible(both or view == _JSON)

    def _show(self) -> None:
        draft = self._draft
        self._answer.setEnabled(draft is not None and draft.answered() is not None)
        self._break.setEnabled(draft is not None)
        if draft is None or self._showing:
            return
        self._showing = True
        rows = with_first(rows_of(draft.fields), draft.intent_pointer)
        wanted = rows[:_MOST_ROWS]
        self._arrange(wanted)
        rest = self._show_problems(draft, wanted)
        if len(rows) > len(wanted):
            rest.append(_("The form shows the first fields only; all are in the JSON."))
        self._json.show_text(draft.text, draft.problem.message if draft.problem is not None else "")
        with QSignalBlocker(self._beside):
            if self._beside.text() != draft.beside:
                self._beside.setText(draft.beside)
        self._fields.setEnabled(draft.problem is None and draft.instead is None)
        self._show_notice(draft, rest)
        self._show_forecast(draft)
        self._show_sentences()
        self._showing = False

    def _show_sentences(self) -> None:
        """Show both where there is room; else where the answer goes comes first."""
        low = self.height() < _LOW
        self._will.setVisible(bool(self._will.whole))
        self._notice.setVisible(bool(self._notice.whole) and not (low and self._will.whole))

    def _show_problems(self, draft: AnswerDraft, wanted: list[RowSpec]) -> list[str]:
        """Show each problem at its field; return those without one."""
        by_place: dict[str, list[str]] = defaultdict(list)
        for breach in draft.breaches:
            by_place[breach.pointer].append(breach.message)
        for row in wanted:
            shown = self._rows[row.key]
            if isinstance(shown, FieldRow):
                shown.show_field(row.field, by_place.pop(row.field.pointer, []))
            else:
                shown.show_absent(row.absent)
        return [
            f"{path_in_words(place)}: {message}" if place else message
            for place, messages in by_place.items()
            for message in messages
        ]

    def _show_notice(self, draft: AnswerDraft, rest: list[str]) -> None:
        if draft.instead is not None:
            self._notice.show_text(
                _("{what}: this is given in place of the answer.").format(what=draft.instead.label),
                "warning",
            )
        elif draft.problem is not None:
            self._notice.show_text(_("Correct the JSON to go on with the form."), "error")
        elif not draft.breaches:
            self._notice.show_text("\n".join(rest), "muted")
        else:
            count = len(draft.breaches)
            text = ngettext(
                "{count} place breaks the output schema. The runner reads the answer anyway.",
                "{count} places break the output schema. The runner reads the answer anyway.",
                count,
            )
            self._notice.show_text("\n".join([text.format(count=count), *rest]), "warning")

    def _show_forecast(self, draft: AnswerDraft) -> None:
        answered = draft.answered()
        if answered is None or self._predict is None:
            self._will.show_text("", "muted")
            return
        prediction = self._predict(answered)
        self._will.show_text(prediction.message, _TOKENS.get(prediction.kind, "work"), "\n".join(prediction.why))

    def _arrange(self, wanted: list[RowSpec]) -> None:
        """Have exactly these rows in this order; those that are there already stay."""
        order = [row.key for row in wanted]
        if order == self._order:
            return
        for key in set(self._order) - set(order):
            row = self._rows.pop(key)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for at, each in enumerate(wanted):
            if each.key not in self._rows:
                self._rows[each.key] = self._made(each)
                self._column.insertWidget(at, self._rows[each.key])
                self._rows[each.key].show()  # now, so the keyboard can go there
            elif self._column.indexOf(self._rows[each.key]) != at:
                self._column.removeWidget(self._rows[each.key])
                self._column.insertWidget(at, self._rows[each.key])
        self._order = order
        stops = self._stops()
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _made(self, wanted: RowSpec) -> FieldRow | AbsentRow:
        if wanted.absent:
            absent = AbsentRow(wanted)
            absent.begun.connect(self._begun)
            return absent
        row = FieldRow(wanted)
        row.valued.connect(self._valued)
        row.formed.connect(self._formed)
        row.removed.connect(self._removed)
        row.begun.connect(self._begun)
        return row

    def _valued(self, pointer: str, value: object) -> None:
        if self._draft is not None:
            self._draft.set(pointer, value)

    def _formed(self, field: AnswerField, form: int) -> None:
        if self._draft is not None:
            self._draft.take_form(field, form)

    def _removed(self, pointer: str) -> None:
        if self._draft is not None:
            self._draft.remove(pointer)

    def _begun(self, field: AnswerField) -> None:
        """A value begins: the keyboard goes there."""
        if self._draft is None:
            return
        before = set(self._order)
        self._draft.add(field)
        new = next((key for key in self._order if key not in before and isinstance(self._rows[key], FieldRow)), None)
        stops = self._rows[new].stops if new is not None else []
        if stops:
            stops[0].setFocus(Qt.FocusReason.OtherFocusReason)
            QTimer.singleShot(0, stops[0], lambda: self._scroll.ensureWidgetVisible(stops[0]))

    def _stops(self) -> list[QWidget]:
        return [stop for key in self._order for stop in self._rows[key].stops]

    def _build(self) -> None:
        self._answer.setProperty("primary", True)
        self._answer.setAutoDefault(True)
        self._break.setAutoDefault(True)
        self._scroll.setMinimumHeight(30)
        self._json.setMinimumHeight(30)
        self._beside.setMinimumWidth(80)
        self._beside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._views)
        row.addStretch(1)
        row.addWidget(self._break)
        row.addWidget(self._answer)
        self._outline.setSpacing(6)
        self._outline.addWidget(self._notice)
        self._outline.addWidget(self._split, 1)
        self._outline.addWidget(self._will)
        self._outline.addLayout(row)


_ANSWER_KEYS = QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Return)
_NATIVE = QKeySequence.SequenceFormat.NativeText

"""One line of a form as widgets: its name, what edits it, its menu, what is wrong with it."""

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.form_notice import Notice
from stepflow_gui.gui.inspector.forms.choice_field import ChoiceField
from stepflow_gui.gui.inspector.forms.choices import has_choices
from stepflow_gui.gui.inspector.forms.form_fields import FormField
from stepflow_gui.gui.inspector.forms.row_model import RowLook, RowModel
from stepflow_gui.gui.inspector.forms.text_edit import FormTextEdit
from stepflow_gui.gui.inspector.forms.wording import help_of, inside, placeholder, text_of, value_of
from stepflow_gui.gui.widgets.dock import title_font, title_text
from stepflow_gui.gui.widgets.editors import Segments
from stepflow_gui.gui.widgets.fields import ElidedLabel, polish
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import split

_INDENT = 12  # pixels a level
_NARROWEST = 48
_LONGEST = 180
_FRAME = 16  # pixels around the text of a key that can be edited
_TOOL = 18  # pixels that a small button takes
_BOOLEANS = (True, False)


class Hand(Protocol):
    """What a row asks of its form."""

    look: RowLook
    label_width: int  # pixels

    def enter(self, row: "FormRow", value: JsonValue) -> None:
        """Another value for the row's line."""

    def rename(self, row: "FormRow", key: str) -> None:
        """Another key for it."""

    def add(self, row: "FormRow") -> None:
        """An element, field or member more in it."""

    def add_key(self, row: "FormRow", key: str) -> None:
        """A member of that key more in it."""

    def open_menu(self, row: "FormRow") -> None:
        """What else can be done with it."""

    def fold(self, row: "FormRow") -> None:
        """Its inside shown or hidden."""

    def retry(self, row: "FormRow", change: Change) -> None:
        """A change that is wanted instead of a refused one."""

    def choices(self, line: FormField) -> list[str]:
        """What can be chosen for its value."""

    def key_choices(self, line: FormField) -> list[str]:
        """Which keys a new member may have."""

    def steps(self) -> list[str]:
        """What can be gone to."""

    def help(self, row: "FormRow") -> None:
        """What helps to fill the row's line in."""


class FormRow(QWidget):
    """Shows lines of one kind, one at a time: `show_line` may be called with another line at any time."""

    def __init__(self, shown: RowModel, hand: Hand) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.kind = shown.kind
        self.shown = shown
        self._hand = hand
        self._fresh = True
        self._problems: list[QLabel] = []
        self._notice: Notice | None = None
        self._new_key: FormLineEdit | None = None
        self._variants: QLabel | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8 if shown.title else 0, 0, 0)
        self._column.setSpacing(2)
        self._stacked = shown.is_plain and not hand.look.explained
        self._above = self._made_line()  # the name, and with it its menu, over the field
        self._top = self._made_line() if self._stacked else self._above
        line = shown.line
        self._fold = self._tool("▾", lambda: hand.fold(self)) if line.heads and not shown.title else None
        self._label: ElidedLabel | FormLineEdit = self._made_label(shown)
        self._above.addWidget(self._label)
        self.editor: FormLineEdit | FormTextEdit | Segments | ElidedLabel = self._made_editor(line)
        self._top.addWidget(self.editor, 1)
        is_switch = line.control == "boolean"
        self._hint = ElidedLabel("", ui_font(11), Qt.TextElideMode.ElideRight) if is_switch else None
        if self._hint is not None:
            self._hint.setProperty("muted", True)
            self._top.addWidget(self._hint)
        self.help_button = self._tool(shown.help.sign, lambda: hand.help(self)) if shown.help is not None else None
        self._add: QToolButton | None = None
        if line.heads or shown.title:
            self._add = self._tool("+", lambda: hand.add(self))
        self._menu = self._tool("⋯", lambda: hand.open_menu(self), self._above)
        kept = self._menu.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._menu.setSizePolicy(kept)
        self._help: QLabel | None = None
        if hand.look.explained:
            self._help = wrapped_label(ui_font(11))
            self._help.setProperty("muted", True)
            self._help.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
            self._top.addWidget(self._help)
            self._help.hide()
        self.show_line(shown)

    @property
    def line(self) -> FormField:
        """The line that is shown."""
        return self.shown.line

    @property
    def shown_texts(self) -> list[str]:
        """The problems and the notice that can be read at the row."""
        found = [label.text() for label in self._problems if not label.isHidden()]
        return [*found, *([self._notice.text] if self._notice and self._notice.text else [])]

    @property
    def stops(self) -> list[QWidget]:
        """Where the Tab key stops, in order."""
        edited = self.editor.stops() if isinstance(self.editor, Segments) else [self.editor]
        key = [self._label] if isinstance(self._label, FormLineEdit) else []
        fold = [self._fold] if self._fold is not None else []
        tools = [tool for tool in (self.help_button, self._add) if tool is not None]
        return [*fold, *key, *([] if isinstance(self.editor, ElidedLabel) else edited), *tools, self._menu]

    @property
    def handle(self) -> QWidget:
        """The row's name, by which an element of a list is dragged."""
        return self._label

    @property
    def can_move(self) -> bool:
        """Whether the line is an element that can move elsewhere in its list."""
        return self.line.role == "item" and not self.shown.title and not self.shown.locked

    @property
    def menu_button(self) -> QToolButton:
        """The button that opens the row's menu."""
        return self._menu

    @property
    def add_button(self) -> QToolButton | None:
        """The button that adds something to the row's list, map or object."""
        return self._add

    @property
    def key_editor(self) -> FormLineEdit | None:
        """What a free key is edited with."""
        return self._label if isinstance(self._label, FormLineEdit) else None

    @property
    def new_key(self) -> FormLineEdit | None:
        """Where a new member's key is typed, while one is asked for."""
        return self._new_key if self._new_key is not None and not self._new_key.isHidden() else None

    def show_line(self, shown: RowModel) -> None:
        """Show a line of the row's kind. What is being typed stays where it is still the same line."""
        if shown == self.shown and not self._fresh:
            return
        if shown.line.pointer != self.shown.line.pointer:
            self._let_go()
        old, self.shown = self.shown, shown
        line = shown.line
        depth = 0 if shown.title else line.depth
        for layout in (self._above, self._top):
            layout.setContentsMargins(depth * _INDENT, 0, 0, 0)
        self._show_label(shown, depth)
        self._show_value(line)
        about = help_of(line) or (_("Drag it, or press Alt with an arrow key, to move it") if self.can_move else "")
        if about != self._label.toolTip() and not isinstance(self.editor, ElidedLabel):
            self._label.setToolTip(about)
        if self._help is not None:
            self._help.setText(help_of(line))  # how to move it is the same in every row: the tool tip explains it
        self._show_problems(shown.problems)
        if self._fresh or old.locked != shown.locked or old.title != shown.title or old.line != line:
            self._show_tools(shown)
        self._name(line, about)
        self._fresh = False

    def fit(self, help_width: int) -> None:
        """Fit the changed width of the form: help is beside the line in so many pixels; at 0 in the tool tip."""
        self._show_label(self.shown, 0 if self.shown.title else self.line.depth)
        if self._help is not None:
            self._help.setVisible(help_width > 0)
            self._help.setFixedWidth(help_width)

    def refuse(self, change: Change | None, refusal: Refusal) -> None:
        """Show why a change wasn't made."""
        notice = self._notice
        if notice is None:
            notice = self._notice = Notice()
            notice.picked.connect(lambda wanted: self._hand.retry(self, wanted))
            self._column.addWidget(notice)
        if change is None:
            notice.show_text(refusal.reason)
        else:
            notice.refuse(change, refusal, self._hand.steps)

    def show_text(self, text: str) -> None:
        """Show what a change left alone; nothing where the text is empty."""
        if not text:
            if self._notice is not None:
                self._notice.quiet()
        else:
            self.refuse(None, Refusal(text))
            assert self._notice is not None
            self._notice.show_text(text, "warning")

    def ask_key(self) -> None:
        """Ask for the key of a new member."""
        field = self._new_key
        if field is None:
            field = self._new_key = FormLineEdit(lambda: self._hand.key_choices(self.line))
            field.setPlaceholderText(_("key"))
            field.entered.connect(lambda text: self._hand.add_key(self, text))
            self._column.insertWidget(self._column.indexOf(self._top) + 1, field)
        field.setAccessibleName(_("Key of the new entry of {field}").format(field=self.line.key))
        field.show_text("")
        field.restore()
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def key_given(self) -> None:
        """A member was added: no key is asked for any more."""
        if self._new_key is not None:
            self._new_key.settle()
            self._new_key.hide()

    def take_focus(self) -> None:
        """Put the cursor where the line is edited."""
        target: QWidget = self._fold or self._add or self._menu if self.line.heads else self.editor
        if isinstance(self.editor, Segments):
            target = self.editor.stops()[0]
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(self.editor, FormLineEdit):
            self.editor.selectAll()

    # Inside

    def _made_label(self, shown: RowModel) -> FormLineEdit | ElidedLabel:
        if shown.line.role == "entry" and not shown.title:
            key = FormLineEdit()
            key.setObjectName("formKey")
            key.setFont(mono_font(12))
            key.entered.connect(lambda text: self._hand.rename(self, text))
            return key
        label = ElidedLabel("", title_font() if shown.title else ui_font(12))
        label.setObjectName("panelTitle" if shown.title else "")
        label.setProperty("muted", True)
        return label

    def _made_editor(self, line: FormField) -> FormLineEdit | FormTextEdit | Segments | ElidedLabel:
        if line.heads or line.control == "deep":
            label = ElidedLabel("", mono_font(11), Qt.TextElideMode.ElideRight)
            label.setProperty("muted", True)
            return label
        if line.control == "boolean":
            segments = Segments(["true", "false"])
            segments.chosen.connect(lambda number: self._hand.enter(self, _BOOLEANS[number]))
            return segments
        if line.control in {"prose", "json"}:
            box = FormTextEdit()
            box.setFont(mono_font(12) if line.control == "json" else ui_font(12))
            box.entered.connect(self._entered)
            return box
        field = ChoiceField(lambda: self._hand.choices(self.line)) if has_choices(line) else FormLineEdit()
        field.setFont(mono_font(12))
        field.entered.connect(self._entered)
        return field

    def _entered(self, text: str) -> None:
        value = value_of(self.line, text)
        if isinstance(value, Refusal):
            self.refuse(None, value)
        else:
            self._hand.enter(self, value)

    def _show_label(self, shown: RowModel, depth: int) -> None:
        line, label = shown.line, self._label
        if isinstance(label, FormLineEdit):
            label.show_text(line.key)
            label.setReadOnly(shown.locked)
        else:
            label.show_whole(title_text(shown.title) if shown.title else line.key)
            label.setCursor(Qt.CursorShape.OpenHandCursor if self.can_move else Qt.CursorShape.ArrowCursor)
        if self._fold is not None:
            self._fold.setText("▸" if shown.folded else "▾")
        if not self._stacked and not shown.title and (not line.heads or line.role == "entry"):
            taken = depth * _INDENT + (_TOOL if line.heads else 0)
            width = max(self._hand.label_width - taken, 20 if line.role == "item" else _NARROWEST)
            if line.heads or line.role == "entry":  # a name that a person gave
                needed = label.fontMetrics().horizontalAdvance(shown.widest or line.key) + _FRAME
                width = max(width, min(needed, _LONGEST - depth * _INDENT))
            label.setFixedWidth(width)

    def _show_value(self, line: FormField) -> None:
        match self.editor:
            case FormLineEdit() as field:
                field.show_text(text_of(line))
                field.setPlaceholderText(placeholder(line))
                field.hatched = line.differs
                field.setReadOnly(self.shown.locked)
            case FormTextEdit() as box:
                box.show_file(text_of(line))
                box.setPlaceholderText(placeholder(line) if line.differs else "")
                box.hatched = line.differs
                box.setReadOnly(self.shown.locked)
            case Segments() as segments:
                chosen = None if line.absent or line.differs else _BOOLEANS.index(line.value)
                segments.show_chosen(chosen)
                segments.setEnabled(not self.shown.locked)
                assert self._hint is not None
                self._hint.show_whole(placeholder(line))
            case ElidedLabel() as label:
                deep = _("nested too deep to be edited here")
                label.show_whole(deep if line.control == "deep" else inside(line, folded=self.shown.folded))

    def _show_problems(self, problems: Sequence[Problem]) -> None:
        if len(problems) == len(self._problems) == 0:
            return
        for number in range(len(self._problems), len(problems)):
            label = QLabel()
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setFont(ui_font(11))
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
            self._column.insertWidget(self._column.indexOf(self._top) + 1 + number, label)
            self._problems.append(label)
        for number, label in enumerate(self._problems):
            label.setVisible(number < len(problems))
            if number < len(problems):
                label.setText(problems[number].text)
                if label.property("token") != problems[number].severity:
                    label.setProperty("token", problems[number].severity)
                    polish(label)
        wrong = any(problem.severity == "error" for problem in problems)
        if isinstance(self.editor, FormLineEdit) and bool(self.editor.property("wrong")) != wrong:
            self.editor.setProperty("wrong", wrong)
            polish(self.editor)

    def _show_tools(self, shown: RowModel) -> None:
        line = shown.line
        if self._add is not None:
            self._add.setVisible(bool(shown.addable or line.grows) and not shown.locked)
        if self.help_button is not None:
            self.help_button.setVisible(not shown.locked)
        plain_title = bool(shown.title) and line.shape is None
        self._menu.setVisible(not shown.locked and not line.absent and not plain_title)

    def _name(self, line: FormField, about: str) -> None:
        name = self.shown.title or in_words(line.pointer, self._hand.look.untold)
        described = "\n".join([*(problem.text for problem in self.shown.problems), *self._show_variants(), about])
        if self.editor.accessibleName() == name and self.editor.accessibleDescription() == described:
            return
        self.editor.setAccessibleName(name)
        self.editor.setAccessibleDescription(described)
        if isinstance(self.editor, Segments):
            self.editor.name(name, described)
        if self.help_button is not None and self.shown.help is not None:
            self.help_button.setToolTip(self.shown.help.title)
            self.help_button.setAccessibleName(f"{self.shown.help.title}: {name}")
        self._menu.setAccessibleName(_("More for {field}").format(field=name))
        if self._add is not None:
            self._add.setAccessibleName(_("Add to {field}").format(field=name))
            self._add.setToolTip(_("Add to {field}").format(field=line.key or self.shown.title))
        if self._fold is not None:
            self._fold.setAccessibleName(name)
            self._label.setToolTip(about)
        if isinstance(self._label, FormLineEdit):
            self._label.setAccessibleName(_("Key of {field}").format(field=name))

    def _show_variants(self) -> list[str]:
        """How many values there are, where they differ: shown beside the name, and for the description."""
        count = self.line.variants
        text = ngettext("{count} value", "{count} values", count).format(count=count) if self.line.differs else ""
        if self._variants is None and text and self._stacked:
            self._variants = QLabel()
            self._variants.setFont(ui_font(11))
            self._variants.setProperty("muted", True)
            self._above.insertWidget(self._above.indexOf(self._menu), self._variants)
        if self._variants is not None:
            self._variants.setText(text)
            self._variants.setVisible(bool(text))
        return [text] if text else []

    def _let_go(self) -> None:
        """Nothing of what was typed belongs to the line that is shown next."""
        for field in (self.editor, self._label):
            if isinstance(field, FormLineEdit | FormTextEdit) and field.pending:
                field.restore()
        if self._notice is not None:
            self._notice.quiet()
        if self._new_key is not None:
            self._new_key.hide()

    def _made_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(2)
        self._column.addLayout(line)
        return line

    def _tool(self, text: str, act: Callable[[], object], line: QHBoxLayout | None = None) -> QToolButton:
        button = QToolButton()
        button.setObjectName("formTool")
        button.setFixedWidth(_TOOL)
        button.setText(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _on=False: act())
        (line or self._top).addWidget(button)
        return button


def in_words(pointer: str, untold: int) -> str:
    """A place as a person reads it: without the step or the part of the file that it is in."""
    return " › ".join(split(pointer)[untold:] or split(pointer))

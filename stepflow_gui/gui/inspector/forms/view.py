"""A form: its rows kept by the place they show, so that what is typed, the focus and the caret stay."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from stepflow_gui.formats.changes import Change, RenameKey
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import Field
from stepflow_gui.gui.inspector.forms.field_help import FieldOffer
from stepflow_gui.gui.inspector.forms.form_fields import FormField, FormSection, widest_keys
from stepflow_gui.gui.inspector.forms.form_target import FormTarget
from stepflow_gui.gui.inspector.forms.item_order import ItemOrder
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.forms.row_menu import RowActions, fill, fill_add
from stepflow_gui.gui.inspector.forms.row_model import RowLook, RowModel
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.messages import _, language
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join, parent, split

Make = Callable[[Change], Plan | Refusal]
_MANY = 12  # elements of a list that begins folded
_ROOM_FOR_HELP = 560  # pixels of a form's width
_WIDEST_HELP = 320
_KEPT = 60  # rows of a kind that wait to be used again


class FormView(QWidget):
    """Shows the sections of one place after another. `followed` is emitted with the step that a person goes to."""

    followed = Signal(object)

    def __init__(self, make: Make, look: RowLook | None = None) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.look = look or RowLook()
        self.label_width = self.look.label
        self._make = make
        self._root = ""
        self._about: FormTarget | None = None
        self._sections: Sequence[FormSection] = ()
        self._problems: Sequence[Problem] = ()
        self._locked = False
        self._language = language()
        self._helped = 0  # pixels that the help beside the rows has
        self._turned: dict[str, bool] = {}  # what a person folded (True) or unfolded, by place below the root
        self._rows: dict[tuple[object, ...], FormRow] = {}
        self._spare: dict[tuple[object, ...], list[FormRow]] = {}
        # As the layout has them. It isn't asked: PySide keeps what `itemAt` gives for longer than Qt does, and crashes.
        self._order: list[FormRow] = []
        self._items = ItemOrder(self, lambda: self.rows, self._move_item)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)

    @property
    def rows(self) -> list[FormRow]:
        """The rows that are shown, from above."""
        return list(self._rows.values())

    def row(self, pointer: str) -> FormRow | None:
        """The row that shows a place of the file."""
        return next((row for row in self._rows.values() if row.line.pointer == pointer), None)

    def show_form(
        self,
        root: str,
        subject: FormTarget,
        sections: Sequence[FormSection],
        problems: Sequence[Problem],
        locked: bool,
    ) -> list[Problem]:
        """Show the form of the object at `root`. Gives the problems that no row can show."""
        if self._about is not None and subject.tree is not self._about.tree:  # what was refused is past
            for row in self.rows:
                row.show_text("")
        self._root, self._about, self._sections, self._locked = root, subject, sections, locked
        self._problems = problems
        if language() != self._language:
            self._language = language()
            self._forget()
        return self._show()

    def focus_line(self, pointer: str) -> bool:
        """Unfold what holds a place and put the cursor there; False where the form doesn't have it."""
        row = self.row_for(pointer)
        if row is not None:
            row.take_focus()
        return row is not None

    def row_for(self, pointer: str) -> FormRow | None:
        """The row that shows a place or what holds it, unfolded; None where the form doesn't have it."""
        known = {line.pointer for each in self._sections for line in (*each.lines, *([each.head] if each.head else []))}
        while pointer not in known:
            if not pointer or pointer == self._root:
                return None
            pointer = parent(pointer)
        outer = parent(pointer)
        while outer in known:
            self._turned[self._below(outer)] = False
            outer = parent(outer)
        self._show()
        return self.row(pointer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.look.explained:
            return
        label = min(self.look.label, max(RowLook().label, self.width() * 2 // 5))
        if (label, self._help_width()) != (self.label_width, self._helped):
            self.label_width, self._helped = label, self._help_width()
            for row in self.rows:
                row.fit(self._helped)

    # What rows ask

    def enter(self, row: FormRow, value: JsonValue) -> None:
        """Another value for a row's line."""
        line = row.line
        if not line.absent and not line.differs and line.value == value and type(line.value) is type(value):
            row.show_text("")
            return
        self._ask(row, self._subject.set_to(line, value))

    def rename(self, row: FormRow, key: str) -> None:
        """Another key for a row's line."""
        change = self._subject.rename(row.line, key)
        self._ask(row, change)

    def add(self, row: FormRow) -> None:
        """Something more in a row's list, map or object."""
        line, shown = row.line, row.shown
        offers = self._subject.offers(shown)
        if shown.addable or offers:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.setToolTipsVisible(True)
            fill_add(menu, line, shown, self._doings(row))
            for offer in offers:
                menu.addAction(offer.title, partial(self._offered, row, offer))
            self._pop_up(menu, row.add_button)
        elif line.control == "list":
            change = self._subject.add_item(line)
            if change is not None:
                self._turned[self._below(line.pointer)] = False
                self._ask(row, change, join(line.pointer, line.length))
        else:
            row.ask_key()

    def add_key(self, row: FormRow, key: str) -> None:
        """A member of that key more."""
        line = row.line
        change = self._subject.add_entry(line, key) if key else None
        if key in line.value:
            row.refuse(None, Refusal(_("There is a “{name}” already").format(name=key)))
        elif change is not None:
            self._turned[self._below(line.pointer)] = False
            self._turned[self._below(join(line.pointer, key))] = False
            if self._ask(row, change, join(line.pointer, key)):
                row.key_given()

    def open_menu(self, row: FormRow) -> None:
        """What else can be done."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        holder = self._subject.tree.at(parent(row.line.pointer))
        length = len(holder.value) if holder is not None and isinstance(holder.value, list) else 0
        fill(menu, self._subject, row.shown, length, self._doings(row))
        self._pop_up(menu, row.menu_button)

    def fold(self, row: FormRow) -> None:
        """Show or hide what is in a row's line."""
        self._turned[self._below(row.line.pointer)] = not row.shown.folded
        self._show()

    def retry(self, row: FormRow, change: Change) -> None:
        """What a person wants instead of a change that was refused."""
        self._ask(row, change)

    def choices(self, line: FormField) -> list[str]:
        """What can be chosen."""
        return self._subject.choices(line)

    def key_choices(self, line: FormField) -> list[str]:
        """Which keys a new member may have."""
        return self._subject.key_choices(line)

    def steps(self) -> list[str]:
        """What can be gone to."""
        return self._subject.steps()

    def help(self, row: FormRow) -> None:
        """What helps to fill the row's line in."""
        refusal = self._subject.open_helper(row.line, row.editor, partial(self._helped_to, row.line.pointer))
        if refusal is not None:
            row.refuse(None, refusal)

    # Inside

    def _helped_to(self, pointer: str, value: JsonValue) -> None:
        """The person came to a value; the place may be gone by then."""
        row = self.row(pointer)
        if row is not None:
            self.enter(row, value)

    def _offered(self, row: FormRow, offer: FieldOffer) -> None:
        found = offer.ask(self)
        if isinstance(found, Refusal):
            row.refuse(None, found)
        elif found is not None:
            change, place = found
            if self._ask(row, change, place):
                added = self.row(place)
                if added is not None and added.key_editor is not None:  # the name is only proposed
                    added.key_editor.setFocus(Qt.FocusReason.OtherFocusReason)
                    added.key_editor.selectAll()

    @property
    def _subject(self) -> FormTarget:
        assert self._about is not None
        return self._about

    def _doings(self, row: FormRow) -> RowActions:
        def add_field(pointer: str, field: Field) -> None:
            self._turned[self._below(pointer)] = False
            self._ask(row, self._subject.add_field(pointer, field), join(pointer, field.name))

        def edit_key() -> None:
            if row.key_editor is not None:
                row.key_editor.setFocus(Qt.FocusReason.OtherFocusReason)
                row.key_editor.selectAll()

        return RowActions(lambda change: self._asked(row, change), add_field, row.ask_key, edit_key, self.followed.emit)

    def _asked(self, row: FormRow, change: Change) -> None:
        self._ask(row, change)

    def _ask(self, row: FormRow, change: Change, then: str | None = None) -> bool:
        """Make a change, or show at the row why not. `then` is the place that has the cursor afterwards."""
        pointer = row.line.pointer
        if isinstance(change, RenameKey):  # the row shows the same member under its new key
            below, new = self._below(pointer), self._below(join(parent(pointer), change.new))
            if below in self._turned:
                self._turned[new] = self._turned[below]
        found = self._make(change)
        if isinstance(found, Refusal):
            row.refuse(change, found)
            return False
        if row.line.pointer == pointer:
            row.show_text(" ".join(found.notes))
        if then is not None:
            self.focus_line(then)
        return True

    def _show(self) -> list[Problem]:
        wanted = self._wanted()
        left = self._place(wanted)
        if list(wanted) == list(self._rows):  # as with every key typed into the source: nothing is laid out again
            for key, shown in wanted.items():
                self._rows[key].show_line(shown)
            return left
        self.setUpdatesEnabled(False)
        others = self.rows
        self._column.setEnabled(False)  # each row shown would lay all of them out
        old, self._rows = self._rows, {}
        for key in [key for key in old if key not in wanted]:
            row = old.pop(key)
            row.hide()
            self._spare.setdefault(row.kind, []).append(row)
        moved = False
        for at, (key, shown) in enumerate(wanted.items()):
            row = old.get(key) or self._taken(shown) or self._new_row(shown)
            row.show_line(shown)
            if self.look.explained:
                row.fit(self._helped)
            self._rows[key] = row
            if at >= len(self._order) or self._order[at] is not row:
                if row in self._order:
                    self._order.remove(row)
                self._order.insert(at, row)
                self._column.insertWidget(at, row)
                moved = True
            if row.isHidden():
                row.show()
        if moved:
            stops = [stop for row in self._rows.values() for stop in row.stops]
            for before, after in pairwise(stops):
                QWidget.setTabOrder(before, after)
        self._drop_spare()
        self._column.setEnabled(True)
        if others != self.rows:
            self._column.invalidate()
        self.setUpdatesEnabled(True)
        return left

    def _new_row(self, shown: RowModel) -> FormRow:
        row = FormRow(shown, self)
        self._items.watch(row)
        return row

    def _move_item(self, row: FormRow, to: int) -> None:
        """An element put at another index, with the keyboard staying in it."""
        pointer = row.line.pointer
        place = join(parent(pointer), to)
        held = _row_of(self.focusWidget())
        inside = held.line.pointer.removeprefix(pointer) if held and held.line.pointer.startswith(pointer) else ""
        self._ask(row, self._subject.move(row.line, to - int(split(pointer)[-1])), place + inside)

    def _wanted(self) -> dict[tuple[object, ...], RowModel]:
        """The rows to be, by a key that stays the same where another step has the same field."""
        found: dict[tuple[object, ...], RowModel] = {}
        for section in self._sections:
            head = section.head or FormField(section.pointer, "", 0, "group", "field", {}, None)
            addable = (
                *((head.pointer, field) for field in head.missing),
                *((section.pointer, field) for field in section.missing),
            )
            shown = RowModel(head, section.title, (), addable, False, self._locked)
            found["title", section.title, *shown.kind] = shown
            closed: str | None = None
            widest = widest_keys(section.lines)
            for line in section.lines:
                if closed is not None and line.pointer.startswith(closed):
                    continue
                closed = None
                folded = line.heads and self._folded(line)
                if folded:
                    closed = line.pointer + "/"
                more = tuple((line.pointer, field) for field in line.missing)
                key = "" if line.heads else widest.get(parent(line.pointer), "")
                shown = RowModel(line, "", (), more, folded, self._locked, key, self._subject.helper(line))
                found[self._below(line.pointer), *shown.kind] = shown
        return found

    def _place(self, wanted: dict[tuple[object, ...], RowModel]) -> list[Problem]:
        """Put each problem to the row nearest to it; gives those that belong to none."""
        places = {shown.line.pointer: key for key, shown in wanted.items() if shown.line.pointer != self._root}
        left = []
        found: dict[tuple[object, ...], list[Problem]] = {}
        for problem in self._problems:
            where = problem.pointer
            while where and where not in places:
                where = parent(where)
            if where in places and where != self._root:
                found.setdefault(places[where], []).append(problem)
            else:
                left.append(problem)
        for key, problems in found.items():
            wanted[key] = wanted[key]._replace(problems=tuple(problems))
        return left

    def _folded(self, line: FormField) -> bool:
        turned = self._turned.get(self._below(line.pointer))
        if turned is not None:
            return turned
        rule = parent(line.pointer).endswith("/rules")  # whose few fields show everything
        return (line.control == "group" and line.role != "field" and not rule) or line.length > _MANY

    def _help_width(self) -> int:
        return min(_WIDEST_HELP, self.width() * 7 // 20) if self.width() >= _ROOM_FOR_HELP else 0

    def _below(self, pointer: str) -> str:
        return pointer.removeprefix(self._root)

    def _taken(self, shown: RowModel) -> FormRow | None:
        waiting = self._spare.get(shown.kind)
        return waiting.pop() if waiting else None

    def _drop_spare(self) -> None:
        for waiting in self._spare.values():
            while len(waiting) > _KEPT:
                self._order.remove(waiting[0])
                self._column.removeWidget(waiting[0])
                _away(waiting.pop(0))

    def _forget(self) -> None:
        """Make every row again, as in another language."""
        for row in [*self._rows.values(), *(row for waiting in self._spare.values() for row in waiting)]:
            self._column.removeWidget(row)
            _away(row)
        self._rows, self._spare, self._order = {}, {}, []

    def _pop_up(self, menu: QMenu, button: QWidget | None) -> None:
        at = button.mapToGlobal(QPoint(0, button.height())) if button is not None else self.mapToGlobal(QPoint(0, 0))
        menu.popup(at)


def _row_of(widget: QWidget | None) -> FormRow | None:
    while widget is not None and not isinstance(widget, FormRow):
        widget = widget.parentWidget()
    return widget


def _away(row: FormRow) -> None:
    row.hide()
    row.deleteLater()  # it may be one of its own signals that called this

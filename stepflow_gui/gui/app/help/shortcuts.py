"""The window's shortcuts as a list that can be searched and changed."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.widgets.actions import Actions, ActionSpec, shown_keys, whole_title
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _

_ID = Qt.ItemDataRole.UserRole


class ShortcutsPage(QDialog):
    """`changed(keys)`: what the person chose, by action, as `Settings.keys` keeps it."""

    changed = Signal(object)

    def __init__(self, actions: Actions, chosen: Mapping[str, Sequence[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Keyboard Shortcuts"))
        self._actions = actions
        self._chosen = {action: list(keys) for action, keys in chosen.items()}
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search by name or key"))
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName(_("Search by name or key"))
        self.list = QTreeWidget()
        self.list.setColumnCount(2)
        self.list.setHeaderLabels([_("Action"), _("Keys")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(_("Shortcuts"))
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(1)
        self.keys.setClearButtonEnabled(True)
        self.keys.setAccessibleName(_("New keys"))
        for inside, name in ((QLineEdit, _("New keys")), (QToolButton, _("Clear"))):
            for part in self.keys.findChildren(inside):
                part.setAccessibleName(name)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.assign = QPushButton(_("Assign"))
        self.assign.setProperty("primary", True)
        self.default = QPushButton(_("Reset"))
        self.default_all = QPushButton(_("Reset All"))
        closing = QPushButton(_("Close"))
        for button in (self.assign, self.default, self.default_all, closing):
            button.setFont(ui_font(12))
            button.setAutoDefault(False)
        self._lay_out(closing)
        for action in self._actions.specs:
            if action.title():
                self._add(action)
        self.search.textChanged.connect(self._filter)
        self.list.currentItemChanged.connect(self._show_chosen)
        self.keys.keySequenceChanged.connect(self._judge)
        self.assign.clicked.connect(self._assign)
        self.default.clicked.connect(self._to_default)
        self.default_all.clicked.connect(self._all_to_default)
        closing.clicked.connect(self.close)
        self.list.setCurrentItem(self.row(self._actions.specs[0].id))
        self.search.setFocus()

    def _lay_out(self, closing: QPushButton) -> None:
        line = QHBoxLayout()
        line.setSpacing(8)
        for widget in (self.keys, self.assign, self.default):
            line.addWidget(widget)
        line.setStretch(0, 1)
        end = QHBoxLayout()
        end.addWidget(self.default_all)
        end.addStretch(1)
        end.addWidget(closing)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addLayout(line)
        column.addWidget(self.note)
        column.addLayout(end)
        self.resize(560, 520)

    def row(self, action_id: str) -> QTreeWidgetItem:
        """The row of an action. Raises KeyError where there is none."""
        for at in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(at)
            if item is not None and item.data(0, _ID) == action_id:
                return item
        raise KeyError(action_id)

    def _add(self, spec: ActionSpec) -> None:
        item = QTreeWidgetItem([whole_title(spec), ""])
        item.setFont(0, ui_font(12))
        item.setData(0, _ID, spec.id)
        self.list.addTopLevelItem(item)
        self._show_keys(spec.id)

    def _show_keys(self, action_id: str) -> None:
        item = self.row(action_id)
        item.setText(1, ", ".join(shown_keys(key) for key in self._actions[action_id].shortcuts()))
        font = mono_font(11)
        font.setBold(action_id in self._chosen)
        item.setFont(1, font)
        item.setToolTip(1, _("Custom") if action_id in self._chosen else "")

    def _current(self) -> str | None:
        item = self.list.currentItem()
        found = item.data(0, _ID) if item is not None else None
        return found if isinstance(found, str) else None

    def _filter(self, text: str) -> None:
        wanted = text.casefold().split()
        for at in range(self.list.topLevelItemCount()):
            item = self.list.topLevelItem(at)
            if item is not None:
                of = f"{item.text(0)} {item.text(1)}".casefold()
                item.setHidden(not all(word in of for word in wanted))

    def _show_chosen(self) -> None:
        action = self._current()
        for widget in (self.keys, self.default):
            widget.setEnabled(action is not None)
        self.keys.setKeySequence(self._actions[action].shortcut() if action is not None else QKeySequence())
        self.default.setEnabled(action in self._chosen)
        self._judge()

    def _judge(self) -> None:
        """Whether the keys can be given to the action, and from which they would be taken."""
        action, keys = self._current(), self.keys.keySequence()
        same = action is not None and keys == self._actions[action].shortcut()
        self.assign.setEnabled(action is not None and not same)
        holders = [whole_title(spec) for spec in self._holders(keys) if spec.id != action]
        self.note.setProperty("token", "warning" if holders else "muted")
        self.note.setText(
            _("{keys} will be removed from “{action}”.").format(keys=shown_keys(keys), action=_("”, “").join(holders))
            if holders and not same
            else ""
        )

    def _holders(self, keys: QKeySequence) -> list[ActionSpec]:
        """The actions that have the keys in a place in which the current action would have them."""
        current = self._current()
        return [
            spec
            for spec in self._actions.specs
            if current is not None
            and not keys.isEmpty()
            and keys in self._actions[spec.id].shortcuts()
            and self._actions.meet(spec.id, current)
        ]

    def _assign(self) -> None:
        action, keys = self._current(), self.keys.keySequence()
        if action is None:
            return
        for spec in self._holders(keys):
            rest = [key for key in self._actions[spec.id].shortcuts() if key != keys]
            self._chosen[spec.id] = [_portable(key) for key in rest]
        self._chosen[action] = [] if keys.isEmpty() else [_portable(keys)]
        self._take()

    def _to_default(self) -> None:
        action = self._current()
        if action is not None and self._chosen.pop(action, None) is not None:
            self._take()

    def _all_to_default(self) -> None:
        self._chosen.clear()
        self._take()

    def _take(self) -> None:
        self._actions.set_keys(self._chosen)
        for spec in self._actions.specs:
            self._show_keys(spec.id)
        self._show_chosen()
        self.changed.emit(self._chosen)


def _portable(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.PortableText)

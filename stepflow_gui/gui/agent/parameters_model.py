"""The parameters of an agent as a table: a row each, and what a person enters in a cell as a change."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from stepflow_gui.formats.changes import Change, RemoveField, RenameKey, SetField
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.gui.widgets.editors import number_of
from stepflow_gui.gui.widgets.fields import one_line
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.problem import Problem
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.pointer import join

NAME, TYPE, FLAG, REQUIRED, DEFAULT, DESCRIPTION = range(6)
_FIELDS = ("", "type", "cli", "required", "default", "description")
TYPES = ("string", "number", "boolean", "array")
_BOOLEANS = {"true": True, "false": False}

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ParametersModel(QAbstractTableModel):
    """Shows what the file has; `ask(change)` is called with what is wanted, `refuse(text)` with what can't be."""

    def __init__(self, theme: Theme, ask: Callable[[Change], object], refuse: Callable[[str], object]) -> None:
        super().__init__()
        self._theme = theme
        self._ask = ask
        self._refuse = refuse
        self._file = Path()
        self._rows: list[tuple[str, JsonValue]] = []
        self._problems: dict[tuple[str, str], list[Problem]] = {}
        self._locked = True

    def show_rows(self, file: Path, parameters: JsonValue, problems: Sequence[Problem], locked: bool) -> None:
        """Show the parameters of a file with the linter's problems."""
        rows = list(parameters.items()) if isinstance(parameters, dict) else []
        placed: dict[tuple[str, str], list[Problem]] = {}
        for problem in problems:
            keys = problem.pointer.split("/")
            if len(keys) > 2:
                field = keys[3] if len(keys) > 3 and keys[3] in _FIELDS else ""
                placed.setdefault((keys[2].replace("~1", "/").replace("~0", "~"), field), []).append(problem)
        same = [name for name, _value in rows] == self.names
        self._file, self._problems, self._locked = file, placed, locked
        if same:
            self._rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, DESCRIPTION))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme

    @property
    def names(self) -> list[str]:
        """The parameters in the order of the file."""
        return [name for name, _value in self._rows]

    def remove(self, row: int) -> None:
        """Ask for a parameter to be taken out."""
        self._ask(RemoveField(join("/parameters", self._rows[row][0]), self._file))

    def add(self, name: str) -> bool:
        """Ask for a parameter more; False where there is one of that name already."""
        if name in self.names:
            return False
        flag = "--" + "".join(f"-{char.lower()}" if char.isupper() else char for char in name).replace("_", "-")
        value = {"type": "string", "description": "", "required": False, "cli": flag}
        self._ask(SetField(join("/parameters", name), value, self._file))
        return True

    # What Qt asks

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_FIELDS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.FontRole:
            return ui_font(11)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return None
        return (_("Name"), _("Type"), _("Flag"), _("Required"), _("Default value"), _("Description"))[section]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self._locked or not isinstance(self._value(index), dict):
            return flags
        return flags | (Qt.ItemFlag.ItemIsUserCheckable if index.column() == REQUIRED else Qt.ItemFlag.ItemIsEditable)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self._value(index)
        column = index.column()
        inside = value if isinstance(value, dict) else {}
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return one_line(self._text(index.row(), column)) if column != REQUIRED else None
            case Qt.ItemDataRole.EditRole:
                return self._text(index.row(), column)
            case Qt.ItemDataRole.CheckStateRole if column == REQUIRED:
                return Qt.CheckState.Checked if inside.get("required") is True else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.FontRole:
                return ui_font(12) if column == DESCRIPTION else mono_font(12)
            case Qt.ItemDataRole.ForegroundRole:
                found = self._found(index)
                return self._theme.color(found[0].severity) if found else None
            case Qt.ItemDataRole.ToolTipRole:
                return "\n".join(problem.text for problem in self._found(index)) or None
            case Qt.ItemDataRole.AccessibleTextRole if column == REQUIRED:
                return _("required") if inside.get("required") is True else _("not required")
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return "\n".join(problem.text for problem in self._found(index))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        name, own = self._rows[index.row()]
        column = index.column()
        pointer = join("/parameters", name)
        if role == Qt.ItemDataRole.CheckStateRole and column == REQUIRED:
            wanted = Qt.CheckState(value) == Qt.CheckState.Checked
            self._ask(SetField(join(pointer, "required"), wanted, self._file))
            return True
        text = str(value)
        if role != Qt.ItemDataRole.EditRole or text == self._text(index.row(), column):
            return False
        if column == NAME:
            self._ask(RenameKey(pointer, text, self._file))
        elif column == DEFAULT and not text:
            self._ask(RemoveField(join(pointer, "default"), self._file))
        else:
            meant = _default(text, own.get("type")) if column == DEFAULT else text
            if isinstance(meant, Refusal):
                self._refuse(meant.reason)
                return False
            self._ask(SetField(join(pointer, _FIELDS[column]), meant, self._file))
        return True

    def _value(self, index: Index) -> JsonValue:
        return self._rows[index.row()][1]

    def _found(self, index: Index) -> list[Problem]:
        name = self._rows[index.row()][0]
        return self._problems.get((name, _FIELDS[index.column()]), [])

    def _text(self, row: int, column: int) -> str:
        name, value = self._rows[row]
        if column == NAME:
            return name
        if not isinstance(value, dict):
            return json.dumps(value, ensure_ascii=False) if column == DEFAULT else ""
        own = value.get(_FIELDS[column])
        if own is None and _FIELDS[column] not in value:
            return ""
        return own if isinstance(own, str) else json.dumps(own, ensure_ascii=False)


def _default(text: str, declared: JsonValue) -> JsonValue | Refusal:
    """What a person means who types a default of a declared type."""
    if declared == "number":
        found = number_of(text)
        return Refusal(_("“{text}” is not a number").format(text=text)) if isinstance(found, str) else found
    if declared == "boolean":
        wrong = Refusal(_("The default must be true or false"))
        return _BOOLEANS.get(text.strip().lower(), wrong)
    if declared == "array":
        try:
            made = json.loads(text)
        except (ValueError, RecursionError):
            made = [part.strip() for part in text.split(",")]
        return made if isinstance(made, list) else [made]
    return text

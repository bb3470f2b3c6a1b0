"""The palette on the screen: a field to type in, and below it what is meant."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry, best
from stepflow_gui.gui.widgets.popup import Popup
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_WIDTH = 620
_ROW = 30
_ROWS = 12
_PAD = 12
_ENTRY = int(Qt.ItemDataRole.UserRole)
PaletteKind = Literal["actions", "places", "find"]
Index = QModelIndex | QPersistentModelIndex


class _Entries(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.entries: list[PaletteEntry] = []

    def show(self, entries: list[PaletteEntry]) -> None:
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return "  ".join(part for part in (kind_name(entry), entry.detail, entry.keys) if part)
        return entry if role == _ENTRY else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        usable = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        return usable if self.entries[index.row()].enabled else Qt.ItemFlag.ItemIsSelectable


class _Rows(QStyledItemDelegate):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title, self._small, self._mono = ui_font(13), ui_font(11), mono_font(12)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(_WIDTH, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: PaletteEntry = index.data(_ENTRY)
        theme = self._theme
        area: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(area, theme.color("accent"))
        muted = theme.color("onmark") if chosen else theme.color("muted")
        plain = theme.color("onmark") if chosen else theme.color("text" if entry.enabled else "muted")
        left, right = area.left() + _PAD, area.right() - _PAD
        kind = kind_name(entry)
        painter.setFont(self._small)
        painter.setPen(muted)
        width = QFontMetrics(self._small).horizontalAdvance(kind)
        right -= width
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(right, area.top(), width + 1, area.height()), middle, kind)
        if entry.keys:
            width = QFontMetrics(self._small).horizontalAdvance(entry.keys)
            right -= width + 2 * _PAD
            painter.drawText(QRect(right, area.top(), width + 1, area.height()), middle, entry.keys)
        font = self._mono if entry.kind in {"step", "movement", "file", "place"} else self._title
        painter.setFont(font)
        painter.setPen(plain)
        metrics = QFontMetrics(font)
        title = metrics.elidedText(entry.title, Qt.TextElideMode.ElideMiddle, max(60, right - left - _PAD))
        painter.drawText(QRect(left, area.top(), right - left, area.height()), middle, title)
        left += metrics.horizontalAdvance(title) + _PAD
        if entry.detail and right - left > 2 * _PAD:
            painter.setFont(self._small)
            painter.setPen(muted)
            detail = QFontMetrics(self._small).elidedText(
                entry.detail, Qt.TextElideMode.ElideRight, right - left - _PAD
            )
            painter.drawText(QRect(left, area.top(), right - left, area.height()), middle, detail)
        painter.restore()


class PalettePopup(Popup):
    """Type, move with the arrows, Enter does it; Escape or a click elsewhere closes it.

    While nothing is typed, a key with Ctrl finishes keys of two presses, which are listed first. Of `places`, what can
    be gone to goes before actions, and a “>” before the text leaves only these. `picked(entry, typed)`: one was chosen.
    """

    picked = Signal(object, str)

    def __init__(
        self, parent: QWidget, theme: Theme, entries: Sequence[PaletteEntry], kind: PaletteKind = "actions"
    ) -> None:
        super().__init__(parent)
        self._actions = [entry for entry in entries if entry.kind == "action"]
        self._gone_to = [entry for entry in entries if entry.kind != "action"]
        chords = [entry for entry in self._actions if entry.is_chord]
        single = [entry for entry in self._actions if not entry.is_chord]
        actions_first = kind == "actions"
        self._all = [*chords, *single, *self._gone_to] if actions_first else [*self._gone_to, *self._actions]
        self._kind: PaletteKind = kind
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        self.field = QLineEdit()
        self.field.setFont(ui_font(14))
        self.field.setPlaceholderText(_hint(kind, movements=any(entry.kind == "movement" for entry in entries)))
        self.field.setAccessibleName(_NAMES[kind]())
        self.field.textChanged.connect(self._show)
        self.field.installEventFilter(self)
        column.addWidget(self.field)
        self.list = QListView()
        self.list.setObjectName("paletteList")
        self.list.setAccessibleName(_("Search results"))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._entries = _Entries()
        self._entries.setParent(self)
        self._rows = _Rows(theme)
        self._rows.setParent(self)
        self.list.setModel(self._entries)
        self.list.setItemDelegate(self._rows)
        self.list.clicked.connect(self._pick)
        column.addWidget(self.list)
        self.setFixedWidth(min(_WIDTH, parent.width() - 32))
        self._show("")

    def open_over(self, window: QWidget, top: QPoint | None = None) -> None:
        """Open it in a window, below its upper edge or with the middle of its own at `top`, of the screen."""
        self.list.setFixedHeight(min(_ROWS, max(4, (window.height() - 160) // _ROW)) * _ROW + 4)
        self.adjustSize()
        at = window.mapFromGlobal(top) if top is not None else QPoint(window.width() // 2, 64)
        left = max(8, min(at.x() - self.width() // 2, window.width() - self.width() - 8))
        self.move(window.mapToGlobal(QPoint(left, at.y())))
        self.show()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def titles(self) -> list[str]:
        """What is listed."""
        return [entry.title for entry in self._entries.entries]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        chord = self._chord_of(event)
        if chord is not None:
            self._choose(chord)
            return
        rows = [row for row, entry in enumerate(self._entries.entries) if entry.enabled]
        moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _ROWS, Qt.Key.Key_PageUp: -_ROWS}
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._pick(self.list.currentIndex())
        elif Qt.Key(key) in moves and rows:
            by, row = moves[Qt.Key(key)], self.list.currentIndex().row()
            at = rows.index(row) + by if row in rows else 0
            at = at % len(rows) if abs(by) == 1 else max(0, min(len(rows) - 1, at))
            self.list.setCurrentIndex(self._entries.index(rows[at]))
        else:
            super().keyPressEvent(event)

    def _chord_of(self, event: QKeyEvent) -> PaletteEntry | None:
        """What a second key finishes, while nothing is typed."""
        if self._kind != "actions" or self.field.text() or not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return None
        second = QKeySequence(event.keyCombination()).toString()
        return next((each for each in self._actions if each.is_chord and each.chord.endswith(f", {second}")), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The field would take keys such as Ctrl+W or Ctrl+K for its own text.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            chord = self._chord_of(event)
            if chord is not None:
                self._choose(chord)
                return True
        return super().eventFilter(watched, event)

    def _show(self, query: str) -> None:
        listed = self._gone_to if self._kind == "places" and not query else self._all
        if query.startswith(">"):
            listed, query = self._actions, query.lstrip("> ")
        found = best(listed, query)
        self._entries.show(found or [PaletteEntry("place", _("No matches"), "", lambda: None, enabled=False)])
        first = next((row for row, entry in enumerate(self._entries.entries) if entry.enabled), None)
        if first is not None:
            self.list.setCurrentIndex(self._entries.index(first))

    def _pick(self, index: QModelIndex) -> None:
        if not index.isValid():
            return
        self._choose(self._entries.entries[index.row()])

    def _choose(self, entry: PaletteEntry) -> None:
        if not entry.enabled:
            QApplication.beep()
            return
        self.close()
        self.picked.emit(entry, self.field.text())
        entry.act()


_NAMES = {"actions": lambda: _("Command palette"), "places": lambda: _("Go to anything"), "find": lambda: _("Find")}


def _hint(kind: PaletteKind, *, movements: bool) -> str:
    match kind:
        case "places":
            text = (_("Steps, files and rules; > for actions"), _("Movements, files and rules; > for actions"))
        case "find":
            text = (_("Search steps and intents"), _("Search movements and rules"))
        case _:
            text = (_("Actions, steps, rules and files"), _("Actions, movements, rules and files"))
    return text[movements]


def kind_name(entry: PaletteEntry) -> str:
    """What an entry is, in the language in use."""
    names = {
        "action": _("action"),
        "step": _("step"),
        "movement": _("movement"),
        "transition": _("transition"),
        "rule": _("rule"),
        "file": _("file"),
        "setting": _("setting"),
        "place": "",
    }
    return names[entry.kind]

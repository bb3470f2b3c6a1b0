"""The list of completions under the caret: names and what they are in two columns, the chosen one in full."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from stepflow_gui.gui.source.assist.card import SourceCard
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.project.assist.completion import Completion

Index = QModelIndex | QPersistentModelIndex
_ROW = 24
_ROWS = 9
_PAD = 10
_GAP = 20  # between the columns
_NAMES = 280  # pixels that the first column has at most
_WIDEST = 560
_NARROWEST = 220


class _Items(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.items: Sequence[Completion] = ()

    def show(self, items: Sequence[Completion]) -> None:
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return item.label
        return item.detail if role == Qt.ItemDataRole.AccessibleDescriptionRole else None


class _Rows(QStyledItemDelegate):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.typed = ""
        self.names = _NAMES  # the first column's width

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(_NARROWEST, _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.fillRect(rect, self.theme.mix("accent", "surface", 0.14))
        label, detail = str(index.data()), str(index.data(Qt.ItemDataRole.AccessibleDescriptionRole) or "")
        names = QRect(rect.left() + _PAD, rect.top(), self.names, rect.height())
        self._name(painter, names, label)
        left = names.right() + _GAP
        details = QRect(left, rect.top(), rect.right() - _PAD - left, rect.height())
        painter.setFont(ui_font(12))
        painter.setPen(self.theme.color("text" if chosen else "muted"))
        detail = painter.fontMetrics().elidedText(detail, Qt.TextElideMode.ElideRight, details.width())
        painter.drawText(details, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, detail)

    def _name(self, painter: QPainter, rect: QRect, label: str) -> None:
        """What is typed of it stands out."""
        font = mono_font(12)
        painter.setFont(font)
        painter.setPen(self.theme.color("text"))
        shown = QFontMetrics(font).elidedText(label, Qt.TextElideMode.ElideMiddle, rect.width())
        at = shown.casefold().find(self.typed.casefold()) if self.typed and shown == label else -1
        layout = QTextLayout(shown, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        if at >= 0:
            found = QTextLayout.FormatRange()
            found.start, found.length = at, len(self.typed)
            found.format.setForeground(self.theme.color("accent"))
            found.format.setFontWeight(QFont.Weight.DemiBold)
            layout.setFormats([found])
        layout.beginLayout()
        line = layout.createLine()
        layout.endLayout()
        layout.draw(painter, QPointF(rect.left(), rect.top() + (rect.height() - line.height()) / 2))


class CompletionList(SourceCard):
    """Takes no focus: whoever has the keys moves the choice. `taken(row)` is emitted where the mouse chooses."""

    taken = Signal(int)

    def __init__(self, editor: SourceEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._model = _Items()
        self._rows = _Rows(editor.theme)
        self.view = QListView()
        self.view.setObjectName("completions")
        self.view.setModel(self._model)
        self.view.setItemDelegate(self._rows)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setUniformItemSizes(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.clicked.connect(lambda index: self.taken.emit(index.row()))
        self._details = QLabel()
        self._details.setTextFormat(Qt.TextFormat.PlainText)
        self._details.setWordWrap(True)
        self._details.setProperty("muted", True)
        self._details.setFont(ui_font(11))
        self._details.setContentsMargins(_PAD, 4, _PAD, 6)
        self._place = QRect()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.view)
        column.addWidget(self._details)
        self.view.setStyleSheet("QListView#completions { background: transparent; border: 0; padding: 0; }")

    @property
    def row(self) -> int:
        """The chosen one."""
        return self.view.currentIndex().row()

    @property
    def details(self) -> str:
        """The details of the chosen one below the list, where its row has too little room."""
        return "" if self._details.isHidden() else self._details.text()

    def list(self, items: Sequence[Completion], typed: str, place: QRect) -> None:
        """List completions beside a stretch of the viewport, the first one chosen."""
        self._rows.theme = self._editor.theme
        self.paint_in(self._editor.theme)
        self.view.setAccessibleName(_("Completions"))
        self._model.show(items)
        self._rows.typed = typed
        self._place = place
        name, details = QFontMetrics(mono_font(12)), QFontMetrics(ui_font(12))
        self._rows.names = min(_NAMES, max(name.horizontalAdvance(item.label) for item in items) + 8)
        detail = max(details.horizontalAdvance(item.detail) for item in items)
        bar = self.view.verticalScrollBar().sizeHint().width() if len(items) > _ROWS else 0
        wanted = self._rows.names + 2 * _PAD + (detail + _GAP if detail else 0) + bar + 4
        self.setFixedWidth(min(max(_NARROWEST, wanted), _WIDEST, self.room))
        self.view.setFixedHeight(_ROW * min(len(items), _ROWS))
        self._choose(0)

    def move_to(self, place: QRect) -> None:
        """The stretch that it is beside is elsewhere in the viewport."""
        self._place = place
        self.show_beside(place)

    def step(self, by: int, around: bool = True) -> None:
        """Choose another one."""
        count = self._model.rowCount()
        row = self.row + by
        self._choose(row % count if around else max(0, min(row, count - 1)))

    def page(self, by: int) -> None:
        """Choose one a screenful further up or down."""
        self.step(by * (_ROWS - 1), around=False)

    def _choose(self, row: int) -> None:
        self.view.setCurrentIndex(self._model.index(row))
        item = self._model.items[row]
        room = self.width() - self._rows.names - 2 * _PAD - _GAP - 2
        cut = QFontMetrics(ui_font(12)).horizontalAdvance(item.detail) > room
        long = QFontMetrics(mono_font(12)).horizontalAdvance(item.label) > self._rows.names
        parts = [item.label if long else "", item.detail if cut else ""]
        text = "\n".join(part for part in parts if part)
        self._details.setText(text)
        self._details.setVisible(bool(text))
        height = self.view.height() + 2
        if text:
            height += self._details.heightForWidth(self.width() - 2)
        self.resize(self.width(), height)
        self.show_beside(self._place)

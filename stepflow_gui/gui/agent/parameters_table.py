"""The table of an agent's parameters, with what adds one and what takes one out."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.agent.notices import AgentNotices
from stepflow_gui.gui.agent.parameters_model import DEFAULT, DESCRIPTION, FLAG, NAME, TYPE, TYPES, ParametersModel
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from stepflow_gui.gui.widgets.controls import quiet_label
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.editors import small_button
from stepflow_gui.gui.widgets.fonts import mono_font
from stepflow_gui.messages import _

_WIDTHS = {NAME: 120, TYPE: 84, FLAG: 120, DEFAULT: 96}
_ROW = 28  # pixels
_MOST = 8  # rows that are shown without scrolling

Index = QModelIndex | QPersistentModelIndex


class ParametersTable(QWidget):
    """`picked(name)` is emitted with the parameter that is chosen; an empty name where there is none."""

    picked = Signal(str)

    def __init__(self, model: ParametersModel) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.model = model
        self._wanted = ""  # the parameter to choose once it is there
        self.title = PanelTitle()
        self.none = quiet_label()
        self.add_button = small_button("", "")
        self.remove_button = small_button("", "")
        self.view = _View(model)
        self.remarks = AgentNotices()
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.title, 1)
        head.addWidget(self.add_button)
        head.addWidget(self.remove_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.none)
        column.addWidget(self.view)
        column.addWidget(self.remarks)
        self.add_button.clicked.connect(self.ask_name)
        self.remove_button.clicked.connect(self._remove)
        self.view.remove_wanted.connect(self._remove)
        self.view.selectionModel().currentRowChanged.connect(self._chosen)
        model.modelReset.connect(self._show)
        self._locked = True
        self.retranslate()

    @property
    def current(self) -> str:
        """The parameter that is chosen."""
        row = self.view.currentIndex().row()
        return self.model.names[row] if 0 <= row < len(self.model.names) else ""

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.title.set_title(_("Parameters"))
        self.none.setText(_("The agent takes no parameters."))
        self.view.setAccessibleName(_("Parameters"))
        texts = (self.add_button, _("+ Parameter"), _("Add a parameter")), (self.remove_button, _("Remove"), "")
        for button, text, name in texts:
            button.setText(text)
            button.setAccessibleName(name or _("Remove the parameter"))
            button.setToolTip(button.accessibleName())
        self._show()

    def lock(self, locked: bool) -> None:
        """Let nothing be changed, or everything."""
        self._locked = locked
        self._show()

    def choose(self, name: str, column: int = NAME) -> bool:
        """Choose a parameter; False where there is none of that name."""
        if name not in self.model.names:
            return False
        self.view.setCurrentIndex(self.model.index(self.model.names.index(name), column))
        return True

    def ask_name(self) -> None:
        """Ask for the name of a new parameter."""
        popup = AskPopup(self, _("A new parameter"), _("Name, such as issue or dryRun"))
        popup.answered.connect(self._add)
        popup.open_at(self.add_button.mapToGlobal(QPoint(0, self.add_button.height())))

    def _chosen(self) -> None:
        self.remove_button.setEnabled(bool(self.current) and not self._locked)
        self.picked.emit(self.current)

    def _add(self, name: str) -> None:
        self._wanted = name
        if not self.model.add(name):
            self.remarks.refuse(_("There is a “{name}” already").format(name=name))
        self.choose(name)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remove(self) -> None:
        row = self.view.currentIndex().row()
        if 0 <= row < len(self.model.names) and not self._locked:
            self.model.remove(row)

    def _show(self) -> None:
        some = bool(self.model.names)
        self.view.setVisible(some)
        self.none.setVisible(not some)
        self.add_button.setEnabled(not self._locked)
        self.view.fit()
        if some and not self.current:
            self.choose(self._wanted) or self.choose(self.model.names[0])
        self._chosen()


class _View(QTableView):
    remove_wanted = Signal()

    def __init__(self, model: ParametersModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(56)
        for column, width in _WIDTHS.items():
            header.resizeSection(column, width)
        header.setSectionResizeMode(DESCRIPTION, QHeaderView.ResizeMode.Stretch)
        self.setItemDelegate(_Delegate(self))

    def fit(self) -> None:
        """As high as the rows need, up to a few."""
        rows = min(self.model().rowCount(), _MOST)
        bar = self.horizontalScrollBar()
        room = bar.sizeHint().height() if bar.maximum() > 0 else 0
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows * _ROW + room + 4)

    def sizeHint(self) -> QSize:
        return QSize(300, self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.state() != self.State.EditingState:
            self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class _Delegate(QStyledItemDelegate):
    """A list for the type, a line of the table's letters for all else."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        if index.column() == TYPE:
            box = QComboBox(parent)
            box.setFont(mono_font(12))
            box.addItems(TYPES)
            box.activated.connect(lambda _number: self._done(box))
            return box
        editor = super().createEditor(parent, option, index)
        editor.setFont(index.data(Qt.ItemDataRole.FontRole))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentText(str(index.data(Qt.ItemDataRole.EditRole)))
            editor.showPopup()
        else:
            super().setEditorData(editor, index)

    def _done(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

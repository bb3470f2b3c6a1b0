"""The project panel: the agents of a repository as a tree, what is looked for in it, and how far the checking is."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.project.delegate import ProjectDelegate
from stepflow_gui.gui.project.model import Order, ProjectModel
from stepflow_gui.gui.project.progress import ProgressFoot
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _

_PAUSE = 150  # milliseconds after a key until the tree is filtered
_FEW = 12  # agents that are opened out where something is looked for
Place = tuple[Path, Path | None]
"""An agent, and a folder or file of it."""


class ProjectPanel(QWidget):
    """`opened(Node)`: the person wants to see it. `expanded(Agent)`: its files are wanted, known or not yet.

    `closed()` by the button at its title.
    """

    opened = Signal(object)
    expanded = Signal(object)
    closed = Signal()

    def __init__(self, model: ProjectModel, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setMinimumWidth(150)
        self.model = model
        self._theme = theme
        self._open: dict[Path, set[Path | None]] = {}  # what is opened out, by agent
        self._kept: tuple[Place | None, int] = (None, 0)  # the current row and how far it is scrolled
        self._title = PanelTitle()
        self._name = ElidedLabel("", ui_font(12))
        self.close_button = QToolButton()
        self.close_button.setAutoRaise(True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.clicked.connect(self.closed)
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._filter_soon)
        self.only_problems = QToolButton()
        self.only_problems.setCheckable(True)
        self.only_problems.setObjectName("filterButton")
        self.only_problems.toggled.connect(self._filter)
        self.sorting = QToolButton()
        self.sorting.setObjectName("filterButton")
        self.sorting.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.tree = _Tree(self.field)
        self.tree.setModel(model)
        self.delegate = ProjectDelegate(theme, self.tree)
        self.tree.setItemDelegate(self.delegate)
        self.foot = ProgressFoot()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_PAUSE)
        self._later.timeout.connect(self._filter)
        self._lay_out()
        self._wire()
        self.retranslate()
        self.set_theme(theme)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._title)
        head.addWidget(self._name, 1)
        head.addWidget(self.close_button)
        row = WrapLayout(None, gap=4)
        row.addWidget(self.only_problems)
        row.addWidget(self.sorting)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 0, 4)
        column.setSpacing(6)
        for layout in (head, self.field, row):
            if isinstance(layout, QWidget):
                inset = QHBoxLayout()
                inset.setContentsMargins(0, 0, 8, 0)
                inset.addWidget(layout)
                column.addLayout(inset)
            else:
                layout.setContentsMargins(0, 0, 8, 0)
                column.addLayout(layout)
        column.addWidget(self.tree, 1)
        column.addWidget(self.foot)

    def _wire(self) -> None:
        tree, model = self.tree, self.model
        tree.clicked.connect(self._clicked)
        tree.activated.connect(self._clicked)
        tree.expanded.connect(self._expanded)
        tree.collapsed.connect(self._collapsed)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._menu)
        model.modelAboutToBeReset.connect(self._keep)
        model.modelReset.connect(self._restore)
        model.rowsInserted.connect(self._inserted)

    def retranslate(self) -> None:
        """Show the panel in the language in use."""
        self._title.set_title(_("Project"))
        self._name.setFont(ui_font(12))
        self.field.setFont(ui_font(12))
        self.field.setPlaceholderText(_("Filter"))
        self.field.setToolTip(_("Find an agent or a file"))
        self.field.setAccessibleName(_("Find an agent or a file"))
        self.only_problems.setFont(ui_font(11))
        self.only_problems.setText(_("Problems"))
        self.only_problems.setToolTip(_("Only agents and files with errors, warnings or missing files"))
        self.sorting.setFont(ui_font(11))
        self.tree.setAccessibleName(_("Agents of the project"))
        self.close_button.setToolTip(_("Close the project"))
        self.close_button.setAccessibleName(_("Close the project"))
        self._offer_orders()
        self.foot.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = self.delegate.theme = theme
        self.close_button.setIcon(theme.icon("close", "muted"))
        self.tree.viewport().update()

    def show_name(self, root: Path) -> None:
        """Show which project it is."""
        self._name.show_whole(root.name or str(root))
        self._name.setToolTip(str(root))

    def focus_tree(self) -> None:
        """Take the keyboard, at the row that was selected last."""
        if not self.tree.currentIndex().isValid():
            self.tree.setCurrentIndex(self.model.index(0, 0))
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def forget(self) -> None:
        """Another project is shown: start over."""
        self._open.clear()
        self.field.clear()
        self.only_problems.setChecked(False)

    # Inside

    def _offer_orders(self) -> None:
        orders: dict[Order, str] = {"name": _("By name"), "folder": _("By folder"), "health": _("Problems first")}
        menu = QMenu(self.sorting)
        group = QActionGroup(menu)
        for order, title in orders.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(order == self.model.order)
            action.triggered.connect(partial(self._sort, order))
            group.addAction(action)
        old = self.sorting.menu()
        self.sorting.setMenu(menu)
        if old is not None:
            old.deleteLater()
        self.sorting.setText(orders[self.model.order])
        self.sorting.setToolTip(_("Order of the agents"))

    def _sort(self, order: Order, _on: bool = False) -> None:
        self.model.set_order(order)
        self._offer_orders()

    def _filter_soon(self) -> None:
        self._later.start()

    def _filter(self) -> None:
        self._later.stop()
        self.model.set_filter(self.field.text(), self.only_problems.isChecked())

    def _clicked(self, index: QModelIndex) -> None:
        node = self.model.node(index)
        if node is None:
            return
        if node.kind == "folder":
            self.tree.setExpanded(index, not self.tree.isExpanded(index))
        else:
            self.opened.emit(node)

    def _place(self, index: QModelIndex) -> Place | None:
        node = self.model.node(index)
        if node is None:
            return None
        return node.agent.key, None if node.kind == "agent" else node.path

    def _expanded(self, index: QModelIndex) -> None:
        place, node = self._place(index), self.model.node(index)
        if place is not None and node is not None:
            self._open.setdefault(place[0], set()).add(place[1])
            if node.kind == "agent":
                self.model.fetchMore(index)
                self.expanded.emit(node.agent)

    def _collapsed(self, index: QModelIndex) -> None:
        place = self._place(index)
        if place is not None:
            self._open.get(place[0], set()).discard(place[1])

    def _keep(self) -> None:
        self._kept = self._place(self.tree.currentIndex()), self.tree.verticalScrollBar().value()

    def _restore(self) -> None:
        model, tree = self.model, self.tree
        for key in self._open:
            self._open_again(key)
        if model.filtered and len(model.rows) <= _FEW:
            for agent in model.rows:
                self._open_out(model.index_of(agent.node))
        place, scrolled = self._kept
        if place is not None:
            tree.setCurrentIndex(model.find(*place))
        tree.verticalScrollBar().setValue(scrolled)

    def _open_out(self, index: QModelIndex) -> None:
        """With all that is below it."""
        self.model.fetchMore(index)
        self.tree.blockSignals(True)
        self.tree.expandRecursively(index)
        self.tree.blockSignals(False)

    def _inserted(self, parent: QModelIndex, _first: int, _last: int) -> None:
        # The files of an agent that was looked at again: opened out as they were.
        node = self.model.node(parent)
        if node is not None:
            self._open_again(node.agent.key)

    def _open_again(self, key: Path) -> None:
        places = self._open.get(key, set())
        self.tree.blockSignals(True)
        for path in sorted(places, key=lambda path: len(path.parts) if path else 0) if None in places else ():
            self.tree.setExpanded(self.model.find(key, path), True)
        self.tree.blockSignals(False)

    def _menu(self, at: QPoint) -> None:
        node = self.model.node(self.tree.indexAt(at))
        if node is None:
            return
        menu = QMenu(self.tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if node.kind != "folder":
            title = _("&Create…") if node.kind == "file" and not node.there else _("&Open")
            menu.addAction(title, lambda: self.opened.emit(node))
        menu.addAction(_("Copy &Path"), lambda: QGuiApplication.clipboard().setText(str(node.path)))
        menu.popup(self.tree.viewport().mapToGlobal(at))


class _Tree(QTreeView):
    """Up from the first row goes to the field in which one looks for something."""

    def __init__(self, field: QLineEdit) -> None:
        super().__init__()
        self._field = field
        self.setObjectName("projectTree")
        self.setHeaderHidden(True)
        self.setIndentation(14)
        self.setUniformRowHeights(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setMinimumHeight(80)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Up and not self.indexAbove(self.currentIndex()).isValid():
            self._field.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().keyPressEvent(event)

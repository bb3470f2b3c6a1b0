"""The left panel: the agent with its health, and its steps as a list."""

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.step_card import kind_name
from stepflow_gui.gui.canvas.hand.inline_edit import InlineEdit
from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.gui.document.generated_ids import are_hashed
from stepflow_gui.gui.document.step_terms import has_movements, whole_name
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_STEP = Qt.ItemDataRole.UserRole


class OutlinePanel(QWidget):
    """Shows which agent is open and lists its steps; picking one emits `step_picked` with its id.

    `menu_asked(step, point)`: the menu of a step is wanted, at a point of the screen. `named(step, new)`: another name.
    """

    step_picked = Signal(object)
    menu_asked = Signal(str, QPoint)
    named = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setMinimumWidth(130)
        self._theme = theme
        self._flow: Flow | None = None
        self._listed: list[tuple[object, ...]] = []  # what the list was made of
        self._agent = ElidedLabel("", ui_font(13))
        self._health = QLabel(wordWrap=True)  # in a narrow window the counts take two lines
        self._agent_title = PanelTitle()
        self._outline_title = PanelTitle()
        self._steps = QListWidget()
        self._steps.setIconSize(QSize(16, 16))
        self._steps.setUniformItemSizes(True)
        self._steps.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._steps.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._steps.customContextMenuRequested.connect(self._ask_menu)
        self._steps.itemSelectionChanged.connect(self._picked)  # the keyboard alone coming here picks nothing
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 8, 8)
        column.setSpacing(6)
        column.addWidget(self._agent_title)
        column.addWidget(self._agent)
        column.addWidget(self._health)
        column.addSpacing(12)
        column.addWidget(self._outline_title)
        column.addWidget(self._steps, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the panel in the language in use."""
        self._agent_title.set_title(_("Agent") if self._flow is None else whole_name(self._flow))
        self._outline_title.set_title(_("Outline"))
        self._name_list()
        self._agent.setFont(ui_font(13))
        self._health.setFont(ui_font(11))
        if self._flow is not None:
            self.show_flow(self._flow, self._agent.whole)

    def _name_list(self) -> None:
        movements = has_movements(self._flow)
        self._steps.setAccessibleName(_("Movements of the piece") if movements else _("Steps of the flow"))

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        if self._flow is not None:
            self.show_flow(self._flow, self._agent.whole)

    def show_flow(self, flow: Flow, agent: str) -> None:
        """List the steps of a flow in file order, keeping the selection."""
        self._flow = flow
        self._agent_title.set_title(whole_name(flow))
        self._name_list()
        self._agent.show_whole(agent)
        listed: list[tuple[object, ...]] = [
            (step.id, step.title, step.kind, step.is_section, kind_name(step), self._theme)
            for step in flow.steps.values()
        ]
        if listed == self._listed:
            return
        self._listed = listed
        current = self._steps.currentItem()
        chosen = current.data(_STEP) if current else None
        self._steps.blockSignals(True)
        self._steps.clear()
        for step in flow.steps.values():
            self._steps.addItem(self._item(step, step.title if are_hashed(flow) else step.id))
        self._steps.blockSignals(False)
        self.select(chosen)

    @property
    def list(self) -> QListWidget:
        """The steps."""
        return self._steps

    @property
    def has_flow(self) -> bool:
        """Whether a flow is listed."""
        return self._flow is not None

    def show_health(self, text: str, token: str) -> None:
        """Show the agent's status below its name, in the colour of its worst finding."""
        self._health.setText(text)
        self._health.setProperty("token", token)
        self._health.style().unpolish(self._health)
        self._health.style().polish(self._health)

    def select(self, step_id: str | None) -> None:
        """Mark a step without emitting anything."""
        self._steps.blockSignals(True)
        for row in range(self._steps.count()):
            item = self._steps.item(row)
            if item.data(_STEP) == step_id:
                self._steps.setCurrentItem(item)
                self._steps.scrollToItem(item)
                break
        else:
            self._steps.setCurrentRow(-1)
            self._steps.clearSelection()
        self._steps.blockSignals(False)

    def rename(self) -> None:
        """Edit the name of the current step where it is in the list."""
        item = self._steps.currentItem()
        if item is None:
            return
        self._steps.scrollToItem(item)
        place, step = self._steps.visualItemRect(item), item.data(_STEP)
        place.setLeft(place.left() + self._steps.iconSize().width() + 4)
        name = _("Name of {step}").format(step=step)
        InlineEdit(
            self._steps.viewport(), place, item.text(), item.font(), name, lambda new: self.named.emit(step, new)
        )

    def _ask_menu(self, at: QPoint) -> None:
        item = self._steps.itemAt(at) or self._steps.currentItem()  # the menu key is about the current one
        if item is not None:
            place = self._steps.visualItemRect(item)
            point = at if place.contains(at) else place.center()
            self._steps.setCurrentItem(item)
            self.menu_asked.emit(item.data(_STEP), self._steps.viewport().mapToGlobal(point))

    def _item(self, step: Step, name: str) -> QListWidgetItem:
        kind = "section" if step.is_section else step.kind or "section"
        item = QListWidgetItem(self._theme.icon(f"kind-{kind}", kind), one_line(name))
        item.setFont(mono_font(12) if name == step.id else ui_font(12))
        item.setData(_STEP, step.id)
        item.setToolTip(f"{step.title}\n{step.id}")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, _(", ").join((name, kind_name(step))))
        if step.is_section:
            item.setForeground(self._theme.color("muted"))
        return item

    def _picked(self) -> None:
        for item in self._steps.selectedItems():
            self.step_picked.emit(item.data(_STEP))


def dot(color: QColor, size: int = 8) -> QIcon:
    """A filled disc as an icon."""
    pixmap = QPixmap(size * 2, size * 2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(0, 0, size * 2, size * 2)
    painter.end()
    pixmap.setDevicePixelRatio(2)
    return QIcon(pixmap)

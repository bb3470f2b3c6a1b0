"""The bar of the run panel: buttons that control the run, which run is current, and the timeline to scrub."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolButton, QWidget

from stepflow_gui.gui.widgets.controls import Chooser, name_it
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.messages import _

_SPARED = ("run-to-here", "run-fork")  # the menu has them, too
_ROOMY, _WORDY = 440, 560  # pixels of width


class RunBar(QWidget):
    """`looked` carries the number of events to stand after, `branch_picked` the number of a run."""

    looked = Signal(int)
    branch_picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 4, 12, 4)
        self._row.setSpacing(2)
        self._buttons: list[QToolButton] = []
        self.compare: QToolButton | None = None
        self.branches = Chooser()
        self.branches.setMinimumWidth(84)
        self.branches.activated.connect(lambda at: self.branch_picked.emit(self.branches.itemData(at)))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setMinimum(1)
        self.slider.setMinimumWidth(28)
        self.slider.valueChanged.connect(self.looked)
        self._place = QLabel()
        self._place.setProperty("muted", True)
        self._timeline = QWidget()
        line = QHBoxLayout(self._timeline)
        line.setContentsMargins(8, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.slider, 1)
        line.addWidget(self._place)
        self._row.addWidget(self.branches)
        self._row.addWidget(self._timeline, 1)
        self._row.addStretch(0)
        self.retranslate()

    def set_actions(self, actions: Sequence[QAction], comparing: QAction) -> None:
        """Control the run by these actions; the last one compares runs, where there are two."""
        for at, action in enumerate(actions):
            button = _button(action)
            self._row.insertWidget(at, button)
            self._buttons.append(button)
        self.compare = _button(comparing)
        self._row.addWidget(self.compare)
        self._make_room()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        name_it(self.branches, _("Runs that are kept"))
        name_it(self.slider, _("Timeline: look at any moment of the run"))
        self._place.setFont(ui_font(11))
        self.branches.setFont(ui_font(12))

    def show_branches(self, branches: Sequence[tuple[int, str, str]], current: int | None) -> None:
        """The runs that are kept (number, name, where from); hidden where there is but one."""
        with QSignalBlocker(self.branches):
            self.branches.clear()
            for number, name, tip in branches:
                self.branches.addItem(name, number)
                self.branches.setItemData(self.branches.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
                if number == current:
                    self.branches.setCurrentIndex(self.branches.count() - 1)
        self.branches.setVisible(len(branches) > 1)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Where there is little room, hide what is available elsewhere or visible from the slider."""
        roomy = self.width() >= _ROOMY
        for button in self._buttons:
            button.setVisible(roomy or button.defaultAction().objectName() not in _SPARED)
        self._place.setVisible(roomy or self.branches.count() < 2)
        if self.compare is not None:
            self.compare.setVisible(self.branches.count() > 1)
            with_words = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
            self.compare.setToolButtonStyle(
                with_words if self.width() >= _WORDY else Qt.ToolButtonStyle.ToolButtonIconOnly
            )

    def show_place(self, position: int, length: int) -> None:
        """Where in its timeline the run stands."""
        self._timeline.setVisible(length > 0)
        with QSignalBlocker(self.slider):
            self.slider.setMaximum(max(1, length))
            self.slider.setPageStep(max(1, length // 20))
            self.slider.setValue(position)
            self.slider.setEnabled(length > 1)
        self._place.setText(f"{position} / {length}")
        self.slider.setToolTip(f"{self.slider.accessibleName()} ({position} / {length})")


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setProperty("flat", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setObjectName(f"{action.objectName()}-button")
    return button

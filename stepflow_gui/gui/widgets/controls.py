"""Choosers, labels and buttons as the whole window has them."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QHelpEvent, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QToolTip,
    QWidget,
)

from stepflow_gui.gui.widgets.fonts import ui_font


class Chooser(QComboBox):
    """A field with a list to choose from, its arrow a sign as in the inspector's fields."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self.setMinimumContentsLength(5)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        option.currentText = (
            ""
            if self.isEditable()
            else self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text if self.isEnabled() else QPalette.ColorRole.Mid))
        painter.setFont(ui_font(11))
        where = self.rect().adjusted(0, 0, -8, 0)
        painter.drawText(where, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), "▾")
        painter.end()


def quiet_label(text: str = "", *, wrap: bool = True) -> QLabel:
    """A muted line of plain text."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    label.setProperty("muted", True)
    label.setFont(ui_font(12))
    return label


class TextButton(QPushButton):
    """A button whose words end in dots where it has no room for all of them; its tool tip shows them then."""

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self._fitting()
        QStylePainter(self).drawControl(QStyle.ControlElement.CE_PushButton, option)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._fitting() != self.text():
            words = self.text().replace("&&", "&")
            QToolTip.showText(event.globalPos(), "\n".join(filter(None, (words, self.toolTip()))), self)
            return True
        return super().event(event)

    def _fitting(self) -> str:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        flags = int(Qt.TextFlag.TextShowMnemonic.value)
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room, flags)


def push_button(primary: bool = False) -> QPushButton:
    """A button as wide as its words."""
    button = TextButton()
    button.setMinimumWidth(48)
    button.setAutoDefault(True)  # Enter presses it, as Space does
    button.setProperty("primary", primary)
    button.setFont(ui_font(12, QFont.Weight.DemiBold))
    button.setIconSize(QSize(14, 14))
    return button


def tool_button(name: str) -> QToolButton:
    """A flat button with an icon only."""
    button = QToolButton()
    button.setObjectName(name)
    button.setProperty("flat", True)
    button.setIconSize(QSize(16, 16))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def name_it(widget: QWidget, text: str, keys: str = "") -> None:
    """Set what a widget without words is called, for screen readers and as a tool tip."""
    widget.setAccessibleName(text)
    widget.setToolTip(f"{text} ({keys})" if keys else text)

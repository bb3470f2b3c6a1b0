"""Finds what is cut off in a window: words that don't fit their widget, and widgets that don't fit their parents."""

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from stepflow_gui.gui.app.bottom_bar import BottomLine
from stepflow_gui.gui.runs.panel.now import ChoiceRow
from stepflow_gui.gui.widgets.actions import plain_title
from stepflow_gui.gui.widgets.fields import ElidedLabel

_SLACK = 1  # pixels that rounding may take


def cut_off(top: QWidget, *, elided_ok: bool) -> list[str]:
    """What is cut off below a widget, with how much room it would need.

    `elided_ok`: words may end in dots if a tool tip shows them in full.
    """
    return [
        f"{_name(widget)}: {said}"
        for widget in [top, *top.findChildren(QWidget)]
        if widget.isVisible() and not _is_scrolled_away(widget)
        for said in (*_cut(widget, elided_ok), *_low(widget))
    ]


def _low(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QPushButton | QLineEdit | QComboBox):
        wanted = widget.minimumSizeHint().height()
        if widget.height() < wanted - _SLACK:
            yield f"is {widget.height()} high, needs {wanted}"


def _cut(widget: QWidget, elided_ok: bool) -> Iterator[str]:
    match widget:
        case ElidedLabel():
            elided_ok = elided_ok or (isinstance(widget, BottomLine) and widget.is_link)  # a click shows all of it
            if widget.text() != widget.whole and not (elided_ok and widget.toolTip() == widget.whole):
                yield f"“{widget.whole}” is shown as “{widget.text()}”"
        case QLabel():
            yield from _label(widget)
        case QComboBox():
            yield from _combo(widget, elided_ok)
        case QAbstractButton():
            if not (elided_ok and isinstance(widget, ChoiceRow)):  # which ends in dots, and shows all in its tip
                yield from _button(widget)
        case QTabBar():
            yield from _tabs(widget, elided_ok)
        case QHeaderView():
            yield from _header(widget)
        case QLineEdit():
            yield from _field(widget, elided_ok)
        case QMenuBar() | QToolBar():
            yield from _bar(widget)
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit | QComboBox) and not widget.isWindow():
        yield from _outside(widget)


def _bar(bar: QMenuBar | QToolBar) -> Iterator[str]:
    if isinstance(bar, QMenuBar):
        right = max((bar.actionGeometry(each).right() for each in bar.actions()), default=0)
        if right >= bar.width():
            yield f"its menus need {right}, there are {bar.width()}"
        return
    more = bar.findChild(QToolButton, "qt_toolbar_ext_button")
    if isinstance(more, QToolButton) and more.isVisible():
        yield "not all of its actions are there"


def _label(label: QLabel) -> Iterator[str]:
    text = label.text()
    if not text:
        return
    size = label.size()
    if label.wordWrap():
        if label.heightForWidth(size.width()) > size.height() + _SLACK:
            yield f"“{text}” needs {label.heightForWidth(size.width())} rows of pixels, has {size.height()}"
        return
    wanted = label.sizeHint()
    if wanted.width() > size.width() + _SLACK or label.fontMetrics().height() > size.height() + _SLACK:
        yield f"“{text}” needs {wanted.width()} × {wanted.height()}, has {size.width()} × {size.height()}"


def _button(button: QAbstractButton) -> Iterator[str]:
    shown = button.text()
    if isinstance(button, QToolButton) and button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
        shown = ""
    if not shown or button.objectName() == "qt_toolbar_ext_button":
        if not button.toolTip() and not button.accessibleName() and isinstance(button.parentWidget(), QToolBar):
            yield "has neither words nor a tool tip"
        return
    wanted = button.sizeHint().width()
    if wanted > button.width() + _SLACK:
        yield f"“{shown}” needs {wanted}, has {button.width()}"


def _combo(box: QComboBox, elided_ok: bool) -> Iterator[str]:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    room = box.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, box
    )
    wanted = box.fontMetrics().horizontalAdvance(box.currentText())
    if wanted > room.width() + _SLACK and not (elided_ok and box.toolTip()) and not box.isEditable():
        yield f"“{box.currentText()}” needs {wanted}, has {room.width()}"


def _tabs(bar: QTabBar, elided_ok: bool) -> Iterator[str]:
    for at in range(bar.count()):
        if not bar.isTabVisible(at):
            continue
        text, place = plain_title(bar.tabText(at)), bar.tabRect(at)
        if bar.fontMetrics().horizontalAdvance(text) > place.width():
            if not (elided_ok and bar.tabToolTip(at)):
                yield f"“{text}” has {place.width()}"
        elif not bar.usesScrollButtons() and not bar.rect().contains(place):
            yield f"“{text}” is outside"


def _header(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    for section in range(header.count()):
        if model is None or header.isSectionHidden(section) or header.orientation() == Qt.Orientation.Vertical:
            continue
        text = model.headerData(section, Qt.Orientation.Horizontal)
        if text and header.sectionSizeHint(section) > header.sectionSize(section) + _SLACK:
            yield f"“{text}” needs {header.sectionSizeHint(section)}, has {header.sectionSize(section)}"


def _field(field: QLineEdit, elided_ok: bool) -> Iterator[str]:
    hint = field.placeholderText()
    if not hint or field.text() or isinstance(field.parentWidget(), QComboBox):
        return
    room = field.width() - 2 * 8 - 4
    wanted = field.fontMetrics().horizontalAdvance(hint)
    if wanted > room and not (elided_ok and field.toolTip()):
        yield f"“{hint}” needs {wanted}, has {room}"


def _outside(widget: QWidget) -> Iterator[str]:
    """A widget that sticks out of what holds it, as far as that doesn't scroll."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent.parentWidget(), QAbstractScrollArea):
            return
        if isinstance(parent, QTabBar) and parent.usesScrollButtons():
            return
        place = QRect(widget.mapTo(parent, QPoint()), widget.size())
        if not parent.rect().adjusted(-_SLACK, -_SLACK, _SLACK, _SLACK).contains(place):
            yield f"sticks out of {_name(parent)}: {place.getRect()} in {parent.size().toTuple()}"
            return
        if parent.isWindow():
            return
        parent = parent.parentWidget()


def _is_scrolled_away(widget: QWidget) -> bool:
    """Whether nothing of it can be seen just now, as it stands further up or down in what scrolls."""
    return widget.visibleRegion().isEmpty()


def _name(widget: QWidget) -> str:
    names: list[str] = []
    at: QWidget | None = widget
    while at is not None and len(names) < 4:
        names.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return " in ".join(names)

"""The line over the source text: the path to the caret's place, each part a list of its siblings."""

from functools import partial

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from stepflow_gui.gui.source.heading.places import Crumb, Siblings
from stepflow_gui.gui.widgets.fonts import mono_font
from stepflow_gui.gui.widgets.palette_matching import PaletteEntry
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from stepflow_gui.gui.widgets.popup import main_window_of
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.text.source import Span

_MENU = 30  # siblings up to which a menu lists them; more are listed with a field to type in
_WIDEST = 220  # pixels of a part
_PAD = 10  # pixels around the text of a part
_GAP = 10  # pixels between two parts, with the sign in it
_OF_LINE = frozenset(  # keys that the whole line answers
    (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
)
_NONE: list[Crumb] = []


class CrumbBar(QWidget):
    """`picked(span)` with where the chosen sibling stands, `left` when the keyboard goes back to the text."""

    picked = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._crumbs: list[Crumb] = _NONE
        self._top: Siblings = []  # what there is to go to where the caret is in nothing
        self._parts: list[_Part] = []
        self._hidden: list[Crumb] = []
        self._more = self._part("…")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        self._row.addWidget(self._more)
        self._row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the line in the language in use."""
        self.setAccessibleName(_("Place in the file"))
        self._more.setToolTip(_("Path"))
        self._more.setAccessibleName(_("Path"))
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self._theme = theme
        self.update()

    @property
    def labels(self) -> list[str]:
        """The path, the outermost part first."""
        return [crumb.label for crumb in self._crumbs]

    def show_path(self, crumbs: list[Crumb], top: Siblings) -> None:
        """Show the path to a place; where that is in nothing, offer what there is at the top."""
        if [crumb[:2] for crumb in crumbs] != [crumb[:2] for crumb in self._crumbs] or top != self._top or not crumbs:
            self._crumbs, self._top = crumbs, top
            self._show()
        else:
            self._crumbs = crumbs

    def take_keyboard(self) -> None:
        """Give the innermost part the keyboard."""
        shown = [part for part in self._parts if part.isVisible()]
        if shown:
            shown[-1].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_list(self, index: int) -> None:
        """List the siblings of a part of the path."""
        if self._crumbs:
            crumb = self._crumbs[index]
            self._offer(self._parts[index], crumb.siblings(), crumb.span)
        else:
            self._offer(self._parts[0], self._top, None)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._more.sizeHint().height())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(self._theme.color("muted"))
        painter.setFont(mono_font(11))
        shown = [part for part in (self._more, *self._parts) if part.isVisible()]
        for part in shown[1:]:
            area = part.geometry()
            area.setLeft(area.left() - _GAP)
            area.setWidth(_GAP)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, "›")
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shown = [part for part in (self._more, *self._parts) if part.isVisible()]
        here = next((index for index, part in enumerate(shown) if part.hasFocus()), None)
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif here is not None and key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            at = here + (1 if key == Qt.Key.Key_Right else -1)
            shown[max(0, min(at, len(shown) - 1))].setFocus(Qt.FocusReason.TabFocusReason)
        elif here is not None and key in {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            shown[here].click()
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        labels = self.labels or ([_("Go to…")] if self._top else [])
        focused = any(part.hasFocus() for part in self._parts)
        while len(self._parts) > len(labels):
            part = self._parts.pop()
            self._row.removeWidget(part)
            part.hide()
            part.deleteLater()
        while len(self._parts) < len(labels):
            part = self._part("")
            part.clicked.connect(partial(self.open_list, len(self._parts)))
            self._row.insertWidget(1 + len(self._parts), part)
            self._parts.append(part)
        for index, (part, label) in enumerate(zip(self._parts, labels, strict=True)):
            part.set_label(label, last=index == len(labels) - 1)
        self._fit()
        if focused:
            self.take_keyboard()

    def _fit(self) -> None:
        # The innermost parts that there is room for; the first that are left out come together in one.
        left = self.width()
        shown = 0
        for part in reversed(self._parts):
            left -= part.sizeHint().width() + (_GAP if shown else 0)
            if shown and left < (self._more.sizeHint().width() + _GAP if shown + 1 < len(self._parts) else 0):
                break
            shown += 1
        hidden = len(self._parts) - shown
        for index, part in enumerate(self._parts):
            part.setVisible(index >= hidden)
        self._hidden = self._crumbs[:hidden]
        self._more.setVisible(hidden > 0)
        self.update()

    def _part(self, label: str) -> "_Part":
        part = _Part()
        part.set_label(label, last=False)
        if label:
            part.clicked.connect(self._open_hidden)
        return part

    def _open_hidden(self) -> None:
        self._offer(self._more, [(crumb.label, crumb.span) for crumb in self._hidden], None)

    def _offer(self, part: "_Part", places: Siblings, here: Span | None) -> None:
        if not places:
            return
        if len(places) > _MENU:
            entries = [PaletteEntry("place", label, "", partial(self._pick, span)) for label, span in places]
            popup = PalettePopup(main_window_of(self), self._theme, entries)
            popup.field.setPlaceholderText(_("Go to…"))
            popup.open_over(self.window())
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setFont(mono_font(12))
        for label, span in places:
            action = menu.addAction(label.replace("&", "&&"), partial(self._pick, span))
            if span == here:
                action.setCheckable(True)
                action.setChecked(True)
                menu.setActiveAction(action)
        menu.popup(part.mapToGlobal(QPoint(0, part.height())))

    def _pick(self, span: Span) -> None:
        self.picked.emit(span)


class _Part(QToolButton):
    """One part of the path."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("crumb")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFont(mono_font(11))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in _OF_LINE:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text().replace("&&", "&")) + _PAD, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def set_label(self, label: str, *, last: bool) -> None:
        """Show a label."""
        self.setProperty("last", last)
        self.style().polish(self)
        metrics = self.fontMetrics()
        self.setText(metrics.elidedText(label, Qt.TextElideMode.ElideMiddle, _WIDEST).replace("&", "&&"))
        self.setToolTip(label if self.text() != label.replace("&", "&&") else "")
        self.setAccessibleName(label)
        self.updateGeometry()

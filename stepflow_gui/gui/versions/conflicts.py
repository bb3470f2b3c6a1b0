"""The places that the person and another program both changed, each with both sides to choose from."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.gui.document.three_way_merge import Undecided
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.messages import _, ngettext
from stepflow_gui.text.merge import Side
from stepflow_gui.text.pointer import split

_MARGINS = 22  # pixels of a button beside its text
_SIDES: tuple[Side, Side] = ("ours", "theirs")


class ConflictsPanel(QWidget):
    """`chosen(Undecided, side)`: this side is wanted; `picked(Undecided)`: show the place; `finished()`: all is well.

    It shows conflicts only; `Merging` makes the changes.
    """

    chosen = Signal(object, str)
    picked = Signal(object)
    finished = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._shown: list[Undecided] = []
        self.rows: list[_Row] = []
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.done = QPushButton()
        self.done.setProperty("primary", True)
        self.done.setAutoDefault(True)
        self.done.clicked.connect(self.finished)
        head = QHBoxLayout()
        head.setContentsMargins(16, 8, 12, 8)
        head.setSpacing(12)
        head.addWidget(self._text, 1)
        head.addWidget(self.done)
        inside = QWidget()
        inside.setObjectName("panel")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(16, 0, 12, 8)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(6)
        for at, stretch in enumerate((5, 5, 5)):
            self._grid.setColumnStretch(at, stretch)
        self._headings = [QLabel(), QLabel()]
        for column, heading in enumerate(self._headings):
            heading.setProperty("muted", True)
            self._grid.addWidget(heading, 0, column + 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        column_of = QVBoxLayout(self)
        column_of.setContentsMargins(0, 0, 0, 0)
        column_of.setSpacing(0)
        column_of.addLayout(head)
        column_of.addWidget(area, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self._text.setFont(ui_font(12))
        self.done.setFont(ui_font(12))
        self.done.setText(_("Done"))
        for heading, text in zip(self._headings, (_("Mine"), _("On disk")), strict=True):
            heading.setFont(ui_font(11))
            heading.setText(text)
        self._show_text()
        for row in self.rows:
            row.show(row.undecided)

    def show_conflicts(self, conflicts: Sequence[Undecided]) -> None:
        """Show these; the rows stay where only sides changed, so the keyboard stays in its place."""
        places = [(each.path, each.conflict) for each in conflicts]
        if places != [(each.path, each.conflict) for each in self._shown]:
            for row in self.rows:
                row.remove()
            self.rows = [_Row(self, self._grid, at + 1) for at in range(len(conflicts))]
            self._grid.setRowStretch(len(conflicts) + 1, 1)
        self._shown = list(conflicts)
        several = len({each.path for each in conflicts}) > 1
        for row, undecided in zip(self.rows, conflicts, strict=True):
            row.show(undecided, with_file=several)
        self._show_text()

    def _show_text(self) -> None:
        count = len(self._shown)
        self._text.setText(
            ngettext(
                "{count} place was changed here and on disk. Yours stays until you choose.",
                "{count} places were changed here and on disk. Yours stay until you choose.",
                count,
            ).format(count=count)
        )


class _Elided(QPushButton):
    """A button as wide as there is room, which leaves out what doesn't fit in."""

    def __init__(self, mode: Qt.TextElideMode) -> None:
        super().__init__()
        self._mode = mode
        self._whole = ""
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        self._whole = text
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(0, self.width() - _MARGINS)
        self.setText(self.fontMetrics().elidedText(self._whole, self._mode, room).replace("&", "&&"))


class _Row:
    """One conflict: its place, and a button for each side."""

    undecided: Undecided

    def __init__(self, panel: ConflictsPanel, grid: QGridLayout, at: int) -> None:
        self._with_file = False
        self.place = _Elided(Qt.TextElideMode.ElideMiddle)
        self.place.setObjectName("quietLink")
        self.place.clicked.connect(lambda: panel.picked.emit(self.undecided))
        self._group = QButtonGroup(panel)
        self.sides = [_Elided(Qt.TextElideMode.ElideRight), _Elided(Qt.TextElideMode.ElideRight)]
        grid.addWidget(self.place, at, 0)
        for column, (button, side) in enumerate(zip(self.sides, _SIDES, strict=True)):
            button.setCheckable(True)
            button.setProperty("segment", True)
            button.setProperty("value", True)
            button.setFont(mono_font(11))
            button.clicked.connect(lambda _on, side=side: panel.chosen.emit(self.undecided, side))
            self._group.addButton(button)
            grid.addWidget(button, at, column + 1)

    def show(self, undecided: Undecided, *, with_file: bool | None = None) -> None:
        self.undecided = undecided
        self._with_file = self._with_file if with_file is None else with_file
        conflict = undecided.conflict
        place = place_text(undecided, with_file=self._with_file)
        self.place.setFont(ui_font(12))
        self.place.show_text(place)
        self.place.setToolTip(place)
        self._group.setExclusive(False)  # so that none is on where the text has neither
        names = (_("Mine"), _("On disk"))
        for button, side, text, name in zip(self.sides, _SIDES, (conflict.ours, conflict.theirs), names, strict=True):
            button.setChecked(undecided.side == side)
            shown = _("(removed)") if text is None else " ".join(text.split())
            button.show_text(shown)
            button.setToolTip(_("(removed)") if text is None else text)
            button.setAccessibleName(f"{place}, {name}: {shown}")
        self._group.setExclusive(undecided.side is not None)

    def remove(self) -> None:
        for widget in (self.place, *self.sides):
            widget.hide()
            widget.deleteLater()


def place_text(undecided: Undecided, *, with_file: bool) -> str:
    """A conflict's place in words: the path through the file, or the line."""
    conflict = undecided.conflict
    if conflict.pointer is None:
        where = _("line {line}").format(line=conflict.place.rpartition(" ")[2])
    else:
        keys = split(conflict.pointer)
        in_step = len(keys) > 1 and keys[0] == "steps"  # which needn't be named
        where = " › ".join(keys[1:] if in_step else keys) or _("the whole file")
    return f"{undecided.path.name} › {where}" if with_file else where

"""The files of a step in a small list, with every path that each is looked for at; a missing one can be made."""

from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.flow.model import Step
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.step_file_titles import not_searched, title_of
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.popup import Popup
from stepflow_gui.messages import _
from stepflow_gui.project.step_file import StepFile

_WIDTH = 460
_LINES = 9  # of a new file's text that are in view
_ROUND = 24  # pixels that the round mark of a choice takes


class StepFiles(Protocol):
    """Who goes to the files of a step, and makes them."""

    def go(self, step: Step, file: StepFile) -> None: ...
    def create(self, step: Step, file: StepFile, path: Path) -> bool: ...
    def preview(self, step: Step, file: StepFile) -> str: ...
    def shown(self, path: Path) -> str: ...


class _Place(QRadioButton):
    """A path to choose, cut in the middle where it doesn't fit."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._path = path
        self.setFont(mono_font(11))
        self.setAccessibleName(path)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = max(self.width() - _ROUND, _ROUND)
        self.setText(self.fontMetrics().elidedText(self._path, Qt.TextElideMode.ElideMiddle, room))


class StepFilesPopup(Popup):
    """Enter or a click goes to a file, or turns to a page on which one that doesn't exist is made by one button."""

    def __init__(self, desk: Desk, jump: StepFiles, step: Step, files: list[StepFile]) -> None:
        super().__init__(desk.window)
        self._theme = desk.theme()
        self._jump = jump
        self._step = step
        self._files = files
        self._group: QButtonGroup | None = None
        self.setFixedWidth(min(_WIDTH, max(320, desk.window.width() - 40)))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 10, 12, 12)
        self._column.setSpacing(8)
        self.head = QLabel(_("Files of “{step}”").format(step=step.id))
        self.head.setTextFormat(Qt.TextFormat.PlainText)
        self.head.setFont(ui_font(13, QFont.Weight.DemiBold))
        self.head.setWordWrap(True)
        self._column.addWidget(self.head)
        self.list = QListWidget()
        self.list.setIconSize(QSize(16, 16))
        self.list.setAccessibleName(self.head.text())
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for file in files:
            self.list.addItem(self._item(file))
        self.list.setFixedHeight(min(8, max(1, len(files))) * 28 + 6)
        self.list.currentRowChanged.connect(self._show_tried)
        self.list.itemClicked.connect(lambda _item: self.go())
        self._column.addWidget(self.list)
        self._page = QWidget()
        self._column.addWidget(self._page)
        self.create_button: QPushButton | None = None

    def begin(self, file: StepFile | None) -> None:
        """Start at the first file; with one that doesn't exist, at the page on which it is created."""
        if file is not None and file in self._files:
            self.list.setCurrentRow(self._files.index(file))
            self._offer(file)
        else:
            self.list.setCurrentRow(0)
            self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def current(self) -> StepFile | None:
        """The file of the selected row."""
        row = self.list.currentRow()
        return self._files[row] if 0 <= row < len(self._files) else None

    def go(self) -> None:
        """Go to the file of the row, or to the page on which it is made."""
        file = self.current
        if file is None or not file.tried:
            return
        if file.found is None:
            self._offer(file)
            return
        self.close()
        self._jump.go(self._step, file)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.create_button is not None:
                self.create_button.click()
            else:
                self.go()
            return
        super().keyPressEvent(event)

    # Inside

    def _item(self, file: StepFile) -> QListWidgetItem:
        there, known = file.found is not None, bool(file.tried)
        icon = self._theme.icon("check", "closure") if there else self._theme.icon("warning", "warning")
        path = file.found or next(iter(file.tried), None)
        reason = self._jump.shown(path) if path is not None else not_searched()
        text = title_of(file) if there else _("{title} – missing").format(title=title_of(file))
        item = QListWidgetItem(icon if known else self._theme.icon("info", "muted"), text if known else title_of(file))
        item.setToolTip(reason)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, _(", ").join((text, reason)))
        item.setSizeHint(QSize(100, 28))
        return item

    def _show_tried(self, _row: int) -> None:
        file = self.current
        page, column = self._fresh_page()
        if file is None:
            return
        column.addWidget(_quiet(_("Searched here; the first that exists is used:") if file.tried else not_searched()))
        for path in file.tried:
            row = QHBoxLayout()
            sign = QLabel()
            name = "check" if path == file.found else "close"
            sign.setPixmap(self._theme.pixmap(name, "closure" if path == file.found else "muted", 12))
            there = _("found") if path == file.found else _("not found")
            row.addWidget(sign)
            label = ElidedLabel(self._jump.shown(path), mono_font(11))
            label.setToolTip(f"{path}\n{there}")
            label.setAccessibleName(_(", ").join((self._jump.shown(path), there)))
            row.addWidget(label, 1)
            column.addLayout(row)
        self._put(page)

    def _offer(self, file: StepFile) -> None:
        page, column = self._fresh_page()
        text = _("It doesn’t exist in any of these places. Choose where to create it:")
        if len(file.tried) == 1:
            text = _("It doesn’t exist. It is created here:")
        column.addWidget(_quiet(text))
        self._group = QButtonGroup(page)
        for number, path in enumerate(file.tried):
            place = _Place(self._jump.shown(path))
            place.setToolTip(str(path))
            place.setChecked(number == 0)
            self._group.addButton(place, number)
            column.addWidget(place)
        preview = QPlainTextEdit(self._jump.preview(self._step, file))
        preview.setObjectName("filePreview")
        preview.setReadOnly(True)
        preview.setTabChangesFocus(True)
        preview.setFont(mono_font(11))
        preview.setAccessibleName(_("Initial contents"))
        preview.setFixedHeight(preview.fontMetrics().lineSpacing() * _LINES + 12)
        column.addWidget(preview)
        row = QHBoxLayout()
        row.addStretch(1)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.close)
        self.create_button = QPushButton(_("Create the File"))
        self.create_button.setProperty("primary", True)
        self.create_button.setDefault(True)
        self.create_button.clicked.connect(lambda: self._create(file))
        row.addWidget(cancel)
        row.addWidget(self.create_button)
        column.addLayout(row)
        self._put(page)
        self.create_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _create(self, file: StepFile) -> None:
        at = self._group.checkedId() if self._group is not None else 0
        jump, step = self._jump, self._step
        self.close()
        jump.create(step, file, file.tried[max(0, at)])

    def _fresh_page(self) -> tuple[QWidget, QVBoxLayout]:
        self.create_button = None
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        return page, column

    def _put(self, page: QWidget) -> None:
        old, self._page = self._page, page
        self._column.replaceWidget(old, page)
        old.hide()
        old.deleteLater()
        self.adjustSize()
        screen = self.screen().availableGeometry()
        self.move(self.x(), max(screen.top(), min(self.y(), screen.bottom() - self.height())))


def _quiet(text: str) -> QLabel:
    label = QLabel(text)
    label.setFont(ui_font(11))
    label.setProperty("muted", True)
    label.setWordWrap(True)
    return label

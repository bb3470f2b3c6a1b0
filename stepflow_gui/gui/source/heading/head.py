"""The head of the source panel: the tabs of the open files, the place of the caret, what went wrong."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from stepflow_gui.gui.document.agent_files import agent_files
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.source.heading.crumbs import CrumbBar
from stepflow_gui.gui.source.heading.tabs import SourceTabs, below
from stepflow_gui.gui.widgets.dock import PanelTitle
from stepflow_gui.gui.widgets.finding_line import wrapped_label
from stepflow_gui.gui.widgets.fonts import mono_font, ui_font
from stepflow_gui.gui.widgets.menu_text import add_heading, plain
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

_ROOMY = 380  # pixels of width from which there is room for the panel's title
_FEW = 12  # files of a folder up to which they are listed in the menu itself


class SourceHead(QWidget):
    """Shows what it is given; `file_wanted(path)` when a file is chosen from the list of the agent's files.

    `breaking_asked` when a text in one long line is to be broken into lines.
    """

    file_wanted = Signal(object)
    breaking_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._document: Document | None = None
        self._title = PanelTitle()
        self.tabs = SourceTabs(theme)
        self.crumbs = CrumbBar(theme)
        self.place = QLabel()
        self.place.setProperty("muted", True)
        self.note = wrapped_label(ui_font(11))
        self.note.setProperty("token", "error")
        self.note.setContentsMargins(16, 0, 16, 4)
        self.note.hide()
        self.part = QWidget()
        row = QHBoxLayout(self.part)
        row.setContentsMargins(16, 0, 12, 4)
        self._part_note = wrapped_label(ui_font(11))
        self._part_note.setProperty("token", "warning")
        self.breaking = QPushButton()
        self.breaking.setObjectName("formButton")
        self.breaking.clicked.connect(self.breaking_asked)
        row.addWidget(self._part_note, 1)
        row.addWidget(self.breaking)
        self.part.hide()
        self.files = QToolButton()
        self.files.setProperty("flat", True)
        self.files.setArrowType(Qt.ArrowType.DownArrow)
        self.files.setFixedSize(QSize(24, 24))
        self.files.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.files.clicked.connect(self._list_files)
        first = QHBoxLayout()
        first.setContentsMargins(16, 2, 8, 0)
        first.setSpacing(8)
        first.addWidget(self._title)
        first.addWidget(self.tabs, 1)
        first.addWidget(self.files)
        second = QHBoxLayout()
        second.setContentsMargins(11, 1, 16, 3)
        second.setSpacing(8)
        second.addWidget(self.crumbs, 1)
        second.addWidget(self.place)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self.note)
        column.addWidget(self.part)

    def retranslate(self) -> None:
        """Show the head in the language in use."""
        self._title.set_title(_("Source"))
        self.place.setFont(mono_font(11))
        self.place.setToolTip(_("Line and column"))
        self.note.setFont(ui_font(11))
        self.files.setToolTip(_("Files of the agent"))
        self.files.setAccessibleName(_("Files of the agent"))
        self._part_note.setFont(ui_font(11))
        self._part_note.setText(_("A line is too long to be shown whole, so nothing can be typed here."))
        self.breaking.setFont(ui_font(11))
        self.breaking.setText(_("Format Document"))
        self.tabs.retranslate()
        self.crumbs.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Paint in another look."""
        self.tabs.set_theme(theme)
        self.crumbs.set_theme(theme)

    def set_document(self, document: Document | None) -> None:
        """Show the registry of a document alone."""
        self._document = document
        self.tabs.start(document.path if document else None, document.last_valid.root if document else Path())
        self.files.setEnabled(document is not None)
        self.show_text("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._title.setVisible(event.size().width() >= _ROOMY)

    def show_text(self, text: str) -> None:
        """Show what went wrong; nothing where that is empty."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def show_part_note(self, on: bool, can_break: bool) -> None:
        """Show that not all of the text is shown; and offer to break it into lines."""
        self.part.setVisible(on)
        self.breaking.setVisible(can_break)

    def file_menu(self, document: Document) -> QMenu:
        """The agent's files by folder; folders with many of them as menus of their own."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setFont(mono_font(12))
        by_folder: dict[Path, list[Path]] = {}
        for path in agent_files(document):
            by_folder.setdefault(path.parent, []).append(path)
        for folder, paths in by_folder.items():
            place = below(folder, document.last_valid.root)
            many = len(paths) > _FEW or len(by_folder) > _FEW
            into = menu.addMenu(plain(place)) if many else menu
            if not many:
                add_heading(menu, place) if place != "." else menu.addSeparator()
            for path in paths:
                action = into.addAction(plain(path.name), partial(self.file_wanted.emit, path))
                action.setCheckable(True)
                action.setChecked(path in self.tabs.paths)
        return menu

    def _list_files(self) -> None:
        if self._document is not None:
            self.file_menu(self._document).popup(self.files.mapToGlobal(self.files.rect().bottomLeft()))

"""Bringing the open agent into another format: before beside after, as graphs and as text, before anything changes."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.names import format_name
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.fonts import ui_font
from stepflow_gui.gui.panels.fix_preview import Change, FixPreview, Offer
from stepflow_gui.gui.panels.run_parts import Chooser
from stepflow_gui.gui.session import Session
from stepflow_gui.gui.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.converting.conversion import TARGETS, Conversion, convert
from stepflow_gui.project.converting.writing import changes_of
from stepflow_gui.text.store import ReadProblem

if TYPE_CHECKING:
    from stepflow_gui.formats.converting.of_checks import Checks
    from stepflow_gui.gui.window import MainWindow

_ROOM = (0.9, 0.9)  # of the window
_FLOWS = ("complete", "checks")


class ConvertDialog(QDialog):
    """`conversion` is what is shown; accepting makes it one entry of the session's history."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Convert the Agent"))
        self._session = session
        self.conversion: Conversion | None = None
        source = session.good.flow.format
        self.target, self.checks = Chooser(), Chooser()
        for format_id in TARGETS:
            if format_id != source:
                self.target.addItem(format_name(format_id), format_id)
        for way, name in (("verification", _("verification steps")), ("enum", _("an enum of their step"))):
            self.checks.addItem(name, way)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.before, self.after = GraphView(theme), GraphView(theme)
        self.lost = QPlainTextEdit()
        self.lost.setObjectName("explanation")
        self.lost.setReadOnly(True)
        self.lost.setTabChangesFocus(True)
        self.lost.setFont(ui_font(12))
        self.lost.setAccessibleName(_("What can't be carried over"))
        self.preview = FixPreview(theme)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._graphs(), _("Graphs"))
        self.tabs.addTab(self.preview, "")
        self.tabs.addTab(self.lost, "")
        self.button = QPushButton(_("Convert"))
        self.button.setProperty("primary", True)
        self.button.setDefault(True)
        self.button.clicked.connect(self._apply)
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self._arrange(has_checks=source == "checks")
        self.before.show_flow(session.good.flow, keep_positions=False, verdict=None)
        for chooser in (self.target, self.checks):
            chooser.currentIndexChanged.connect(self._work)
        room = parent.size()
        self.resize(int(room.width() * _ROOM[0]), int(room.height() * _ROOM[1]))
        self._work()

    def _graphs(self) -> QWidget:
        beside = QSplitter(Qt.Orientation.Horizontal)
        beside.setChildrenCollapsible(False)
        for view, name in ((self.before, _("Before")), (self.after, _("After"))):
            view.setAccessibleName(name)
            view.setMinimumWidth(120)
            head = QLabel(name)
            head.setFont(ui_font(12, QFont.Weight.DemiBold))
            head.setContentsMargins(12, 6, 12, 6)
            part = QWidget()
            column = QVBoxLayout(part)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(head)
            column.addWidget(view, 1)
            beside.addWidget(part)
        return beside

    def _arrange(self, *, has_checks: bool) -> None:
        choosing = QHBoxLayout()
        choosing.setSpacing(8)
        for text, chooser, shown in ((_("To"), self.target, True), (_("Checks become"), self.checks, has_checks)):
            label = QLabel(text)
            label.setFont(ui_font(12))
            label.setBuddy(chooser)
            chooser.setFont(ui_font(12))
            chooser.setAccessibleName(text)
            label.setVisible(shown)
            chooser.setVisible(shown)
            choosing.addWidget(label)
            choosing.addWidget(chooser)
        choosing.addStretch(1)
        self.told.setFont(ui_font(12))
        ending = QHBoxLayout()
        ending.addStretch(1)
        for button in (self.cancel, self.button):
            button.setFont(ui_font(12))
            ending.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        column.addLayout(choosing)
        column.addWidget(self.told)
        column.addWidget(self.tabs, 1)
        column.addLayout(ending)

    def showEvent(self, event: QShowEvent) -> None:
        """The graphs fit once they have their room."""
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        for view in (self.before, self.after):
            view.fit()

    def _work(self) -> None:
        """Work the conversion out and show it."""
        checks = cast("Checks", self.checks.currentData())
        session = self._session
        found = convert(session.folder, self.target.currentData(), checks, session.texts.buffers())
        if isinstance(found, Refusal):
            self.conversion = None
            self.told.setText(found.reason)
            self.tabs.hide()
            self.button.setEnabled(False)
            return
        self.conversion = found
        self.tabs.show()
        self.button.setEnabled(bool(found.edits))
        self.after.show_flow(found.after.flow, keep_positions=False, verdict=None)
        self._fit()
        self._show_texts(found)

    def _show_texts(self, found: Conversion) -> None:
        changes = [Change(path, old.text if old else "", new.text) for path, old, new in changes_of(found)]
        self.preview.show_offers([Offer(found.title, "", changes, lambda: "")])
        self.preview.button.hide()
        self.preview.title.hide()
        root, folder = found.before.root, found.before.folder
        lines = []
        for part in found.lost:
            place = part.file.relative_to(root).as_posix() if part.file.is_relative_to(root) else part.file.name
            lines.append(f"{part.what}: {part.why}\n    {place}{'#' if part.pointer else ''}{part.pointer}")
        lines += found.notes
        if found.unused:
            names = ", ".join(path.relative_to(folder).as_posix() for path in found.unused)
            text = _("Their text stands elsewhere now; delete them once you have saved: {paths}")
            lines.append(text.format(paths=names))
        self.lost.setPlainText("\n\n".join(lines))
        files = ngettext("Difference ({count} file)", "Difference ({count} files)", len(changes))
        self.tabs.setTabText(1, files.format(count=len(changes)))
        self.tabs.setTabText(2, _("Notes ({count})").format(count=len(lines)))
        count = len(found.lost)
        lost = ngettext(
            "{count} thing can't be carried over, or not as it was.",
            "{count} things can't be carried over, or not as they were.",
            count,
        ).format(count=count)
        self.told.setText(
            _("It has that format already: nothing has to change.")
            if not found.edits
            else lost
            if count
            else _("Everything is carried over.")
        )

    def _apply(self) -> None:
        if self.conversion is None:
            return
        session = self._session
        session.read_as(None)
        made = session.apply(self.conversion.edits, self.conversion.title, "convert")
        if isinstance(made, ReadProblem):
            from stepflow_gui.project.problem_text import describe

            self.told.setText(describe(made))
            return
        self.accept()


def convert_asked(window: "MainWindow") -> None:
    """Offer the conversion of the agent that is open."""
    if window.session is not None:
        dialog = ConvertDialog(window.session, window.theme, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

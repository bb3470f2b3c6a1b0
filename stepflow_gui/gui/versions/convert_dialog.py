"""Bringing the open agent into another format: before beside after, as graphs and as text, before anything changes."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
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
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.desk import Desk
from stepflow_gui.gui.document.background.work import Background, BackgroundJob
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.document.open_texts import text_on_disk
from stepflow_gui.gui.document.step_terms import in_words_of
from stepflow_gui.gui.problems.fix_preview import ChangeOffer, FilePreview, FixPreview
from stepflow_gui.gui.versions.conversions import Choices, ShownConversion, targets_of, worked_out
from stepflow_gui.gui.widgets.controls import Chooser
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import open_agent
from stepflow_gui.project.converting.pieces import SETTINGS_ELSEWHERE, release_of
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.files.store import ReadProblem

_ROOM = (0.9, 0.9)  # of the window
_SLOW = 200  # milliseconds of work after which its progress is shown


class ConvertDialog(QDialog):
    """`conversion` is what is shown; accepting makes it one entry of the document's history."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        piece = document.last_valid.registry.is_yaml
        title = in_words_of(document.last_valid.flow, _("Convert the Piece")) if piece else _("Convert the Agent")
        self.setWindowTitle(title)
        self._document = document
        self.conversion: ShownConversion | None = None
        self.target, self.checks = Chooser(), Chooser()
        for name, target in targets_of(document.last_valid):
            self.target.addItem(name, target)
        self.settings = QCheckBox(_("Move settings to runtime.yaml"))
        self.settings.setToolTip(_("Provider, model and options, which 0.60 and later refuse in the file"))
        self.settings.setVisible(piece)
        for destination, name in (("verification", _("verification steps")), ("enum", _("an enum of their step"))):
            self.checks.addItem(name, destination)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.before, self.after = GraphView(theme), GraphView(theme)
        self.lost = QPlainTextEdit()
        self.lost.setObjectName("explanation")
        self.lost.setReadOnly(True)
        self.lost.setTabChangesFocus(True)
        self.lost.setFont(ui_font(12))
        self.lost.setAccessibleName(_("What can't be kept"))
        self._worker = Background("stepflow-convert", self)
        self._worker.done.connect(self._show)
        self.finished.connect(self._worker.drop)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.timeout.connect(lambda: self.note.setText(_("Computing the changes…")))
        self.preview = FixPreview(theme)
        self._difference: ChangeOffer | None = None  # until it is looked at
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._graphs(), _("Graphs"))
        self.tabs.addTab(self.preview, "")
        self.tabs.addTab(self.lost, "")
        self.tabs.currentChanged.connect(self._show_difference)
        self.button = QPushButton(_("Convert"))
        self.button.setProperty("primary", True)
        self.button.setDefault(True)
        self.button.clicked.connect(self._apply)
        self.cancel = QPushButton(_("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self._arrange(has_checks=document.last_valid.flow.format == "checks")
        self.before.show_flow(document.last_valid.flow, keep_positions=False, verdict=None)
        for chooser in (self.target, self.checks):
            chooser.currentIndexChanged.connect(self._work)
        self.settings.toggled.connect(self._work)
        document.flow_changed.connect(self._work_again)
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
        self.settings.setFont(ui_font(12))
        choosing.addWidget(self.settings)
        choosing.addStretch(1)
        self.note.setFont(ui_font(12))
        ending = QHBoxLayout()
        ending.addStretch(1)
        for button in (self.cancel, self.button):
            button.setFont(ui_font(12))
            ending.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        column.addLayout(choosing)
        column.addWidget(self.note)
        column.addWidget(self.tabs, 1)
        column.addLayout(ending)

    def showEvent(self, event: QShowEvent) -> None:
        """The graphs fit once they have their room."""
        super().showEvent(event)
        self._fit()

    def _fit(self) -> None:
        for view in (self.before, self.after):
            view.camera.settle()  # small or not, all of both is compared
            view.fit()

    def _work(self) -> None:
        """Work the conversion out, beside the window, and show it then."""
        folder, unsaved = self._document.folder, self._document.texts.buffers()
        target = self.target.currentData()
        release = release_of(target)
        self.settings.setEnabled(bool(release and release & SETTINGS_ELSEWHERE))
        chosen = Choices(target, self.checks.currentData(), self.settings.isEnabled() and self.settings.isChecked())

        def work(job: BackgroundJob) -> ShownConversion | Refusal | ReadProblem | None:
            path = folder.registry.path
            agent = open_agent(path, unsaved, folder.flow.format or None)  # this thread's own
            if isinstance(agent, ReadProblem):
                return agent
            runtime = Configs(unsaved=unsaved).of(path).runtime(path, agent.format)
            return worked_out(agent, unsaved, runtime, chosen, job.is_cancelled)

        self.conversion = None
        self.button.setEnabled(False)
        self._slow.start(_SLOW)
        self._worker.start(work)

    def _work_again(self) -> None:
        """Another program changed a file."""
        if self.isVisible():
            self._work()

    def _show(self, found: ShownConversion | Refusal | ReadProblem) -> None:
        """Show what came out."""
        self._slow.stop()
        if not isinstance(found, ShownConversion):
            self.note.setText(describe(found) if isinstance(found, ReadProblem) else found.reason)
            self.tabs.hide()
            return
        self.conversion = found
        self.tabs.show()
        self.button.setEnabled(bool(found.edits))
        self.after.show_flow(found.flow, keep_positions=False, verdict=None)
        self._show_texts(found)
        QTimer.singleShot(0, self, self._fit)  # once the texts have taken their space

    def _show_texts(self, found: ShownConversion) -> None:
        changes = [FilePreview(path, old.text if old else "", new.text) for path, old, new in found.changes]
        self._difference = ChangeOffer(found.title, "", changes, lambda: "")
        self._show_difference()
        self.lost.setPlainText("\n\n".join(found.lines))
        files = ngettext("Difference ({count} file)", "Difference ({count} files)", len(changes))
        self.tabs.setTabText(1, files.format(count=len(changes)))
        self.tabs.setTabText(2, _("Notes ({count})").format(count=len(found.lines)))
        self.note.setText(found.summary)

    def _show_difference(self) -> None:
        """Write the difference down once it is looked at: it may have many lines."""
        if self._difference is None or self.tabs.currentWidget() is not self.preview:
            return
        self.preview.show_offers([self._difference])
        self._difference = None
        self.preview.button.hide()
        self.preview.title.hide()

    def _apply(self) -> None:
        if self.conversion is None:
            return
        document = self._document
        document.check_disk()
        if self.conversion is None:
            return  # a file that was read again is converted again
        if stale := self._stale(self.conversion):
            document.reread(stale)
            self._work()
            return
        document.read_as(None)
        made = document.apply(self.conversion.edits, self.conversion.title, "convert")
        if isinstance(made, ReadProblem):
            self.note.setText(describe(made))
            return
        self.accept()

    def _stale(self, conversion: ShownConversion) -> list[Path]:
        """The files that hold another text than the one that was converted."""
        found: list[Path] = []
        for path, old, _new in conversion.changes:
            text = self._document.texts.get(path)
            now = text.source.text if text is not None else text_on_disk(path)
            if now != (old.text if old is not None else None):
                found.append(path)
        return found


def convert_asked(desk: Desk, document: Document) -> None:
    """Offer the conversion of an agent."""
    dialog = ConvertDialog(document, desk.theme(), desk.window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()

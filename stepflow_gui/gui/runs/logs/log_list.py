"""The page of an agent's real runs: its logs, the newest first, to be opened or followed."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from stepflow_gui.gui.document.background.work import Background
from stepflow_gui.gui.widgets.controls import push_button, quiet_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Cell, Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.listing import MOST_LOGS, LogSummary, log_folders, newest_logs
from stepflow_gui.run.logs.log_text import ending_of, money


class LogListPage(QWidget):
    """`opened(path)`: a log is to be opened; `refreshed()`: the list is to be read again; `follow_wanted(on)`."""

    opened = Signal(object)
    refreshed = Signal()
    follow_wanted = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.refresh = push_button()
        self.follow = QCheckBox()
        self.summary = quiet_label()
        self.rows = Rows(5, theme)
        self.table = Table(self.rows, (150, 220, 78, 84, 0))
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.activated.connect(lambda index: self.opened.emit(self.table.key_at(index.row())))
        self.refresh.clicked.connect(self.refreshed)
        self.follow.toggled.connect(self.follow_wanted)
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(12)
        row.addWidget(self.refresh)
        row.addWidget(self.follow)
        row.addWidget(self.summary, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.refresh.setText(_("Refresh"))
        self.follow.setText(_("Follow the newest log"))
        self.follow.setToolTip(_("Show the log that was written to last, and what is added to it."))
        self.follow.setFont(ui_font(12))
        self.rows.set_headings(_("Began"), _("End"), _("Iterations"), _("Cost"), _("File"))
        self.table.setAccessibleName(_("Logs of real runs, the newest first"))

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self.rows.set_theme(theme)

    def show_logs(self, logs: Sequence[LogSummary], folders: Sequence[Path], root: Path) -> None:
        """Show what was found in these folders."""
        self.rows.show_all([_row(each) for each in logs])
        names = ", ".join(str(each.relative_to(root)) if each.is_relative_to(root) else str(each) for each in folders)
        if not folders:
            text = _(
                "agent.json names a folder outside the project for its logs. Open a log with File ▸ Open Run Log…."
            )
        elif not logs:
            text = _("No logs in {folders}").format(folders=names)
        elif len(logs) == MOST_LOGS:
            text = _("The newest {count} logs in {folders}").format(count=MOST_LOGS, folders=names)
        else:
            text = ngettext("{count} log in {folders}", "{count} logs in {folders}", len(logs))
            text = text.format(count=len(logs), folders=names)
        self.summary.setText(text)


class LogListing:
    """Fills such a page off the window's thread."""

    def __init__(self, page: LogListPage, parent: QWidget) -> None:
        self.page = page
        self._agent: AgentFolder | None = None
        self._worker = Background("stepflow-logs", parent)
        self._worker.done.connect(self._done)

    @property
    def is_busy(self) -> bool:
        """Whether the folders are being read."""
        return self._worker.is_busy

    def detach(self) -> None:
        """Give up what is read."""
        self._worker.drop()
        self._worker.deleteLater()

    def show(self, agent: AgentFolder) -> None:
        """List the logs of an agent."""
        self._agent = agent
        self.page.summary.setText(_("Reading the folders …"))
        self._worker.start(lambda _job: newest_logs(agent))

    def _done(self, result: object) -> None:
        if isinstance(result, list) and self._agent is not None:
            self.page.show_logs(result, log_folders(self._agent), self._agent.root)


def _row(log: LogSummary) -> TableRow:
    token = {"finished": "closure", "failed": "error", "limit": "error", "unfinished": "warning"}[log.end]
    cost, tip = money(log.cost), ""
    if log.cost is not None and not log.whole:
        cost, tip = f"≥ {cost}", _("Only the beginning and end of this log were read for the list.")
    iterations = "" if log.iterations is None else str(log.iterations)
    end = ending_of(log.end, log.code)
    cells = (Cell(_time_of(log)), Cell(end, token=token), Cell(iterations), Cell(cost), Cell(log.path.name, mono=True))
    return TableRow(cells, log.path, tip or str(log.path))


def _time_of(log: LogSummary) -> str:
    """When the run began, in local time; when the file was changed where the log has no time."""
    try:
        began = datetime.fromisoformat(log.began or "").astimezone()
    except (ValueError, OverflowError, OSError):
        began = datetime.fromtimestamp(max(0.0, min(log.changed, 32_503_680_000.0))).astimezone()
    return began.strftime("%Y-%m-%d %H:%M:%S")

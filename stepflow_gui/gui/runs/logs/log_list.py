"""The page of an agent's real runs: its logs, the newest first, to be opened or followed."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from stepflow_gui.gui.document.background.work import Background
from stepflow_gui.gui.widgets.controls import Chooser, name_it, push_button, quiet_label
from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.table import Cell, Rows, Table, TableRow
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.gui.widgets.wrap_layout import WrapLayout
from stepflow_gui.messages import _, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.logs.listing import MOST_LOGS, LogSummary, log_folders, newest_logs, worktree_folders
from stepflow_gui.run.logs.log_text import ending_of, money


class LogListPage(QWidget):
    """`opened(path)`: a log is to be opened; `refreshed()`: the list is to be read again; `follow_wanted(on)`.

    `folder_wanted()`: another folder is to be listed, too; `heat_picked()`: by what all logs tint the graph.
    """

    opened = Signal(object)
    refreshed = Signal()
    follow_wanted = Signal(bool)
    folder_wanted = Signal()
    heat_picked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.refresh = push_button()
        self.follow = QCheckBox()
        self.add_folder = push_button()
        self.worktrees = QCheckBox()
        self.heat = Chooser()
        self.summary = quiet_label()
        self.rows = Rows(5, theme)
        self.table = Table(self.rows, (150, 220, 78, 84, 0))
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.activated.connect(lambda index: self.opened.emit(self.table.key_at(index.row())))
        self.refresh.clicked.connect(self.refreshed)
        self.follow.toggled.connect(self.follow_wanted)
        self.add_folder.clicked.connect(self.folder_wanted)
        self.worktrees.toggled.connect(lambda _on: self.refreshed.emit())
        self.heat.activated.connect(lambda _at: self.heat_picked.emit())
        controls = QWidget()
        row = WrapLayout(controls, gap=8)
        row.setContentsMargins(12, 4, 12, 0)
        for widget in (self.refresh, self.add_folder, self.worktrees, self.follow, self.heat):
            row.addWidget(widget)
        self.summary.setContentsMargins(12, 2, 12, 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(controls)
        column.addWidget(self.summary)
        column.addWidget(self.table, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        self.refresh.setText(_("Refresh"))
        self.follow.setText(_("Follow the newest log"))
        self.follow.setToolTip(_("Show the log that was written to last, and what is added to it."))
        self.add_folder.setText(_("Add Folder…"))
        self.add_folder.setToolTip(_("List the logs of this agent in another folder, too."))
        self.worktrees.setText(_("Other worktrees"))
        self.worktrees.setToolTip(_("Also list the logs in the other git worktrees of this project."))
        name_it(self.heat, _("What all listed logs show on the graph"))
        chosen = self.heat.currentIndex()
        self.heat.clear()
        rows = (
            (None, _("Heat: off")),
            ("visits", _("Heat: visits")),
            ("seconds", _("Heat: time")),
            ("cost", _("Heat: cost")),
        )
        for key, title in rows:
            self.heat.addItem(title, key)
        self.heat.setCurrentIndex(max(0, chosen))
        for widget in (self.follow, self.worktrees, self.heat):
            widget.setFont(ui_font(12))
        self.rows.set_headings(_("Began"), _("End"), _("Iterations"), _("Cost"), _("File"))
        self.table.setAccessibleName(_("Logs of real runs, the newest first"))

    @property
    def logs(self) -> list[Path]:
        """The logs that are listed."""
        return [path for at in range(self.rows.rowCount()) if isinstance(path := self.table.key_at(at), Path)]

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
        self.folders: list[Path] = []  # that the person added
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
        folders, worktrees = list(self.folders), self.page.worktrees.isChecked()

        def work(_job: object) -> tuple[list[LogSummary], list[Path]]:
            more = [*folders, *(worktree_folders(agent) if worktrees else ())]
            return newest_logs(agent, more), [*log_folders(agent), *more]

        self._worker.start(work)

    def _done(self, result: object) -> None:
        if isinstance(result, tuple) and self._agent is not None:
            logs, folders = result
            self.page.show_logs(logs, folders, self._agent.root)
            self.page.heat_picked.emit()


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

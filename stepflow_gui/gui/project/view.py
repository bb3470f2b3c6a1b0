"""The project that a shell shows beside its agents: found and checked in a process, shown in the window in front."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from stepflow_gui.gui.desk import CreateMissing, ShowSource
from stepflow_gui.gui.project.check_client import CheckClient
from stepflow_gui.gui.project.check_process import Answer, CheckedAgents, Rested, ScanProgress, ScanResult
from stepflow_gui.gui.project.model import ProjectModel
from stepflow_gui.gui.project.panel import ProjectPanel
from stepflow_gui.gui.project.project_page import PAGE
from stepflow_gui.gui.project.tabs import Tabs
from stepflow_gui.gui.project.tree import AgentNode, TreeNode
from stepflow_gui.lint.engine.project_status import Health
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.document import YAML_ENDINGS
from stepflow_gui.text.source import Span

if TYPE_CHECKING:
    from stepflow_gui.gui.document.document import Document

_SOON = 200  # milliseconds after a change until it is looked for
_PATIENCE = 1_000  # milliseconds that the work may take to stop when it is cancelled
_EVERY = 5.0  # seconds at least between two looks while nothing happens here
_SHARE = 20  # and so many times what a look takes


class ProjectView(QObject):
    """One project at a time. `show_root` shows another, `close` none."""

    def __init__(self, tabs: Tabs, parent: QObject) -> None:
        super().__init__(parent)
        self._tabs = tabs
        self.root: Path | None = None
        self.model = ProjectModel(self)
        self.panel = ProjectPanel(self.model, tabs.current.desk.theme())
        self.panel.opened.connect(self.open)
        self.panel.expanded.connect(self._expanded)
        self.panel.closed.connect(self.close)
        self.panel.foot.cancelled.connect(self.cancel)
        self.panel.foot.go_on_asked.connect(self.go_on)
        self._work: CheckClient | None = None
        self._waiting: set[Path] = set()  # still to be checked
        self._at_work = self._looking = self._broken = False
        self._checked = False  # something since the last rest
        self._documents: dict[Document, object] = {}
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON)
        self._soon.timeout.connect(self.look)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE)
        self._patience.timeout.connect(self._end_work)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._look_again)

    # What is shown

    @property
    def checked(self) -> int:
        """How many agents were checked."""
        return len(self.model.agents) - len(self._waiting)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is being looked for or checked."""
        return not self._at_work and not self._soon.isActive()

    def show_root(self, root: Path) -> None:
        """Show the agents below a folder."""
        if root != self.root:
            self.close()
            self.root = root
            self.model.show_agents([])
            self.panel.forget()
            self.panel.show_name(root)
            self._work = CheckClient(root, self)
            self._work.answered.connect(self._answered)
            self._work.ended.connect(self._ended)
            self.follow()
            self.look()
        self.attach(shown=True)

    def attach(self, *, shown: bool = False) -> None:
        """Have the panel in the window in front, where it is to be seen if it was to be seen before."""
        if self.root is None:
            return
        current = self._tabs.current
        holder = next((window for window in self._tabs.windows if window.desk.side.can_show(PAGE)), None)
        seen = shown or holder is None or holder.desk.side.shown == PAGE
        current.project.hold(self.panel)
        if seen:
            current.project.show()
        self._mark_current()

    def close(self) -> None:
        """Show no project."""
        if self._work is not None:
            self._work.close()
            self._work.deleteLater()
            self._work = None
        self.root = None
        self._soon.stop()
        self._again.stop()
        self._patience.stop()
        self._waiting = set()
        self._at_work = self._looking = self._broken = False
        for window in self._tabs.windows:
            window.project.let_go()
        self.panel.hide()
        self.panel.setParent(None)  # else it would go with the window that had it last

    def end(self) -> None:
        """The program ends."""
        self.close()
        self.panel.deleteLater()

    def focus(self) -> None:
        """Go to the tree."""
        self.attach(shown=True)
        self.panel.focus_tree()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.panel.retranslate()
        self.panel.set_theme(self._tabs.current.desk.theme())

    def update_theme(self) -> None:
        """Show the look that was chosen."""
        self.panel.set_theme(self._tabs.current.desk.theme())

    # Looking and checking

    def look(self) -> None:
        """Look for agents now, and check what changed."""
        if self._work is None:
            return
        self._soon.stop()
        self._again.stop()
        if not self.model.agents:
            self._looking = self._at_work = True
            self.panel.foot.show_looking()
        self._broken = False
        self._work.look()

    def look_soon(self) -> None:
        """Files may have changed."""
        if self.root is not None and not self._at_work:
            self._soon.start()

    def cancel(self) -> None:
        """Look and check no further."""
        if self._work is None:
            return
        if self._looking:
            self._end_work()
        else:
            self._work.stop()
            self._patience.start()

    def go_on(self) -> None:
        """Check what is left."""
        if self._work is None:
            return
        if self._broken:
            self.look()
            return
        self._at_work = True
        self._patience.stop()
        self._work.go_on()
        self._show_progress()

    def follow(self) -> None:
        """Agents were opened or closed: their texts here are what counts, changes that aren't saved included."""
        documents = [window.document for window in self._tabs.windows if window.document is not None]
        for gone in [document for document in self._documents if document not in documents]:
            del self._documents[gone]
            self.look_soon()
        for document in documents:
            if document not in self._documents:
                self._documents[document] = None
                document.diagnostics_changed.connect(self._show_live)
                document.saved.connect(self.look_soon)
        self._show_live()

    # The person

    def open(self, node: TreeNode) -> None:
        """Show an agent, or a file of it, in its tab; of one that doesn't exist where it was looked for."""
        tabs, agent = self._tabs, node.agent
        report = agent.examined
        if report is not None and report.problem is not None and (node.kind == "agent" or report.listing is None):
            tabs.current.desk.notices.show("warning", describe(report.problem))
            return
        if not tabs.open(agent.key):
            return
        tab = tabs.current
        if node.kind == "agent" or tab.document is None:
            return
        if node.file is not None and node.file.role == "agent":
            tab.desk.actions["focus-agent"].trigger()
        elif not node.there:
            tab.desk.wish(CreateMissing(node.path))
        elif node.path != tab.document.path:
            tab.desk.wish(ShowSource(node.path, Span(0, 0), focus=True))

    # Inside

    def _expanded(self, agent: AgentNode) -> None:
        if agent.examined is None and self._work is not None:
            self._work.first(agent.key)

    def _answered(self, answer: Answer) -> None:
        match answer:
            case ScanProgress(keys):
                self.model.add_agents(keys)
            case ScanResult(keys, waiting, problems):
                self._looking = False
                self._waiting = set(waiting)
                self._at_work = bool(waiting)
                self.model.show_agents(keys)
                self._show_live()
                self.panel.foot.show_unread(problems)
                self._show_progress()
            case CheckedAgents(examined):
                self._checked = True
                self._waiting.difference_update(each.key for each in examined)
                self.model.update_agents(examined)
                self._show_progress()
            case Rested(left, took):
                self._patience.stop()
                self._at_work = False
                if self._checked:
                    self.model.settle()
                self._checked = False
                self._show_progress()
                if not left:
                    self._again.start(round(1000 * max(_EVERY, _SHARE * took)))

    def _look_again(self) -> None:
        # Programs may write files unnoticed by us; no need to know while the panel isn't visible.
        if self.panel.isVisible() and self._tabs.isActiveWindow():
            self.look()

    def _end_work(self) -> None:
        # Cancelled during work that can't be: looking for agents, a huge registry.
        if self._work is not None and self._at_work:
            self._work.end()
            self._ended()

    def _ended(self) -> None:
        self._looking = self._at_work = False
        self._broken = True
        self._show_progress()

    def _show_progress(self) -> None:
        agents = self.model.agents
        troubled = 0 if self._at_work else sum(agent.troubled for agent in agents.values())
        notes = sum(agent.health.infos for agent in agents.values() if agent.health)
        self.panel.foot.count_pieces(sum(agent.key.suffix in YAML_ENDINGS for agent in agents.values()))
        self.panel.foot.show_progress(
            self.checked, len(agents), troubled, notes, at_work=self._at_work, broken=self._broken
        )

    def _show_live(self) -> None:
        health: dict[Path, Health] = {}
        opened = []
        for document in self._documents:
            opened.append(document.path)
            if document.checked:
                counts = Counter(found.severity for found in document.diagnostics)
                health[document.path] = Health(counts["error"], counts["warning"], counts["info"])
        self.model.set_live(health, opened)

    def _mark_current(self) -> None:
        document = self._tabs.current.document
        if document is not None and not self.panel.tree.hasFocus():
            index = self.model.find(document.path)
            if index.isValid():
                self.panel.tree.setCurrentIndex(index)

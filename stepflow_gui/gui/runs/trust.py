"""The sign in the status bar that shows whether the open folder is trusted, with a menu to change that."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton

from stepflow_gui.gui.widgets.fonts import ui_font
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.trust import Trust, TrustState


class TrustSign(QToolButton):
    """`changed` is emitted when the user has trusted the folder or ended that trust, `failed` with why it can't be."""

    changed = Signal()
    failed = Signal(str)

    def __init__(self, trust: Trust, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("trust")
        self.setProperty("flat", True)
        self.setIconSize(QSize(14, 14))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._trust = trust
        self._theme = theme
        self._agent: AgentFolder | None = None
        self._state: TrustState = "untrusted"
        self._menu = QMenu(self)
        self._change = self._menu.addAction("")
        self._change.triggered.connect(self.toggle)
        self.setMenu(self._menu)
        self.show_agent(None)

    @property
    def trusted(self) -> bool:
        """Whether the folder is trusted with the commands that its agent has now."""
        return self._state == "trusted"

    def show_agent(self, agent: AgentFolder | None) -> None:
        """Show whether the folder of an agent is trusted with its commands; None: no folder is open."""
        self._agent = agent
        self._state = "untrusted" if agent is None else self._trust.trust_state_of(agent)
        self.setVisible(agent is not None)
        self.retranslate()

    def set_theme(self, theme: Theme) -> None:
        """Take another look."""
        self._theme = theme
        self.retranslate()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        self.setFont(ui_font(12))
        self.setText(_("Trusted") if self.trusted else _("Restricted mode"))
        self.setIcon(self._theme.icon("shield", "closure" if self.trusted else "muted"))
        if self.trusted:
            self._change.setText(_("Stop Trusting This Folder"))
            self.setToolTip(_("Commands of validators may be run in this folder."))
        else:
            self._change.setText(_("Trust This Folder"))
            if self._state == "changed":
                self.setToolTip(_("The commands have changed since this folder was trusted, so none is run."))
            else:
                self.setToolTip(_("Nothing of this folder is run: commands of validators are simulated."))
        self.setAccessibleName(self.toolTip())

    def toggle(self) -> None:
        """Trust the folder, or end that trust."""
        agent = self._agent
        if agent is None:
            return
        problem = self._trust.remove(agent.root) if self.trusted else self._trust.add(agent.root, agent)
        if problem is not None:
            self.failed.emit(problem.message)
            return
        self.show_agent(agent)
        self.changed.emit()

"""The switch of the tab row: Flow | Source | Agent, and the button that shows flow and source beside each other."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QToolButton

from stepflow_gui.gui.app.frame.switch import Switch
from stepflow_gui.gui.desk import Desk, Feature
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.widgets.actions import shown_keys
from stepflow_gui.gui.widgets.controls import name_it, tool_button
from stepflow_gui.gui.widgets.frame.middle import View
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import _

FLOW, SOURCE, AGENT = "flow", "source", "agent"


class ViewSwitch(QObject, Feature):
    """What the middle shows. `has_agent`: whether the agent has a page, `agent_open`: whether it is in front."""

    def __init__(
        self,
        desk: Desk,
        show_view: Callable[[View], object],
        has_agent: Callable[[], bool],
        agent_open: Callable[[], bool],
    ) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._show_view = show_view
        self._has_agent = has_agent
        self._agent_open = agent_open
        self.switch = Switch((FLOW, SOURCE, AGENT))
        self.switch.picked.connect(self._picked)
        self.split: QToolButton = tool_button("split-view")
        self.split.setCheckable(True)
        self.split.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.split.clicked.connect(self._toggle_split)
        desk.middle.changed.connect(self.show_now)
        desk.pages.currentChanged.connect(lambda _at: self.show_now())

    def set_document(self, document: Document | None) -> None:
        """Another agent is open, or none. What there is no view of stays in its place: the row is always the same."""
        for button in (*self.switch.buttons.values(), self.split):
            button.setEnabled(document is not None)
        self.switch.buttons[AGENT].setEnabled(self._has_agent())
        self.show_now()

    def retranslate(self) -> None:
        """Show everything in the language in use."""
        flow, source, agent = _("Flow"), _("Source"), _("Agent")
        actions = self._desk.actions
        keys = [shown_keys(actions[each].shortcut()) for each in ("focus-canvas", "focus-agent", "next-view")]
        tips = [f"{text} ({key})" if key else text for text, key in zip((flow, agent), keys, strict=False)]
        self.switch.set_texts(_("Views"), (flow, source, agent), (tips[0], source, tips[1]))
        name_it(self.split, _("Flow and source beside each other"), keys[2])

    def set_theme(self, theme: Theme) -> None:
        """Paint in another theme."""
        self.split.setIcon(theme.icon("split"))

    def show_now(self) -> None:
        """Show which view is in front."""
        view = self._desk.middle.view
        front = AGENT if self._has_agent() and self._agent_open() else FLOW
        self.switch.show_picked(SOURCE if view == "source" else front)
        self.split.setChecked(view == "split")

    def _picked(self, name: str) -> None:
        if name == SOURCE:
            self._show_view("source")
        else:
            if self._desk.middle.view == "source":
                self._show_view("flow")
            self._desk.actions["focus-canvas" if name == FLOW else "focus-agent"].trigger()
        self.show_now()

    def _toggle_split(self, on: bool) -> None:
        self._show_view("split" if on else "flow")
        self.show_now()

"""Holds a flow that was read back for a moment, so that the findings about the same text are shown first."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from stepflow_gui.project.agent_folder import AgentFolder

_PATIENCE = 150  # milliseconds


class FlowAfterFindings(QObject):
    """Showing another flow keeps the window busy for some frames; findings are a few badges, and what is waited for.

    `show(version, folder)` is called when the latest flow is to be shown.
    """

    def __init__(self, parent: QObject, show: Callable[[int, AgentFolder], None]) -> None:
        super().__init__(parent)
        self._show = show
        self._held: tuple[int, AgentFolder] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._give)

    def hold(self, version: int, folder: AgentFolder, *, linted: bool) -> None:
        """Instead of what is held now: until the findings are there, which they are if `linted`."""
        self._held = version, folder
        self._timer.start(0 if linted else _PATIENCE)

    def found(self) -> None:
        """The findings are there: what is painted now is painted first."""
        if self._held is not None:
            self._timer.start(0)

    def close(self) -> None:
        """Give nothing any more."""
        self._timer.stop()

    def _give(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._show(*held)

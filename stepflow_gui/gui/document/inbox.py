"""Brings what worker threads found out to the window's thread, findings before the flow that they are about."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from shiboken6 import isValid

from stepflow_gui.project.agent_folder import AgentFolder

_PATIENCE = 600  # milliseconds that a flow waits for its findings: longer than those of 3,000 steps take


class Inbox:
    """Calls `receive` in the window's thread with what was posted in any thread, in its order.

    Nothing is received after `close`, nor once `owner` is gone. A signal of the owner's own, emitted in a thread, would
    be queued for an object that may be taken down while it waits. Made in the window's thread.
    """

    def __init__(self, owner: QObject, receive: Callable[..., None]) -> None:
        self._owner = owner
        self._receive = receive
        self._closed = False
        self._postman = _Postman.of_the_process()

    def post(self, *values: object) -> None:
        """Have the values received soon. May be called in any thread, and after `close`."""
        if self._closed:
            return
        try:
            self._postman.posted.emit(self, values)
        except RuntimeError:  # Qt has been taken down: the program ends
            self._closed = True

    def close(self) -> None:
        """Stop receiving anything, even what is already sent. Call this in the window's thread."""
        self._closed = True

    def take(self, values: tuple[object, ...]) -> None:
        """What was posted has come into the window's thread."""
        if not self._closed and isValid(self._owner):
            self._receive(*values)


class _Postman(QObject):
    """Lives as long as the process, so that what is queued for it always finds it."""

    posted = Signal(object, object)
    _only: "_Postman | None" = None

    def __init__(self) -> None:
        super().__init__()
        self.posted.connect(self.deliver, Qt.ConnectionType.QueuedConnection)

    @classmethod
    def of_the_process(cls) -> "_Postman":
        if cls._only is None or not isValid(cls._only):  # the latter where another application was made
            cls._only = cls()
        return cls._only

    @Slot(object, object)
    def deliver(self, inbox: Inbox, values: tuple[object, ...]) -> None:
        inbox.take(values)


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

"""The explore page of a piece: everything that runs can do, looked for beside the window's thread."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.runs.panel.page import ScrolledPage, WrappedLine, read_text
from stepflow_gui.gui.widgets.controls import push_button
from stepflow_gui.gui.widgets.fonts import mono_font
from stepflow_gui.messages import _
from stepflow_gui.run.takt.exploring import explore
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.report import table

_LEAST_TEXT = 96  # pixels of height
_PATIENCE = 5.0  # seconds that a search has to end after it was cancelled


class _Search(QObject):
    """One search on a thread of its own. `done` carries the lines of the table; nothing once it was cancelled."""

    done = Signal(list)

    def __init__(self, machine: PieceMachine, start: str | None) -> None:
        super().__init__()
        self._machine = machine
        self._start = start
        self._off = threading.Event()
        self._inbox = Inbox(self, self.done.emit)
        self._thread = threading.Thread(target=self._work, name="explore piece", daemon=True)

    def start(self) -> None:
        """Begin. `done` is to be connected before: a small piece is searched at once."""
        self._thread.start()

    def call_off(self) -> None:
        """End it, and wait until it has."""
        self._off.set()
        self._inbox.close()
        self._thread.join(_PATIENCE)

    def _work(self) -> None:
        found = explore(self._machine, self._start, self._off.is_set)
        if not self._off.is_set():
            self._inbox.post(list(table(self._machine, found)))


class PieceExplore(ScrolledPage):
    """Shows what was found last. `make` gives the piece as it is now and where it starts; None: it can't be run.

    `worded` puts a text into the words of the file.
    """

    def __init__(
        self, make: Callable[[], tuple[PieceMachine, str | None] | None], worded: Callable[[str], str]
    ) -> None:
        super().__init__()
        self._worded = worded
        self._make = make
        self._search: _Search | None = None
        self.note = WrappedLine()
        self.go = push_button()
        self.text = read_text(_LEAST_TEXT)
        self.column.setContentsMargins(12, 6, 12, 6)
        self.column.setSpacing(6)
        self.column.addWidget(self.note)
        self.column.addWidget(self.go)
        self.column.addWidget(self.text, 1)
        self.go.clicked.connect(self._clicked)
        self.retranslate()

    @property
    def busy(self) -> bool:
        """Whether a search goes on."""
        return self._search is not None

    def retranslate(self) -> None:
        """Name everything in the language in use."""
        text = _("Every rule of every movement is tried, with each result of sub-steps and judges.")
        self.note.show_text(self._worded(text))
        self.go.setText(_("Cancel") if self.busy else _("Explore"))
        self.text.setAccessibleName(_("What exploring has found"))
        self.text.setFont(mono_font(12))

    def forget(self) -> None:
        """The piece has changed: what was found no longer holds."""
        self.close_search()
        self.text.clear()

    def close_search(self) -> None:
        """Call off what goes on."""
        search, self._search = self._search, None
        if search is not None:
            search.call_off()
            search.deleteLater()
        self.retranslate()

    def _clicked(self) -> None:
        if self.busy:
            self.close_search()
            return
        made = self._make()
        if made is None:
            return
        self.text.setPlainText(_("Exploring …"))
        search = self._search = _Search(*made)
        search.done.connect(self._found)
        search.start()
        self.retranslate()

    def _found(self, lines: list[str]) -> None:
        if self._search is not None and self.sender() is self._search:
            self.text.setPlainText("\n".join(lines))
            self._search.deleteLater()
            self._search = None
            self.retranslate()

"""Keeps what is unsaved in a journal while it is written, and gives back what a program that died had not saved."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from stepflow_gui.gui.session import Session
from stepflow_gui.text.journal import Journal, Unsaved

_PAUSE = 500  # milliseconds from a change to the journal; a crash loses no more than this


class Recovery(QObject):
    """One for the whole program. The journal is written in a thread, so that a slow disk never stops the typing.

    `failed(reason)` is emitted once where the journal can't be written: changes are safe only after a save then.
    """

    failed = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._journal = Journal(folder)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._sessions: list[Session] = []
        self._noted: dict[Path, object] = {}  # the text of each file as it was handed to the journal
        self._told = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PAUSE)
        self._soon.timeout.connect(self.note)

    def follow(self, session: Session) -> None:
        """Keep what is unsaved in a session until `leave`."""
        self._sessions.append(session)
        session.text_changed.connect(self._changed)
        session.saved.connect(self.note)

    def leave(self, session: Session) -> None:
        """The session closes; the person was asked about what is unsaved."""
        if session not in self._sessions:
            return
        self._sessions.remove(session)
        session.text_changed.disconnect(self._changed)
        session.saved.disconnect(self.note)
        for text in session.texts:
            self._forget(text.path)

    def note(self) -> None:
        """Write what is unsaved now, and take out what was saved."""
        self._soon.stop()
        for session in self._sessions:
            for text in session.texts:
                if not text.unsaved:
                    self._forget(text.path)
                elif self._noted.get(text.path) is not text.source:
                    self._noted[text.path] = text.source
                    job = self._writer.submit(self._journal.note, text.path, text.source, text.base, session.path)
                    job.add_done_callback(self._written)

    def left(self, opened: Path | None = None) -> list[Unsaved]:
        """What programs that died had not saved: of the agent whose registry was opened, or of all."""
        found = self._journal.left()
        return found if opened is None else [unsaved for unsaved in found if unsaved.opened == opened]

    def discard(self, left: Sequence[Unsaved]) -> None:
        """What was left isn't wanted, or is in a window again and in the journal of this program."""
        self.note()
        self.settle()
        for unsaved in left:
            self._journal.discard_left(unsaved.path)

    def settle(self) -> None:
        """Wait until everything handed to the journal is on disk."""
        self._writer.submit(lambda: None).result()

    def close(self) -> None:
        """The program ends well: nothing of it is to be recovered."""
        self._soon.stop()
        self._writer.shutdown()
        self._journal.close()

    def _changed(self, *_of_what: object) -> None:
        if not self._soon.isActive():  # not begun anew by each key: who types without a pause is kept, too
            self._soon.start()

    def _forget(self, path: Path) -> None:
        if self._noted.pop(path, None) is not None:
            self._writer.submit(self._journal.forget, path)

    def _written(self, job: "Future[str | None]") -> None:
        # In the journal's thread; the signal brings it over to the window's.
        reason = job.result()
        if reason is not None and not self._told:
            self._told = True
            self.failed.emit(reason)

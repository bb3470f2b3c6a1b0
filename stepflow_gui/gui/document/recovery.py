"""Keeps what is unsaved in a journal while it is written, and gives back what a program that died had not saved."""

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from stepflow_gui.gui.document.document import Document
from stepflow_gui.project.open_marks import OpenMarks
from stepflow_gui.text.files.journal import Journal, Unsaved

_PAUSE = 500  # milliseconds from a change to the journal; a crash loses no more than this


class _Followed(NamedTuple):
    """A document's own journal, so that two that hold the same file never write over each other's text of it."""

    journal: Journal
    noted: dict[Path, object]  # the text of each file as it was handed to the journal


class Recovery(QObject):
    """One for the whole program. The journal is written in a thread, so a slow disk never stops the typing.

    `failed(reason)` is emitted once where the journal can't be written: changes are safe only after a save then.
    """

    failed = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None, marks: OpenMarks | None = None) -> None:
        super().__init__(parent)
        self.folder = folder  # where the texts are kept
        self.marks = marks  # of what is open, for other programs of this person
        self._reader = Journal(folder)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._followed: dict[Document, _Followed] = {}
        self._reported = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_PAUSE)
        self._soon.timeout.connect(self.note)

    def follow(self, document: Document) -> None:
        """Keep what is unsaved in a document until `leave`."""
        self._followed[document] = _Followed(Journal(self.folder), {})
        document.text_changed.connect(self._changed)
        document.saved.connect(self.note)

    def leave(self, document: Document) -> None:
        """The document closes; the person was asked about what is unsaved."""
        followed = self._followed.pop(document, None)
        if followed is None:
            return
        document.text_changed.disconnect(self._changed)
        document.saved.disconnect(self.note)
        self._writer.submit(followed.journal.close)

    def note(self) -> None:
        """Write what is unsaved now, and take out what was saved."""
        self._soon.stop()
        for document, (journal, noted) in self._followed.items():
            for text in document.texts:
                if not text.unsaved:
                    if noted.pop(text.path, None) is not None:
                        self._writer.submit(journal.forget, text.path)
                elif noted.get(text.path) is not text.source:
                    noted[text.path] = text.source
                    job = self._writer.submit(journal.note, text.path, text.source, text.base, document.path)
                    job.add_done_callback(self._written)

    def left(self, opened: Path | None = None) -> list[Unsaved]:
        """What programs that died had not saved: of the agent whose registry was opened, or of all."""
        found = []
        for unsaved in self._reader.left():
            if unsaved.saved:
                self._reader.discard_left(unsaved)
            else:
                found.append(unsaved)
        if opened is None:
            return found
        real = os.path.realpath(opened)
        return [unsaved for unsaved in found if unsaved.opened and os.path.realpath(unsaved.opened) == real]

    def discard(self, left: Sequence[Unsaved]) -> None:
        """What was left isn't wanted, or is in a window again and in the journal of this program."""
        self.note()
        self.settle()
        for unsaved in left:
            self._reader.discard_left(unsaved)

    def settle(self) -> None:
        """Wait until everything handed to the journal is on disk."""
        self._writer.submit(lambda: None).result()

    def close(self) -> None:
        """Close as the program exits: open, unsaved texts are kept for the next start, as no one was asked."""
        self.note()
        for document, (journal, _noted) in self._followed.items():
            self._writer.submit(journal.leave if document.unsaved else journal.close)
        self._followed.clear()
        self._writer.shutdown()
        if self.marks is not None:
            self.marks.close()

    def _changed(self, *_of_what: object) -> None:
        if not self._soon.isActive():  # not begun again by each key: who types without a pause is kept, too
            self._soon.start()

    def _written(self, job: "Future[str | None]") -> None:
        # In the journal's thread; the signal brings it over to the window's.
        reason = job.result()
        if reason is not None and not self._reported:
            self._reported = True
            self.failed.emit(reason)

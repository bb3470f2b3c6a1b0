"""Works out what fixing all would change, off the window's thread."""

import threading
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.inbox import Inbox
from stepflow_gui.gui.document.lint_worker import Snapshot
from stepflow_gui.lint.diagnostic import Diagnostic, Fix
from stepflow_gui.lint.engine.configured_lint import fix_all_as_configured
from stepflow_gui.lint.fixing import any_fixes, safe_fixes
from stepflow_gui.text.source import Source


class _GivenUpError(Exception):
    """The answer is no longer needed."""


class FixAllJob(QObject):
    """One question at a time: `done(version, Fixed | ReadProblem)` is emitted in the thread this object lives in.

    Nothing is emitted of a question that was given up.
    """

    done = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._inbox = Inbox(self, self._worked_out)

    def ask(self, snapshot: Snapshot, code: str | None) -> None:
        """Work out all fixes of a rule, suggested ones too; without a rule the safe fixes of all."""
        self.close()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(snapshot, code, self._stop), name="stepflow-fix")
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether a question is being worked on."""
        return self._thread is not None and self._thread.is_alive()

    def close(self) -> None:
        """Give the question up and wait until nothing runs any more."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _worked_out(self, stop: threading.Event, version: int, fixed: object) -> None:
        if not stop.is_set():
            self.done.emit(version, fixed)

    def _work(self, snapshot: Snapshot, code: str | None, stop: threading.Event) -> None:
        def choosing(found: Diagnostic) -> Sequence[Fix]:
            if stop.is_set():
                raise _GivenUpError
            if code is not None and found.code != code:
                return ()
            fixes = safe_fixes(found) if code is None else any_fixes(found)
            return [fix for fix in fixes if not fix.unmarked]  # the history holds text edits only

        unsaved = {path: Source(text, bom) for path, text, bom in snapshot.texts}
        try:
            fixed = fix_all_as_configured(snapshot.path, choosing, unsaved)
        except _GivenUpError:
            return
        if not stop.is_set():
            self._inbox.post(stop, snapshot.version, fixed)

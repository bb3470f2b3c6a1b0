"""Asks a model one question after another; each can be cancelled from any thread."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from stepflow_gui.run.responders.anthropic_job import Done, Job, ModelQuery, ask
from stepflow_gui.run.responders.anthropic_key import Key, find_key
from stepflow_gui.run.responders.anthropic_progress import Progress
from stepflow_gui.run.responders.anthropic_settings import ModelSettings

if TYPE_CHECKING:
    from stepflow_gui.run.responders.anthropic_process import RemoteJob

Listener = Callable[[Progress], None]


class ModelClient:
    """Asks by a person's settings. `key` None: the environment's or the keyring's, looked up at each question.

    `apart`: in a process of its own, so a window is never held up.
    """

    def __init__(
        self,
        settings: ModelSettings,
        listener: Listener,
        *,
        key: Key | None = None,
        stream: bool = True,
        apart: bool = False,
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._key = key
        self._stream = stream
        self._apart = apart
        self._job: Job | RemoteJob | None = None

    def ask(self, finding: ModelQuery) -> Done:
        """Ask, and wait for the reply."""
        try:
            if self._apart:
                from stepflow_gui.run.responders.anthropic_process import RemoteJob

                remote = self._job = RemoteJob(self._listener)
                return remote.run(finding, self._settings, self._stream, lambda: self._key or find_key())
            job = self._job = Job(self._listener)
            return job.run(lambda: ask(job, finding, self._settings, self._stream, self._key or find_key()))
        finally:
            self._job = None

    def cancel(self) -> None:
        """Call off what is waited for: it returns at once."""
        job = self._job
        if job is not None:
            job.cancel()

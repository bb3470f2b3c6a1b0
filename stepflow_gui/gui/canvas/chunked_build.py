"""Making the items of a large flow in chunks, so that the window answers in between."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

_AT_ONCE = 3  # chunks made before the first paint


class ChunkedBuild:
    """Goes through one iterator at a time, whose every step makes a chunk."""

    def __init__(self, owner: QObject, after_chunk: Callable[[bool], object]) -> None:
        """`after_chunk` is called with whether it was the last one."""
        self._after_chunk = after_chunk
        self._chunks: Iterator[None] | None = None
        self._timer = QTimer(owner)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._make_chunk)

    @property
    def is_running(self) -> bool:
        """Whether chunks are still to be made."""
        return self._chunks is not None

    def start(self, chunks: Iterator[None]) -> None:
        """Make the first chunks now and the others by and by; those of an earlier call are left out."""
        self._chunks = chunks
        for _chunk in range(_AT_ONCE):
            self._make_chunk()
        if self._chunks is not None:
            self._timer.start()

    def _make_chunk(self) -> None:
        if self._chunks is None:
            return
        done = next(self._chunks, self) is self
        if done:
            self._chunks = None
            self._timer.stop()
        self._after_chunk(done)

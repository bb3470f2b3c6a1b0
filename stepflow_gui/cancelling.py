"""Long work asks now and then whether it was cancelled; the owner of its thread answers."""

from _thread import _local  # threading.local, without loading all of threading at every start
from collections.abc import Callable


class WorkCancelled(BaseException):
    """The work was cancelled: raised where it asks, and caught by the owner of its thread."""


class _Thread(_local):
    asked: Callable[[], None] | None = None


_here = _Thread()


def answer_with(asked: Callable[[], None]) -> None:
    """Have `checkpoint` call this on this thread. It raises `WorkCancelled`, or returns, after a rest if it likes."""
    _here.asked = asked


def checkpoint() -> None:
    """Called between two steps of long work, every few milliseconds.

    Raises `WorkCancelled` where the work was cancelled. On a thread without an owner, as in a command, it does nothing.
    """
    asked = _here.asked
    if asked is not None:
        asked()

"""Long work asks now and then whether it is still wanted; whoever began it on a thread of its own answers."""

from _thread import _local  # threading.local, without loading all of threading at every start
from collections.abc import Callable


class WorkCancelled(BaseException):
    """The work isn't wanted any more: raised where it asks, for whoever began it."""


class _Thread(_local):
    asked: Callable[[], None] | None = None


_here = _Thread()


def answer_with(asked: Callable[[], None]) -> None:
    """Have `checkpoint` call this on this thread. It raises `WorkCancelled`, or returns, after a rest if it likes."""
    _here.asked = asked


def checkpoint() -> None:
    """Called between two steps of long work, every few milliseconds.

    Raises `WorkCancelled` where the work isn't wanted any more. Where nobody answers, as in a command, it does nothing.
    """
    asked = _here.asked
    if asked is not None:
        asked()

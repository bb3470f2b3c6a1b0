"""What runs in Qt's event loop, noted as it is made: timers, threads and animations."""

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

_noted: "weakref.WeakSet[QObject]" = weakref.WeakSet()


def note_what_can_run() -> None:
    """From now on each QTimer, QThread and animation made in Python is noted, those of subclasses too."""
    from PySide6 import QtCore

    for name in dir(QtCore):  # by name: PySide makes a class when it is asked for, so the base class can't list them
        if name in ("QTimer", "QThread") or name.endswith(("Animation", "AnimationGroup")):
            _note_each(getattr(QtCore, name))


def _note_each(kind: "type[QObject]") -> None:
    make = kind.__init__

    def make_and_note(self: "QObject", *arguments: object, **options: object) -> None:
        make(self, *arguments, **options)  # type: ignore[arg-type]
        _noted.add(self)

    kind.__init__ = make_and_note  # type: ignore[method-assign]


def running_qt_objects(patience: float) -> "list[QObject]":
    """What still runs once what is to be deleted is; the pool of threads, too, where it isn't done in `patience` s."""
    from PySide6.QtCore import QAbstractAnimation, QCoreApplication, QEvent, QThread, QThreadPool, QTimer
    from shiboken6 import isValid

    def runs(thing: "QObject") -> bool:
        match thing:
            case QTimer():
                return thing.isActive()
            case QThread():
                return thing.isRunning()
            case QAbstractAnimation():
                return thing.state() == QAbstractAnimation.State.Running
        return False

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # what the test closed is gone then
    running = [thing for thing in list(_noted) if isValid(thing) and runs(thing)]
    pool = QThreadPool.globalInstance()
    return running if pool.waitForDone(int(patience * 1000)) else [*running, pool]

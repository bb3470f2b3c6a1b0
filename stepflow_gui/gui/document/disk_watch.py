"""Files and folders watched for changes that other programs make."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from stepflow_gui.text.files.presence import exists

_REPLACING = 150  # milliseconds that a file which is being replaced may be gone


class DiskWatch(QObject):
    """Emits `changed()` a moment after something watched changed, once for changes that follow each other."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_REPLACING)
        self._later.timeout.connect(self.changed)
        self._watcher.fileChanged.connect(self._seen)
        self._watcher.directoryChanged.connect(self._seen)

    def watch(self, paths: Iterable[Path]) -> None:
        """Watch these too; of those that don't exist the folder, so they are seen to come back.

        To be called again after each change: files replaced by a rename, as editors save, fall out of the watch.
        """
        wanted = {str(there) for path in paths if exists(there := path if exists(path) else path.parent)}
        missing = wanted - {*self._watcher.files(), *self._watcher.directories()}
        if missing:
            self._watcher.addPaths(sorted(missing))

    def close(self) -> None:
        """Watch nothing any more."""
        self._later.stop()
        self._watcher.blockSignals(True)
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _seen(self, _path: str) -> None:
        self._later.start()

"""A document's configuration, what in it can't be applied, and its changes on disk."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.disk_watch import DiskWatch
from stepflow_gui.gui.document.document import Document
from stepflow_gui.lint.config.config import Config, Configs
from stepflow_gui.lint.config.file import NAMES, ConfigProblem
from stepflow_gui.text.files.store import read
from stepflow_gui.text.source import Source


class ConfigWatch(QObject):
    """Watches the configuration of one document. `changed()` is emitted once there is something new to report."""

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problems: list[ConfigProblem] = []
        self.file: Path | None = None
        self._document = document
        self._on_disk: dict[Path, str | None] = {}
        self._disk = DiskWatch(self)
        self._disk.changed.connect(self.check_disk)
        document.text_changed.connect(self._text_changed)
        self._on_disk = self._read()
        self._look()

    def close(self) -> None:
        """Stop watching."""
        self._disk.close()
        self._document.text_changed.disconnect(self._text_changed)

    def check_disk(self) -> None:
        """Look whether a configuration came, went or changed; then the agent is linted again."""
        now = self._read()
        self._watch()
        if now != self._on_disk:
            self._on_disk = now
            self._look()
            self._document.lint_again()

    def again(self) -> None:
        """Read it again, as in another language."""
        self._look()

    def _text_changed(self, path: Path, _edits: object, _origin: str) -> None:
        if path.name in NAMES:
            self._look()

    def _candidates(self) -> list[Path]:
        folder = self._document.path.parent
        return [above / name for above in (folder, *folder.parents) for name in NAMES]

    def _read(self) -> dict[Path, str | None]:
        found: dict[Path, str | None] = {}
        for path in self._candidates():
            if path.is_file():
                source = read(path)
                found[path] = source.text if isinstance(source, Source) else None
        return found

    def _look(self) -> None:
        unsaved = {path: Source(text, bom) for path, text, bom in self._document.snapshot().texts}
        config: Config = Configs(unsaved=unsaved).of(self._document.path)
        self.problems = list(config.problems)
        self.file = config.file.path if config.file else config.problems[0].file if config.problems else None
        self._watch()
        self._document.read_as(config.format(self._document.path))
        self.changed.emit()

    def _watch(self) -> None:
        self._disk.watch([self._document.path.parent, self._document.last_valid.root, *self._on_disk])

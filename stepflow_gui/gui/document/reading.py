"""Reading an agent that is opened: at once, or on a thread of its own where its file is large."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from stepflow_gui.gui.document.background.work import Background
from stepflow_gui.lint.engine.opening import open_as_configured
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import REGISTRY
from stepflow_gui.text.files.store import ReadProblem

LARGE = 1_000_000  # bytes from which on reading takes longer than a window may stand still


def read_agent(path: Path) -> AgentFolder | ReadProblem:
    """The agent at a path, a folder or one of its files, as configured; a problem where there is no registry."""
    folder = open_as_configured(path)
    if isinstance(folder, ReadProblem):
        return folder
    is_other = folder.format is None and folder.registry.tree.valid  # a broken text may be a registry
    if is_other and folder.registry.path.name != REGISTRY:
        return ReadProblem("no-registry", path)
    return folder


def large_file(path: Path) -> Path | None:
    """The large file that is read for an agent at a path, as far as its name tells; None where there is none."""
    file = path / REGISTRY if path.is_dir() else path
    try:
        return file if file.stat().st_size >= LARGE else None
    except OSError:
        return None  # which is reported when it is read


class AgentReading(QObject):
    """Reads one agent at a time. `done(folder)` comes unless it was cancelled; see `read_agent`."""

    done = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.path: Path | None = None  # the file that is read now
        self._background = Background("stepflow-open", self)
        self._background.done.connect(self._read)

    def start(self, path: Path, file: Path) -> None:
        """Read the agent at a path, whose large file that is, instead of what is read now."""
        self.path = file
        self._background.start(lambda _job: _read_with_schemas(path))

    def cancel(self) -> None:
        """Read nothing any more."""
        self.path = None
        self._background.drop()

    def _read(self, folder: object) -> None:
        self.path = None
        self.done.emit(folder)


def _read_with_schemas(path: Path) -> AgentFolder | ReadProblem:
    folder = read_agent(path)
    if isinstance(folder, AgentFolder):
        folder.schema_files()  # which are as large, and asked for as soon as it is shown
    return folder

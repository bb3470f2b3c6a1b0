"""The program ends, however it ends: no worker holds it up, and what isn't saved is there at the next start."""

import subprocess
import sys
from pathlib import Path

import pytest

from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.files.journal import Journal
from stepflow_gui.text.files.save_journal import SaveJournal
from stepflow_gui.text.files.staging import Staged

BARE = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from stepflow_gui.gui.document.document import Document

application = QApplication([])
document = Document.open(Path(sys.argv[1]))
{ending}
"""
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from stepflow_gui.gui.app import main as app
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.text.edit import TextEdit

def write(then=None):
    shells = [each for each in QApplication.topLevelWidgets() if isinstance(each, Shell)]
    document = shells[0].current.document if shells else None
    if document is None:
        QTimer.singleShot(50, lambda: write(then))
        return
    document.apply({{document.path: [TextEdit(0, 0, "  ")]}}, "write", "source")
    if then is not None:
        then()

application = app.make_application()
{ending}
sys.exit(app.run([Path(sys.argv[1])]))
"""
QUIT = "QTimer.singleShot(0, lambda: write(lambda: QTimer.singleShot(50, lambda: application.exit(3))))"
RAISED = """
def fail():
    write()
    raise RuntimeError("in main")
application.exec = fail
"""


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """The registry of the bundled example."""
    (found,) = copy_example(into=tmp_path / "project").rglob("steps_registry.json")
    return found


def run(script: str, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    return ended(script, registry, tmp_path, monkeypatch).returncode


def ended(
    script: str, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> subprocess.CompletedProcess[str]:
    """A program that has ended, with what it wrote."""
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    return subprocess.run(
        [sys.executable, "-c", script, str(registry)], capture_output=True, encoding="utf-8", timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("ending", "code"), [("", 0), ("raise RuntimeError", 1), ("application.processEvents(); sys.exit(3)", 3)]
)
def test_a_session_that_is_never_closed_blocks_no_exit(
    registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, code: int
) -> None:
    assert run(BARE.format(ending=ending), registry, tmp_path, monkeypatch) == code


@pytest.mark.parametrize(("ending", "code"), [(QUIT, 3), (RAISED, 1)])
def test_a_window_that_no_one_closed_leaves_its_changes_for_the_next_start(
    registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, code: int
) -> None:
    assert run(PROGRAM.format(ending=ending), registry, tmp_path, monkeypatch) == code
    (left,) = Journal(tmp_path / "stepflow" / "unsaved").left()
    assert left.path == registry
    assert left.source.text.startswith("  ")
    assert not registry.read_text("utf-8").startswith("  ")
    assert list((tmp_path / "stepflow" / "open").iterdir()) == []  # no mark shows that it is open


def test_nothing_is_called_of_what_is_half_taken_down(
    registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The history empties itself when it is destroyed, and reports it."""
    done = ended(PROGRAM.format(ending=QUIT), registry, tmp_path, monkeypatch)
    assert "Traceback" not in done.stderr


TELLS = """
def look():
    shells = [each for each in QApplication.topLevelWidgets() if isinstance(each, Shell)]
    if not shells or shells[0].current.document is None:
        QTimer.singleShot(50, look)
        return
    application.exit(4 if "has been completed" in shells[0].current.banner.text else 5)
QTimer.singleShot(0, look)
"""


def test_a_save_that_was_cut_off_is_completed_and_reported_at_the_next_start(
    registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = registry.with_name("agent.json")
    wanted = {path: path.read_bytes() + b"\n" for path in (registry, other)}
    staged = [Staged(path, data) for path, data in wanted.items()]
    for each in staged:
        each.keep_old()
    entry = SaveJournal(tmp_path / "stepflow" / "saves").begin(staged)
    assert entry is not None
    staged[0].commit()
    entry._file.close()  # as when it is killed
    assert run(PROGRAM.format(ending=TELLS), registry, tmp_path, monkeypatch) == 4
    assert {path: path.read_bytes() for path in wanted} == wanted
    assert not list(registry.parent.glob(".*.tmp"))
    for each in staged:
        each.discard()

"""Whatever is done in the window in whatever order, nothing fails, and nothing is left of it once all is closed."""

import os
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from stepflow_gui.bundled import resource
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.widgets.prompts import OnConflict
from stepflow_gui.project.creating.example import copy_example
from tests.gui.hand_at_random import RandomHand
from tests.gui.silent import Silent

ORDINARY, FULL = 120, 2000  # gestures, of which one takes 0.1 s of work
_LONGEST = 3600  # seconds of the full number on a busy machine


class Calm(Silent):
    """Receives what can't be done, and goes on."""

    def inform(self, title: str, text: str) -> None:
        del title, text

    def changed_on_disk(self, path: Path) -> OnConflict:
        answers = list(OnConflict)
        return answers[len(path.name) % len(answers)]


def copied_piece(folder: Path) -> Path:
    """The template of a piece with all its files, in a folder of its own."""
    files = Path(str(resource("templates", "takt-piece", "files")))
    for file in sorted(files.rglob("*")):
        if file.is_file():
            there = folder / str(file.relative_to(files)).replace("@name@", "piece")
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_text(file.read_text("utf-8").replace("@name@", "piece").replace("@title@", "Piece"), "utf-8")
    return folder / ".takt" / "pieces" / "piece.yaml"


@pytest.mark.slow
@pytest.mark.timeout(_LONGEST)
def test_any_gestures_in_any_order_leave_nothing_behind(qtbot: QtBot, tmp_path: Path, full: bool) -> None:
    make_application()
    seed = int(os.environ.get("STEPFLOW_SEED", "1"))
    default = FULL if full else ORDINARY
    wished = os.environ.get("STEPFLOW_GESTURES", str(default))  # how many, or the numbers of those to be made
    gestures = [int(number) for number in wished.split(",") if number] if "," in wished else range(int(wished))
    print(f"seed {seed}, {len(gestures)} gestures")  # noqa: T201 - shown where the test fails
    repository = tmp_path / "repository"
    agents = [copy_example(into=repository / name) for name in ("billing", "docs", "webapp")]
    agents.append(copied_piece(repository / "pieces"))
    (repository / ".git").mkdir()
    shell = Shell(Settings(tmp_path / "settings.ini"), None, Calm)
    qtbot.addWidget(shell)
    shell.show()
    qtbot.waitExposed(shell)
    hand = RandomHand(qtbot, shell, agents, repository, seed)
    hand.rest()
    before = hand.rest()
    for number in gestures:
        hand.act(number)
    after = hand.rest()
    shell.close()
    assert dict(after - before) == {}
    assert dict(before - after) == {}

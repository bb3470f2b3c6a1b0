"""Findings that aren't problems are counted too, wherever a line shows the status of something."""

from collections import Counter
from pathlib import Path

from pytestqt.qtbot import QtBot

import catalogue
from stepflow_gui import messages
from stepflow_gui.gui.app.panel_features import health_text
from stepflow_gui.gui.project.progress import ProgressFoot


def test_notes_are_reported_in_the_status_bar() -> None:
    assert health_text(Counter()) == ("no problems", "closure")
    assert health_text(Counter(info=2)) == ("2 notes", "closure")
    assert health_text(Counter(info=1, warning=3)) == ("3 warnings, 1 note", "warning")


def test_notes_are_reported_below_the_project(qtbot: QtBot) -> None:
    foot = ProgressFoot()
    qtbot.addWidget(foot)
    for notes, said in ((0, "no problems"), (3, "3 notes")):
        foot.show_progress(2, 2, 0, notes, at_work=False)
        assert foot.text == f"2 agents, {said}"


def test_pieces_are_counted_as_such(qtbot: QtBot) -> None:
    foot = ProgressFoot()
    qtbot.addWidget(foot)
    for pieces, said in ((0, "3 agents"), (1, "2 agents and 1 piece"), (3, "3 pieces")):
        foot.count_pieces(pieces)
        foot.show_progress(3, 3, 1, at_work=False)
        assert foot.text == f"{said}, 1 with problems"


def test_agents_and_pieces_are_reported_as_japanese_counts_them(qtbot: QtBot, checkout: Path) -> None:
    catalogue.compile_catalogue(checkout)
    messages.use_language("ja")
    try:
        foot = ProgressFoot()
        qtbot.addWidget(foot)
        foot.count_pieces(1)
        foot.show_progress(3, 3, 1, at_work=False)
        assert foot.text == "2 エージェント、1 ピース、うち 1 件に問題"
    finally:
        messages.use_language("en")

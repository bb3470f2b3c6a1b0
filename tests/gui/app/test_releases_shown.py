"""The releases of TAKT that an open piece is for, in the status bar."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.gui.shown import shown_window
from tests.gui.silent import Silent

_STEP = "{name: a, persona: p, instruction: do, rules: [{condition: ok, next: COMPLETE}]}"


def test_the_status_bar_names_the_releases_that_a_piece_is_for(qtbot: QtBot, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(f"name: x\nmax_movements: 5\nmovements:\n  - {_STEP}\n", encoding="utf-8")
    with shown_window(qtbot, tmp_path, Silent()) as window:
        assert window.open(piece)
        qtbot.waitUntil(lambda: "checking…" not in window.state_label.whole)
        assert "TAKT 0.12–0.35  ·  " in window.state_label.whole


def test_a_runtime_that_is_set_narrows_them(qtbot: QtBot, tmp_path: Path) -> None:
    piece = tmp_path / ".takt" / "pieces" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(f"name: x\nmax_movements: 5\nmovements:\n  - {_STEP}\n", encoding="utf-8")
    (tmp_path / "stepflow.toml").write_text('runtime = "takt-0.27"\n', encoding="utf-8")
    with shown_window(qtbot, tmp_path, Silent()) as window:
        assert window.open(piece)
        qtbot.waitUntil(lambda: "checking…" not in window.state_label.whole)
        assert "TAKT 0.27.0  ·  " in window.state_label.whole

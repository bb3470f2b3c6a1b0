"""Save As: an agent goes into a folder, a piece into a file, and the window goes on there."""

from pathlib import Path

from tests.gui.app.keys.conftest import Hands
from tests.run.takt.pieces import TWO


def opened_piece(hands: Hands, tmp_path: Path) -> Path:
    piece = tmp_path / ".takt" / "pieces" / "mend.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(TWO, "utf-8")
    assert hands.shell.open(piece)
    hands.settle()
    return piece


def test_a_piece_goes_into_a_file_with_what_is_not_saved(hands: Hands, tmp_path: Path) -> None:
    piece = opened_piece(hands, tmp_path)
    hands.in_source()
    hands.press("Return")
    hands.asked.answer = piece.with_name("mend-more.yaml")
    hands.press("Ctrl+Shift+S")
    assert hands.document.path == piece.with_name("mend-more.yaml")
    assert not hands.document.dirty
    assert piece.with_name("mend-more.yaml").read_text("utf-8") == "\n" + TWO
    assert piece.read_text("utf-8") == TWO
    assert hands.status == "Saved mend-more.yaml"


def test_under_its_own_name_it_is_saved(hands: Hands, tmp_path: Path) -> None:
    piece = opened_piece(hands, tmp_path)
    hands.in_source()
    hands.press("Return")
    hands.asked.answer = piece
    hands.press("Ctrl+Shift+S")
    assert piece.read_text("utf-8") == "\n" + TWO
    assert not hands.document.dirty


def test_what_cannot_be_written_is_said_and_nothing_is_lost(hands: Hands, tmp_path: Path) -> None:
    piece = opened_piece(hands, tmp_path)
    hands.in_source()
    hands.press("Return")
    for answer in (tmp_path / "nowhere" / "x.yaml", tmp_path):
        hands.asked.answer = answer
        hands.press("Ctrl+Shift+S")
        assert hands.document.path == piece
        assert hands.document.dirty
        assert hands.window.banner.text
    hands.asked.answer = None  # thought better of it
    hands.press("Ctrl+Shift+S")
    assert hands.document.path == piece


def test_an_agent_takes_no_folder_that_is_there(hands: Hands, tmp_path: Path) -> None:
    path = hands.document.path
    hands.asked.answer = tmp_path
    hands.press("Ctrl+Shift+S")
    assert hands.document.path == path
    assert "it already exists" in hands.window.banner.text

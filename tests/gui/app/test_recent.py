"""What opened agents and pieces are called in tabs and in the list of recent ones."""

from pathlib import Path

from stepflow_gui.gui.app.recent import recent_names, tab_names

AGENT = Path("/home/me/web/.agent/issue/steps_registry.json")
PIECES = [Path("/home/me/web/.takt/pieces/default.yaml"), Path("/home/me/web/.takt/pieces/review.yaml")]


def test_agents_are_called_by_their_folder_and_pieces_by_their_file() -> None:
    assert tab_names([AGENT, *PIECES]) == ["issue", "default", "review"]


def test_alike_ones_are_distinguished() -> None:
    assert tab_names([PIECES[0], Path("/home/me/other/.takt/workflows/default.yaml")]) == [
        "default  –  pieces",
        "default  –  workflows",
    ]


def test_recent_ones_show_their_project() -> None:
    assert recent_names([AGENT, PIECES[0]]) == ["issue  –  web", "default  –  web"]

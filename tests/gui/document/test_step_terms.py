"""Pieces and workflows are called what they are in the window."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.document.step_terms import whole_name
from stepflow_gui.gui.widgets.fields import ElidedLabel
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.gui.shown import shown_window
from tests.gui.silent import Silent

PIECE = """name: two
initial_movement: a
movements:
  - {name: a, rules: [{condition: done, next: b}]}
  - {name: b, rules: [{condition: done, next: COMPLETE}]}
"""
WORKFLOW = PIECE.replace("initial_movement", "initial_step").replace("movements", "steps")


@pytest.mark.parametrize(
    ("text", "title", "counted"),
    [(PIECE, "PIECE", "2 movements"), (WORKFLOW, "WORKFLOW", "2 steps")],
)
def test_what_is_open_is_called_by_its_name(qtbot: QtBot, tmp_path: Path, text: str, title: str, counted: str) -> None:
    file = tmp_path / ".takt" / "pieces" / "two.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with shown_window(qtbot, tmp_path, Silent()) as window:
        assert "AGENT" in _texts(window.outline)
        assert window.open(file)
        assert title in _texts(window.outline)
        assert window.count_label.whole.startswith(counted)
        assert f"TAKT {title.lower()}  ·  {counted}" in _texts(window.inspector)
        long = "two" * 40
        assert window.document is not None
        window.outline.show_flow(window.document.last_valid.flow, long)
        (cut,) = [label for label in window.outline.findChildren(ElidedLabel) if label.whole == long]
        assert "…" in cut.text()  # with the whole in its tool tip
        assert cut.toolTip() == long


def test_a_piece_that_cant_be_read_is_no_agent() -> None:
    parsed = ParsedFile.read(Path("piece.yaml"), Source("- \n\tx: ["))
    assert whole_name(Flow(parsed, "")) == "Piece"


def _texts(panel: QWidget) -> list[str]:
    return [label.text() for label in panel.findChildren(QLabel)]

"""No meaning by colour alone: with every colour the same, marks are still distinguished by their form."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene

from stepflow_gui.gui.canvas.canvas_pens import CanvasPens
from stepflow_gui.gui.canvas.items.closing_card import CheckSign, ClosingCard, ClosingSign
from stepflow_gui.gui.canvas.layers.run_layer import BreakpointDot
from stepflow_gui.gui.widgets.theme import Theme

FORM = ("surface", "canvas", "chrome", "onmark")  # grounds; all else is one ink


class OneInk(Theme):
    """A look in black and white."""

    def hex(self, token: str) -> str:
        return "#FFFFFF" if token in FORM else "#000000"


def drawn(item: QGraphicsItem) -> QImage:
    scene = QGraphicsScene()
    scene.addItem(item)
    image = QImage(360, 160, QImage.Format.Format_RGB32)
    image.fill("#FFFFFF")
    painter = QPainter(image)
    scene.render(painter, QRectF(image.rect()), item.boundingRect())
    painter.end()
    return image


@pytest.fixture
def pens(qapp: object) -> CanvasPens:
    del qapp
    return CanvasPens(OneInk(dark=False))


def test_validators_by_their_state(pens: CanvasPens) -> None:
    states = ("waits", "runs", "passed", "failed")
    pictures = [drawn(ClosingCard(ClosingSign("s", "t", (CheckSign("v", at, "x"),), ""), pens)) for at in states]
    assert all(one != other for one, other in combinations(pictures, 2))


def test_breakpoints_that_are_on_and_off(pens: CanvasPens) -> None:
    assert drawn(BreakpointDot(pens, on=True)) != drawn(BreakpointDot(pens, on=False))


def test_edges_that_a_run_took_are_wider(pens: CanvasPens) -> None:
    widths = [pens.edge_pens[look, False, False].widthF() for look in ("rest", "visited1", "visited2", "taken")]
    assert widths == sorted(set(widths))
    assert pens.edge_pens["rest", True, False].style() != pens.edge_pens["rest", False, False].style()

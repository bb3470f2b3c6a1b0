from PySide6.QtCore import QRectF

from stepflow_gui.gui.canvas.keyboard_order import DOWN, LEFT, RIGHT, UP, nearest, reading_order

FRAMES = {
    "top": QRectF(200, 0, 216, 74),
    "left": QRectF(0, 160, 216, 74),
    "middle": QRectF(260, 160, 216, 74),
    "bottom": QRectF(210, 320, 216, 74),
    "far": QRectF(900, 320, 216, 74),
}


def test_the_step_straight_ahead_is_next() -> None:
    assert nearest(FRAMES, "top", DOWN) == "middle"
    assert nearest(FRAMES, "middle", DOWN) == "bottom"
    assert nearest(FRAMES, "bottom", UP) == "middle"
    assert nearest(FRAMES, "middle", LEFT) == "left"
    assert nearest(FRAMES, "bottom", RIGHT) == "far"


def test_where_nothing_lies_ahead_nothing_is_next() -> None:
    assert nearest(FRAMES, "top", UP) is None
    assert nearest(FRAMES, "far", RIGHT) is None


def test_reading_order_goes_down_in_rows() -> None:
    assert reading_order(FRAMES) == ["top", "left", "middle", "bottom", "far"]

"""Another look while the window is open: every part takes it."""

from collections import Counter

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from tests.gui.editing.conftest import Desk


def lightness(widget: QWidget) -> int:
    """The lightness, 0 to 255, of the colour that most of a widget has."""
    image = widget.grab().toImage()
    seen = Counter(image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
    return QColor(seen.most_common(1)[0][0]).lightness()


@pytest.mark.parametrize("looks", [("dark", "light"), ("light", "dark", "light")])
def test_every_part_takes_another_look(desk: Desk, looks: tuple[str, ...]) -> None:
    window = desk.window
    for look in looks:
        window.set_look(look)
        parts = (window.canvas, window.outline, window.inspector, window.source, window.source.editor, window.problems)
        for part in (*parts, window.run_panel):
            assert (lightness(part) < 100) == (look == "dark"), (look, part)

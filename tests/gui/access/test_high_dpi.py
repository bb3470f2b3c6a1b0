"""On dense screens: the same window at 1, 1.5 and 2 times as many pixels, nothing cut off, icons as sharp as it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from stepflow_gui.gui.widgets.theme import Theme

SIZE = (1000, 700)
SCALES = ("1", "1.5", "2")
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar, QToolButton
from stepflow_gui.gui.widgets.application import make_application
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.app.shell import Shell
application = make_application()
settings = Settings(Path(sys.argv[1]) / "settings.ini")
settings.look, settings.language = "light", "en"
shell = Shell(settings)
shell.resize({width}, {height})
shell.show()
shell.open(Path(sys.argv[2]))
window = shell.current
while not window.document.linted or window.canvas.is_building:
    QTest.qWait(10)
window.canvas.choose_step("closure.issue")
window.canvas.fit()
QTest.qWait(100)
assert shell.devicePixelRatioF() == float(sys.argv[3])
shell.grab().save(str(Path(sys.argv[1]) / "window.png"))
bar = window.findChild(QToolBar, "topBar")
button = next(each for each in bar.findChildren(QToolButton) if each.defaultAction() is window.desk.actions["fit"])
button.grab().save(str(Path(sys.argv[1]) / "icon.png"))
from tests.gui.looks.cutoff import cut_off
cut = {{}}
for state in ("edit", "debug"):
    if state == "debug":
        for action in ("run-step", "show-breakpoints"):
            window.desk.actions[action].trigger()
    for size in ({sizes}):
        shell.resize(*size)
        QTest.qWait(60)
        assert shell.size().toTuple() == size
        cut[state, size] = cut_off(shell, elided_ok=True)
assert not any(cut.values()), cut
shell.close()
"""
SMALL = "(960, 540), (640, 400)"  # in which all can be done, and the least


def shots(folder: Path, registry: Path, scale: str) -> tuple[QImage, QImage]:
    """Pictures of the window and of a button with an icon, from a program of its own."""
    width, height = SIZE
    here = str(Path(__file__).parents[3])
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale, "PYTHONPATH": here}
    program = PROGRAM.format(width=width, height=height, sizes=f"{SIZE}, {SMALL}")
    command = [sys.executable, "-c", program, str(folder), str(registry), scale]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return QImage(str(folder / "window.png")), QImage(str(folder / "icon.png"))


@pytest.mark.parametrize("scale", SCALES)
def test_the_window_has_all_pixels_and_nothing_is_cut_off(tmp_path: Path, example: Path, scale: str) -> None:
    window, icon = shots(tmp_path, example, scale)
    assert (window.width(), window.height()) == tuple(round(side * float(scale)) for side in SIZE)
    assert not icon.isNull()
    # An icon that was blown up has blurred edges: few of its pixels are wholly ink or wholly ground.
    shades = [icon.pixelColor(x, y).lightness() for x in range(icon.width()) for y in range(icon.height())]
    ink = Theme(dark=False).color("text").lightness()
    solid = sum(abs(shade - ink) <= 6 for shade in shades)
    assert solid >= 20 * float(scale) ** 2


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0])
def test_icons_are_drawn_in_the_pixels_that_are_there(ratio: float) -> None:
    icon = Theme(dark=False).icon("fit")
    wanted = icon.pixmap(QSize(16, 16), ratio)
    assert wanted.width() == round(16 * ratio)
    assert wanted.devicePixelRatio() == ratio

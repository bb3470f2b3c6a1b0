"""Where a person zooms to a level at which cards look different, the picture of before fades out."""

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.canvas.layers.zoom_fade import ZoomFade
from stepflow_gui.gui.canvas.view import GraphView
from tests.gui.canvas.conftest import ShowView, chain
from tests.gui.canvas.hand import wheel

CTRL = Qt.KeyboardModifier.ControlModifier


def fade_of(view: GraphView) -> ZoomFade:
    (fade,) = view.viewport().findChildren(ZoomFade)
    return fade


@pytest.mark.parametrize("edge", [0.85, 0.45, 0.28])
def test_a_change_of_level_fades_and_then_the_new_picture_stands(edge: float, qtbot: QtBot, show: ShowView) -> None:
    view = show(chain(12))
    fade = fade_of(view)
    view.zoom_to(edge + 0.01)
    assert not fade.isVisible()  # no person zoomed
    before = view.viewport().grab().toImage()
    wheel(view, QPoint(200, 100), QPoint(0, -120), CTRL)
    assert view.zoom < edge
    assert fade.isVisible()
    beginning = view.viewport().grab().toImage()
    qtbot.waitUntil(lambda: not fade.isVisible())
    after = view.viewport().grab().toImage()
    assert beginning not in (before, after)  # some of both
    view.zoom_in()
    assert fade.isVisible()
    view.zoom_to(view.zoom)
    qtbot.waitUntil(lambda: not fade.isVisible())


def test_within_a_level_and_with_reduced_motion_it_is_there_at_once(show: ShowView) -> None:
    view = show(chain(12))
    fade = fade_of(view)
    view.zoom_to(0.7)
    view.zoom_out()
    assert not fade.isVisible()
    view.animated = False
    view.zoom_out()
    view.zoom_out()
    assert view.zoom < 0.45
    assert not fade.isVisible()


def test_large_flows_are_there_at_once(show: ShowView) -> None:
    view = show(chain(310))
    view.zoom_to(0.5)
    view.zoom_out()
    assert view.zoom < 0.45
    assert not fade_of(view).isVisible()

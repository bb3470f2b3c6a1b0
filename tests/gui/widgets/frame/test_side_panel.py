"""The side panel: one page at a time, none whose content is elsewhere."""

from PySide6.QtWidgets import QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.widgets.dock import PanelDock
from stepflow_gui.gui.widgets.frame.side_panel import SidePanel


def test_pages_are_shown_by_their_names(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    side = SidePanel()
    for name, page in (("one", QLabel("1")), ("two", None)):
        side.add_page(name, page)
    dock = PanelDock("side", side, window, titled=False)
    dock.hide()
    window.show()
    assert side.shown is None
    side.show_page("two")  # nothing is there
    assert side.shown is None
    side.show_page("one")
    assert side.shown == "one"
    second = QLabel("2")
    side.hold("two", second)
    side.show_page("two")
    assert second.isVisible()
    other = SidePanel()
    qtbot.addWidget(other)
    other.add_page("two", second)  # it moved to another window
    assert not side.can_show("two")
    side.hold("two", second)
    side.give_up("two")
    assert side.shown is None
    assert side.current == "one"

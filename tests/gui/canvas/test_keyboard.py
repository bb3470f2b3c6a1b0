from PySide6.QtCore import Qt

from tests.gui.canvas.conftest import ShowView, issue_flow, picture
from tests.gui.canvas.hand import heard, press_key


def test_the_keyboard_walks_zooms_and_lets_go(show: ShowView) -> None:
    view = show(issue_flow())
    selected = heard(view.step_selected)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        press_key(view, key)
    assert selected == ["initial.issue", "continuation.issue", "closure.issue", "continuation.issue"]
    zoom = view.zoom
    press_key(view, Qt.Key.Key_Plus)
    assert view.zoom > zoom
    press_key(view, Qt.Key.Key_0)
    assert view.zoom == 1.0
    press_key(view, Qt.Key.Key_Escape)
    assert view.graph.selected is None


def test_tab_goes_round_the_steps_and_escape_then_tab_leaves(show: ShowView) -> None:
    view = show(issue_flow())
    view.select_step("closure.issue")
    assert view.focusNextPrevChild(True)
    assert view.graph.selected == "initial.issue"
    assert view.focusNextPrevChild(False)
    assert view.graph.selected == "closure.issue"
    press_key(view, Qt.Key.Key_Escape)
    view.focusNextPrevChild(True)
    assert view.graph.selected is None


def test_each_step_has_a_name_for_screen_readers(show: ShowView) -> None:
    view = show(issue_flow())
    view.set_diagnostics({"initial.issue": (1, 0, 0)}, set())
    name = view.graph.accessible_name("initial.issue")
    assert name == "initial.issue, work step, next to continuation.issue, repeat to itself, 1 error"
    view.select_step("initial.issue")
    assert view.accessibleDescription() == name


def test_tabbing_in_shows_the_frame_and_selects_the_entry(show: ShowView) -> None:
    view = show(issue_flow())
    view.clearFocus()
    plain = picture(view).pixelColor(0, 200)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.graph.selected == "initial.issue"
    assert picture(view).pixelColor(0, 200) == view.graph.pens.accent
    view.clearFocus()
    view.setFocus(Qt.FocusReason.MouseFocusReason)
    assert picture(view).pixelColor(0, 200) == plain

"""Getting about: the palette, jumps, one entry's steps alone, the history."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.export.placement import picture_layout
from stepflow_gui.gui.app.back_forward import LONGEST, BackForward
from stepflow_gui.gui.app.navigation import steps_of_entry
from stepflow_gui.gui.app.preferences.page import SettingsPage
from stepflow_gui.gui.widgets.actions import plain_title
from stepflow_gui.gui.widgets.palette_popup import PalettePopup
from tests.gui.canvas.hand import node_point, press_key
from tests.gui.editing.conftest import Desk


def palette(desk: Desk) -> PalettePopup:
    desk.window.desk.actions["palette"].trigger()
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, PalettePopup)
    return popup


def test_the_palette_goes_to_a_step(desk: Desk) -> None:
    popup = palette(desk)
    QTest.keyClicks(popup.field, "check and close")
    assert popup.titles()[0] == "closure.issue"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert desk.document.selected_step == "closure.issue"


def test_the_palette_does_what_it_lists(desk: Desk) -> None:
    popup = palette(desk)
    QTest.keyClicks(popup.field, "auto-l")
    assert popup.titles()[0] == "Auto-layout"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert desk.history == ["Auto-layout"]


def test_the_palette_opens_files_and_explains_rules(desk: Desk) -> None:
    popup = palette(desk)
    QTest.keyClicks(popup.field, "issue.schema")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert desk.window.source.path is not None
    assert desk.window.source.path.name == "issue.schema.json"
    popup = palette(desk)
    QTest.keyClicks(popup.field, "SF201")
    assert popup.titles() == ["SF201"]
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert desk.window.problems.details.widget.rule.shown == "SF201"
    assert desk.window.problems.details.isVisible()


def test_the_box_in_the_menus_row_goes_to_anything(desk: Desk) -> None:
    box = desk.window.search
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, PalettePopup)
    assert popup.geometry().contains(box.mapToGlobal(box.rect().center()))  # it takes the box's place
    assert popup.geometry().right() < desk.window.geometry().right()
    QTest.keyClicks(popup.field, "handoff")
    assert popup.titles()[0] == "handoff"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    chosen = desk.canvas.graph.selected_transition
    assert chosen is not None
    assert chosen.intent == "handoff"
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, PalettePopup)
    QTest.keyClicks(popup.field, "issue.schema")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert desk.window.source.isVisible()  # a file that is gone to is shown, and can be typed in
    assert desk.window.source.editor.hasFocus()


def test_settings_are_found_by_their_names(desk: Desk) -> None:
    popup = palette(desk)
    QTest.keyClicks(popup.field, "how large everything")
    assert popup.titles()[0] == "Scale"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    page = QApplication.activeModalWidget()
    assert isinstance(page, SettingsPage)
    assert page.search.text() == "Scale"
    assert page.scale.isVisible()
    assert not page.look.isVisible()
    page.close()


def test_nothing_found_yet_asks_what_to_find(desk: Desk) -> None:
    desk.window.desk.actions["find-next"].trigger()
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, PalettePopup)
    assert "Undo" not in popup.titles()
    QTest.keyClicks(popup.field, "issue")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    seen = [desk.document.selected_step]
    while seen[0] != seen[-1] or len(seen) == 1:
        desk.window.desk.actions["find-next"].trigger()
        seen.append(desk.document.selected_step)
    assert set(seen) == {"initial.issue", "continuation.issue", "closure.issue"}
    desk.window.desk.actions["find-previous"].trigger()
    assert desk.document.selected_step == seen[-2]


def test_the_palette_is_led_by_arrows_and_left_by_escape(desk: Desk) -> None:
    popup = palette(desk)
    enabled = {entry.title: entry.enabled for entry in desk.window.palette_entries() if entry.kind == "action"}
    on = [row for row, title in enumerate(popup.titles()) if enabled.get(title, True)]
    QTest.keyClick(popup.field, Qt.Key.Key_Up)
    assert popup.list.currentIndex().row() == on[-1]
    QTest.keyClick(popup.field, Qt.Key.Key_Down)
    assert popup.list.currentIndex().row() == 0
    QTest.keyClick(popup.field, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert desk.history == []


def test_the_palette_does_what_the_canvas_can_with_its_selection(desk: Desk) -> None:
    popup = palette(desk)
    QTest.keyClicks(popup.field, "right edges")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)  # which nothing is selected for
    assert desk.history == []
    popup.close()
    desk.canvas.choose_steps(["initial.issue", "closure.issue"], "initial.issue")
    frames = desk.canvas.graph.step_frames()
    assert frames["initial.issue"].right() != frames["closure.issue"].right()
    popup = palette(desk)
    QTest.keyClicks(popup.field, "right edges")
    assert popup.titles()[0] == "Right Edges"
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    frames = desk.canvas.graph.step_frames()
    assert frames["initial.issue"].right() == frames["closure.issue"].right()


def test_the_menu_bar_shows_what_fits_the_selection(desk: Desk) -> None:
    actions = desk.window.desk.actions
    menus = {plain_title(top.text()): top.menu() for top in desk.window.menuBar().actions()}
    desk.canvas.setFocus()

    def on(title: str) -> set[str]:
        menu = menus[title]
        assert isinstance(menu, QMenu)
        menu.aboutToShow.emit()
        enabled = {each.objectName() for each in menu.actions() if each.isEnabled() and each.objectName()}
        menu.aboutToHide.emit()
        return enabled

    of_steps = {"cut", "copy", "duplicate", "remove", "rename", "rename-name"}
    desk.canvas.choose_step(None)
    assert not of_steps & on("Edit")
    assert {"paste", "select-all"} <= on("Edit")
    assert "connect" not in on("Flow")
    desk.canvas.choose_step("closure.issue")
    assert of_steps <= on("Edit")
    assert "connect" in on("Flow")
    assert "run-from-here" in on("Run")
    assert actions["align-left"].isEnabled()  # once no menu is open, keys are heard whatever is selected
    actions["duplicate"].trigger()
    assert desk.history == ["Duplicate closure.issue"]


def test_every_action_is_in_the_palette_and_shows_whether_it_is_enabled(desk: Desk) -> None:
    entries = desk.window.palette_entries()
    actions = {entry.title: entry for entry in entries if entry.kind == "action"}
    assert not actions["Undo"].enabled
    assert actions["Zoom to Fit"].enabled
    assert actions["Zoom to Fit"].keys
    assert {entry.kind for entry in entries} == {"action", "setting", "step", "transition", "file", "rule"}


def test_going_back_and_forth_between_steps(desk: Desk) -> None:
    for step in ("initial.issue", "continuation.issue", "closure.issue"):
        desk.canvas.choose_step(step)
    desk.window.desk.actions["jump-back"].trigger()
    assert desk.document.selected_step == "continuation.issue"
    assert desk.canvas.graph.selected == "continuation.issue"
    desk.window.desk.actions["jump-back"].trigger()
    desk.window.desk.actions["jump-back"].trigger()
    assert desk.document.selected_step == "initial.issue"
    desk.window.desk.actions["jump-forth"].trigger()
    assert desk.document.selected_step == "continuation.issue"
    desk.canvas.choose_step("section.conventions")
    desk.window.desk.actions["jump-forth"].trigger()
    assert desk.document.selected_step == "section.conventions"


def test_jumps_skip_steps_that_are_gone_and_are_bounded() -> None:
    jumps = BackForward()
    for step in ("a", "b", "c"):
        jumps.visit(step)
    assert jumps.back({"a", "c"}) == "a"
    assert jumps.forth({"a", "c"}) == "c"
    for number in range(3 * LONGEST):
        jumps.visit(f"s{number}")
    there = {f"s{number}" for number in range(3 * LONGEST)}
    count = 0
    while jumps.back(there):
        count += 1
    assert count == LONGEST - 1


def test_only_the_steps_of_one_entry_are_shown(desk: Desk) -> None:
    flow = desk.document.last_valid.flow
    key = next(entry.key or "" for entry in flow.entries)
    steps = steps_of_entry(flow, key)
    assert steps == {"initial.issue", "continuation.issue", "closure.issue"}
    positions = desk.canvas.positions()
    desk.window.navigation.show_entry(key)
    section = desk.canvas.graph.step_item("section.conventions")
    assert section is not None
    assert not section.isVisible()
    caption = desk.canvas.graph.caption
    assert caption is not None
    assert not caption.isVisible()
    assert set(desk.canvas.graph.step_frames()) == steps
    assert desk.canvas.positions() == positions  # nothing is laid out again
    for _time in range(6):
        press_key(desk.canvas, Qt.Key.Key_Tab)
    assert desk.canvas.step_item_at(node_point(desk.canvas, "closure.issue")) is not None
    desk.window.navigation.show_entry(None)
    assert section.isVisible()
    assert caption.isVisible()


def test_a_new_step_that_the_entry_does_not_reach_is_hidden_until_it_is_led_to(desk: Desk) -> None:
    flow = desk.document.last_valid.flow
    desk.window.navigation.show_entry(next(entry.key or "" for entry in flow.entries))
    desk.canvas.choose_step("continuation.issue")
    desk.editing.command("duplicate")
    desk.settle()
    copy = desk.canvas.graph.step_item("continuation.issue-copy")
    assert copy is not None
    assert not copy.isVisible()


def test_the_history_lists_what_can_be_undone(desk: Desk) -> None:
    desk.canvas.choose_step("continuation.issue")
    desk.editing.command("duplicate")
    desk.settle()
    view = desk.window.navigation.history
    model = view.model()
    assert model.index(0, 0).data() == "As it was opened"
    assert model.index(1, 0).data() == "Duplicate continuation.issue"
    view.setCurrentIndex(model.index(0, 0))
    assert "continuation.issue-copy" not in desk.document.last_valid.flow.steps


def test_self_loops_are_edges_where_the_person_wants_them(desk: Desk) -> None:
    action, canvas = desk.window.desk.actions["loop-edges"], desk.canvas
    places, before = canvas.positions(), len(canvas.graph.layout.routes)
    assert not any(route.kind == "loop" for route in canvas.graph.layout.routes)
    action.trigger()
    loops = [route for route in canvas.graph.layout.routes if route.kind == "loop"]
    assert len(canvas.graph.layout.routes) == before + len(loops)
    assert {route.source.name for route in loops} >= {"initial.issue"}
    assert canvas.positions() == places
    assert desk.window.settings.loop_edges
    assert [route.source for route in picture_layout(desk.document.folder, places, loops=True).routes] == [
        route.source for route in canvas.graph.layout.routes
    ]
    action.trigger()
    assert len(canvas.graph.layout.routes) == before
    assert not desk.window.settings.loop_edges


def test_the_minimap_can_be_switched_off(desk: Desk) -> None:
    desk.canvas.zoom_to(2.0)
    assert desk.canvas.minimap.isVisible()
    desk.window.desk.actions["minimap"].trigger()
    assert desk.canvas.minimap.isHidden()
    assert not desk.window.settings.minimap

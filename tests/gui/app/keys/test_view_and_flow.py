"""Every shortcut of the menus View and Flow, pressed where it is meant for, and what came of it."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QMenu, QWidget

from stepflow_gui.gui.app.window import MainWindow
from tests.gui.access.test_keyboard import holds
from tests.gui.app.keys.conftest import STEP, Hands


def dock_sizes(window: MainWindow) -> dict[str, tuple[bool, int, int]]:
    docks = window.findChildren(QDockWidget)
    return {dock.objectName(): (dock.isHidden(), dock.width(), dock.height()) for dock in docks}


def test_the_keys_of_the_view_menu(hands: Hands) -> None:
    window, canvas = hands.window, hands.window.canvas
    side, inspector, output = window.docks
    assert side.isHidden()
    before = dock_sizes(window)
    hands.press("F11")
    assert all(dock.isHidden() for dock in window.docks)
    assert window.menuBar().isHidden()
    assert window.rail.isHidden()
    assert window.statusBar().isHidden()
    hands.press("Esc")
    assert window.room.canvas_only
    hands.press("F11")
    QApplication.processEvents()
    assert dock_sizes(window) == before
    assert not window.menuBar().isHidden()
    hands.press("Shift+F11")
    assert hands.shell.isFullScreen()
    hands.press("Shift+F11")
    assert not hands.shell.isFullScreen()
    for keys, dock in (("Ctrl+B", side), ("Ctrl+Alt+B", inspector), ("Ctrl+J", output)):
        hidden = dock.isHidden()
        hands.press(keys)
        assert dock.isHidden() is not hidden, keys
        hands.press(keys)
        assert dock.isHidden() is hidden, keys
    hands.press("F7")
    assert hands.view == "split"
    hands.press("F7")
    assert hands.view == "source"
    assert QApplication.focusWidget() is window.source.editor
    hands.press("F7")
    assert hands.view == "flow"
    assert QApplication.focusWidget() is canvas
    hands.press("F7", "F7")
    QTest.mouseClick(window.views.switch.buttons["flow"], Qt.MouseButton.LeftButton)
    assert hands.view == "flow"
    assert canvas.isVisible()


def test_the_keys_of_the_layouts(hands: Hands) -> None:
    layouts = hands.window.layouts
    for keys, name in (("Alt+2", "debug"), ("Alt+3", "review"), ("Alt+1", "edit"), ("Ctrl+Shift+D", "debug")):
        hands.press(keys)
        assert layouts.now == name, keys
        assert layouts.switch.shown == name, keys
    hands.press("Alt+1")


def test_zooming_and_wrapping(hands: Hands) -> None:
    window, canvas = hands.window, hands.window.canvas
    hands.on_canvas(STEP)
    canvas.zoom_to(1.0)
    for keys in ("Ctrl++", "Ctrl+="):
        canvas.zoom_to(1.0)
        hands.press(keys)
        assert canvas.zoom > 1.0, keys
    larger = canvas.zoom
    hands.press("Ctrl+-")
    assert canvas.zoom < larger
    hands.press("Ctrl+0")
    assert canvas.zoom == 1.0
    fitted = []
    for keys in ("F", "Ctrl+9", "Shift+F", "Ctrl+8"):
        canvas.zoom_to(0.7)
        hands.press(keys)
        fitted.append((canvas.zoom, canvas.seen_area().center().toPoint()))
    assert fitted[0] == fitted[1] != fitted[2] == fitted[3]
    hands.press("Alt+Z")
    assert window.source.editor.lineWrapMode() == window.source.editor.LineWrapMode.WidgetWidth
    hands.press("Alt+Z")
    assert window.source.editor.lineWrapMode() == window.source.editor.LineWrapMode.NoWrap


def test_giving_the_keyboard_to_a_panel(hands: Hands) -> None:
    window, canvas = hands.window, hands.window.canvas
    panels: tuple[tuple[str, QWidget], ...] = (
        *(("Ctrl+2", window.inspector), ("Ctrl+3", window.source), ("Ctrl+4", window.output)),
        *(("Ctrl+1", canvas), ("Ctrl+Shift+M", window.output), ("Ctrl+5", window.run_panel.right), ("Ctrl+1", canvas)),
    )
    for keys, panel in panels:
        hands.press(keys)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert holds(panel, focused), keys
    hands.press("Ctrl+6")
    assert window.agent.is_open
    hands.press("Ctrl+1", "F6")
    assert QApplication.focusWidget() is not canvas
    hands.press("Shift+F6")
    assert QApplication.focusWidget() is canvas


def test_comparing_is_left_by_its_keys_and_by_escape(hands: Hands) -> None:
    versions = hands.window.versions
    for enter, leave in (("Ctrl+Shift+G", "Ctrl+Shift+G"), ("Ctrl+Shift+G", "Esc"), ("Alt+3", "Esc")):
        hands.on_canvas()
        hands.press(enter)
        assert versions.is_open
        assert versions.page is not None
        assert versions.page.changes.isVisible()
        hands.press(leave)
        assert not versions.is_open, leave
        assert QApplication.focusWidget() is hands.window.canvas


def test_the_keys_of_the_flow_menu(hands: Hands) -> None:
    canvas, window = hands.window.canvas, hands.window
    hands.press("Ins")
    assert QApplication.activePopupWidget() is not None
    hands.press("Esc")
    for keys in ("Alt+Return", "Alt+Enter"):
        hands.on_canvas(STEP)
        hands.press(keys)
        menu = hands.popup(QMenu)
        assert isinstance(menu, QMenu)
        assert "next" in [action.text() for action in menu.actions()]
        assert menu.activeAction() is menu.actions()[0]  # Enter goes on without an arrow first
        hands.press("Esc")
    hands.on_canvas(STEP)
    hands.press("F12")
    assert QApplication.activePopupWidget() is not None
    hands.press("Esc")
    hands.on_canvas(STEP)
    hands.press("Ctrl+Right")
    assert hands.document.stack.undoText().startswith("Move")
    hands.press("Shift+Alt+F")
    assert hands.document.stack.undoText() == "Auto-layout"
    hands.on_canvas(STEP, "closure.issue")
    canvas.set_layout_positions({STEP: (900.0, 900.0)})
    hands.press("Ctrl+Shift+L")
    assert hands.document.stack.undoText().startswith("Auto-layout")
    hands.on_canvas(STEP)
    hands.press("Shift+F1")
    assert canvas.lens.step == STEP
    hands.press("Shift+F1")
    assert canvas.lens.step is None
    hands.press("Ctrl+Alt+G")
    assert QApplication.activePopupWidget() is not None
    hands.press("Esc")
    window.desk.actions["group-by-stage"].trigger()
    hands.on_canvas(STEP)
    hands.press("Ctrl+Shift+[")
    assert canvas.graph.groups.hides(STEP)
    hands.press("Ctrl+Shift+]")
    assert not canvas.graph.groups.hides(STEP)
    window.desk.actions["group-by-none"].trigger()
    hands.on_canvas(STEP, "closure.issue")
    assert window.desk.actions.fits("align-left")

"""Every shortcut of the menus Run, Problems and Help, pressed where it is meant for, and what came of it."""

from PySide6.QtWidgets import QApplication, QMenu

from stepflow_gui.gui.app.help.documentation import DocumentationWindow
from tests.gui.app.keys.conftest import STEP, Hands


def test_the_keys_of_the_run_menu(hands: Hands) -> None:
    control = hands.window.runs.agent
    hands.on_canvas(STEP)
    hands.press("F9")
    assert control.debugger.breakpoints.steps()
    hands.press("F9")
    hands.press("F5")
    assert control.run is not None
    assert control.run.state.step == "initial.issue"
    hands.window.run_panel.focus_offers()
    hands.press("Shift+F5")
    assert control.run is None
    assert QApplication.focusWidget() is hands.window.canvas  # not whatever is next where the answers were
    hands.press("F5")
    hands.window.canvas.setFocus()
    hands.press("Ctrl+Shift+F5", "Ctrl+Shift+F10")
    assert control.run is not None
    hands.press("Shift+F5")
    assert control.run is None
    hands.press("F10")
    assert control.run is not None
    hands.press("Shift+F5")
    hands.on_canvas(STEP)
    hands.press("Ctrl+F10")
    assert control.run is not None
    hands.press("Shift+F5")
    assert not hands.window.desk.actions["run-pause"].isEnabled()  # nothing goes on by itself
    before = hands.text
    hands.on_canvas("closure.issue")
    hands.window.desk.actions["run-from-here"].trigger()
    assert control.run is not None
    assert control.run.state.step == "closure.issue"
    assert hands.text == before


def test_the_keys_of_the_problems_menu(hands: Hands) -> None:
    problems = hands.window.problems
    hands.on_canvas()
    hands.press("F8")
    assert hands.window.statusBar().currentMessage() == "No problems"
    hands.in_source()
    text = hands.text
    hands.window.source.editor.selectAll()
    hands.window.source.editor.insertPlainText(text.replace('"target": "continuation.issue"', '"target": "gone.x"', 1))
    hands.settle()
    assert hands.document.diagnostics
    hands.on_canvas()
    hands.press("F8")
    assert problems.current_finding is not None
    hands.press("Shift+F8")
    for keys in ("Ctrl+.", "Ctrl+Shift+."):
        hands.on_canvas()
        problems.close_details()
        hands.press(keys)
        assert problems.details.isVisible(), keys
        assert problems.details.widget.page == "fix"
    problems.close_details()
    hands.on_canvas()
    hands.press("F1")
    assert problems.details.widget.page == "rule"
    problems.close_details()
    hands.on_canvas()
    hands.press("Shift+Alt+.")
    hands.qtbot.waitUntil(lambda: problems.details.isVisible() and not problems._job.busy)
    problems.close_details()  # so that nothing takes the keyboard once all fixes are worked out
    found = next(each for each in hands.document.diagnostics if each.file == hands.document.path)
    hands.in_source()
    hands.window.source.editor.place_caret(found.range.start.offset)
    hands.press("Ctrl+.")
    assert hands.popup(QMenu).parent() is hands.window.source.editor  # in the text, the menu of its fixes
    hands.press("Esc")
    hands.press("Alt+Return")
    assert isinstance(hands.popup(QMenu), QMenu)
    hands.press("Esc")


def test_the_keys_of_the_help_menu(hands: Hands) -> None:
    hands.press("Ctrl+K", "Ctrl+S")
    assert hands.dialog().windowTitle() == "Keyboard Shortcuts"
    hands.dialog().close()
    hands.on_canvas()
    hands.press("F1")
    shown = hands.window.findChild(DocumentationWindow)
    assert shown is not None
    assert shown.shown == "window.md"
    shown.close()

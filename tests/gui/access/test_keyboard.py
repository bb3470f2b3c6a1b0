"""Everything by keys: Tab goes round the whole window, F6 from panel to panel, and the commonest jobs need no mouse."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.bottom_bar import BottomPanel
from stepflow_gui.gui.app.shell import Shell
from stepflow_gui.gui.canvas.view import GraphView
from stepflow_gui.gui.source.editor import SourceEditor
from stepflow_gui.text.source import Source
from tests.gui.access.conftest import MakeShell
from tests.gui.access.reader import settle
from tests.gui.shown import open_panels

KEY, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
STOPS = 400  # at most, in a window of this size


class Hands:
    """Presses keys, in whatever has the keyboard; looks only at what is shown."""

    def __init__(self, qtbot: QtBot, shell: Shell) -> None:
        self.qtbot = qtbot
        self.shell = shell

    @property
    def focused(self) -> QWidget:
        popup = QApplication.activePopupWidget()
        focused = (popup and (popup.focusWidget() or popup)) or QApplication.focusWidget()
        assert focused is not None
        return focused

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, times: int = 1) -> None:
        for _time in range(times):
            QTest.keyClick(self.focused, key, modifiers)
            QApplication.processEvents()

    def write(self, text: str) -> None:
        self.press(KEY.Key_A, CTRL)
        QTest.keyClicks(self.focused, text)
        QApplication.processEvents()

    def tab_to(self, start: str, key: Qt.Key = KEY.Key_Tab) -> None:
        """Tab until something is reached whose name begins so."""
        for _stop in range(STOPS):
            if _name(self.focused).startswith(start):
                return
            self.press(key)
        raise AssertionError(start)

    def menu(self) -> QMenu:
        """Open the context menu of what has the keyboard."""
        at = self.focused.rect().center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, self.focused.mapToGlobal(at))
        QApplication.sendEvent(self.focused, event)  # as the window system does at the menu key
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        return popup

    def pick(self, title: str) -> None:
        """Go down in the menu that is open to an entry, and choose it or open what is below it."""
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        for _entry in menu.actions():
            active = menu.activeAction()
            if active is not None and active.text().replace("&", "").startswith(title):
                break
            QTest.keyClick(menu, KEY.Key_Down)
        active = menu.activeAction()
        assert active is not None
        QTest.keyClick(menu, KEY.Key_Return)
        QApplication.processEvents()

    def settle(self) -> None:
        settle(self.qtbot, self.shell)
        QApplication.processEvents()

    @property
    def text(self) -> str:
        document = self.shell.current.document
        assert document is not None
        source = document.source()
        assert isinstance(source, Source)
        return source.text

    @property
    def problems(self) -> int:
        return self.shell.current.problems.list.model().rowCount()


@pytest.fixture
def hands(qtbot: QtBot, make_shell: MakeShell, example: Path) -> Hands:
    shell = make_shell(registry=example)
    open_panels(shell.current)  # else they are skipped
    return Hands(qtbot, shell)


def _name(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    return widget.accessibleName() or (text() if callable(text) and isinstance(text(), str) else "")


def holds(panel: QWidget, widget: QWidget) -> bool:
    """Whether a widget is in a panel; the tabs of the bottom panel stand in the bar at the bottom."""
    tabs = panel.tabs if isinstance(panel, BottomPanel) else None
    return widget in {panel, tabs} or panel.isAncestorOf(widget)


def round_trip(hands: Hands, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> list[QWidget]:
    """What Tab goes to until it is back where it began."""
    first = hands.focused
    seen: list[QWidget] = []
    for _stop in range(STOPS):
        seen.append(hands.focused)
        if isinstance(hands.focused, GraphView | SourceEditor):
            hands.press(KEY.Key_Escape)  # Tab goes through the steps else, and writes in the text
        before = hands.focused
        hands.press(key, modifiers)
        assert hands.focused is not before, before
        if hands.focused is first:
            return seen
    raise AssertionError([type(widget).__name__ for widget in seen])


@pytest.mark.parametrize(("key", "modifiers"), [(KEY.Key_Tab, NONE), (KEY.Key_Backtab, SHIFT)])
def test_tab_goes_through_all_panels_and_comes_back(hands: Hands, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    window = hands.shell.current
    hands.press(KEY.Key_4, CTRL)
    seen = round_trip(hands, key, modifiers)
    assert len({id(widget) for widget in seen}) == len(seen)
    for panel in (window.canvas, window.search, window.outline, window.inspector, window.output, window.trust):
        assert any(holds(panel, widget) for widget in seen), panel
    top = next(at for at, widget in enumerate(seen) if window.inspector.isAncestorOf(widget))
    fields = [widget for widget in seen if window.inspector.isAncestorOf(widget)]
    assert seen[top : top + len(fields)] == fields  # a panel is gone through at one go


def test_f6_goes_from_panel_to_panel_and_back(hands: Hands) -> None:
    window = hands.shell.current
    panels = (window.outline, window.canvas, window.inspector, window.source, window.output)
    assert hands.focused is window.canvas
    gone: list[QWidget] = []
    for _time in panels:
        hands.press(KEY.Key_F6)
        gone.append(next(panel for panel in panels if holds(panel, hands.focused)))
    assert gone == [window.source, window.inspector, window.output, window.outline, window.canvas]
    hands.press(KEY.Key_F6, SHIFT)
    assert window.outline.isAncestorOf(hands.focused)
    right = window.run_panel.right
    for number, panel in zip("12345", (window.canvas, right, window.source, window.output, right), strict=True):
        hands.press(KEY(ord(number)), CTRL)
        assert holds(panel, hands.focused), number


def test_connecting_two_steps_in_the_menu(hands: Hands) -> None:
    hands.press(KEY.Key_Home)
    hands.menu()
    for title in ("Connect", "repeat", "continuation.issue"):
        hands.pick(title)
    hands.settle()
    assert '"repeat": { "target": "continuation.issue" }\n      }\n    },\n    "continuation' in hands.text


def test_connecting_two_steps_in_the_contract(hands: Hands) -> None:
    hands.press(KEY.Key_Home)
    hands.press(KEY.Key_2, CTRL)
    hands.tab_to("transitions: where “next” goes")
    hands.write("initial.issue")
    hands.press(KEY.Key_Return)
    hands.settle()
    assert '"next": { "target": "initial.issue" }' in hands.text


def test_fixing_an_enum_mismatch(hands: Hands) -> None:
    hands.press(KEY.Key_Home)
    hands.press(KEY.Key_2, CTRL)
    hands.tab_to("structuredGate › allowedIntents › 1")
    hands.write("jump")
    hands.press(KEY.Key_Return)
    hands.settle()
    assert hands.problems
    hands.press(KEY.Key_Home)
    hands.press(KEY.Key_2, CTRL)
    hands.tab_to("Make all three match schema enum")
    hands.press(KEY.Key_Space)
    hands.settle()
    assert not hands.problems


def test_renaming_a_step(hands: Hands) -> None:
    hands.press(KEY.Key_Home)
    hands.press(KEY.Key_F2)
    hands.write("initial.start")
    hands.press(KEY.Key_Return)
    hands.settle()
    assert "initial.issue" not in hands.text
    assert '"repeat": { "target": "initial.start" }' in hands.text


def test_stepping_through_a_run(hands: Hands) -> None:
    hands.press(KEY.Key_F5)
    for pick in ("next", "handoff"):
        hands.press(KEY.Key_5, CTRL)
        hands.tab_to(pick)
        hands.press(KEY.Key_Return)
        hands.settle()
    assert hands.shell.current.canvas.graph.run.active == {"closure.issue"}
    hands.press(KEY.Key_F10, CTRL | SHIFT)
    assert hands.shell.current.canvas.graph.run.active == {"continuation.issue"}


def test_undoing_everything(hands: Hands) -> None:
    before = hands.text
    hands.press(KEY.Key_Home)
    for new in ("initial.one", "initial.two", "initial.three"):
        hands.press(KEY.Key_F2)
        hands.write(new)
        hands.press(KEY.Key_Return)
        hands.settle()
    hands.press(KEY.Key_Delete)
    hands.settle()
    assert hands.text != before
    hands.press(KEY.Key_Z, CTRL, times=6)
    hands.settle()
    assert hands.text == before

"""Random sequences of what a person does in a real window: undone they leave every file as it was, to the byte."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QWidget

from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.gui.canvas.gestures import CreateStep, target_of
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.editing.new_step_popup import NewStepPopup
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.text.files.store import Saved
from tests.gui.canvas.hand import click, drag, node_point, pill_point, press_key
from tests.gui.editing.conftest import Desk
from tests.sampling import examples

CONTROL = Qt.KeyboardModifier.ControlModifier
WORDS = ("continuation.issue", "a", "initial.other", "closing", "handoff", "é 日本", "", '"')
DEEDS = (
    *("connect", "create", "create by drop", "delete", "delete transition", "rename", "move", "nudge"),
    *("copy and paste", "cut and paste", "duplicate", "arrange", "fill in", "make agree", "type", "fix", "menu"),
    *("undo", "redo", "save"),
)
KEYS = ("x", "\n", "{", '"', ",", "日本", "\\", "9")


def write(widget: QWidget, text: str) -> None:
    """Type a text: what isn't on a keyboard comes from an input method."""
    for character in text:
        if character == "\n":
            QTest.keyClick(widget, Qt.Key.Key_Return)
        elif character.isascii():
            QTest.keyClicks(widget, character)
        else:
            event = QInputMethodEvent()
            event.setCommitString(character)
            QApplication.sendEvent(widget, event)


class Person:
    """Does one thing after the other; `a` and `b` choose among what there is."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def do(self, what: str, a: int, b: int) -> None:
        deed: Callable[[int, int], None] = getattr(self, what.replace(" ", "_"))
        deed(a, b)
        for _open in range(4):
            popup = QApplication.activePopupWidget()
            if popup is None:
                break
            popup.close()
        desk = self.desk
        desk.qtbot.waitUntil(lambda: desk.document.parsed and not desk.canvas.is_building)

    @property
    def steps(self) -> list[str]:
        return list(self.desk.canvas.graph.step_frames())

    def choose(self, a: int, b: int) -> str | None:
        """Select one step, or two."""
        if not self.steps:
            return None
        first = self.steps[a % len(self.steps)]
        more = [first] if b % 3 else [first, self.steps[b % len(self.steps)]]
        self.desk.canvas.choose_steps(more, first)
        return first

    def connect(self, a: int, b: int) -> None:
        """Drag an intent's port to a node: with the mouse where both are in sight."""
        canvas = self.desk.canvas
        ports = [(item, pill.intent) for item in canvas.graph.steps() for pill in item.measured.pills if pill.intent]
        if not ports:
            return
        item, intent = ports[a % len(ports)]
        nodes = list(canvas.graph.nodes)
        node = nodes[b % len(nodes)]
        start = pill_point(canvas, item.step.id, intent)
        end = canvas.mapFromScene(canvas.graph.nodes[node].frame.center())
        inside = canvas.viewport().rect().contains
        if canvas.zoom >= 0.6 and inside(start) and inside(end) and canvas.step_item_at(start) is item:
            drag(canvas, start, end)
        else:
            gesture = canvas.connect_gesture(item.step, intent)
            asked = gesture.drop(node) if gesture is not None else None
            if asked is not None:
                canvas.connect_requested.emit(asked)
        self.pick(b)

    def pick(self, b: int) -> None:
        """Take one of what a menu offers, or nothing."""
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu) and b % 4:
            offered = [action for action in popup.actions() if action.isEnabled() and action.menu() is None]
            if offered:
                chosen = offered[b % len(offered)]
                popup.close()
                chosen.trigger()
        asked = QApplication.activePopupWidget()
        field = asked.findChild(QLineEdit) if asked is not None else None
        if field is not None:
            write(field, WORDS[b % len(WORDS)])
            QTest.keyClick(field, Qt.Key.Key_Return)

    def create(self, a: int, b: int) -> None:
        self.desk.editing.command("new-step")
        self.fill_in_new(a, b)

    def create_by_drop(self, a: int, b: int) -> None:
        moves = list(self.desk.document.last_valid.flow.moves())
        if moves:
            move = moves[a % len(moves)]
            asked = CreateStep(move.step, move.intent, move.case)
            self.desk.canvas.create_requested.emit(asked, QPointF(a * 7 % 900, b * 11 % 700))
            self.fill_in_new(a, b)

    def fill_in_new(self, a: int, b: int) -> None:
        popup = QApplication.activePopupWidget()
        if isinstance(popup, NewStepPopup):
            buttons = list(popup.buttons.values())
            QTest.mouseClick(buttons[b % len(buttons)], Qt.MouseButton.LeftButton)
            QTest.keyClick(popup.id_field, Qt.Key.Key_Escape if a % 5 == 0 else Qt.Key.Key_Return)

    def delete(self, a: int, b: int) -> None:
        if self.choose(a, b) is not None:
            press_key(self.desk.canvas, Qt.Key.Key_Delete)
            self.answer(a)

    def answer(self, a: int) -> None:
        """Press one of the banner's buttons."""
        banner = self.desk.window.banner
        buttons = [button for button in banner.findChildren(QPushButton) if button.isVisible()]
        if banner.isVisible() and buttons:
            buttons[a % len(buttons)].click()

    def delete_transition(self, a: int, _b: int) -> None:
        moves = list(self.desk.document.last_valid.flow.moves())
        if moves:
            move = moves[a % len(moves)]
            self.desk.canvas.choose_transition(TransitionRef(move.step, move.intent, move.case))
            press_key(self.desk.canvas, Qt.Key.Key_Delete)

    def rename(self, a: int, b: int) -> None:
        if self.choose(a, 1) is None:
            return
        press_key(self.desk.canvas, Qt.Key.Key_F2)
        field = self.desk.canvas.viewport().findChild(QLineEdit, "inlineEdit")
        if field is not None:
            write(field, f"{WORDS[b % len(WORDS)]}{b}")
            QTest.keyClick(field, Qt.Key.Key_Return if a % 4 else Qt.Key.Key_Escape)

    def move(self, a: int, b: int) -> None:
        first = self.choose(a, b)
        if first is None:
            return
        self.desk.canvas.fit()
        at = node_point(self.desk.canvas, first)
        if self.desk.canvas.viewport().rect().contains(at):
            drag(self.desk.canvas, at, at + QPoint(a % 90 - 45, b % 90 - 45))

    def nudge(self, a: int, b: int) -> None:
        if self.choose(a, b) is not None:
            for _time in range(b % 4 + 1):
                press_key(self.desk.canvas, (Qt.Key.Key_Left, Qt.Key.Key_Down)[a % 2], CONTROL)

    def copy_and_paste(self, a: int, b: int) -> None:
        if self.choose(a, b) is not None:
            press_key(self.desk.canvas, Qt.Key.Key_C, CONTROL)
            press_key(self.desk.canvas, Qt.Key.Key_V, CONTROL)

    def cut_and_paste(self, a: int, b: int) -> None:
        if self.choose(a, b) is not None:
            press_key(self.desk.canvas, Qt.Key.Key_X, CONTROL)
            self.answer(a)
            press_key(self.desk.canvas, Qt.Key.Key_V, CONTROL)

    def duplicate(self, a: int, b: int) -> None:
        if self.choose(a, b) is not None:
            press_key(self.desk.canvas, Qt.Key.Key_D, CONTROL)

    def arrange(self, a: int, b: int) -> None:
        press_key(self.desk.canvas, Qt.Key.Key_A, CONTROL)
        if a % 3 == 0:
            self.desk.window.desk.actions["tidy"].trigger()
        elif a % 3 == 1:
            self.desk.editing.align(("left", "top", "across", "centre")[b % 4])
        elif self.choose(a, 3 * b) is not None:
            self.desk.editing.command("tidy-selection")

    def fill_in(self, a: int, b: int) -> None:
        """Write into a field of the inspector."""
        self.choose(a, 1)
        fields = [
            field
            for field in self.desk.window.inspector.findChildren(FormLineEdit)
            if field.isVisibleTo(self.desk.window) and field.isEnabled() and not field.isReadOnly()
        ]
        if fields:
            field = fields[b % len(fields)]
            field.setFocus()
            field.selectAll()
            write(field, WORDS[a % len(WORDS)])
            QTest.keyClick(field, Qt.Key.Key_Return)

    def make_agree(self, a: int, b: int) -> None:
        """One click in the contract view."""
        self.choose(a, 1)
        inspector = self.desk.window.inspector
        names = ("contractGap", "formMark", "formButton")
        offered = [button for name in names for button in inspector.findChildren(QPushButton, name)]
        shown = [button for button in offered if button.isVisibleTo(self.desk.window) and button.isEnabled()]
        if shown:
            shown[b % len(shown)].click()

    def type(self, a: int, b: int) -> None:
        editor = self.desk.window.source.editor
        cursor = editor.textCursor()
        cursor.setPosition(a * 131 % max(len(editor.toPlainText()), 1))
        editor.setTextCursor(cursor)
        for _key in range(b % 3 + 1):
            write(editor, KEYS[b % len(KEYS)])

    def fix(self, a: int, _b: int) -> None:
        self.desk.settle()
        fixes = [found.fixes[0] for found in self.desk.document.diagnostics if found.fixes]
        if fixes:
            self.desk.document.apply_fix(fixes[a % len(fixes)])

    def menu(self, a: int, b: int) -> None:
        """Take an entry of a context menu."""
        moves = list(self.desk.document.last_valid.flow.moves())
        if a % 2 and moves:
            move = moves[a % len(moves)]
            self.desk.canvas.choose_transition(TransitionRef(move.step, move.intent, move.case))
        else:
            self.choose(a, 1)
        menu = self.desk.menu.build(QPointF())
        leaves = [
            action
            for action in (action for each in (menu, *menu.findChildren(QMenu)) for action in each.actions())
            if action.menu() is None and action.isEnabled() and not action.isSeparator() and action.text()
        ]
        if leaves:
            leaves[b % len(leaves)].trigger()
            self.pick(b)
            self.desk.window.source.show_file(self.desk.document.path)  # an entry may show a prompt or schema

    def undo(self, a: int, _b: int) -> None:
        for _time in range(a % 3 + 1):
            self.desk.document.undo()

    def redo(self, a: int, _b: int) -> None:
        for _time in range(a % 3 + 1):
            self.desk.document.redo()

    def save(self, _a: int, _b: int) -> None:
        assert isinstance(self.desk.document.save(), Saved)
        assert not self.desk.document.dirty


def all_texts(desk: Desk) -> dict[Path, str]:
    """Every file that the window has open."""
    document = desk.document
    return {
        **{path: text for path, text, _bom in document.snapshot().texts},
        document.layout_path: desk.text(document.layout_path),
    }


def looks_right(desk: Desk) -> None:
    """The canvas shows the steps of the last valid text, no more and no less; a valid text is shown as it is."""
    document, canvas = desk.document, desk.canvas
    shown = {node.name for node in canvas.graph.nodes if node.kind == "step"}
    assert shown == set(document.last_valid.flow.steps)
    assert set(canvas.positions()) == shown
    assert all(canvas.graph.nodes[NodeId("step", step)].frame.width() > 0 for step in shown)
    assert canvas.text_broken == document.text_broken
    if not document.text_broken:
        assert document.last_valid.registry.source.text == desk.text()
        led = {(move.step, target_of(key[1])) for key, edge in canvas.graph.edges.items() for move in edge.route.moves}
        assert led == {(move.step, move.target) for move in document.last_valid.flow.moves()}
    shows_the_text(desk)


def shows_the_text(desk: Desk) -> None:
    """The editor holds what the file holds."""
    stack = desk.document.stack
    shown = desk.window.source.editor.toPlainText()
    assert shown == desk.text(), (stack.text(stack.index()), stack.text(stack.index() - 1))


def back(desk: Desk) -> None:
    """Undo all, one by one."""
    while desk.document.stack.canUndo():
        desk.document.undo()
        shows_the_text(desk)
    desk.qtbot.waitUntil(lambda: desk.document.parsed and not desk.canvas.is_building)


SEQUENCES = st.lists(
    st.tuples(st.sampled_from(DEEDS), st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=14
)


@settings(
    max_examples=examples(20),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(deeds=SEQUENCES)
def test_all_that_was_done_is_undone_and_done_again(desk: Desk, deeds: list[tuple[str, int, int]]) -> None:
    back(desk)
    desk.document.stack.clear()
    desk.canvas.fit()
    folder = desk.document.last_valid.root
    original = {path: path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in {".json", ".md"}}
    before, places = all_texts(desk), desk.canvas.positions()
    person = Person(desk)
    for what, a, b in deeds:
        person.do(what, a, b)
        looks_right(desk)
    after, shown = all_texts(desk), desk.canvas.positions()
    count = desk.document.stack.index()
    back(desk)
    undone = all_texts(desk)
    assert {path: undone[path] for path in before} == before
    opened = [path for path in undone if path not in before]
    assert {path: undone[path] for path in opened} == {path: original[path] for path in opened}
    assert desk.canvas.positions() == places
    looks_right(desk)
    while desk.document.stack.index() < count:
        desk.document.redo()
        shows_the_text(desk)
    assert all_texts(desk) == after
    desk.qtbot.waitUntil(lambda: desk.document.parsed and not desk.canvas.is_building)
    assert desk.canvas.positions() == shown
    looks_right(desk)


def test_a_click_changes_nothing(desk: Desk) -> None:
    before = all_texts(desk)
    for step in list(desk.canvas.graph.step_frames()):
        click(desk.canvas, node_point(desk.canvas, step))
    assert all_texts(desk) == before
    assert desk.history == []


@pytest.mark.parametrize("times", [1, 3])
def test_undo_after_a_save_gives_the_old_text_and_the_mark_back(desk: Desk, times: int) -> None:
    before = all_texts(desk)
    person = Person(desk)
    for _time in range(times):
        person.do("duplicate", 1, 1)
    person.do("save", 0, 0)
    desk.undo_all()
    assert {path: text for path, text in all_texts(desk).items() if path in before} == before
    assert desk.document.dirty
    while desk.document.stack.canRedo():
        desk.document.redo()
    assert not desk.document.dirty

"""TAKT pieces edited by hand: rules dragged to movements and to both ends, movements made, copied, renamed, removed."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from stepflow_gui.flow.layout.shapes import NodeId
from stepflow_gui.formats.changes import RenameIntent, SetField
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.gui.canvas.gestures import NEW_INTENT, ConnectAsked
from stepflow_gui.gui.canvas.marks import TransitionRef
from stepflow_gui.gui.inspector.conditions.builder import ConditionBuilder
from stepflow_gui.gui.inspector.forms.choices import choices
from stepflow_gui.gui.inspector.forms.form_target import RegistryTarget
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.widgets.ask_popup import AskPopup
from tests.formats.takt.test_changes import PIECE
from tests.gui.canvas.hand import drag, node_point, pill_point
from tests.gui.editing.conftest import Desk
from tests.gui.editing.test_context_menu import entries, menu_of, pick, sub
from tests.gui.editing.test_making_steps import empty_point
from tests.gui.inspector.test_forms import row


@pytest.fixture
def example(tmp_path: Path) -> Path:
    folder = tmp_path / ".takt" / "pieces"
    folder.mkdir(parents=True)
    (folder / "small.yaml").write_text(PIECE, encoding="utf-8")
    return folder / "small.yaml"


def answer(desk: Desk, text: str) -> None:
    """Type into the small form that is open."""
    desk.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), AskPopup))
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, AskPopup)
    QTest.keyClicks(popup.field, text)
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    desk.settle()


def build(desk: Desk, text: str) -> None:
    """Type a condition into the builder that is open."""
    desk.qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), ConditionBuilder))
    builder = QApplication.activePopupWidget()
    assert isinstance(builder, ConditionBuilder)
    field = builder.texts.rows[0].field
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.settle()


def end_point(desk: Desk, word: str) -> QPoint:
    """The middle of an end on the canvas."""
    item = next(item for node, item in desk.canvas.graph.nodes.items() if node.kind == "end" and node.word == word)
    return desk.canvas.mapFromScene(item.sceneBoundingRect().center())


def goals(desk: Desk, step: str) -> dict[str, str]:
    """The targets of the rules of a movement, by their conditions in order."""
    rules = desk.document.last_valid.flow.steps[step].transitions
    return {rule.intent: rule.end or (rule.target.value if rule.target else "") for rule in rules}


def subs_of(desk: Desk) -> list[str]:
    """The sub-steps of the parallel movement."""
    return [each.id for each in desk.document.last_valid.flow.steps["review"].subs]


def test_rules_are_dragged_to_movements_and_to_both_ends(desk: Desk) -> None:
    before, canvas = desk.text(), desk.canvas
    drag(canvas, pill_point(canvas, "plan", "Clear"), node_point(canvas, "review"))
    desk.settle()
    assert goals(desk, "plan") == {"Clear": "review", "Unclear": "ABORT"}
    drag(canvas, pill_point(canvas, "plan", "Clear"), end_point(desk, "ABORT"))
    desk.settle()
    assert goals(desk, "plan")["Clear"] == "ABORT"
    drag(canvas, pill_point(canvas, "plan", "Unclear"), end_point(desk, "COMPLETE"))
    desk.settle()
    assert goals(desk, "plan")["Unclear"] == "COMPLETE"
    gesture = canvas.connect_gesture(desk.document.last_valid.flow.steps["plan"], "Clear")
    assert gesture is not None
    assert gesture.why_not(NodeId("step", "work")) is None
    assert gesture.why_not(NodeId("end", "plan", "ABORT"))  # it goes there already
    assert gesture.why_not(NodeId("end", "plan", "COMPLETE")) is None
    assert len(desk.history) == 3
    desk.undo_all()
    assert desk.text() == before


def test_a_drop_on_empty_canvas_makes_a_movement_and_the_plus_a_rule(desk: Desk) -> None:
    before, canvas = desk.text(), desk.canvas
    drag(canvas, pill_point(canvas, "plan", "Clear"), empty_point(desk))
    answer(desk, "check")
    assert goals(desk, "plan")["Clear"] == "check"
    assert list(goals(desk, "check").values()) == ["work"]
    desk.editing.connect(ConnectAsked("work", NEW_INTENT, None, "ABORT"))
    build(desk, "Stuck")
    assert goals(desk, "work") == {"Done": "review", "Stuck": "ABORT"}
    assert len(desk.history) == 2
    desk.undo_all()
    assert desk.text() == before


def test_menus_call_movements_so_and_rename_them_alike(desk: Desk) -> None:
    desk.canvas.choose_step(None)
    assert entries(menu_of(desk))[0] == "New Movement…"
    desk.canvas.choose_step("plan")
    found = entries(menu_of(desk))
    assert found[0] == "Rename Movement…"
    assert not [entry for entry in found if "Name" in entry]


def test_the_menus_know_rules_and_sub_steps(desk: Desk) -> None:
    canvas = desk.canvas
    canvas.choose_step("plan")
    lead = sub(menu_of(desk), "Connect")
    assert entries(sub(lead, "Clear")) == ["COMPLETE", "ABORT", "plan", "work", "review"]
    pick(sub(lead, "Clear"), "ABORT")
    desk.settle()
    assert goals(desk, "plan")["Clear"] == "ABORT"
    canvas.choose_transition(TransitionRef("plan", "Unclear"))
    pick(menu_of(desk), "Try Earlier")
    desk.settle()
    assert list(goals(desk, "plan")) == ["Unclear", "Clear"]
    canvas.choose_transition(TransitionRef("plan", "Unclear"))
    pick(menu_of(desk), "Change Condition")
    build(desk, "Not clear")
    assert list(goals(desk, "plan")) == ["Not clear", "Clear"]
    canvas.choose_step("review")
    pick(sub(menu_of(desk), "Add"), "Sub-step")
    answer(desk, "speed")
    assert subs_of(desk) == ["style", "sense", "speed"]
    added = desk.document.last_valid.flow.steps["review"].subs[2]
    assert [rule.intent for rule in added.transitions] == ["approved", "needs_fix"]
    pick(sub(sub(menu_of(desk), "Sub-steps"), "speed"), "Move Up")
    desk.settle()
    assert subs_of(desk) == ["style", "speed", "sense"]
    pick(sub(sub(menu_of(desk), "Sub-steps"), "style"), "Rename")
    answer(desk, "looks")
    assert subs_of(desk) == ["looks", "speed", "sense"]
    pick(sub(sub(menu_of(desk), "Sub-steps"), "speed"), "Remove")
    desk.settle()
    assert subs_of(desk) == ["looks", "sense"]


def test_movements_are_copied_pasted_duplicated_and_removed(desk: Desk) -> None:
    before = desk.text()
    desk.canvas.choose_step("plan")
    desk.editing.command("copy")
    assert QGuiApplication.clipboard().text().startswith("- name: plan\n  persona: planner\n")
    desk.editing.command("paste")
    desk.settle()
    assert "plan_copy" in desk.document.last_valid.flow.steps
    desk.editing.duplicate(["work"])
    desk.settle()
    assert goals(desk, "work_copy") == {"Done": "review"}
    desk.editing.remove(["work_copy"])
    desk.settle()
    desk.editing.disconnect(TransitionRef("plan", "Unclear"))
    desk.settle()
    assert goals(desk, "plan") == {"Clear": "work"}
    assert len(desk.history) == 4
    desk.undo_all()
    assert desk.text() == before


def test_the_forms_have_the_fields_of_pieces(desk: Desk) -> None:
    before, form = desk.text(), desk.window.inspector
    desk.document.select(None, "link")
    desk.settle()
    assert row(desk.window, "/max_iterations").line.value == 5
    assert row(desk.window, "/initial_movement").line.value == "plan"
    assert row(desk.window, "/personas/coder").line.value == "../personas/coder.md"
    assert "agentId" not in [each.line.key for each in form.findChildren(FormRow)]
    desk.document.select("plan", "link")
    desk.settle()
    assert row(desk.window, "/movements/0/persona").line.value == "planner"
    folder = desk.document.folder
    assert choices(folder, row(desk.window, "/movements/0/persona").line) == ["planner", "coder"]
    target = row(desk.window, "/movements/0/rules/0/next").line
    assert choices(folder, target) == ["plan", "work", "review", "COMPLETE", "ABORT"]
    subject = RegistryTarget(folder)
    assert desk.editing.make(subject.set_to(target, "ABORT"))
    desk.settle()
    assert goals(desk, "plan")["Clear"] == "ABORT"
    assert desk.editing.make(subject.move(row(desk.window, "/movements/0/rules/0").line, 1))
    desk.settle()
    assert list(goals(desk, "plan")) == ["Unclear", "Clear"]
    added = subject.add_item(row(desk.window, "/movements/0/rules").line)
    assert added is not None
    assert desk.editing.make(added)
    desk.settle()
    assert len(goals(desk, "plan")) == 3
    desk.undo_all()
    assert desk.text() == before


def test_a_condition_that_is_a_sentence_leaves_the_inspector_narrow(desk: Desk) -> None:
    condition = "The requirements are clear and what is left can be implemented"
    assert desk.editing.make(RenameIntent("plan", "Clear", condition))
    desk.settle()
    desk.document.select("work", "link")
    desk.settle()
    labels = [each for each in desk.window.inspector.findChildren(QLabel) if each.toolTip() == condition]
    assert labels
    assert max(each.minimumSizeHint().width() for each in labels) <= 140


def test_of_two_rules_with_one_condition_the_second_is_edited_on_the_canvas(desk: Desk) -> None:
    before, canvas = desk.text(), desk.canvas
    desk.editing.make(SetField("/movements/0/rules/-", {"condition": "Clear", "next": "review"}))
    desk.settle()
    assert goals(desk, "plan") == {"Clear": "work", "Unclear": "ABORT", "Clear #2": "review"}
    desk.qtbot.waitUntil(lambda: ("plan", "Clear #2") in canvas.graph.transition_counts)
    drag(canvas, pill_point(canvas, "plan", "Clear #2"), end_point(desk, "COMPLETE"))
    desk.settle()
    assert goals(desk, "plan") == {"Clear": "work", "Unclear": "ABORT", "Clear #2": "COMPLETE"}
    canvas.choose_transition(TransitionRef("plan", "Clear #2"))
    pick(menu_of(desk), "Try Earlier")
    desk.settle()
    assert list(goals(desk, "plan")) == ["Clear", "Clear #2", "Unclear"]
    desk.editing.disconnect(TransitionRef("plan", "Clear #2"))
    desk.settle()
    assert goals(desk, "plan") == {"Clear": "work", "Unclear": "ABORT"}
    desk.undo_all()
    assert desk.text() == before


def test_the_form_opens_the_builder_and_takes_its_condition(desk: Desk) -> None:
    before = desk.text()
    desk.document.select("review", "link")
    desk.settle()
    condition = row(desk.window, "/movements/2/rules/0/condition")
    assert condition.help_button is not None
    assert condition.help_button in condition.stops
    assert row(desk.window, "/movements/2/rules/0/next").help_button is None
    QTest.keyClick(condition.help_button, Qt.Key.Key_Space)
    builder = QApplication.activePopupWidget()
    assert isinstance(builder, ConditionBuilder)
    builder.texts.each.click()
    QTest.keyClick(builder.texts.rows[0].field, Qt.Key.Key_Return)
    desk.settle()
    assert list(goals(desk, "review")) == ['all("approved", "approved")', 'any("needs_fix")']
    assert len(desk.history) == 1
    desk.undo_all()
    assert desk.text() == before


def test_the_form_comes_to_the_rule_that_is_selected_on_the_canvas(desk: Desk) -> None:
    desk.document.select("plan", "link")
    desk.settle()
    inspector = desk.window.inspector
    inspector.setMaximumHeight(160)
    desk.settle()
    inspector.verticalScrollBar().setValue(0)
    desk.canvas.setFocus()
    desk.canvas.choose_transition(TransitionRef("plan", "Unclear"))
    rule = row(desk.window, "/movements/0/rules/1")

    def seen() -> bool:
        return inspector.viewport().rect().contains(rule.mapTo(inspector.viewport(), QPoint(1, 1)))

    desk.qtbot.waitUntil(lambda: inspector.verticalScrollBar().value() > 0)
    desk.qtbot.waitUntil(seen)


def test_a_file_becomes_an_entry_of_a_section(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    before, folder = desk.text(), desk.document.path.parent.parent
    asked: list[str] = []

    def choose(file: Path) -> None:
        def chosen(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
            asked.append(start)
            return str(file), ""

        monkeypatch.setattr(QFileDialog, "getOpenFileName", chosen)

    for name in ("policies/strict.md", "personas/coder.md", "personas/other.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("Be strict.", encoding="utf-8")
    desk.document.select(None, "link")
    desk.settle()
    personas = next(each for each in desk.window.inspector.findChildren(FormRow) if each.shown.title == "Sections")
    offers = {offer.title: offer for offer in RegistryTarget(desk.document.folder).offers(personas.shown)}
    assert set(offers) == {f"{section}: From a File…" for section in SECTIONS}
    choose(folder / "policies" / "strict.md")
    found = offers["policies: From a File…"].ask(desk.window)
    assert found == (SetField("/policies/strict", "../policies/strict.md"), "/policies/strict")
    choose(folder / "personas" / "coder.md")
    refused = offers["personas: From a File…"].ask(desk.window)
    assert isinstance(refused, Refusal)
    assert "coder" in refused.reason  # it already exists
    assert asked == [str(folder / "policies"), str(folder / "personas")]
    entry = row(desk.window, "/personas/planner")
    assert entry.help_button is not None
    choose(folder / "personas" / "other.md")
    entry.help_button.click()
    desk.settle()
    assert "planner: ../personas/other.md   # who plans" in desk.text()
    choose(folder.parents[2] / "elsewhere.md")
    entry = row(desk.window, "/personas/planner")
    assert entry.help_button is not None
    entry.help_button.click()
    assert "copy it into the project first" in row(desk.window, "/personas/planner").shown_texts[0]
    desk.undo_all()
    assert desk.text() == before

"""The builder of conditions by keyboard: it opens from existing text, reports what is wrong, gives back one text."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.read import read_flow
from stepflow_gui.gui.inspector.conditions.about import about_condition_at
from stepflow_gui.gui.inspector.conditions.builder import ConditionBuilder
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.source import Source
from tests.formats.takt.test_changes import PIECE, words

WHEN = 'context.task.kind == "bug" || structured.plan.count > 2'


class Open:
    """An open builder and what it gave back."""

    def __init__(self, qtbot: QtBot, pointer: str, text: str, *, workflow: bool = False) -> None:
        path = Path(".takt") / ("workflows" if workflow else "pieces") / "p.yaml"
        flow = read_flow(ParsedFile.read(path, Source(words(PIECE) if workflow else PIECE)))
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.show()
        self.got: list[str] = []
        self.builder = ConditionBuilder(self.window, about_condition_at(flow, pointer), "Condition", text)
        self.builder.answered.connect(self.got.append)
        self.builder.open_at(QPoint(0, 0))

    @property
    def preview(self) -> str:
        return "" if self.builder.preview.isHidden() else self.builder.preview.text().removeprefix("Writes  ")

    def enter(self) -> list[str]:
        fields: list[QWidget] = [row.field for row in self.builder.texts.rows] or [self.builder.state.text]
        QTest.keyClick(fields[-1], Qt.Key.Key_Return)
        return self.got


@pytest.mark.parametrize(
    ("pointer", "text", "workflow"),
    [
        ("/movements/2/rules/0/condition", 'all("approved")', False),
        ("/movements/2/rules/0/condition", 'all("approved" , "needs_fix")', False),
        ("/movements/0/rules/0/condition", " Done ", False),
        ("/movements/0/rules/0/condition", 'ai("so?")', False),
        ("/movements/0/rules/0/condition", "two\nlines", False),
        ("/movements/0/rules/0/condition", 'all("")', False),
        ("/steps/2/rules/0/condition", "any( approved,needs_fix )", True),
        ("/steps/0/rules/0/condition", f"ok   &&  when({WHEN})", True),
        ("/steps/0/rules/0/condition", f"when( {WHEN} )", True),
    ],
)
def test_what_is_not_changed_is_given_back_as_it_stood(
    pointer: str,
    text: str,
    workflow: bool,
    qtbot: QtBot,
) -> None:
    opened = Open(qtbot, pointer, text, workflow=workflow)
    assert opened.enter() == [text]


def test_an_aggregate_is_made_for_each_sub_step_by_keys(qtbot: QtBot) -> None:
    opened = Open(qtbot, "/movements/2/rules/0/condition", "Done")
    builder = opened.builder
    assert builder.forms == ("label", "ai", "all", "any")
    QTest.keyClick(builder.segments.stops()[2], Qt.Key.Key_Space)
    assert opened.preview == ""  # nothing is written without a text
    QTest.keyClicks(builder.texts.rows[0].field, "approved")
    assert opened.preview == 'all("approved")'
    QTest.keyClick(builder.texts.each, Qt.Key.Key_Space)
    assert [row.about.toolTip() or row.about.text() for row in builder.texts.rows] == ["style", "sense"]
    assert opened.preview == 'all("approved", "approved")'
    field = builder.texts.rows[0].field
    field.selectAll()
    QTest.keyClicks(field, 'needs"fix')
    assert not builder.texts.rows[0].fault.isHidden()
    assert opened.preview == ""
    assert opened.enter() == []  # it stays open
    field.selectAll()
    QTest.keyClicks(field, "needs_fix")
    assert opened.enter() == ['all("needs_fix", "approved")']


def test_a_wrong_number_of_texts_is_reported(qtbot: QtBot) -> None:
    opened = Open(qtbot, "/movements/2/rules/0/condition", 'all("a", "b", "c")')
    assert not opened.builder.texts.hint.isHidden()
    removes = opened.builder.texts.rows[1].removes
    assert removes is not None
    removes.click()
    assert opened.builder.texts.hint.isHidden()
    assert opened.enter() == ['all("a", "c")']


def test_where_there_are_no_sub_steps_nothing_is_aggregated(qtbot: QtBot) -> None:
    assert Open(qtbot, "/movements/0/rules/0/condition", "Done").builder.forms == ("label", "ai")
    assert Open(qtbot, "/movements/2/parallel/0/rules/0/condition", "Done").builder.forms == ("label", "ai")
    assert Open(qtbot, "/loop_monitors/0/judge/rules/0/condition", "Done").builder.forms == ("label", "ai")
    odd = Open(qtbot, "/movements/0/rules/0/condition", 'all("x")').builder
    assert odd.forms == ("label", "ai", "all")  # the existing condition is shown as it is


def test_an_expression_is_built_of_clauses(qtbot: QtBot) -> None:
    opened = Open(qtbot, "/steps/0/rules/0/condition", f"when({WHEN})", workflow=True)
    state = opened.builder.state
    assert [row.clause.left for row in state.rows] == ["context.task.kind", "structured.plan.count"]
    state.rows[1].right.selectAll()
    QTest.keyClicks(state.rows[1].right, "5")
    assert opened.preview == 'when(context.task.kind == "bug" || structured.plan.count > 5)'
    state.rows[1].joint.setCurrentIndex(0)
    state.rows[1].joint.activated.emit(0)
    assert opened.preview == 'when(context.task.kind == "bug" && structured.plan.count > 5)'
    state.text.selectAll()
    QTest.keyClicks(state.text, "context.task.kind ==")
    assert not state.rows[0].isEnabled()
    assert opened.preview == ""
    QTest.keyClicks(state.text, " true")
    assert [row.clause.right for row in state.rows] == ["true"]
    assert opened.enter() == ["when(context.task.kind == true)"]


def test_a_label_and_the_state_stand_together(qtbot: QtBot) -> None:
    opened = Open(qtbot, "/steps/0/rules/0/condition", "Clear", workflow=True)
    builder = opened.builder
    QTest.keyClick(builder.besides, Qt.Key.Key_Space)
    assert not builder.state.isHidden()
    assert opened.enter() == []  # an expression is wanted now
    QTest.keyClicks(builder.state.rows[0].left, "context.task.big")
    assert opened.enter() == ["Clear && when(context.task.big)"]


def test_escape_gives_nothing(qtbot: QtBot) -> None:
    opened = Open(qtbot, "/movements/0/rules/0/condition", "Done")
    QTest.keyClick(opened.builder, Qt.Key.Key_Escape)
    assert opened.got == []

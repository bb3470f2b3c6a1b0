"""The answer form as a person uses it: with keys and clicks, on real widgets."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.climpt.eras import GUIDE
from stepflow_gui.gui.runs.answer_form.form import AnswerForm
from stepflow_gui.gui.widgets.theme import Theme
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.answer_form.draft import AnswerDraft
from stepflow_gui.run.answer_form.forecast import forecast
from stepflow_gui.run.machine.state import Answered
from stepflow_gui.run.session import Run


@pytest.fixture
def example(checkout: Path) -> AgentFolder:
    found = open_agent(checkout / "resources" / "examples" / "issue-flow")
    assert isinstance(found, AgentFolder)
    return found


@pytest.fixture
def draft(example: AgentFolder) -> AnswerDraft:
    step = example.flow.steps["initial.issue"]
    return AnswerDraft(example.flow, step, example.schema(step).value, GUIDE)


class Asked:
    """A form that is shown, and what was answered with it."""

    def __init__(self, form: AnswerForm, draft: AnswerDraft) -> None:
        self.form = form
        self.draft = draft
        self.given: list[Answered] = []
        form.answered.connect(self.given.append)

    def find(self, kind: type[Any], name: str) -> Any:
        found = [each for each in self.form.findChildren(kind) if each.accessibleName() == name and each.isVisible()]
        assert len(found) == 1, [each.accessibleName() for each in self.form.findChildren(kind)]
        return found[0]

    def text(self, name: str) -> QPlainTextEdit:
        found = self.find(QPlainTextEdit, name)
        assert isinstance(found, QPlainTextEdit)
        return found

    def button(self, name: str) -> QPushButton:
        found = self.find(QPushButton, name)
        assert isinstance(found, QPushButton)
        return found

    def labels(self) -> str:
        return "\n".join(each.text() for each in self.form.findChildren(QLabel) if each.isVisible())

    def press(self, text: str) -> None:
        button = next(each for each in self.form.findChildren(QPushButton) if each.text() == text and each.isVisible())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    @property
    def shown(self) -> Any:
        return json.loads(self.form._json.editor.toPlainText())


@pytest.fixture
def asked(qtbot: QtBot, example: AgentFolder, draft: AnswerDraft) -> Iterator[Asked]:
    run = Run(example.flow)
    run.start("initial.issue")
    form = AnswerForm(Theme(dark=False))
    qtbot.addWidget(form)
    form.resize(900, 700)
    form.show()
    form.show_draft(draft, lambda answered: forecast(run.machine, run.state, answered))
    qtbot.wait(1)
    yield Asked(form, draft)
    form.clear()


def test_a_click_on_an_intent_changes_the_answer_and_the_json(asked: Asked) -> None:
    assert asked.button("next").isChecked()
    assert "continuation.issue is next" in asked.labels()
    QTest.mouseClick(asked.button("repeat"), Qt.MouseButton.LeftButton)
    assert asked.shown["next_action"]["action"] == "repeat"
    assert not asked.button("next").isChecked()
    assert "initial.issue is asked again" in asked.labels()


def test_the_intent_stands_first(asked: Asked) -> None:
    asked.form.focus_first()
    focused = asked.form.focusWidget()
    assert isinstance(focused, QPushButton)
    assert focused.accessibleName() == "next"


def test_typing_keeps_the_widget_the_cursor_and_the_json(asked: Asked, qtbot: QtBot) -> None:
    box = asked.text("summary")
    box.setFocus()
    QTest.keyClicks(box, "Fx it")
    for _move in range(4):
        QTest.keyClick(box, Qt.Key.Key_Left)
    QTest.keyClicks(box, "i")
    qtbot.wait(1)
    assert box.toPlainText() == "Fix it"
    assert box.textCursor().position() == 2
    assert asked.text("summary") is box
    assert asked.shown["summary"] == "Fix it"


def test_json_that_is_typed_changes_the_form_and_keeps_its_cursor(asked: Asked) -> None:
    editor = asked.text("Answer as JSON")
    text = editor.toPlainText()
    cursor = editor.textCursor()
    at = text.index('"summary": "') + len('"summary": "')
    cursor.setPosition(at)
    editor.setTextCursor(cursor)
    editor.setFocus()
    QTest.keyClicks(editor, "By hand")
    assert asked.text("summary").toPlainText() == "By hand"
    assert editor.textCursor().position() == at + len("By hand")


def test_json_that_is_none_is_reported_and_cant_be_answered(asked: Asked) -> None:
    editor = asked.text("Answer as JSON")
    editor.setFocus()
    QTest.keyClicks(editor, "{")
    assert "Line 1, column 2" in asked.labels()
    assert not asked.form._answer.isEnabled()
    QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not asked.given
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert asked.form._answer.isEnabled()


def test_optional_fields_are_begun_and_removed_with_the_keyboard(asked: Asked, qtbot: QtBot) -> None:
    asked.button("Add affected").setFocus()
    QTest.keyClick(asked.button("Add affected"), Qt.Key.Key_Space)
    assert asked.shown["analysis"]["affected"] == []
    QTest.mouseClick(asked.button("Add an item to analysis › affected"), Qt.MouseButton.LeftButton)
    qtbot.wait(1)
    item = asked.text("analysis › affected › 0")
    assert item.hasFocus(), "the keyboard is where one goes on typing"
    QTest.keyClicks(item, "a.py")
    assert asked.shown["analysis"]["affected"] == ["a.py"]
    QTest.mouseClick(asked.button("Remove analysis › affected › 0"), Qt.MouseButton.LeftButton)
    QTest.mouseClick(asked.button("Remove analysis › affected"), Qt.MouseButton.LeftButton)
    assert "affected" not in asked.shown["analysis"]


def test_what_breaks_the_schema_is_reported_at_its_field(asked: Asked) -> None:
    asked.draft.remove("/summary")
    asked.draft.set("/next_action/action", "go")
    assert "“summary” is required." in asked.labels()
    assert "2 places break" in asked.labels()
    assert "go" in asked.labels()
    assert 'one of: "next", "repeat"' in asked.button("next").accessibleDescription()
    QTest.mouseClick(asked.button("Begin summary"), Qt.MouseButton.LeftButton)
    assert asked.shown["summary"] == ""


def test_the_answer_is_given_by_button_and_by_key(asked: Asked) -> None:
    asked.press("Answer")
    box = asked.text("summary")
    QTest.keyClicks(box, "x")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [each.answer["summary"] for each in asked.given] == ["", "x"]
    assert asked.given[0].texts is None  # as nobody says what the model wrote


def test_a_text_beside_goes_along(asked: Asked) -> None:
    line = asked.find(QLineEdit, "Text beside the answer")
    QTest.keyClicks(line, "TASK_COMPLETE")
    asked.press("Answer")
    assert asked.given[0].texts == ("TASK_COMPLETE",)


def _menu(asked: Asked) -> QMenu:
    asked.form._fill_menu()
    return asked.form._menu


def test_each_corrupted_answer_explains_what_the_runner_would_do(asked: Asked) -> None:
    ways = {action.text(): action for action in _menu(asked).actions()}
    assert len([text for text in ways if text]) == 9
    broken = [action for text, action in ways.items() if text and not text.startswith("Start")]
    assert all(action.toolTip() != action.text() for action in broken)
    ways["An intent that isn't allowed"].trigger()
    assert asked.shown["next_action"]["action"] == "jump"
    assert "allowedIntents" in asked.labels()
    _menu(asked).actions()[-1].trigger()
    assert asked.shown["next_action"]["action"] == "next"


def test_no_output_takes_the_place_of_the_answer_until_it_is_given_again(asked: Asked) -> None:
    next(action for action in _menu(asked).actions() if action.text() == "No structured output").trigger()
    assert "in place of the answer" in asked.labels()
    assert not asked.text("summary").isEnabled()
    asked.press("Answer")
    assert asked.given[0].answer is None
    _menu(asked).actions()[0].trigger()
    assert asked.text("summary").isEnabled()


def test_the_same_draft_again_keeps_everything(asked: Asked) -> None:
    box = asked.text("summary")
    QTest.keyClicks(box, "half")
    asked.form.show_draft(asked.draft, None)
    assert asked.text("summary") is box
    assert box.toPlainText() == "half"


def test_another_draft_takes_its_place_and_the_old_one_is_let_go(asked: Asked, example: AgentFolder) -> None:
    step = example.flow.steps["closure.issue"]
    other = AnswerDraft(example.flow, step, example.schema(step).value, GUIDE)
    asked.form.show_draft(other)
    assert asked.button("closing").isChecked()
    asked.draft.set("/summary", "late")
    assert "late" not in asked.form._json.editor.toPlainText()
    QTest.mouseClick(asked.button("true"), Qt.MouseButton.LeftButton)
    assert asked.shown["resolution"]["met"] is True


def test_numbers_many_choices_and_forms(asked: Asked, example: AgentFolder, qtbot: QtBot) -> None:
    schema: dict[str, Any] = {
        "properties": {
            "count": {"type": "integer", "minimum": 3},
            "one": {"enum": [f"choice {number}" for number in range(20)]},
            "what": {"oneOf": [{"title": "Word", "type": "string"}, {"title": "List", "type": "array", "items": {}}]},
            "odd": {"enum": [{"a": 1}, [1]]},
        },
        "required": ["count", "one", "what", "odd"],
    }
    step = example.flow.steps["initial.issue"]
    asked.form.show_draft(AnswerDraft(example.flow, step, schema, GUIDE))
    line = asked.find(QLineEdit, "count")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "12a")
    assert "a whole number" in asked.labels()
    assert asked.find(QLineEdit, "count") is line
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert asked.shown["count"] == 12
    choices = asked.find(QComboBox, "one")
    choices.setCurrentIndex(4)
    choices.activated.emit(4)
    assert asked.shown["one"] == "choice 4"
    QTest.mouseClick(asked.button("List"), Qt.MouseButton.LeftButton)
    assert asked.shown["what"] == []
    qtbot.wait(1)


def test_it_speaks_japanese_when_it_is_renamed(asked: Asked, qtbot: QtBot) -> None:
    use_language("ja")
    asked.form.retranslate()
    qtbot.wait(1)
    assert asked.form._answer.text() == "回答"
    assert asked.button("affected を追加")


@pytest.mark.parametrize("width", [380, 900])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_cut_off(asked: Asked, width: int, dark: bool, qtbot: QtBot) -> None:
    asked.form.set_theme(Theme(dark))
    asked.form.resize(width, 260)
    asked.draft.set("/analysis/affected", ["a" * 300])
    qtbot.wait(1)
    assert asked.form.minimumSizeHint().width() <= width
    views = [asked.form._scroll.isVisible(), asked.form._json.isVisible()]
    assert views == ([True, False] if width < 600 else [True, True])
    inside: list[QWidget] = [*asked.form.findChildren(QPushButton), *asked.form.findChildren(QPlainTextEdit)]
    for widget in (each for each in inside if each.isVisible()):
        assert widget.mapTo(asked.form, widget.rect().topRight()).x() <= width, widget.accessibleName()


def test_in_a_narrow_form_the_json_is_a_click_away(asked: Asked, qtbot: QtBot) -> None:
    asked.form.resize(400, 500)
    asked.press("JSON")
    qtbot.wait(1)
    assert asked.form._json.isVisible()
    assert not asked.form._scroll.isVisible()


def test_an_answer_that_is_very_long_or_odd_is_shown_as_far_as_it_can_be(asked: Asked, qtbot: QtBot) -> None:
    asked.draft.write(json.dumps({"extra": list(range(3000))}))
    assert len(asked.form._rows) < 200
    assert "all are in the JSON" in asked.labels()
    odd = (
        '{"summary": "\\ud800 half of a pair", "a\\u0000b": "\\u0000", "n": 1.5, "big": 123456789012345678901234567890}'
    )
    asked.draft.write(odd)
    qtbot.wait(1)
    assert asked.draft.problem is None
    asked.draft.set("/n", 1)
    qtbot.wait(1)
    asked.press("Answer")
    assert len(asked.given) == 1


@pytest.mark.parametrize(
    "text", ["[]", "null", "7", '"text"', '{"next_action": []}', '{"next_action": {"action": {}}}']
)
def test_any_json_can_be_answered(asked: Asked, text: str) -> None:
    asked.draft.write(text)
    asked.press("Answer")
    assert asked.given[0].answer == json.loads(text)
    for action in _menu(asked).actions():
        if action.isEnabled() and action.text():
            action.trigger()

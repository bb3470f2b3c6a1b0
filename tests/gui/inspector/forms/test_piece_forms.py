"""The forms of pieces without a window: what is added works at once, lists are put in order by mouse and keyboard."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QFrame, QMenu, QScrollArea
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.change import plan
from stepflow_gui.formats.changes import Change
from stepflow_gui.formats.edits import Plan, Refusal
from stepflow_gui.formats.fields import shape_at
from stepflow_gui.formats.takt.detect import era_of_file
from stepflow_gui.formats.takt.fields import PIECE_FILE
from stepflow_gui.formats.takt.load_check import load_faults
from stepflow_gui.gui.inspector.form_line_edit import FormLineEdit
from stepflow_gui.gui.inspector.forms.form_fields import sections
from stepflow_gui.gui.inspector.forms.form_target import RegistryTarget
from stepflow_gui.gui.inspector.forms.parts import movement_parts, piece_parts
from stepflow_gui.gui.inspector.forms.row import FormRow
from stepflow_gui.gui.inspector.forms.row_menu import RowActions, fill
from stepflow_gui.gui.inspector.forms.view import FormView
from stepflow_gui.gui.inspector.forms.wording import summary
from stepflow_gui.gui.inspector.inspector import ShownFields
from tests.formats.changes.hand import Agent
from tests.formats.takt.test_changes import PIECE, words


class Form:
    """The form of one movement, or of the piece itself, with changes made as they are asked for."""

    def __init__(self, qtbot: QtBot, path: Path, root: str) -> None:
        self.agent = Agent.open(path)
        self.root = root
        self.asked: list[Change] = []
        self.view = FormView(self.make)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(self.view)
        self.area.resize(420, 700)
        qtbot.addWidget(self.area)
        self.show()
        self.area.show()
        qtbot.waitExposed(self.area)

    @property
    def text(self) -> str:
        return self.agent.registry

    def show(self) -> None:
        folder = self.agent.folder
        node = folder.registry.tree.at(self.root)
        assert node is not None
        table, known = ShownFields().of(folder.flow)
        shape = shape_at(table, self.root, known) if self.root else table
        assert shape is not None
        parts = movement_parts() if self.root else piece_parts("Piece")
        without = () if self.root else ("movements", "steps")
        found = sections(node.value, shape, self.root, known, parts, without)
        self.view.show_form(self.root, RegistryTarget(folder), found, [], locked=False)

    def make(self, change: Change) -> Plan | Refusal:
        found = plan(self.agent.folder, change)
        if isinstance(found, Refusal):
            return found
        self.asked.append(change)
        self.agent = self.agent.done(change).agent
        self.show()
        return found

    def row(self, pointer: str) -> FormRow:
        found = self.view.row_for(pointer)
        assert found is not None
        assert found.line.pointer == pointer
        return found

    def title(self, title: str) -> FormRow:
        return next(row for row in self.view.rows if row.shown.title == title)

    def add(self, row: FormRow, key: str = "") -> None:
        """Press + and choose from the menu, where there is one."""
        assert row.add_button is not None
        row.add_button.click()
        menus = [menu for menu in self.view.findChildren(QMenu) if menu.isVisible()]
        if menus:
            action = next(each for each in menus[-1].actions() if each.text().startswith(key))
            menus[-1].close()
            action.trigger()

    def enter(self, pointer: str, text: str) -> None:
        """Type a value, replacing the old one."""
        editor = self.row(pointer).editor
        assert isinstance(editor, FormLineEdit)
        editor.setFocus()
        editor.selectAll()
        QTest.keyClicks(editor, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)

    @property
    def marked(self) -> bool:
        """Whether it is shown where something that is dragged would stand."""
        mark = self.view.findChild(QFrame, "dropMark")
        assert isinstance(mark, QFrame)
        return not mark.isHidden()

    def faults(self) -> list[str]:
        root = self.agent.folder.registry.root
        assert root is not None
        return [str(fault.path) for fault in load_faults(root.value, era_of_file(root))]


@pytest.fixture(params=[False, True], ids=["piece", "workflow"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / ".takt" / ("workflows" if request.param else "pieces")
    folder.mkdir(parents=True)
    (folder / "small.yaml").write_text(words(PIECE) if request.param else PIECE, encoding="utf-8")
    return folder / "small.yaml"


def steps(path: Path) -> str:
    return "steps" if path.parent.name == "workflows" else "movements"


def test_what_is_added_to_a_movement_can_be_loaded_at_once(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, f"/{steps(path)}/1")
    form.add(form.title("Rules"))
    flow = form.agent.folder.flow
    assert [(rule.intent, rule.end) for rule in flow.steps["work"].transitions] == [
        ("Done", ""),
        ("Done 2", "COMPLETE"),
    ]
    form.add(form.title("Reports"), "output_contracts")
    form.add(form.row(f"/{steps(path)}/1/output_contracts/report"))
    reports = form.agent.folder.flow.steps["work"].raw["output_contracts"]["report"]
    assert [each["name"] for each in reports] == ["work.md", "work-2.md"]
    form.add(form.title("Sub-steps"), "parallel")
    form.add(form.title("Sub-steps"))
    assert [sub.id for sub in form.agent.folder.flow.steps["work"].subs] == ["check", "check_2"]
    assert form.faults() == []


def test_a_new_sub_step_is_like_its_siblings(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, f"/{steps(path)}/2")
    form.add(form.title("Sub-steps"))
    sub = form.agent.folder.flow.steps["review"].subs[2]
    assert [rule.intent for rule in sub.transitions] == ["approved", "needs_fix"]
    assert sub.raw["persona"] == "coder"
    assert form.faults() == []


def test_a_watch_over_a_cycle_is_made_and_changed_by_form(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, "")
    form.add(form.title("Loop monitors"))
    monitors = form.agent.folder.flow.monitors
    assert [[text.value for text in each.cycle] for each in monitors] == [["work", "review"]] * 2
    assert form.faults() == []
    where = "/loop_monitors/1"
    form.enter(f"{where}/cycle/0", "plan")
    form.add(form.row(f"{where}/cycle"))
    form.enter(f"{where}/threshold", "5")
    form.add(form.row(f"{where}/judge/rules"))
    form.enter(f"{where}/judge/rules/2/next", "plan")
    monitor = form.agent.folder.flow.monitors[1]
    assert [text.value for text in monitor.cycle] == ["plan", "review", "work"]
    assert monitor.threshold == 5
    assert monitor.judge is not None
    assert [rule.intent for rule in monitor.judge.transitions] == ["Progress", "No progress", "Done"]
    assert form.faults() == []
    form.area.activateWindow()
    form.view.focus_line(f"{where}/cycle/1")
    qtbot.waitUntil(form.row(f"{where}/cycle/1").editor.hasFocus)
    QTest.keyClick(form.row(f"{where}/cycle/1").editor, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [text.value for text in form.agent.folder.flow.monitors[1].cycle] == ["review", "plan", "work"]


def test_a_folded_watch_is_summed_up_by_its_cycle() -> None:
    made = [{"cycle": ["work", "review"], "threshold": 3, "judge": {}}, {"cycle": ["a"]}]
    found = sections({"loop_monitors": made}, PIECE_FILE, "", "piece", piece_parts("Piece"))
    lines = {line.pointer: line for section in found for line in section.lines}
    assert summary(lines["/loop_monitors/0"]) == "work → review ×3, then a judge"
    assert summary(lines["/loop_monitors/1"]) == "a ×?, then a judge"


def test_rules_are_put_in_order_by_keys(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, f"/{steps(path)}/0")
    before = form.text
    form.area.activateWindow()
    first = form.row(f"/{steps(path)}/0/rules/0/condition")
    first.editor.setFocus()
    qtbot.waitUntil(first.editor.hasFocus)
    QTest.keyClick(first.editor, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [rule.intent for rule in form.agent.folder.flow.steps["plan"].transitions] == ["Unclear", "Clear"]
    held = form.row(f"/{steps(path)}/0/rules/1/condition")
    assert held.editor.hasFocus()  # the keyboard goes along
    QTest.keyClick(held.editor, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)  # it is the last
    QTest.keyClick(held.editor, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert form.text == before


def test_rules_and_sub_steps_are_dragged_by_their_numbers(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, f"/{steps(path)}/2")
    for where, to, names in (
        ("rules", 400, ['any("needs_fix")', 'all("approved")']),
        ("parallel", 400, ["sense", "style"]),
        ("parallel", 0, ["sense", "style"]),  # back to where it is
    ):
        handle = form.row(f"/{steps(path)}/2/{where}/0").handle
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(2, 8))
        QTest.mouseMove(handle, QPoint(2, 30))
        QTest.mouseMove(handle, QPoint(2, to))
        assert form.marked
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=QPoint(2, to))
        step = form.agent.folder.flow.steps["review"]
        assert [sub.id for sub in step.subs] == names or [rule.intent for rule in step.transitions] == names
    assert len(form.asked) == 2


def test_escape_leaves_a_dragged_element_where_it_is(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, f"/{steps(path)}/0")
    handle = form.row(f"/{steps(path)}/0/rules/0").handle
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=QPoint(2, 8))
    QTest.mouseMove(handle, QPoint(2, 300))
    assert form.marked
    QTest.keyClick(form.view, Qt.Key.Key_Escape)
    assert not form.marked
    assert form.asked == []


def test_reports_are_offered_in_their_other_forms(tmp_path: Path, qtbot: QtBot) -> None:
    text = PIECE.replace("    edit: true\n", "    edit: true\n    output_contracts: {report: [{name: a.md}]}\n")
    file = tmp_path / ".takt" / "pieces" / "x.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    form = Form(qtbot, file, "/movements/1")
    row = form.row("/movements/1/output_contracts/report/0")
    menu = QMenu()
    fill(
        menu,
        RegistryTarget(form.agent.folder),
        row.shown,
        1,
        RowActions(lambda change: _none(form.make(change)), print, print, print, print),
    )
    action = next(each for each in menu.actions() if each.text() == "Change to “Label: File”")
    action.trigger()
    assert "report: [{a: a.md}]" in form.text
    assert form.row("/movements/1/output_contracts/report/0/a").line.value == "a.md"


def _none(_found: object) -> None:
    return None


def test_sub_steps_that_are_chosen_for_a_run_are_edited_alike(tmp_path: Path, qtbot: QtBot) -> None:
    text = """\
name: w
max_steps: 3
steps:
  - name: review
    parallel:
      fixed:
        - name: style   # always
          rules: [{condition: ok}]
      pool:
        - name: safety
          rules: [{condition: ok}]
      selection: {max: 1}
    rules: [{condition: all("ok"), next: COMPLETE}]
"""
    file = tmp_path / ".takt" / "workflows" / "w.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    form = Form(qtbot, file, "/steps/0")
    form.enter("/steps/0/parallel/fixed/0/name", "looks")
    form.add(form.row("/steps/0/parallel/pool"))
    step = form.agent.folder.flow.steps["review"]
    assert [sub.id for sub in step.subs] == ["looks", "safety", "check"]
    assert "- name: looks   # always" in form.text
    assert [rule.intent for rule in step.subs[2].transitions] == ["ok"]
    assert form.faults() == []


def test_a_chosen_file_becomes_an_entry_whose_name_can_be_typed_at_once(
    path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = path.parent.parent / "policies" / "strict.md"
    file.parent.mkdir()
    file.write_text("Be strict.", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(file), ""))
    form = Form(qtbot, path, "")
    form.add(form.title("Sections"), "policies: From a File")
    added = form.row("/policies/strict")
    assert added.line.value == "../policies/strict.md"
    assert added.key_editor is not None
    assert form.area.focusWidget() is added.key_editor
    assert added.key_editor.selectedText() == "strict"
    QTest.keyClicks(added.key_editor, "hard")
    QTest.keyClick(added.key_editor, Qt.Key.Key_Return)
    assert form.agent.folder.registry.tree.at("/policies/hard") is not None
    form.add(form.row("/policies"), "policies: From a File")
    assert "hard" in form.row("/policies").shown_texts[0]  # that file already exists
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: ("", ""))
    form.add(form.row("/policies"), "policies: From a File")
    assert len(form.asked) == 2


def test_suggestions_follow_the_notation(path: Path, qtbot: QtBot) -> None:
    form = Form(qtbot, path, f"/{steps(path)}/2")
    found = form.view.choices(form.row(f"/{steps(path)}/2/rules/0/condition").line)
    assert found[:2] == ['all("approved")', 'all("needs_fix")']
    assert found[-1] == ("when()" if steps(path) == "steps" else 'ai("")')


@pytest.mark.parametrize(("cap", "other"), [("max_iterations", "max_movements"), ("max_movements", "max_iterations")])
def test_the_form_has_the_fields_of_the_releases_that_the_file_is_for(
    cap: str, other: str, tmp_path: Path, qtbot: QtBot
) -> None:
    file = tmp_path / "p.yaml"
    rules = "    rules:\n      - condition: done\n        next: COMPLETE\n"
    file.write_text(f"name: p\n{cap}: 5\nmovements:\n  - name: plan\n    instruction: a\n{rules}", "utf-8")
    form = Form(qtbot, file, "")
    assert form.row(f"/{cap}").line.known
    offered = [field.name for row in form.view.rows for _pointer, field in row.shown.addable]
    assert f"/{other}" not in [row.line.pointer for row in form.view.rows]
    assert other not in offered
    steps = Form(qtbot, file, "/movements/0")
    offered = [field.name for row in steps.view.rows for _pointer, field in row.shown.addable]
    assert ("required_permission_mode" in offered) == (cap == "max_movements")

"""The window as its user meets it: open, select, edit by drag and text, undo, save, run."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.document.settings import Settings
from stepflow_gui.gui.widgets.prompts import OnClose, OnConflict
from stepflow_gui.project.creating.example import copy_example
from stepflow_gui.text.source import Source
from tests.gui.canvas.hand import drag, node_point, pill_point
from tests.gui.shown import emptied, in_run, shown_window
from tests.gui.silent import Silent


class Answers(Silent):
    """A person who gives the test's answers, and remembers what was asked."""

    def __init__(self) -> None:
        self.conflict = OnConflict.CANCEL
        self.close = OnClose.DISCARD
        self.asked: list[str] = []

    def changed_on_disk(self, path: Path) -> OnConflict:
        self.asked.append(f"conflict {path.name}")
        return self.conflict

    def unsaved(self, path: Path) -> OnClose:
        self.asked.append(f"unsaved {path.name}")
        return self.close

    def inform(self, title: str, text: str) -> None:
        self.asked.append(f"tell {title}")


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(qtbot: QtBot, kept: MainWindow, answers: Answers) -> Iterator[MainWindow]:
    with emptied(kept, answers) as made:
        yield made


@pytest.fixture
def own_window(qtbot: QtBot, tmp_path: Path, answers: Answers) -> Iterator[MainWindow]:
    """A window for one test, which closes it or leaves it otherwise than it was."""
    with shown_window(qtbot, tmp_path, answers) as made:
        yield made
        answers.close = OnClose.DISCARD


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return copy_example(into=tmp_path / "project")


def _registry(folder: Path) -> Path:
    return next(folder.rglob("steps_registry.json"))


def _settle(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document
    assert document is not None
    qtbot.waitUntil(lambda: document.linted and document.parsed and not window.canvas.is_building)


def _text(window: MainWindow) -> str:
    assert window.document is not None
    source = window.document.source()
    assert isinstance(source, Source)
    return source.text


def _press(window: MainWindow, start: str) -> None:
    for button in in_run(window.run_panel, QPushButton):
        if button.isVisible() and button.text().startswith(start) and button.isEnabled():
            button.click()
            QApplication.processEvents()
            return
    raise AssertionError(f"no button {start}")


def _changed_lines(before: str, after: str) -> int:
    lines, others = before.split("\n"), after.split("\n")
    assert len(lines) == len(others)
    return sum(one != other for one, other in zip(lines, others, strict=True))


def test_opening_a_folder_draws_lints_and_names_the_agent(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    assert window.open(example)
    _settle(qtbot, window)
    assert "issue-flow › steps_registry.json" in window.windowTitle()
    assert set(window.canvas.graph.step_frames()) >= {"initial.issue", "continuation.issue", "closure.issue"}
    assert "no problems" in window.state_label.whole
    assert window.count_label.whole.startswith("4 steps")


def test_selecting_in_one_place_selects_in_all(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    window.open(example)
    _settle(qtbot, window)
    document = window.document
    assert document is not None
    window.outline.step_picked.emit("continuation.issue")
    assert document.selected_step == "continuation.issue"
    assert window.canvas.graph.selected == "continuation.issue"
    source, caret = document.source(), window.source.editor.textCursor().position()
    assert isinstance(source, Source)
    assert document.step_at(source.from_utf16(caret)) == "continuation.issue"
    window.canvas.step_selected.emit("closure.issue")
    assert window.outline._steps.currentItem().text() == "closure.issue"
    # and from the text: the caret moves into a step
    window.desk.actions["focus-source"].trigger()
    offset = _text(window).index('"Understand the issue"')
    cursor = window.source.editor.textCursor()
    cursor.setPosition(offset)
    window.source.editor.setTextCursor(cursor)
    qtbot.waitUntil(lambda: document.selected_step == "initial.issue")
    assert window.canvas.graph.selected == "initial.issue"


def test_dragging_a_port_to_a_step_changes_one_line_and_undo_gives_the_same_bytes(
    qtbot: QtBot, window: MainWindow, example: Path
) -> None:
    window.open(example)
    _settle(qtbot, window)
    before = _text(window)
    canvas = window.canvas
    window.room.show_view("flow")
    canvas.zoom_to(1.0)
    canvas.fit()
    QApplication.processEvents()
    drag(canvas, pill_point(canvas, "continuation.issue", "next"), node_point(canvas, "initial.issue"))
    after = _text(window)
    assert _changed_lines(before, after) == 1
    assert '"next": { "target": "initial.issue" }' in after
    assert window.document is not None
    assert window.document.dirty
    assert window.windowTitle().startswith("issue-flow › steps_registry.json •")
    window.desk.actions["undo"].trigger()
    assert _text(window) == before
    assert not window.document.dirty
    window.desk.actions["redo"].trigger()
    assert _text(window) == after
    assert window.save()
    assert _registry(example).read_bytes() == after.encode()


def test_a_broken_text_keeps_the_last_graph_and_shows_where(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    window.open(example)
    _settle(qtbot, window)
    editor = window.source.editor
    cursor = editor.textCursor()
    cursor.setPosition(_text(window).index('"transitions"'))
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "{{")
    _settle(qtbot, window)
    document = window.document
    assert document is not None
    assert document.text_broken
    assert "closure.issue" in window.canvas.graph.step_frames()
    assert any(found.code == "SF001" for found in document.diagnostics)
    assert window.canvas.can_connect is not None
    assert window.canvas.can_connect("initial.issue", "next", "closure.issue") is not None
    while document.stack.canUndo():
        document.undo()
    _settle(qtbot, window)
    assert not document.text_broken
    assert document.diagnostics == []


def test_editing_text_updates_graph_and_problems(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    window.open(example)
    _settle(qtbot, window)
    editor = window.source.editor
    at = _text(window).index('"continuation.issue"', _text(window).index('"target"'))
    cursor = editor.textCursor()
    cursor.setPosition(at + len('"continuation.issue') - 1)
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "x")
    _settle(qtbot, window)
    assert window.document is not None
    assert [found.code for found in window.document.diagnostics if found.severity == "error"] == ["SF301"]
    assert window.output.tabText(0).startswith("Problems  ")


def test_a_run_by_hand_reaches_the_end_and_steps_back(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    window.open(example)
    _settle(qtbot, window)
    window.desk.actions["run-start"].trigger()
    run = window.runs.agent.run
    assert run is not None
    assert run.state.step == "initial.issue"
    assert window.canvas.graph.run.active == {"initial.issue"}
    for pick in ("next", "repeat", "handoff", "closing", "Passes"):
        _press(window, pick)
    assert run.validator is not None
    _press(window, "Passes")
    assert run.state.outcome is not None
    assert run.state.outcome.success
    assert window.canvas.graph.run.ended
    assert "reached its end" in window.run_panel.now.widget.title.whole
    window.desk.actions["run-back"].trigger()
    window.desk.actions["run-back"].trigger()
    window.desk.actions["run-back"].trigger()
    assert run.state.step == "closure.issue"
    assert run.state.outcome is None
    _press(window, "repeat")
    assert run.state.step == "closure.issue"
    window.desk.actions["run-stop"].trigger()
    assert window.canvas.graph.run.active == frozenset()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_run_goes_on_by_the_keyboard_alone(qtbot: QtBot, window: MainWindow, example: Path, key: Qt.Key) -> None:
    window.open(example)
    _settle(qtbot, window)
    window.desk.actions["run-start"].trigger()
    run = window.runs.agent.run
    assert run is not None
    for step in ("continuation.issue", "continuation.issue"):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)
        assert run.state.step == step
    assert len(run.trace) == 3


def test_saving_over_an_outside_change_asks_first(
    qtbot: QtBot, window: MainWindow, example: Path, answers: Answers
) -> None:
    window.open(example)
    _settle(qtbot, window)
    document, path = window.document, _registry(example)
    assert document is not None
    QTest.keyClicks(window.source.editor, " ")
    theirs = path.read_text("utf-8").replace("Understand the issue", "Read the issue")
    path.write_text(theirs, "utf-8")
    assert not window.save()
    assert answers.asked == ["conflict steps_registry.json"]
    assert path.read_text("utf-8") == theirs
    answers.conflict = OnConflict.RELOAD
    assert not window.save()
    assert _text(window) == theirs
    document.undo()
    assert _text(window) != theirs
    answers.conflict = OnConflict.OVERWRITE
    path.write_text(theirs + " ", "utf-8")
    assert window.save()
    assert path.read_text("utf-8") == _text(window)


def test_closing_asks_where_the_person_has_something_to_lose(
    qtbot: QtBot, own_window: MainWindow, example: Path, answers: Answers
) -> None:
    own_window.open(example)
    _settle(qtbot, own_window)
    document, path = own_window.document, _registry(example)
    assert document is not None
    path.write_text("{}")
    document.check_disk()
    assert document.dirty
    assert not document.unsaved  # nothing was written here
    next(button for button in own_window.banner.findChildren(QPushButton) if button.text() == "Keep My Version").click()
    assert document.unsaved
    answers.close = OnClose.CANCEL
    assert not own_window.close()
    own_window.reload()
    assert not document.unsaved
    path.unlink()
    document.check_disk()
    assert document.unsaved  # the own_window holds the only copy
    assert not own_window.close()
    assert answers.asked == ["unsaved steps_registry.json"] * 2


def test_quitting_closes_every_window(
    qtbot: QtBot, own_window: MainWindow, example: Path, tmp_path: Path, answers: Answers
) -> None:
    other = MainWindow(Settings(tmp_path / "other.ini"), answers)
    qtbot.addWidget(other)
    other.show()
    other.open(example)
    _settle(qtbot, other)
    QTest.keyClicks(other.source.editor, " ")
    answers.close = OnClose.CANCEL
    own_window.desk.actions["quit"].trigger()
    assert other.isVisible()
    answers.close = OnClose.DISCARD
    own_window.desk.actions["quit"].trigger()
    assert not own_window.isVisible()
    assert not other.isVisible()


def test_the_copy_of_the_example_goes_with_the_window_unless_it_was_changed(
    qtbot: QtBot, own_window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for change in (False, True):
        own_window.show()
        assert own_window.open_example()
        _settle(qtbot, own_window)
        assert own_window.document is not None
        path = own_window.document.path
        assert path.is_relative_to(tmp_path)
        if change:
            QTest.keyClicks(own_window.source.editor, " ")
            assert own_window.save()
        assert own_window.close()
        assert path.exists() == change


def test_closing_over_unsaved_changes_asks(
    qtbot: QtBot, own_window: MainWindow, example: Path, answers: Answers
) -> None:
    own_window.open(example)
    _settle(qtbot, own_window)
    QTest.keyClicks(own_window.source.editor, " ")
    answers.close = OnClose.CANCEL
    assert not own_window.close()
    assert own_window.document is not None
    answers.close = OnClose.SAVE
    changed = _text(own_window)
    assert own_window.close()
    assert _registry(example).read_text("utf-8") == changed


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty", b""),
        ("binary", b"\xff\xfe\x00\x01"),
        ("no JSON", b"hello"),
        ("a number as a step", b'{"agentId": "a", "version": "1.0.0", "c1": "s", "steps": {"a": 1, "b": {}}}'),
        ("deep", b"[" * 100_000),
    ],
)
def test_odd_files_leave_the_window_usable(
    qtbot: QtBot, window: MainWindow, example: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    odd = tmp_path / name / "steps_registry.json"
    odd.parent.mkdir()
    odd.write_bytes(content)
    if window.open(odd.parent):
        _settle(qtbot, window)
        assert window.document is not None
        assert window.document.diagnostics
    else:
        assert "steps_registry.json" in window.banner.text
    assert window.open(example)
    _settle(qtbot, window)
    assert window.document is not None
    assert window.document.diagnostics == []


def test_json_of_another_kind_leaves_the_open_agent_open(
    qtbot: QtBot, window: MainWindow, example: Path, tmp_path: Path
) -> None:
    window.open(example)
    _settle(qtbot, window)
    steps = set(window.canvas.graph.step_frames())
    other = tmp_path / "package.json"
    for text in ('{"dependencies": {}}', "[1, 2]", "3"):
        other.write_text(text)
        assert not window.open(other)
        assert "package.json: no registry found here" in window.banner.text
        assert set(window.canvas.graph.step_frames()) == steps
    other.write_text('{"agentId": "a", "steps": {')
    assert window.open(other)  # broken, it may be a registry
    assert window.banner.isHidden()


def test_before_the_first_lint_success_is_not_claimed(qtbot: QtBot, window: MainWindow, example: Path) -> None:
    window.open(example)
    assert "checking…" in window.state_label.whole
    _settle(qtbot, window)
    assert "no problems" in window.state_label.whole


def test_a_folder_without_registry_is_reported_in_the_banner(window: MainWindow, tmp_path: Path) -> None:
    assert not window.open(tmp_path)
    assert "no registry found" in window.banner.text
    assert not window.open(tmp_path / "nothing")
    assert "no such file" in window.banner.text


def test_language_and_look_change_while_it_runs(qtbot: QtBot, own_window: MainWindow, example: Path) -> None:
    shutil.copytree(example, example.parent / "copy")
    own_window.open(example)
    _settle(qtbot, own_window)
    for language, title in (("ja", "問題"), ("en", "Problems")):
        own_window.set_language(language)
        assert own_window.output.tabText(0).startswith(title)
    for look in ("dark", "light", "system"):
        own_window.set_look(look)
        assert own_window.theme.dark == (look == "dark")
    _settle(qtbot, own_window)


def test_the_real_registry_of_21_steps_opens(qtbot: QtBot, window: MainWindow, corpus: Path) -> None:
    began = time.monotonic()
    assert window.open(corpus / "climpt/iterator/031-06e570d")
    _settle(qtbot, window)
    assert time.monotonic() - began < 30  # it must not hang; its speed is a matter of the benchmarks
    assert len(window.canvas.graph.step_frames()) == 21
    assert window.document is not None
    assert not [found for found in window.document.diagnostics if found.severity == "error"]


def test_every_problem_selects_its_exact_text_in_whatever_file_it_is(
    qtbot: QtBot, window: MainWindow, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "iterator"
    shutil.copytree(corpus / "climpt" / "iterator" / "031-06e570d", folder)
    assert window.open(folder)
    _settle(qtbot, window)
    document = window.document
    assert document is not None
    files = set()
    for _number in document.diagnostics:
        window.desk.actions["next-problem"].trigger()
        found = window.problems.list.chosen()
        assert found is not None
        source = document.source(found.file)
        assert isinstance(source, Source)
        wanted = source.text[found.range.start.offset : found.range.end.offset]
        selected = window.source.editor.textCursor().selectedText().replace("\u2029", "\n")
        assert selected == wanted, found
        assert found.step is None or document.selected_step == found.step
        files.add(found.file.name)
    assert len(files) > 1
    assert not document.dirty

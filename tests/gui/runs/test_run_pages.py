"""The pages of the run panel: context, prompt, validators, shadow; runs by script and trace, and what they lack."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest

from stepflow_gui.run.machine.state import Answered
from stepflow_gui.text.edit import TextEdit
from tests.gui.runs.conftest import Bench, Write, endless
from tests.run.flows import registry, step


def test_a_script_that_ends_early_reports_it_and_the_run_goes_on_by_hand(
    bench: Bench, example: Path, tmp_path: Path
) -> None:
    script = tmp_path / "short.jsonl"
    script.write_text('{"step": "initial.issue", "intent": "next"}\n', "utf-8")
    bench.open(example)
    bench.setup(who="script", file=script)
    bench.do("run-start")
    bench.wait()
    assert bench.run.state.step == "continuation.issue"
    assert "short.jsonl" in bench.note
    assert "ends" in bench.note
    bench.press("handoff")
    assert bench.run.state.step == "closure.issue"
    bench.do("run-back")
    assert bench.run.state.step == "continuation.issue"


@pytest.mark.parametrize("text", ["{", '{"step": "nowhere", "intent": "next"}\n'])
def test_a_script_that_can_t_be_used_is_reported_in_the_panel(
    bench: Bench, example: Path, tmp_path: Path, text: str
) -> None:
    script = tmp_path / "bad.jsonl"
    script.write_text(text, "utf-8")
    bench.open(example)
    bench.setup(who="script", file=script)
    bench.do("run-start")
    assert bench.note.startswith("bad.jsonl: ")
    assert bench.run.length == 1
    bench.press("next")
    assert bench.run.length == 2


def test_the_context_page_shows_writers_and_readers(bench: Bench, write: Write) -> None:
    content = registry(
        step("initial.a", "work", {"handoffFields": ["issue.number"]}, next="continuation.b"),
        step("continuation.b", "work", next="continuation.b") | {"inputs": {"n": {"from": "initial.a.number"}}},
    )
    bench.open(write(content))
    bench.do("run-start")
    bench.control.debugger.send(_answer("next", issue={"number": 7}))
    bench.panel.show_page(bench.panel.data)
    assert bench.rows("context") == ["initial.a.number  7  #2  continuation.b"]
    bench.panel.data.widget.path.setText("inputs.initial_a_number")
    QTest.keyClick(bench.panel.data.widget.path, Qt.Key.Key_Return)
    assert bench.rows("watches") == ["inputs.initial_a_number  7"]
    bench.panel.data.widget.watch_table.setCurrentIndex(bench.panel.data.widget.watches.index(0, 0))
    QTest.keyClick(bench.panel.data.widget.watch_table, Qt.Key.Key_Delete)
    assert bench.rows("watches") == []


def test_the_prompt_page_shows_text_variables_and_places(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.setup(args="issue=42")
    bench.do("run-start")
    bench.panel.show_page(bench.panel.prompt)
    assert bench.panel.prompt.widget.text.toPlainText()
    assert "issue  42" in bench.rows("variables")
    assert any(row.endswith("taken") for row in bench.rows("tried"))
    bench.do("run-stop")
    bench.setup(args="")
    bench.do("run-start")
    bench.panel.show_page(bench.panel.prompt)
    assert "issue" in bench.panel.prompt.widget.source.text()  # why there is no prompt


def test_validators_are_shown_with_pattern_prompt_and_attempts_left(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    for pick in ("next", "handoff", "closing"):
        bench.press(pick)
    bench.panel.show_page(bench.panel.checks)
    rows = bench.rows("checks")
    assert rows[0].startswith("git-clean  runs  git status")
    assert "git-dirty" in rows[0]
    card = bench.window.canvas.graph.run_layer.card
    assert card is not None
    assert [check.state for check in card.sign.checks] == ["runs", "waits"]
    assert "3 of 3" in card.sign.foot
    bench.panel.now.widget._wrote.setText("M file.txt")
    bench.press("Fails")
    assert bench.run.state.retry is not None
    assert bench.run.state.retry.error == "M file.txt"
    bench.panel.show_page(bench.panel.checks)
    assert "2 of 3" in bench.panel.checks.widget.head.text()
    assert bench.rows("checks")[0].startswith("git-clean  failed")
    assert card.sign.checks[0].state == "failed"
    bench.do("validation-layer")
    assert bench.window.canvas.graph.run_layer.card is None
    bench.do("validation-layer")


def test_nothing_is_run_in_a_folder_that_isn_t_trusted(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.setup(real=True)
    bench.do("run-start")
    for pick in ("next", "handoff", "closing"):
        bench.press(pick)
    bench.wait()
    assert bench.run.validator is not None
    assert "isn't trusted" in bench.note
    bench.press("Passes")
    bench.wait()
    assert bench.run.validator is not None  # the next one


def touching(mark: Path) -> dict[str, object]:
    """A registry whose validator leaves a mark where it was run."""
    return registry(
        step("initial.a", "work", handoff="closure.a"),
        step("closure.a", "closure", closing=None),
        validators={"v": {"type": "command", "command": f"touch {mark}; exit 0", "successWhen": "exitCode:0"}},
        validationSteps={"closure.a": {"validationConditions": [{"validator": "v"}]}},
    )


def test_trust_is_offered_where_a_command_waits_for_it(bench: Bench, write: Write, tmp_path: Path) -> None:
    bench.open(write(touching(tmp_path / "ran")))
    bench.setup(real=True)
    bench.do("run-start")
    bench.press("handoff")
    bench.press("closing")
    bench.wait()
    assert not (tmp_path / "ran").exists()
    bench.press("Trust This Folder")
    bench.wait()
    assert (tmp_path / "ran").exists()
    assert bench.window.trust.trusted
    assert bench.run.state.outcome is not None


def test_commands_are_run_once_the_folder_is_trusted(bench: Bench, write: Write, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    bench.open(write(touching(mark)))
    sign = bench.window.trust
    assert (sign.trusted, sign.text()) == (False, "Restricted mode")
    sign.toggle()
    assert (sign.trusted, sign.text()) == (True, "Trusted")
    bench.setup(real=True)
    bench.do("run-start")
    bench.press("handoff")
    bench.press("closing")
    bench.wait()
    assert mark.exists()
    assert bench.run.state.outcome is not None
    sign.toggle()
    assert not sign.trusted


def test_a_command_that_was_changed_is_not_run_until_it_is_trusted(bench: Bench, write: Write, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    bench.open(write(touching(mark)))
    sign = bench.window.trust
    sign.toggle()
    bench.setup(real=True)
    bench.do("run-start")
    bench.press("handoff")
    document = bench.window.document
    assert document is not None
    at = document.last_valid.registry.source.text.index("touch ") + len("touch ")
    document.apply({document.path: [TextEdit(at, at, "-- ")]}, "other command", "test")
    bench.press("closing")
    bench.wait()
    assert not mark.exists()
    assert not sign.trusted
    assert "changed since" in sign.toolTip()
    bench.press("Trust This Folder")
    bench.wait()
    assert mark.exists()


def test_a_registry_with_errors_runs_up_to_the_break_and_shows_the_finding(bench: Bench, write: Write) -> None:
    bench.open(write(registry(step("initial.a", "work", next="continuation.gone", repeat="initial.a"))))
    bench.do("run-start")
    bench.press("next")
    assert bench.run.state.error is not None
    assert "SF301" in bench.panel.now.widget.detail.text()
    bench.press("Show Problem")
    assert "continuation.gone" in bench.window.source.editor.textCursor().block().text()
    bench.press("repeat")
    assert bench.run.state.error is None


def test_the_shadow_s_parting_is_reported_where_it_happens(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.setup(shadow="climpt-2026-04-20", args="issue=1")
    bench.do("run-start")
    bench.press("next")
    assert bench.run.parting is None
    bench.press("abort")
    parting = bench.run.parting
    assert parting is not None
    assert parting.message in bench.note
    assert "climpt-2026-04-20" in bench.rows("trace")[-1]
    assert "climpt" not in "".join(bench.rows("trace")[:-1])


def test_a_run_can_imitate_an_upstream_era(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.setup(era="climpt-2026-04-20", args="issue=1")
    bench.do("run-start")
    assert bench.run.machine.era.name == "climpt-2026-04-20"
    assert not bench.panel.setup_form.widget.era.isEnabled()
    bench.do("run-stop")
    assert bench.panel.setup_form.widget.era.isEnabled()


def test_a_run_is_written_down_and_gone_through_again(bench: Bench, example: Path, tmp_path: Path) -> None:
    bench.open(example)
    bench.setup(args="issue=42")
    bench.do("run-start")
    for pick in ("next", "repeat", "handoff", "closing", "Passes", "Fails"):
        bench.press(pick)
    path = tmp_path / "trace.jsonl"
    bench.panel.setup_form.widget.ask_trace_file = lambda: path
    bench.do("run-save-trace")
    first = bench.rows("trace")
    assert str(Path.home()) not in path.read_text("utf-8")
    bench.do("run-stop")
    bench.setup(who="replay", file=path, args="")
    bench.do("run-start")
    bench.wait()
    assert bench.rows("trace") == first
    assert bench.run.state.memory.args == {"issue": 42}
    assert bench.note  # the trace ends here
    bench.press("repeat")
    assert bench.run.length == len(first) + 1


def test_a_run_is_compared_with_a_recorded_trace(bench: Bench, example: Path, tmp_path: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    for pick in ("next", "repeat", "handoff"):
        bench.press(pick)
    path = tmp_path / "trace.jsonl"
    bench.panel.setup_form.widget.ask_trace_file = lambda: path
    bench.do("run-save-trace")
    bench.do("run-stop")
    bench.do("run-start")
    for pick in ("next", "handoff"):
        bench.press(pick)
    bench.setup(who="replay", file=path)
    bench.do("run-restart")
    bench.do("run-start")
    bench.wait()
    bench.panel.show_page(bench.panel.compare)
    assert "same up to entry 2" in bench.panel.compare.widget.summary.text()
    assert len(bench.rows("compare")) == 4


def test_the_trace_of_another_registry_is_refused_in_words(
    bench: Bench, example: Path, write: Write, tmp_path: Path
) -> None:
    bench.open(example)
    bench.do("run-start")
    bench.press("next")
    path = tmp_path / "trace.jsonl"
    bench.panel.setup_form.widget.ask_trace_file = lambda: path
    bench.do("run-save-trace")
    bench.open(write(endless()))
    bench.setup(who="replay", file=path)
    bench.do("run-start")
    bench.wait()
    assert "another registry" in bench.note
    bench.press("next")
    assert bench.run.length == 2


def test_an_answer_is_filled_in_where_the_step_has_a_schema(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    bench.press("Fill In")
    assert bench.control._answers.form.isVisible()
    bench.press("Answer")
    assert bench.run.length == 2


def test_what_follows_closing_is_drawn_where_the_closure_is_selected(bench: Bench, example: Path) -> None:
    bench.open(example)
    layer = bench.window.canvas.graph.run_layer
    bench.window.canvas.choose_step("initial.issue")
    assert layer.card is None
    bench.window.canvas.choose_step("closure.issue")
    assert layer.card is not None
    assert [check.name for check in layer.card.sign.checks] == ["git-clean", "type-check"]
    assert "f_failed_git-dirty.md" in layer.card.sign.checks[0].target
    width, height = layer.card.size
    place = QRectF(layer.card.x(), layer.card.y(), width, height)
    assert not any(place.intersects(node.frame) for node in bench.window.canvas.graph.nodes.values())


def test_what_a_run_lacks_at_its_start_is_given_in_the_setup(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.setup(era="climpt-2026-01-18")
    bench.do("run-start")
    assert "issue" in bench.panel.now.widget.detail.text()
    bench.press("Reconfigure")
    assert bench.control.run is None
    assert bench.panel.pages.currentWidget() is bench.panel.setup_form
    bench.panel.setup_form.widget.args.setText("issue=7")
    bench.panel.setup_form.widget.args.editingFinished.emit()
    bench.do("run-start")
    assert bench.run.state.waits == "answer"


def _answer(word: str, **more: object) -> Answered:
    return Answered({"next_action": {"action": word}, **more})


def test_a_page_that_is_built_without_a_place_for_the_keyboard_leaves_it_to_the_tabs(
    bench: Bench, example: Path
) -> None:
    bench.open(example)
    bench.do("run-start")
    panel = bench.panel
    bench.window.activateWindow()
    bench.qtbot.waitUntil(bench.window.isActiveWindow)
    panel.show_page(panel.data)
    panel.data.widget.path.setFocus()
    panel.show_page(panel.checks)
    assert panel.checks.widget.table.isHidden()
    assert bench.window.focusWidget() is panel.right.tabBar()


def test_a_page_that_hid_what_had_the_keyboard_leaves_it_to_the_tabs(bench: Bench, example: Path) -> None:
    bench.open(example)
    bench.do("run-start")
    for pick in ("next", "handoff", "closing"):
        bench.press(pick)
    panel = bench.panel
    bench.window.activateWindow()
    bench.qtbot.waitUntil(bench.window.isActiveWindow)
    panel.show_page(panel.checks)
    panel.checks.widget.table.setFocus()
    panel.show_page(panel.data)
    bench.do("run-restart")
    bench.do("run-start")
    panel.checks.widget.show_checks("", [])
    panel.show_page(panel.data)
    panel.data.widget.path.setFocus()
    panel.show_page(panel.checks)
    assert panel.checks.widget.table.isHidden()
    assert bench.window.focusWidget() is panel.right.tabBar()

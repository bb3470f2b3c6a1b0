"""The pane beside the problems: previews, fixing all of a rule, the rule's page, suppressing; the configuration."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

import catalogue
from stepflow_gui.gui.widgets.diff_lines import dedented, diff_lines
from stepflow_gui.lint.config.config import Configs
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.fixing import any_fixes, fix_all
from stepflow_gui.messages import use_language
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from tests.gui.problems.conftest import Bench, Make


def choose(bench: Bench, code: str) -> Diagnostic:
    row = bench.row_of(code)
    bench.list.setCurrentIndex(bench.panel._model.index(row))
    return bench.rows()[row]


def on_disk(path: Path) -> list[Diagnostic]:
    found = lint_as_configured(path)
    assert isinstance(found, list)
    return found


def preview(bench: Bench) -> list[str]:
    return bench.panel.details.widget.preview.text.toPlainText().split("\n")


def test_space_shows_what_the_fix_changes_and_enter_makes_it(broken: Bench, qtbot: QtBot) -> None:
    before = broken.text
    found = choose(broken, "SF301")
    QTest.keyClick(broken.list, Qt.Key.Key_Space)
    shown = preview(broken)
    assert shown[0] == found.file.name
    assert [line.split() for line in shown if line.startswith("− ")] == [
        ["−", '"next":', "{", '"target":', '"continuation.isue"', "},"]
    ]
    assert any(line.startswith("+ ") and '"continuation.issue"' in line for line in shown)
    assert "Unsafe fix" in broken.panel.details.widget.preview.note.text()
    QTest.keyClick(broken.panel.details.widget.preview.button, Qt.Key.Key_Return)
    assert broken.text == before.replace('"continuation.isue"', '"continuation.issue"')
    qtbot.waitUntil(lambda: broken.document.linted)
    assert broken.panel.details.isHidden()
    broken.document.undo()
    assert broken.text == before


def test_escape_closes_the_pane_and_gives_the_list_the_keyboard_back(broken: Bench) -> None:
    choose(broken, "SF301")
    QTest.keyClick(broken.list, Qt.Key.Key_F1)
    assert broken.panel.details.widget.rule.text.hasFocus()
    QTest.keyClick(broken.panel.details.widget.rule.text, Qt.Key.Key_Escape)
    assert broken.panel.details.isHidden()
    assert broken.list.hasFocus()


def test_all_fixes_of_a_rule_are_one_entry_and_what_the_command_line_makes(broken: Bench, qtbot: QtBot) -> None:
    agent = open_agent(broken.document.path)
    assert isinstance(agent, AgentFolder)
    wanted = fix_all(
        [agent],
        lint,
        lambda found: any_fixes(found) if found.code == "SF206" else [],
    )
    choose(broken, "SF206")
    broken.panel.fix_all("SF206")
    offer = broken.panel.details.widget.preview
    qtbot.waitUntil(offer.button.isVisible)
    assert "finding fixed in 1 file" in offer.note.text()
    before = broken.text
    offer.button.click()
    assert broken.text == next(change.after.text for change in wanted.changes if change.path == broken.document.path)
    assert broken.document.stack.count() == 1
    broken.document.undo()
    assert broken.text == before


def test_no_safe_fixes_are_reported(broken: Bench, qtbot: QtBot) -> None:
    broken.panel.fix_all(None)
    qtbot.waitUntil(lambda: broken.panel.details.widget.preview.title.text() == "Apply all safe fixes")
    safe = any(fix.safe for found in broken.rows() for fix in found.fixes)
    assert broken.panel.details.widget.preview.button.isVisible() == safe
    assert ("No fixes available." in broken.panel.details.widget.preview.note.text()) != safe


def test_a_rule_page_links_forwards_and_back(broken: Bench) -> None:
    choose(broken, "SF201")
    QTest.keyClick(broken.list, Qt.Key.Key_F1)
    page = broken.panel.details.widget.rule
    said = page.text.toPlainText()
    assert said.startswith("SF201")
    for heading in ("What it does", "Why is this bad", "Fix", "Bad", "Good"):
        assert heading in said
    assert not page.back.isVisible()
    page.text.anchorClicked.emit(QUrl("SF301"))
    assert page.text.toPlainText().startswith("SF301")
    page.back.click()
    assert page.text.toPlainText().startswith("SF201")


def test_a_rule_page_follows_the_language(broken: Bench, checkout: Path) -> None:
    catalogue.compile_catalogue(checkout)
    choose(broken, "SF201")
    QTest.keyClick(broken.list, Qt.Key.Key_F1)
    page = broken.panel.details.widget.rule
    english = page.text.toPlainText()
    use_language("ja")
    page.retranslate()
    said = page.text.toPlainText()
    assert "ステップの出力スキーマがモデルに選ばせる intent と、transitions のキーを比較します。" in said
    for text in ("What it does", "Why is this bad", "Fix", "Bad", "Good", "Compares the intents"):
        assert text in english
        assert text not in said


def test_suppressing_needs_a_reason_and_is_one_entry_of_the_document(broken: Bench, qtbot: QtBot) -> None:
    before = broken.text
    found = choose(broken, "SF301")
    broken.panel.show_details(found, "suppress")
    form = broken.panel.details.widget.form
    assert form.reason.hasFocus()
    QTest.keyClick(form.reason, Qt.Key.Key_Return)
    assert broken.text == before  # without a reason nothing happens
    QTest.keyClicks(form.reason, "comes with the next release")
    QTest.keyClicks(form.until, "2999-02-30")
    assert not form.button.isEnabled()
    form.until.setText("2999-02-28")
    QTest.keyClick(form.until, Qt.Key.Key_Return)
    assert '"ignore"' in broken.text
    assert '"reason": "comes with the next release"' in broken.text
    assert '"until": "2999-02-28"' in broken.text
    qtbot.waitUntil(lambda: broken.document.linted)
    assert "SF301" not in {each.code for each in broken.rows()}
    assert broken.document.stack.count() == 1
    broken.document.undo()
    assert broken.text == before


@pytest.mark.parametrize("place", range(4))
def test_wherever_it_is_written_the_finding_goes(broken: Bench, qtbot: QtBot, place: int) -> None:
    found = choose(broken, "SF301")
    others = {each.code for each in broken.rows()} - {"SF301"}
    broken.panel.show_details(found, "suppress")
    form = broken.panel.details.widget.form
    assert form.place.count() == 4  # transition, step, registry, configuration
    form.place.setCurrentIndex(place)
    QTest.keyClicks(form.reason, "known")
    QTest.keyClick(form.reason, Qt.Key.Key_Return)
    assert form.trouble.text() == ""
    qtbot.waitUntil(lambda: broken.document.linted and "SF301" not in {each.code for each in broken.rows()})
    assert {each.code for each in broken.rows()} == others
    broken.document.save()
    assert "SF301" not in {each.code for each in on_disk(broken.document.path)}


def test_a_second_suppression_joins_the_first(broken: Bench, qtbot: QtBot) -> None:
    for code in ("SF301", "SF206"):
        found = choose(broken, code)
        broken.panel.show_details(found, "suppress")
        form = broken.panel.details.widget.form
        form.place.setCurrentIndex(form.place.findText("the whole registry"))
        QTest.keyClicks(form.reason, "known")
        QTest.keyClick(form.reason, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: broken.document.linted)
    assert broken.text.count('"x-stepflow"') == 1
    assert {"SF301", "SF206"}.isdisjoint(each.code for each in broken.rows())


def test_the_configuration_holds_and_a_change_of_it_is_taken_up(
    bench: Make, checkout: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow-broken", tmp_path / "agent")
    config = tmp_path / "agent" / "stepflow.toml"
    config.write_text('ignore = ["SF301"]\nselct = ["SF9"]\n', "utf-8")
    made = bench(tmp_path / "agent")
    assert "SF301" not in {each.code for each in made.rows()}
    problems = Configs().of(made.document.path).problems
    assert [line.toolTip() for line in made.panel.notice.lines] == [f"{each.file}\n{each.message}" for each in problems]
    assert made.panel.notice.isVisible()
    config.write_text("", "utf-8")
    qtbot.waitUntil(lambda: "SF301" in {each.code for each in made.rows()})
    assert not made.panel.notice.isVisible()


def test_a_problem_of_the_configuration_goes_to_its_line(bench: Make, checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", tmp_path / "agent")
    config = tmp_path / "agent" / "stepflow.toml"
    config.write_text('ignore = ["SF301"]\nselct = ["SF9"]\n', "utf-8")
    made = bench(tmp_path / "agent")
    wanted: list[bool] = []
    made.panel.source_wanted.connect(lambda: wanted.append(True))
    QTest.mouseClick(made.panel.notice.lines[0], Qt.MouseButton.LeftButton)
    path, span = made.shown[-1]
    assert path == config
    assert config.read_text("utf-8")[span.start : span.end] == 'selct = ["SF9"]'
    assert wanted == [True]


def test_what_has_no_effect_in_the_configuration_is_a_problem(bench: Make, checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", tmp_path / "agent")
    config = tmp_path / "agent" / "stepflow.toml"
    config.write_text('[[per-path]]\npaths = ["nowhere/**"]\nignore = ["SF301"]\n', "utf-8")
    made = bench(tmp_path / "agent")
    configs = Configs()
    agent = open_agent(made.document.path)
    assert isinstance(agent, AgentFolder)
    assert made.rows() == judge([agent], configs=configs).diagnostics
    assert [each.file for each in made.rows()] == [config]


def test_the_list_is_narrowed_by_words_and_step(broken: Bench) -> None:
    everything = broken.rows()
    QTest.keyClicks(broken.panel.filter.words, "sf30 isue")
    assert {each.code for each in broken.rows()} == {"SF301"}
    broken.panel.filter.words.setText("nothing has this")
    assert broken.panel._calm.text.text() == "No problem matches the filter."
    broken.panel.filter.words.clear()
    assert broken.rows() == everything
    broken.document.select("initial.issue", "test")
    broken.panel.filter.only_step.click()
    assert {each.step for each in broken.rows()} <= {"initial.issue"}
    broken.document.select("continuation.issue", "test")
    assert {each.step for each in broken.rows()} == {"continuation.issue"}


def test_a_finding_is_copied_by_the_keyboard(broken: Bench) -> None:
    found = choose(broken, "SF301")
    QTest.keySequence(broken.list, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text().endswith(f"{found.code} {found.message}")


def test_the_same_is_offered_at_the_text(broken: Bench) -> None:
    found = choose(broken, "SF301")
    menu = QMenu(broken.panel)
    broken.panel.offer_at(menu, found.file, found.range.start.offset)
    texts = [action.text() for action in menu.actions()]
    assert "&Explain SF301" in texts
    assert f"{found.fixes[0].title}…" in texts
    menu.clear()
    broken.panel.offer_at(menu, found.file, 0)
    assert not menu.actions()


def test_a_narrow_panel_shows_list_or_pane(broken: Bench) -> None:
    broken.panel.resize(500, 300)
    choose(broken, "SF301")
    QTest.keyClick(broken.list, Qt.Key.Key_F1)
    assert not broken.list.isVisible()
    broken.panel.resize(1000, 300)
    assert broken.list.isVisible()
    assert broken.panel.details.isVisible()


def test_what_all_lines_begin_with_is_left_out() -> None:
    lines = dedented(diff_lines('    {\n      "a": 1\n\n    }\n', '    {\n      "a": 2\n\n    }\n'))
    assert [line.text for line in lines] == ["{", '  "a": 1', '  "a": 2', "", "}"]


def test_a_difference_shows_a_few_lines_around() -> None:
    before = "".join(f"line {number}\n" for number in range(40))
    after = before.replace("line 5\n", "line five\n").replace("line 30\n", "")
    shown = [(line.kind, line.text) for line in diff_lines(before, after)]
    assert shown == [
        *(("same", "line 3"), ("same", "line 4"), ("removed", "line 5"), ("added", "line five")),
        *(("same", "line 6"), ("same", "line 7"), ("gap", "⋯"), ("same", "line 28"), ("same", "line 29")),
        *(("removed", "line 30"), ("same", "line 31"), ("same", "line 32")),
    ]


def test_a_low_panel_shows_the_change_not_only_what_is_around_it(broken: Bench, qtbot: QtBot) -> None:
    broken.panel.resize(400, 160)
    choose(broken, "SF301")
    QTest.keyClick(broken.list, Qt.Key.Key_Space)
    text = broken.panel.details.widget.preview.text

    def shows_change() -> bool:
        block = text.firstVisibleBlock()
        seen = []
        while block.isValid() and text.blockBoundingGeometry(block).translated(text.contentOffset()).top() < (
            text.viewport().height()
        ):
            seen.append(block.text())
            block = block.next()
        return any(line.startswith("− ") for line in seen)

    qtbot.waitUntil(shows_change)

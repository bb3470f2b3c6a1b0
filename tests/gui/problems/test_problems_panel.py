"""The problems list by mouse and keyboard: going to a finding, fixing it, filtering."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.problems.model import HEADING, Grouping
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.text.edit import TextEdit
from tests.gui.problems.conftest import Bench, Make

OFFSCREEN = pytest.mark.qt_log_ignore(r"This plugin does not support")  # a menu is a window


def test_a_click_selects_the_step_and_shows_the_exact_text(broken: Bench) -> None:
    row = broken.row_of("SF301")
    broken.click(row)
    assert broken.document.selected_step == "continuation.issue"
    path, span = broken.shown[-1]
    assert path == broken.document.path
    assert broken.text[span.start : span.end] == '"continuation.isue"'


def test_the_keyboard_walks_the_list(broken: Bench) -> None:
    wanted: list[bool] = []
    broken.panel.source_wanted.connect(lambda: wanted.append(True))
    broken.panel.step(1)
    assert broken.list.currentIndex().row() == 0
    assert len(broken.shown) == 1
    QTest.keyClick(broken.list, Qt.Key.Key_Down)
    QTest.keyClick(broken.list, Qt.Key.Key_Return)
    assert broken.list.currentIndex().row() == 1
    assert len(broken.shown) == 2
    assert wanted == [True]
    broken.panel.step(-1)
    broken.panel.step(-1)
    assert broken.list.currentIndex().row() == len(broken.rows()) - 1


def test_a_fix_by_its_button_is_one_undoable_change(broken: Bench, qtbot: QtBot) -> None:
    before = broken.text
    row = broken.row_of("SF301")
    broken.click(row, button=0)
    assert broken.text == before  # it is a suggestion, which is shown first
    assert broken.panel.details.widget.preview.button.hasFocus()
    QTest.keyClick(broken.panel.details.widget.preview.button, Qt.Key.Key_Return)
    assert broken.text == before.replace('"continuation.isue"', '"continuation.issue"')
    assert broken.document.stack.count() == 1
    assert broken.shown == []  # the button isn't the row
    qtbot.waitUntil(lambda: broken.document.linted)
    assert "SF301" not in {found.code for found in broken.rows()}
    broken.document.undo()
    assert broken.text == before


def test_a_fix_is_refused_while_the_findings_are_older_than_the_text(broken: Bench) -> None:
    fix = broken.rows()[broken.row_of("SF301")].fixes[0]
    broken.document.apply({broken.document.path: [TextEdit(0, 0, "\n\n")]}, "Add", "test")
    before = broken.text
    broken.document.apply_fix(fix)
    assert broken.text == before


def menu_of(bench: Bench) -> QMenu:
    QTest.keyClick(bench.list, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    menu = bench.panel.findChild(QMenu)
    assert isinstance(menu, QMenu)
    assert menu.isVisible()
    return menu


@OFFSCREEN
def test_the_menu_offers_the_fixes(broken: Bench) -> None:
    row = broken.row_of("SF206")
    broken.list.setCurrentIndex(broken.panel._model.index(row))
    before = broken.text
    menu = menu_of(broken)
    titles = [action.text() for action in menu.actions() if action.text()]
    fixes = broken.rows()[row].fixes
    assert titles[: len(fixes)] == [f"{fix.title}…" for fix in fixes]
    assert titles[len(fixes) :] == [
        *("&Preview Fix", "Fix &All of SF206…", "&Explain SF206", "&Suppress…", "&Go to Text", "&Copy")
    ]
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert broken.text == before
    broken.panel.details.widget.preview.button.click()
    assert broken.text != before
    assert broken.document.stack.count() == 1


@OFFSCREEN
def test_copying_shows_where_and_what(broken: Bench) -> None:
    broken.panel.step(1)
    menu = menu_of(broken)
    menu.actions()[-1].trigger()
    menu.close()
    found = broken.rows()[0]
    assert QGuiApplication.clipboard().text().startswith(f"{found.file}:{found.range.start.line}:")


def test_the_current_finding_stays_current_while_others_go(broken: Bench, qtbot: QtBot) -> None:
    row = broken.row_of("SF501")
    broken.list.setCurrentIndex(broken.panel._model.index(row))
    broken.document.apply_fix(broken.rows()[broken.row_of("SF301")].fixes[0])
    qtbot.waitUntil(lambda: broken.document.linted)
    chosen = broken.list.chosen()
    assert chosen is not None
    assert chosen.code == "SF501"


def test_a_finding_in_a_schema_shows_its_place_in_the_registry(broken: Bench) -> None:
    row = broken.row_of("SF201")
    found = broken.rows()[row]
    assert {place.file.name for place in found.related} | {found.file.name} > {"issue.schema.json"}
    broken.click(row)
    assert broken.shown[-1].path == broken.document.path


def test_messages_wrap_and_buttons_stay_inside(broken: Bench) -> None:
    for width in (240, 400, 900):
        for found in broken.rows():
            shape = broken.list.delegate.shape(found, width)
            assert shape.message.right() < width
            assert all(box.right() < width for box in shape.buttons)
            assert shape.place.top() > shape.message.bottom()
    tall, flat = (broken.list.delegate.shape(broken.rows()[0], width).height for width in (240, 900))
    assert tall > flat


def test_narrowing_the_panel_makes_rows_taller(broken: Bench, qtbot: QtBot) -> None:
    first = broken.panel._model.index(0)
    before = broken.list.visualRect(first).height()
    broken.panel.resize(300, 300)
    qtbot.waitUntil(lambda: broken.list.visualRect(first).height() > before)


def test_hovering_a_button_shows_a_hand(broken: Bench) -> None:
    row = broken.row_of("SF301")
    at = broken.point(row, 0)
    index = broken.panel._model.index(row)
    broken.list.delegate.hover(index, QPointF(at))
    assert broken.list.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    broken.list.delegate.hover(index, QPointF(broken.point(row)))
    assert broken.list.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor


def test_a_screen_reader_hears_the_finding(broken: Bench) -> None:
    index = broken.panel._model.index(broken.row_of("SF301"))
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("error SF301: “next” of “continuation.issue” goes to")
    assert spoken.endswith("steps_registry.json line 104, 1 fix")
    assert broken.list.accessibleName() == "Problems"


def test_severities_can_be_hidden(bench: Make, corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(mixed(corpus), tmp_path / "agent")
    made = bench(tmp_path / "agent")
    everything = made.rows()
    worst = everything[0].severity
    made.panel.filter.severities[worst].click()
    assert {found.severity for found in made.rows()} == {found.severity for found in everything} - {worst}
    made.panel.filter.severities[worst].click()
    assert made.rows() == everything


def mixed(corpus: Path) -> Path:
    """A real agent with findings of several severities."""
    for registry in sorted(corpus.glob("climpt/*/*/steps_registry.json")):
        agent = open_agent(registry)
        assert isinstance(agent, AgentFolder)
        if len({found.severity for found in lint(agent)}) > 1:
            return registry.parent
    pytest.skip("no agent in the corpus has findings of several severities")


def test_no_findings_are_shown_calmly(bench: Make, checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow", tmp_path / "agent")
    made = bench(tmp_path / "agent")
    assert made.panel._calm.text.text() == "No problems"
    assert made.panel._calm.text.isVisible()
    assert made.panel._calm.icon.isVisible()
    assert not made.list.isVisible()
    made.panel.step(1)  # nothing to go to
    made.panel.set_document(None)
    assert made.panel._calm.text.text().startswith("No agent open. Create one")


def test_what_is_focusable_has_a_name(broken: Bench, qtbot: QtBot) -> None:
    for button in broken.panel.findChildren(QToolButton):
        assert button.text() or button.accessibleName()
    broken.panel.focus_widget.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is broken.list)


def test_a_key_that_the_releases_of_a_piece_read_is_no_problem(bench: Make, tmp_path: Path) -> None:
    step = "{name: a, persona: p, instruction: do, rules: [{condition: ok, next: COMPLETE}]}"
    piece = tmp_path / ".takt" / "pieces" / "x.yaml"
    piece.parent.mkdir(parents=True)
    piece.write_text(f"name: x\nmax_movements: 5\nmovements:\n  - {step}\n", encoding="utf-8")
    found = {each.code for each in bench(piece).rows()}
    assert found
    assert "T025" not in found


def test_findings_stand_in_groups_each_under_its_name(broken: Bench) -> None:
    model, plain = broken.panel._model, broken.rows()
    heights = sum(broken.list.sizeHintForRow(row) for row in range(len(plain)))
    named: dict[Grouping, Callable[[Diagnostic], str]] = {
        "rule": lambda found: found.code,
        "file": lambda found: found.file.name,
    }
    for grouping, name in named.items():
        broken.panel.group_by(grouping)
        rows = broken.rows()
        assert sorted(map(id, rows)) == sorted(map(id, plain))
        names = [name(found) for found in rows]
        starts = [at for at, each in enumerate(names) if at == 0 or names[at - 1] != each]
        assert len(starts) == len(set(names))  # what belongs together stands together
        headings = [model.index(at).data(HEADING) for at in range(len(rows))]
        assert [at for at, heading in enumerate(headings) if heading] == starts
        assert all(headings[at].startswith(names[at]) for at in starts)
        assert sum(broken.list.sizeHintForRow(row) for row in range(len(rows))) > heights
    broken.panel.group_by("step")
    assert broken.rows()
    broken.panel.group_by("")
    assert broken.rows() == plain

"""Which finding F1, the source's tool tip and the inspector mean; the format that the configuration forces."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.formats.names import format_name
from stepflow_gui.gui.app.window import MainWindow
from stepflow_gui.gui.canvas.marks import SeverityCounts
from stepflow_gui.gui.document.document import Document
from stepflow_gui.gui.source.assist.rename import RenamePopup
from stepflow_gui.gui.widgets.finding_line import FindingLine
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.configured_lint import lint_as_configured
from stepflow_gui.text.source import Span
from tests.gui.app.test_window import Answers
from tests.gui.canvas.hand import mouse_over, press, release
from tests.gui.shown import emptied

Open = Callable[[str], MainWindow]


@pytest.fixture
def agent(checkout: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(checkout / "resources" / "examples" / "issue-flow-broken", tmp_path / "agent"))


@pytest.fixture
def opened(qtbot: QtBot, kept: MainWindow, agent: Path) -> Iterator[Open]:
    with emptied(kept, Answers(), (1280, 900)) as window:

        def open_with(config: str = "") -> MainWindow:
            if config:
                (agent / "stepflow.toml").write_text(config, "utf-8")
            assert window.open(agent)
            qtbot.waitUntil(lambda: document(window).linted)
            return window

        yield open_with


def document(window: MainWindow) -> Document:
    assert window.document is not None
    return window.document


def finding(window: MainWindow, code: str) -> Diagnostic:
    return next(each for each in document(window).diagnostics if each.code == code)


def explained(window: MainWindow) -> str:
    window.desk.actions["explain-problem"].trigger()
    assert window.problems.details.widget.page == "rule"
    return window.problems.details.widget.rule.shown


def test_the_caret_in_the_source_selects_the_explained_finding(opened: Open) -> None:
    window = opened("")
    window.source.editor.setFocus()
    for code in ("SF301", "SF206"):
        found = finding(window, code)
        window.problems.close_details()
        window.source.editor.setFocus()
        cursor = window.source.editor.textCursor()
        cursor.setPosition(window.source.editor.mapping.position(found.range.start.offset + 1))
        window.source.editor.setTextCursor(cursor)
        assert explained(window) == code


def test_the_step_selected_on_the_canvas_shows_it_too(opened: Open) -> None:
    window = opened("")
    found = finding(window, "SF301")
    others = [each for each in document(window).diagnostics if each.step not in {found.step, None}]
    assert others
    for each in (found, others[0]):
        window.problems.close_details()
        window.canvas.setFocus()
        document(window).select(None, "canvas")
        document(window).select(each.step, "canvas")
        of_step = [other for other in document(window).diagnostics if other.step == each.step]
        assert explained(window) in {other.code for other in of_step}


@pytest.mark.parametrize("zoom", [1.0, 0.5])
def test_a_click_on_a_badge_shows_the_problems_of_its_step(opened: Open, zoom: float) -> None:
    window = opened("")
    canvas, step = window.canvas, finding(window, "SF301").step
    canvas.zoom_to(zoom)
    assert step is not None
    canvas.centerOn(canvas.graph.step_frames()[step].topRight())
    item = canvas.graph.step_item(step)
    assert item is not None
    corner = item.frame.topRight()
    grid = [corner + QPointF(x, y) for x in range(-20, 12) for y in range(-12, 12)]
    (first, *_rest) = on_badge = [each for each in grid if item.badge_at(each, canvas.zoom)]
    at = canvas.mapFromScene(sum(on_badge[1:], first) / len(on_badge))
    assert canvas.step_item_at(at) is item
    document(window).select(None, "canvas")
    window.bottom_dock.hide()
    mouse_over(canvas, at)
    assert canvas.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    press(canvas, at)
    release(canvas, at)
    assert document(window).selected_step == step
    assert window.problems.isVisible()
    assert {each.step for each in window.problems._model.rows} == {step}
    assert window.problems.list.chosen() is not None
    window.problems.filter.only_step.setChecked(False)
    item.counts = SeverityCounts()
    assert not item.badge_at(canvas.mapToScene(at), canvas.zoom)  # without problems there is none


def test_the_row_of_the_list_is_meant_while_the_list_has_the_keyboard(opened: Open) -> None:
    window = opened("")
    document(window).select(finding(window, "SF301").step, "canvas")
    step = document(window).selected_step
    other = next(row for row, each in enumerate(window.problems._model.rows) if each.step != step)
    window.problems.list.setFocus()
    window.problems.list.setCurrentIndex(window.problems._model.index(other))
    assert explained(window) == window.problems._model.rows[other].code


def test_the_finding_that_f8_led_to_is_meant_from_the_canvas(opened: Open) -> None:
    window = opened("")
    window.canvas.setFocus()
    for _time in range(len(document(window).diagnostics)):
        window.desk.actions["next-problem"].trigger()
        window.canvas.setFocus()
        chosen = window.problems.list.chosen()
        assert chosen is not None
        assert explained(window) == chosen.code
        window.problems.close_details()


def test_the_card_in_the_source_names_the_fix_and_f1(opened: Open) -> None:
    window = opened("")
    editor, found = window.source.editor, finding(window, "SF301")
    document(window).reveal(found.file, Span(found.range.start.offset, found.range.end.offset))
    window.canvas.setFocus()
    document(window).select(None, "outline")
    cursor = editor.textCursor()
    cursor.setPosition(editor.mapping.position(found.range.start.offset + 2))
    point = editor.cursorRect(cursor).center() + QPoint(1, 0)
    QApplication.sendEvent(
        editor.viewport(), QHelpEvent(QHelpEvent.Type.ToolTip, point, editor.viewport().mapToGlobal(point))
    )
    said = window.source.assist.card.label.text()
    assert found.fixes[0].title in said.replace("&quot;", '"')
    assert "F1" in said
    assert editor.hovered is not None
    assert explained(window) == "SF301"
    window.source.assist.hover.hide()
    assert editor.hovered is None


def test_a_link_in_the_sources_card_makes_or_shows_the_fix(opened: Open, agent: Path, qtbot: QtBot) -> None:
    registry = next(agent.rglob("steps_registry.json"))
    text = registry.read_text("utf-8")
    registry.write_text(text.replace('"usesStdin": false', '"usesStdin": true', 1), "utf-8")  # a safe fix undoes it
    window = opened("")
    safe = next((found, fix) for found in document(window).diagnostics for fix in found.fixes if fix.safe)
    unsafe = next((found, fix) for found in document(window).diagnostics for fix in found.fixes if not fix.safe)
    source = window.source
    for found, fix in (unsafe, safe):
        document(window).reveal(found.file, Span(found.range.start.offset, found.range.end.offset))
        assert source.assist.hover.show_at(found.range.start.offset)
        links = sorted(found.fixes, key=lambda each: not each.safe)
        source.assist.card.label.linkActivated.emit(str(links.index(fix)))
        if fix is unsafe[1]:
            assert window.problems.details.widget.page == "fix"
            assert document(window).stack.count() == 0
    assert document(window).stack.count() == 1
    qtbot.waitUntil(lambda: document(window).linted)
    assert safe[0].message not in [each.message for each in document(window).diagnostics]


def test_a_key_opens_the_fixes_of_the_line_in_the_source(opened: Open) -> None:
    window = opened("")
    editor, found = window.source.editor, finding(window, "SF301")
    document(window).reveal(found.file, Span(found.range.start.offset, found.range.start.offset))
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    titles = [action.text().replace("&", "") for action in menu.actions()]
    assert any(found.fixes[0].title in title for title in titles)
    menu.close()


def test_a_rename_in_the_source_is_reported_in_the_status_bar(opened: Open) -> None:
    window = opened("")
    editor = window.source.editor
    at = editor.mapping.source.text.index('"initial.issue": {') + 3
    window.source.editor.setFocus()
    window.source.assist.rename(at)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, RenamePopup)
    popup.field.setText("initial.work")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    assert '"initial.work": {' in editor.mapping.source.text
    assert "initial.work" in window.statusBar().currentMessage()


def test_the_inspectors_findings_offer_what_the_list_offers(opened: Open, agent: Path, qtbot: QtBot) -> None:
    registry = next(agent.rglob("steps_registry.json"))
    values = json.loads(registry.read_text("utf-8"))
    values["steps"]["lonely.issue"] = {**values["steps"]["initial.issue"], "stepId": "lonely.issue"}
    registry.write_text(json.dumps(values, indent=2), "utf-8")
    window = opened("")
    document(window).select("lonely.issue", "canvas")
    line = next(line for line in window.inspector.findChildren(FindingLine) if line.isVisible())
    code = line.text().split()[0]
    QTest.mouseClick(line, Qt.MouseButton.LeftButton)
    menu = window.inspector.findChildren(QMenu)[-1]
    assert f"Explain {code}" in [action.text().replace("&", "") for action in menu.actions()]
    assert "Suppress…" in [action.text().replace("&", "") for action in menu.actions()]
    menu.close()
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Space)
    assert window.problems.details.widget.page == "fix"
    chosen = window.problems.list.chosen()
    assert chosen is not None
    assert chosen.code == code
    QTest.keyClick(window.problems.details, Qt.Key.Key_Escape)
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.inspector.findChildren(QMenu)))
    for each in window.inspector.findChildren(QMenu):
        each.close()


def test_the_configurations_format_holds_in_the_window_and_a_change_is_taken_up(
    opened: Open, agent: Path, qtbot: QtBot
) -> None:
    window = opened('format = "gateless"\n')
    assert document(window).last_valid.format == "gateless"
    assert {each.format for each in document(window).diagnostics} == {"gateless"}
    assert window.state_label.text().startswith(format_name("gateless"))
    (agent / "stepflow.toml").write_text("", "utf-8")
    qtbot.waitUntil(lambda: document(window).last_valid.format != "gateless")
    qtbot.waitUntil(lambda: document(window).linted)
    told = document(window).last_valid.format
    assert {each.format for each in document(window).diagnostics} == {told}
    assert window.state_label.text().startswith(format_name(told))
    assert lint_as_configured(document(window).path) == document(window).diagnostics

"""Suppressed findings in the panel: their number, their rows, and taking a suppression back."""

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from stepflow_gui.gui.problems.model import SUPPRESSED
from stepflow_gui.text.source import Source
from tests.gui.problems.conftest import LEFT, Bench, Make


def suppress(bench: Bench, qtbot: QtBot, place: str) -> str:
    """Suppress the finding of SF301 through the form; gives the text before."""
    before = bench.text
    bench.panel.show_details(bench.rows()[bench.row_of("SF301")], "suppress")
    form = bench.panel.details.widget.form
    names = [form.place.itemText(number) for number in range(form.place.count())]
    form.place.setCurrentIndex(next(number for number, name in enumerate(names) if place in name))
    QTest.keyClicks(form.reason, "waits for us")
    QTest.keyClick(form.reason, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.document.linted)
    return before


def show(bench: Bench) -> int:
    """List the suppressed findings; gives the row of the first."""
    bench.panel.filter.suppressed.setChecked(True)
    return len(bench.rows())


def test_their_number_is_quiet_and_they_are_listed_on_request(broken: Bench, qtbot: QtBot) -> None:
    assert not broken.panel.filter.suppressed.isVisible()
    count = len(broken.rows())
    suppress(broken, qtbot, "transition")
    model, button = broken.panel._model, broken.panel.filter.suppressed
    assert button.isVisible()
    assert button.text() == "1 suppressed"
    assert model.rowCount() == count - 1
    QTest.mouseClick(button, LEFT)
    assert model.rowCount() == count
    index = model.index(count - 1)
    assert index.data(SUPPRESSED).found.code == "SF301"
    assert "Suppressed: waits for us" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    QTest.mouseClick(button, LEFT)
    assert model.rowCount() == count - 1


@pytest.mark.parametrize("place", ["transition", "step", "registry", "configuration"])
def test_taking_back_is_shown_first_and_one_entry_of_the_history(broken: Bench, qtbot: QtBot, place: str) -> None:
    config = broken.document.last_valid.root / "stepflow.toml"
    written = broken.document.source(config)
    before = suppress(broken, qtbot, place)
    row = show(broken)
    broken.list.setCurrentIndex(broken.panel._model.index(row))
    broken.list.setFocus()
    QTest.keyClick(broken.list, Qt.Key.Key_Space)
    preview = broken.panel.details.widget.preview
    assert "waits for us" in preview.note.text()
    assert any(line.startswith("− ") and "SF301" in line for line in preview.text.toPlainText().split("\n"))
    assert not broken.panel.details.widget.buttons["suppress"].isEnabled()
    entries = broken.document.stack.index()
    QTest.keyClick(preview.button, Qt.Key.Key_Return)
    assert broken.document.stack.index() == entries + 1
    assert broken.text == before
    after = broken.document.source(config)
    assert isinstance(written, Source)
    assert isinstance(after, Source)
    assert after.text == written.text
    qtbot.waitUntil(lambda: broken.document.linted)
    assert "SF301" in {each.code for each in broken.rows()}
    assert broken.panel.details.isHidden()
    assert not broken.panel.filter.suppressed.isVisible()


def test_the_button_of_the_row_asks_the_same(broken: Bench, qtbot: QtBot) -> None:
    suppress(broken, qtbot, "step")
    index = broken.panel._model.index(show(broken))
    qtbot.wait(20)  # the rows are laid out with the next event
    broken.list.scrollTo(index)
    area = broken.list.visualRect(index)
    found = index.data(SUPPRESSED)
    (box,) = broken.list.delegate.shape(found.found, area.width(), found).buttons
    QTest.mouseClick(broken.list.viewport(), LEFT, pos=area.topLeft() + box.center())
    assert broken.panel.details.widget.preview.button.isVisible()
    assert broken.panel.details.widget.preview.title.text() == "Remove the suppression of SF301"


def test_the_menu_opens_the_suppression(broken: Bench, qtbot: QtBot) -> None:
    suppress(broken, qtbot, "step")
    row = show(broken)
    broken.list.menu_asked.emit(broken.panel._model.index(row))
    menu = broken.panel.findChildren(QMenu)[-1]
    titles = {action.text().replace("&", ""): action for action in menu.actions()}
    assert "Suppress…" not in titles
    titles["Go to Suppression"].trigger()
    path, span = broken.shown[-1]
    assert path == broken.document.path
    assert json.loads(broken.text[span.start : span.end]) == {"code": "SF301", "reason": "waits for us"}
    menu.close()


def test_what_cannot_be_edited_is_reported(bench: Make, checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "resources" / "examples" / "issue-flow-broken", tmp_path / "agent")
    (tmp_path / "agent" / "stepflow.toml").write_text('suppress = [{code = "SF301", reason = "so"}]\n', "utf-8")
    made = bench(tmp_path / "agent")
    made.list.setCurrentIndex(made.panel._model.index(show(made)))
    QTest.keyClick(made.list, Qt.Key.Key_Space)
    preview = made.panel.details.widget.preview
    assert "edited manually: Suppressed: so · stepflow.toml:1" in preview.note.text()
    assert not preview.button.isVisible()


def test_next_and_previous_pass_them_over(broken: Bench, qtbot: QtBot) -> None:
    suppress(broken, qtbot, "step")
    row = show(broken)
    broken.list.setCurrentIndex(broken.panel._model.index(row))
    broken.panel.step(1)
    assert broken.list.currentIndex().row() == 0
    broken.panel.step(-1)
    assert broken.list.currentIndex().row() == row - 1
